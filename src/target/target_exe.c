/* target_exe.c - a program that runs the model, with the options of takt sim
 * that make sense for one step: its main stands in takt_exe.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "base/number.h"
#include "base/vec.h"
#include "target/binary.h"
#include "target/foreign.h"

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

typedef Vec(const char *) Words;

static void add_words(Words *to, const char *fmt, const char *const *list,
                      Arena *arena)
{
    for (; *list; list++)
        vec_push(arena, to, arena_printf(arena, fmt, *list));
}

/* Sources and libraries of external functions; false after a report. */
static bool add_foreign(const TargetInput *in, Words *option, Words *library,
                        Arena *arena, Diag *diag)
{
    const ExprForeign *f = in->out->foreign;
    if (!f || in->inner)
        return true;
    const char *const *archive = foreign_archives(in, "a program", arena, diag);
    if (!archive)
        return false;
    add_words(option, "-I%s", f->folder, arena);
    add_words(library, "%s", f->source, arena);
    add_words(library, "%s", archive, arena);
    return true;
}

static int program(const TargetInput *in, const TargetFile **files,
                   Arena *arena, Diag *diag)
{
    const char *const usual[] = {in->inner || in->out->foreign ? "-std=gnu99"
                                                               : "-std=c99",
                                 "-O2", "-ffp-contract=off", "-s", NULL};
    static const char *const last[] = {"-lm", NULL};
    Words option = {0}, library = {0};
    add_words(&option, "%s", usual, arena);
    if (!add_foreign(in, &option, &library, arena, diag))
        return -1;
    add_words(&library, "%s", last, arena);
    vec_push(arena, &option, NULL);
    vec_push(arena, &library, NULL);
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
                      .option = option.at,
                      .file = source.at,
                      .nfile = source.n,
                      .library = library.at,
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
