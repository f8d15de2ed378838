/* target_fmu3.c - an FMU, FMI 3.0 (fmu.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/fmu.h"

static int files(const TargetInput *in, const TargetFile **out, Arena *arena,
                 Diag *diag)
{
    return fmu_files(in, 3, out, arena, diag);
}

const Target target_fmu3 = {
    .name = "fmu3",
    .help = "an FMU, FMI 3.0",
    .form = TARGET_ARCHIVE,
    .compiles = true,
    .exchanges = true,
    .files = files,
};
