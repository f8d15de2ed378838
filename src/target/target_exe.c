/* target_exe.c - a program that runs the model, with the options of takt sim
 * that make sense for one step: its main stands in takt_exe.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "base/number.h"
#include "base/vec.h"
#include "target/binary.h"

static const char *main_text(const TargetInput *in, Arena *arena)
{
    char begin[40], stop[40];
    const char *upper = target_upper(in->name, arena);
    return arena_printf(
        arena,
        "/* %s_exe.c - a program that runs the model. Made by takt. */\n"
        "#include \"%s.h\"\n\n"
        "#define EXE_MODEL %s\n"
        "#define EXE_CALL(f) %s_##f\n"
        "#define EXE_ROW %s_variable\n"
        "#define EXE_NVAR %s_NVAR\n"
        "#define EXE_ENDED %s_TERMINATED\n"
        "#define EXE_NAME %s\n"
        "#define EXE_STEP %s_STEP\n"
        "#define EXE_BEGIN (%s + 0.0)\n"
        "#define EXE_STOP (%s + 0.0)\n\n"
        "#include \"takt_exe.h\"\n",
        in->name, in->name, in->name, in->name, in->name, upper, upper,
        c_string(in->model, arena), upper,
        number_shortest(in->start, false, begin),
        number_shortest(in->stop, false, stop));
}

static bool is_source(const char *name)
{
    size_t n = strlen(name);
    return !strchr(name, '/') && n > 2 && name[n - 2] == '.' &&
           (name[n - 1] == 'c' || name[n - 1] == 'h');
}

static int program(const TargetInput *in, const TargetFile **files,
                   Arena *arena, Diag *diag)
{
    const char *option[] = {in->inner ? "-std=gnu99" : "-std=c99", "-O2",
                            "-ffp-contract=off", "-s", NULL};
    static const char *const library[] = {"-lm", NULL};
    if (in->out->foreign && !in->inner) {
        diag_report(diag, in->flat->span, DIAG_U1403,
                    "not supported: a program of a model that calls external "
                    "C; takt build --target c and takt run have it");
        return -1;
    }
    Vec(CompileFile) source = {0};
    for (int i = 0; i < in->nfile; i++)
        if (is_source(in->file[i].name))
            vec_push(arena, &source,
                     ((CompileFile){in->file[i].name, in->file[i].text}));
    vec_push(arena, &source,
             ((CompileFile){arena_printf(arena, "%s_exe.c", in->name),
                            main_text(in, arena)}));
    vec_push(arena, &source,
             ((CompileFile){"takt_exe.h", emit_runtime("takt_exe.h")}));
    for (int i = 0; i < in->ninner; i++)
        vec_push(arena, &source,
                 ((CompileFile){arena_printf(arena, "%s%s", TARGET_INNER,
                                             in->inner[i].name),
                                in->inner[i].text}));
    CompileJob job = {.compiler = in->ncross ? in->cross[0] : NULL,
                      .folder = in->inner ? TARGET_INNER : NULL,
                      .is_part = binary_parts(in, source.at, source.n, arena),
                      .option = option,
                      .file = source.at,
                      .nfile = source.n,
                      .library = library,
                      .output = "program"};
    TargetFile *f = NEW(arena, TargetFile);
    f->name = in->name;
    if (!binary_make(&job, f, arena, diag))
        return -1;
    *files = f;
    return 1;
}

const Target target_exe = {
    .name = "exe",
    .help = "a program that runs the model",
    .form = TARGET_PROGRAM,
    .compiles = true,
    .files = program,
};
