/* call.c - calls of opaque functions, and their lists. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/die.h"
#include "base/script.h"
#include "emit/emit_internal.h"

void emit_call_mark(const Emit *e, bool *used)
{
    for (int i = 0; i < e->t->code.n; i++) {
        int first, n = tape_list(e->t, &e->t->code.at[i], &first);
        for (int k = 0; k < n; k++)
            used[first + k] = true;
        n = tape_row(e->t, &e->t->code.at[i], &first);
        for (int k = 0; k < n; k++)
            used[first + k] = true;
    }
}

static const ExprFunction *function_of(const Emit *e, int at)
{
    const TapeInstr *in = &e->t->code.at[at];
    return in->op == TAPE_CALL ? e->t->call.at[in->a].fn : NULL;
}

/* All functions that the code calls, those first that others call. */
static void add_function(Emit *e, const ExprFunction *f)
{
    const Dag *d = e->f->low->inlined->dag;
    for (int i = 0; i < e->function.n; i++)
        if (e->function.at[i] == f)
            return;
    for (int i = 0; i < f->nneed; i++)
        add_function(e, dag_function(d, f->need[i]));
    vec_push(e->local, &e->function, f);
}

static void find_functions(Emit *e)
{
    for (int i = 0; i < e->t->code.n; i++) {
        const ExprFunction *f = function_of(e, i);
        if (f)
            add_function(e, f);
    }
}

static bool has_spread(const Emit *e)
{
    for (int i = 0; i < e->t->delay.n; i++)
        if (e->t->delay.at[i].past == TP_SPREAD)
            return true;
    return false;
}

const char *const *emit_call_files(Emit *e)
{
    Vec(const char *) done = {0};
    find_functions(e);
    for (int i = 0; i < e->function.n; i++) {
        const ExprFunction *f = e->function.at[i];
        bool is_new = f->header != NULL;
        for (int k = 0; is_new && k < done.n; k++)
            is_new = strcmp(done.at[k], f->header) != 0;
        if (is_new)
            vec_push(e->arena, &done, f->header);
    }
    if (has_spread(e))
        vec_push(e->arena, &done, "takt_rt_spread.h");
    vec_push(e->arena, &done, NULL);
    return done.at;
}

void emit_call_headers(Emit *e, Text *out)
{
    for (const char *const *h = emit_call_files(e); *h; h++)
        text_add(e, out, "#include \"%s\"\n", *h);
}

/* Is it the first with its definition? */
static bool is_first(const Emit *e, int i)
{
    const ExprFunction *f = e->function.at[i];
    for (int k = 0; k < i; k++)
        if (e->function.at[k]->c_name &&
            strcmp(e->function.at[k]->c_name, f->c_name) == 0)
            return false;
    return true;
}

const ExprForeign *emit_foreign(const Emit *e)
{
    for (int i = 0; i < e->function.n; i++)
        if (e->function.at[i]->foreign)
            return e->function.at[i]->foreign;
    return NULL;
}

/* The wrappers of foreign functions are a file of their own. */
static void add_foreign(Emit *e, Text *out)
{
    if (!emit_foreign(e))
        return;
    text_add(e, out,
             "\n/* external functions: %s_external.c */\n"
             "#define TAKT_X(k) %s_x##k\n"
             "int TAKT_X(open)(void);\nvoid TAKT_X(close)(void);\n",
             e->o->name, e->o->name);
}

const char *emit_foreign_file(Emit *e)
{
    const ExprForeign *f = emit_foreign(e);
    return f ? arena_printf(e->arena,
                            "/* %s_external.c - calls of external functions. "
                            "Made by takt. */\n"
                            "#define TAKT_X(k) %s_x##k\n%s%s",
                            e->o->name, e->o->name, f->wrapper, f->files)
             : NULL;
}

static void add_each(Emit *e, Text *out, const char *fmt,
                     const char *const *list)
{
    for (; list && *list; list++)
        text_add(e, out, fmt, cmake_string(*list, e->local));
}

/* A name for -l, or a file. */
static void add_libraries(Emit *e, Text *out, const char *const *list)
{
    for (; list && *list; list++)
        text_add(e, out, " %s", cmake_string(*list, e->local));
}

const char *emit_foreign_cmake(Emit *e, const char *target)
{
    const ExprForeign *f = emit_foreign(e);
    Text out = {0};
    if (!f)
        return "";
    text_add(e, &out, "target_sources(%s PRIVATE %s_external.c", target,
             e->o->name);
    add_each(e, &out, "\n    %s", f->source);
    text_add(e, &out, ")\n");
    if (*f->folder) {
        text_add(e, &out, "target_include_directories(%s PRIVATE", target);
        add_each(e, &out, "\n    %s", f->folder);
        text_add(e, &out, ")\n");
    }
    if (*f->search) {
        text_add(e, &out, "target_link_directories(%s PUBLIC", target);
        add_each(e, &out, "\n    %s", f->search);
        text_add(e, &out, ")\n");
    }
    if (*f->library) {
        text_add(e, &out, "target_link_libraries(%s PUBLIC", target);
        add_libraries(e, &out, f->library);
        text_add(e, &out, ")\n");
    }
    return out.at;
}

typedef Vec(const char *) Words;

static void add_words(Words *to, const char *fmt, const char *const *list,
                      Arena *arena)
{
    for (; *list; list++)
        vec_push(arena, to, arena_printf(arena, fmt, *list));
}

const char *const *emit_foreign_words(const ExprForeign *f, Arena *arena)
{
    Words word = {0};
    if (!f)
        return NULL;
    vec_push(arena, &word, "-std=gnu99");
    add_words(&word, "-I%s", f->folder, arena);
    add_words(&word, "%s", f->source, arena);
    add_words(&word, "-L%s", f->search, arena);
    add_words(&word, "-Wl,-rpath,%s", f->search, arena);
    for (const char *const *l = f->library; *l; l++)
        vec_push(arena, &word,
                 arena_printf(arena, strchr(*l, '/') ? "%s" : "-l%s", *l));
    vec_push(arena, &word, "-lm");
    vec_push(arena, &word, NULL);
    return word.at;
}

void emit_call_definitions(Emit *e, Text *out)
{
    const ExprCStyle style = {e->o->is_float, e->o->own_math};
    bool has_turns = false;
    for (int i = 0; i < e->function.n; i++)
        has_turns |= e->function.at[i]->has_turns;
    if (has_turns)
        text_add(e, out,
                 "\n/* turns of a loop that depends on data, in each step */\n"
                 "#define TAKT_TURNS %d\n",
                 e->o->turns);
    add_foreign(e, out);
    for (int i = 0; i < e->function.n; i++) {
        const ExprFunction *f = e->function.at[i];
        if (f->c_define && is_first(e, i))
            text_add(e, out, "\n%s", f->c_define(f, &style, e->local));
    }
    if (e->function.n > 0)
        text_add(e, out, "\n");
}

/* The number of the constant list of `f`, from 1. */
static int list_number(Emit *e, const ExprFunction *f)
{
    for (int i = 0; i < e->list.n; i++) {
        const ExprFunction *g = e->list.at[i];
        if (g->nlist == f->nlist &&
            (g->list == f->list ||
             memcmp(g->list, f->list, (size_t)f->nlist * sizeof(double)) == 0))
            return i + 1;
    }
    vec_push(e->local, &e->list, f);
    return e->list.n;
}

static void add_list(Emit *e, Text *out, const ExprFunction *f, int number)
{
    text_add(e, out, "static const %s takt_list%d[%d] = {", e->real, number,
             f->nlist);
    for (int i = 0; i < f->nlist; i++)
        text_add(e, out, "%s%s,", i % 6 ? " " : "\n    ",
                 emit_number(e, f->list[i]));
    text_add(e, out, "\n};\n");
}

void emit_call_lists(Emit *e, Text *out)
{
    int done = 0;
    for (int i = 0; i < e->t->code.n; i++) {
        const ExprFunction *f = function_of(e, i);
        if (!f || !f->list || list_number(e, f) <= done)
            continue;
        done = e->list.n;
        add_list(e, out, f, done);
    }
    if (done > 0)
        text_add(e, out, "\n");
}

const char *emit_call_text(Emit *e, const TapeInstr *in,
                           const char *const *plain, const char *const *ref)
{
    const TapeCall *c = &e->t->call.at[in->a];
    const char *list = NULL;
    if (c->first != NONE)
        list =
            arena_strndup(e->local, ref[c->first], strcspn(ref[c->first], "["));
    else if (c->fn->list)
        list = arena_printf(e->local, "takt_list%d", list_number(e, c->fn));
    if (!c->fn->c_call)
        unreachable(); /* the driver refuses what cannot be written */
    if (c->row != NONE) {
        const char *row =
            arena_strndup(e->local, plain[0], strcspn(plain[0], "["));
        return c->fn->c_call(c->fn, 0, e->o->is_float, &row, list, e->local);
    }
    return c->fn->c_call(c->fn, c->out, e->o->is_float, plain, list, e->local);
}
