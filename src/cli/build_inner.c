/* build_inner.c - an FMU with sources as a part of generated code.
 *
 * The wrappers of the FMU call its functions by their names in place of loading
 * its binary; its sources go into a folder beside the code. Headers of the
 * standard that they include and do not bring are takt's.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/build_inner.h"

#include <string.h>

#include "base/script.h"
#include "base/vec.h"

typedef Vec(TargetInner) Inner;

static bool has(const Inner *list, const char *name)
{
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->at[i].name, name))
            return true;
    return false;
}

static void add_header(Inner *list, const char *name, const char *text,
                       Arena *arena)
{
    if (!has(list, name))
        vec_push(arena, list, ((TargetInner){name, text, false}));
}

/* Headers of the standard, if the sources do not have them. */
static void add_headers(Inner *list, int version, Arena *arena)
{
    const char *types = arena_printf(arena, "takt_fmi%d.h", version);
    const char *all = arena_printf(arena, "fmi%dFunctions.h", version);
    const char *rest = arena_printf(arena, "#include \"%s\"\n", all);
    if (has(list, all))
        return;
    add_header(list, all, emit_runtime(all), arena);
    add_header(list, types, emit_runtime(types), arena);
    add_header(list, arena_printf(arena, "fmi%dFunctionTypes.h", version), rest,
               arena);
    add_header(list,
               version == 2 ? "fmi2TypesPlatform.h" : "fmi3PlatformTypes.h",
               rest, arena);
}

/* The wrappers, which know the FMU as a part of the program; the lines of
 * CMakeLists.txt. */
static const char *linked_text(const DriverCode *code, const EmitFile *f,
                               const FmuSources *s, const Inner *list,
                               Arena *arena)
{
    if (!strcmp(f->name, arena_printf(arena, "%s_external.c", code->name)))
        return arena_printf(
            arena,
            "#define TAKT_FMU_LINKED(name) %s_##name\n"
            "#define TAKT_FMU_LINKED_VERSION %d\n%s",
            s->identifier, s->version,
            s->folder ? target_replaced(f->text, s->folder, ".", arena)
                      : f->text);
    if (strcmp(f->name, "CMakeLists.txt") != 0)
        return f->text;
    const char *text = arena_printf(arena, "%starget_sources(%s PRIVATE",
                                    f->text, cmake_target(code->name, arena));
    for (int i = 0; i < list->n; i++)
        if (list->at[i].is_code)
            text = arena_printf(arena, "%s %s%s", text, TARGET_INNER,
                                list->at[i].name);
    return arena_printf(arena, "%s)\n", text);
}

const DriverCode *build_inner(const Compilation *c, const TargetInner **inner,
                              int *ninner)
{
    Arena *arena = c->arena;
    const FmuSources *s = fmu_sources(c->fmu, arena, c->diag);
    Inner list = {0};
    if (!s)
        return NULL;
    if (!strcmp(s->identifier, c->code->name)) {
        diag_report(c->diag, c->flat->span, DIAG_E1405,
                    "the code cannot have the name of the FMU inside, '%s': "
                    "--name",
                    s->identifier);
        return NULL;
    }
    for (int i = 0; i < s->n; i++)
        vec_push(arena, &list,
                 ((TargetInner){s->file[i].name, s->file[i].text,
                                s->file[i].is_code}));
    add_headers(&list, s->version, arena);
    DriverCode *code = NEW(arena, DriverCode);
    EmitFile *file = NEW_ARRAY(arena, EmitFile, c->code->nfile + 1);
    *code = *c->code;
    for (int i = 0; i < code->nfile; i++)
        file[i] =
            (EmitFile){code->file[i].name,
                       linked_text(code, &code->file[i], s, &list, arena)};
    code->file = file;
    *inner = list.at;
    *ninner = list.n;
    return code;
}
