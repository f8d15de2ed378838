/* target_fmu2.c - an FMU, FMI 2.0 (fmu.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/fmu.h"

static int files(const TargetInput *in, const TargetFile **out, Arena *arena,
                 Diag *diag)
{
    return fmu_files(in, 2, out, arena, diag);
}

const Target target_fmu2 = {
    .name = "fmu2",
    .help = "an FMU, FMI 2.0",
    .form = TARGET_ARCHIVE,
    .compiles = true,
    .exchanges = true,
    .files = files,
};
