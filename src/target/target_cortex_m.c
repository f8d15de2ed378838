/* target_cortex_m.c - C with the files that make it run on a bare Cortex-M4F:
 * startup code, a linker script, a main that counts the instructions of steps,
 * a Makefile.
 *
 * They stand in runtime/firmware/ as they are written, but for the words @NAME@
 * and @UPPER@, which become the prefix of the generated C.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "target/target.h"

static int firmware(const TargetInput *in, const TargetFile **files,
                    Arena *arena, Diag *diag)
{
    (void)diag;
    static const char *const file[] = {"Makefile", "cortex-m4.ld", "main.c",
                                       "startup.c"};
    enum { NFILE = sizeof file / sizeof file[0] };
    TargetFile *out = NEW_ARRAY(arena, TargetFile, NFILE);
    const char *upper = target_upper(in->name, arena);
    for (int i = 0; i < NFILE; i++) {
        const char *text = emit_runtime(file[i]);
        text = target_replaced(text, "@NAME@", in->name, arena);
        out[i] = target_text(file[i],
                             target_replaced(text, "@UPPER@", upper, arena));
    }
    *files = out;
    return NFILE;
}

/* Registers are few and memory is near: parts of a step would cost more time
 * than they save. */
const Target target_cortex_m = {
    .name = "cortex-m",
    .help = "with firmware for a Cortex-M4F, in float, takt's functions",
    .scalar = "float",
    .math = "takt",
    .undivided = 8000,
    .folder = "firmware",
    .files = firmware,
    .next = "make run counts its instructions",
};
