/* fmi.c - words of FMI. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/fmi.h"

#define FMI_TEXT(name, text) text,
const char *const fmi_causality_text[FMU_NCAUSALITY] = {
    FMI_CAUSALITIES(FMI_TEXT)};
const char *const fmi_variability_text[FMU_NVARIABILITY] = {
    FMI_VARIABILITIES(FMI_TEXT)};
