/* model.c - compiles, loads. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/model.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "run/cache.h"
#include "run/clock.h"

/* ---- the adapter ---- */

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...)  TEXT_(__VA_ARGS__)

/* Its own names are not those of a model: none of c_prefix() has two
 * underscores side by side, or is one of the others. */
static const char *make_adapter(const char *n, const char *upper, Arena *arena)
{
    return arena_printf(
        arena,
        "/* takt__run.c - %s for takt run. */\n"
        "#include <stddef.h>\n#include \"%s.h\"\n%s;\n"
        "static void defaults_(void *m) { %s_default(m); }\n"
        "static int start_(void *m) { return %s_start(m); }\n"
        "static int step_(void *m) { return %s_step(m); }\n"
        "static int set_(void *m, int number, double value)\n"
        "{ return %s_set(m, number, value); }\n"
        "static void get_(const void *m, const int *number, int n, double "
        "*value)\n"
        "{ for (int i = 0; i < n; i++) if (number[i] >= 0) value[i] = "
        "%s_get(m, number[i]); }\n"
        "static void update_(void *m) { %s_update(m); }\n"
        "static const void *variable_(int i, const char **unit, int *kind, "
        "int *causality,\n"
        "    size_t *place, double *sign, double *offset)\n"
        "{ const %s_variable *v = &%s_variables()[i]; *unit = v->unit; *kind "
        "= v->kind;\n"
        "  *causality = v->causality; *place = v->place; *sign = v->sign; "
        "*offset = v->offset;\n"
        "  return v->name; }\n"
        "static const char *where_(const void *m) { return %s_where(m); }\n"
        "static unsigned what_(const void *p, int *place)\n"
        "{ const %s *m = p; place[1] = m->block; place[2] = m->message;\n"
        "  place[3] = m->variable; return m->causes; }\n"
        "extern const TaktRun takt__run;\n"
        "const TaktRun takt__run = {sizeof(%s), %s_NVAR, %s_NBLOCK, "
        "defaults_, start_, step_, %s_find, set_, get_, %s_status_text, "
        "%s_block_name, %s_message, %s_name, where_, update_, variable_, "
        "sizeof(%s_get((const %s *)0, 0)), what_};\n",
        n, n, TEXT(RUN_INTERFACE), n, n, n, n, n, n, n, n, n, n, n, upper,
        upper, n, n, n, n, n, n, n);
}

static const char *to_upper(const char *text, Arena *arena)
{
    char *out = arena_strdup(arena, text);
    for (char *s = out; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            *s = (char)(*s - 'a' + 'A');
    return out;
}

/* ---- the entry ---- */

static bool is_caught(void)
{
    return clock_caught() != 0;
}

/* From files to a loaded library. Reports, when the folder is gone. */
static void *make_library(const CompileJob *job, const Cache *cache,
                          Arena *arena, Diag *diag)
{
    char why[512] = "";
    Compiled made;
    if (!compile_make(job, &made, arena, diag))
        return NULL;
    void *handle = dlopen(made.path, RTLD_NOW | RTLD_LOCAL);
    const char *error = handle ? NULL : dlerror();
    snprintf(why, sizeof why, "%s", error ? error : "");
    if (handle)
        cache_keep(cache, made.path);
    compile_end(&made);
    if (!handle && !is_caught())
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the compiled model cannot be loaded: %s", why);
    return handle;
}

/* The model and its adapter. */
static CompileJob make_job(const RunSource *source, Arena *arena)
{
    static const char *const option[] = {
        "-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", NULL};
    static const char *const library[] = {"-lm", NULL};
    int n = source->nfile;
    CompileFile *file = NEW_ARRAY(arena, CompileFile, n + 1);
    memcpy(file, source->file, (size_t)n * sizeof *file);
    file[n] = (CompileFile){
        "takt__run.c",
        make_adapter(source->name, to_upper(source->name, arena), arena)};
    return (CompileJob){.option = option,
                        .library = source->option ? source->option : library,
                        .file = file,
                        .nfile = n + 1,
                        .output = "model.so",
                        .interrupted = is_caught};
}

RunModel *run_load(const RunSource *source, Arena *arena, Diag *diag)
{
    CompileJob job = make_job(source, arena);
    bool may_keep = !source->no_cache && !source->option;
    Cache cache = may_keep ? cache_of(&job, arena) : (Cache){0};
    void *handle =
        cache_has(&cache) ? dlopen(cache.made, RTLD_NOW | RTLD_LOCAL) : NULL;
    bool is_kept = handle != NULL;
    if (!handle)
        handle = make_library(&job, &cache, arena, diag);
    if (!handle)
        return NULL;
    const TaktRun *call = dlsym(handle, "takt__run");
    if (!call) {
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "the compiled model has no table of functions");
        dlclose(handle);
        return NULL;
    }
    RunModel *m = NEW(arena, RunModel);
    *m = (RunModel){.handle = handle,
                    .m = arena_alloc(arena, call->bytes),
                    .call = call,
                    .is_kept = is_kept};
    return m;
}

void run_unload(RunModel *m)
{
    if (m)
        dlclose(m->handle);
}
