/* emit.c - header, functions, example: the entry of the phase. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit/emit.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "emit/emit_internal.h"

static const char *upper(Emit *e, const char *text)
{
    char *out = arena_strdup(e->local, text);
    for (char *s = out; *s; s++)
        *s = (char)toupper((unsigned char)*s);
    return out;
}

static int nblock(const Emit *e)
{
    return e->t->block.n;
}

/* --- the header
 * ---------------------------------------------------------------------- */

/* A name of the model inside a comment. */
static const char *comment_name(Emit *e, const char *name)
{
    char *out = arena_strdup(e->local, name ? name : "");
    for (char *s = out; *s; s++)
        if (s[0] == '*' && s[1] == '/')
            *s = '+';
    return out;
}

static void add_group(Emit *e, Text *out, Home home, const char *what)
{
    const char *name = e->o->name, *group = emit_group(home);
    if (e->nmember[home] == 0)
        return;
    text_add(e, out, "/* %s */\ntypedef struct %s_%s {\n", what, name, group);
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != home)
            continue;
        const char *model = e->t->slot_name[i];
        text_add(e, out, "    %s %s;", e->real, e->ident[i]);
        if (model && strcmp(model, e->ident[i]))
            text_add(e, out, " /* %s */", comment_name(e, model));
        text_add(e, out, "\n");
    }
    text_add(e, out, "} %s_%s;\n\n", name, group);
}

static bool in_table(const Emit *e, int symbol)
{
    const TapeSymbol *s = &e->t->symbol.at[symbol];
    Home home = (Home)e->home[s->slot];
    return s->name[0] != '$' &&
           (home == HOME_PARAM || home == HOME_INPUT || home == HOME_STATE);
}

static int count_table(const Emit *e)
{
    int n = 2; /* time and step */
    for (int i = 0; i < e->t->symbol.n; i++)
        n += in_table(e, i);
    return n;
}

static const char *make_header(Emit *e)
{
    Text out = {0};
    const char *n = e->o->name, *u = upper(e, n), *real = e->real;
    text_add(
        e, &out,
        "/* %s.h - %s as a step function: %s.\n"
        " *\n"
        " *     %s m;\n"
        " *     %s_init(&m);\n"
        " *     for (;;) { set inputs; %s_step(&m); get outputs; }\n"
        " *\n"
        " * An instance is a struct: a copy of it is a saved state. A step "
        "does the same\n"
        " * work always. Made by takt.\n"
        " */\n"
        "#ifndef %s_H\n#define %s_H\n\n",
        n, e->o->model, e->o->method, n, n, n, u, u);
    text_add(e, &out, "#define %s_NVAR %d   /* rows of the name table */\n", u,
             count_table(e));
    text_add(e, &out, "#define %s_NBLOCK %d /* systems of equations */\n", u,
             nblock(e));
    text_add(e, &out, "#define %s_STEP %s   /* step size, s */\n\n", u,
             emit_number(e, e->o->step));
    add_group(e, &out, HOME_PARAM, "parameters; after a change call update");
    add_group(e, &out, HOME_FIXED, "computed from parameters by update");
    add_group(e, &out, HOME_INPUT, "inputs: set before a step");
    add_group(e, &out, HOME_STATE, "state and outputs: what a step changes");
    text_add(e, &out, "typedef struct %s {\n", n);
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        if (e->nmember[h] > 0)
            text_add(e, &out, "    %s_%s %s;\n", n, emit_group(h),
                     emit_group(h));
    text_add(e, &out,
             "    int turn;   /* steps since the history began */\n"
             "    int status; /* of the last step */\n"
             "    int block;  /* that it speaks of, from 1; NBLOCK+1: none of "
             "them */\n"
             "} %s;\n\n",
             n);
    text_add(e, &out,
             "/* What a step returns. */\n"
             "enum {\n"
             "    %s_FINE = 0,\n"
             "    %s_WARNING = 1, /* a block did not converge */\n"
             "    %s_EVENTS = 2,  /* events did not come to rest */\n"
             "    %s_FAILED = -1, /* not finite: the last good state was kept "
             "*/\n"
             "};\n\n",
             u, u, u, u);
    text_add(e, &out,
             "/* Default parameters and the initial values that belong to "
             "them. */\n"
             "void %s_init(%s *m);\n"
             "/* To be called after parameters were changed. */\n"
             "void %s_update(%s *m);\n"
             "/* From t to t + step. */\n"
             "int %s_step(%s *m);\n\n"
             "/* Quantities by number, 0 .. NVAR-1, and by their names in the "
             "model. */\n"
             "const char *%s_name(int number);\n"
             "int %s_find(const char *name); /* -1: there is none */\n"
             "%s %s_get(const %s *m, int number);\n"
             "void %s_set(%s *m, int number, %s value);\n"
             "/* The iteration variables of a block, 1 .. NBLOCK. */\n"
             "const char *%s_block_name(int block);\n\n#endif\n",
             n, n, n, n, n, n, n, n, real, n, n, n, n, real, n);
    return text_end(e, &out);
}

/* --- functions
 * ------------------------------------------------------------------------ */

static void add_init(Emit *e, Text *out)
{
    const Tape *t = e->t;
    text_add(e, out, "void %s_init(%s *m)\n{\n", e->o->name, e->o->name);
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++) {
        for (int i = 0; h != HOME_FIXED && i < t->nslot; i++)
            if (e->home[i] == h)
                text_add(e, out, "    %s = %s;\n", e->ref[i],
                         emit_number(e, e->o->value[i]));
    }
    text_add(e, out,
             "    m->turn = 0;\n    m->status = 0;\n    m->block = 0;\n"
             "    %s_update(m);\n}\n\n",
             e->o->name);
}

static void add_text(Emit *e, Text *out, const Text *more)
{
    if (more->n > 0)
        text_add(e, out, "%s", more->at);
}

static void add_update(Emit *e, Text *out)
{
    Text parts = {0}, body = {0};
    const char *n = e->o->name;
    text_add(e, &body, "void %s_update(%s *m)\n{\n    (void)m;\n", n, n);
    emit_body(e, &parts, &body, &e->t->segment.at[0],
              arena_printf(e->local, "%s_update", n), false);
    text_add(e, &body, "}\n\n");
    add_text(e, out, &parts);
    add_text(e, out, &body);
}

static void add_step(Emit *e, Text *to, int k, const char *function)
{
    const char *n = e->o->name;
    Text parts = {0}, body = {0}, *out = &body;
    text_add(e, out, "%sint %s(%s *m)\n{\n", e->f->nstep > 1 ? "static " : "",
             function, n);
    text_add(e, out, "    const %s_s old = m->s;\n", n);
    emit_body(e, &parts, out, &e->t->segment.at[k + 1], function, true);
    text_add(e, out,
             "\n    /* a state that is not finite is not kept */\n"
             "    sum = 0;\n");
    for (int i = 0; i < e->t->nslot; i++)
        if (e->home[i] == HOME_STATE && e->t->region[i] != TR_TIME &&
            i != e->f->count)
            text_add(e, out, "    sum += %s - %s;\n", e->ref[i], e->ref[i]);
    text_add(
        e, out,
        "    bad = takt_note%s(bad, sum, %d);\n"
        "    takt_restore%s(&m->s, &old, sizeof m->s / sizeof(%s), bad);\n",
        e->suffix, nblock(e) + 1, e->suffix, e->real);
    text_add(e, out, "    const int failed = bad != 0, late = warn != 0;\n");
    text_add(e, out, "    const int left = %s;\n",
             e->f->unsettled == NONE
                 ? "0"
                 : arena_printf(e->local, "%s != 0", e->ref[e->f->unsettled]));
    text_add(e, out,
             "    m->block = (int)(bad | (warn & ((uint32_t)failed - 1)));\n"
             "    m->status = (1 - failed) * (late + (1 - late) * 2 * left) - "
             "failed;\n"
             "    return m->status;\n}\n\n");
    add_text(e, to, &parts);
    add_text(e, to, &body);
}

static int step_of(const Emit *e, int system)
{
    for (int i = 0; i < e->f->nstep; i++)
        if (e->f->system[i] == system)
            return i;
    return 0;
}

/* Methods with a history: the first steps and those in turn differ. */
static void add_turns(Emit *e, Text *out)
{
    const Diff *d = e->f->low->diff;
    const char *n = e->o->name;
    text_add(e, out, "int %s_step(%s *m)\n{\n", n, n);
    text_add(e, out, "    static const unsigned char turn[%d] = {",
             d->nstart + d->ncycle);
    for (int i = 0; i < d->nstart + d->ncycle; i++)
        text_add(
            e, out, "%s%d", i ? ", " : "",
            step_of(e, i < d->nstart ? d->start[i] : d->cycle[i - d->nstart]));
    text_add(e, out,
             "};\n    const int k = m->turn < %d ? m->turn\n"
             "                  : %d + (m->turn - %d) %% %d;\n"
             "    int status = 0;\n    m->turn++;\n    switch (turn[k]) {\n",
             d->nstart, d->nstart, d->nstart, d->ncycle);
    for (int i = 0; i < e->f->nstep; i++)
        text_add(e, out, "    %s status = %s_step%d(m); break;\n",
                 i == e->f->nstep - 1 ? "default:"
                                      : arena_printf(e->local, "case %d:", i),
                 n, i);
    text_add(e, out, "    }\n");
    if (e->f->broken != NONE)
        text_add(e, out, "    m->turn *= %s == 0;\n", e->ref[e->f->broken]);
    text_add(e, out, "    return status;\n}\n\n");
}

/* --- names
 * ------------------------------------------------------------------------------
 */

static const char *c_string(Emit *e, const char *text)
{
    Text out = {0};
    text_add(e, &out, "\"");
    for (const char *s = text; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_add(e, &out, "\\%c", *s);
        else if ((unsigned char)*s < 32)
            text_add(e, &out, "\\%03o", (unsigned char)*s);
        else
            text_add(e, &out, "%c", *s);
    }
    text_add(e, &out, "\"");
    return out.at;
}

static void add_row(Emit *e, Text *out, const char *name, int slot, double sign,
                    double offset)
{
    text_add(e, out, "    {%s, offsetof(%s, %s), %s, %s},\n", c_string(e, name),
             e->o->name, e->ref[slot] + 3, emit_number(e, sign),
             emit_number(e, offset));
}

static void add_table(Emit *e, Text *out)
{
    const Tape *t = e->t;
    const char *n = e->o->name, *u = upper(e, n);
    text_add(e, out,
             "/* value = sign * member + offset */\n"
             "static const struct {\n    const char *name;\n"
             "    size_t place;\n    %s sign, offset;\n"
             "} variable[%s_NVAR] = {\n",
             e->real, u);
    add_row(e, out, "time", t->time, 1, 0);
    add_row(e, out, "step", t->step, 1, 0);
    for (int i = 0; i < t->symbol.n; i++)
        if (in_table(e, i))
            add_row(e, out, t->symbol.at[i].name, t->symbol.at[i].slot,
                    t->symbol.at[i].sign, t->symbol.at[i].offset);
    text_add(e, out, "};\n\n");
    text_add(e, out,
             "const char *%s_name(int number)\n{\n"
             "    return variable[number].name;\n}\n\n"
             "int %s_find(const char *name)\n{\n"
             "    for (int i = 0; i < %s_NVAR; i++)\n"
             "        if (strcmp(variable[i].name, name) == 0)\n"
             "            return i;\n    return -1;\n}\n\n",
             n, n, u);
    text_add(e, out,
             "%s %s_get(const %s *m, int number)\n{\n    %s x;\n"
             "    memcpy(&x, (const unsigned char *)m + "
             "variable[number].place, sizeof x);\n"
             "    return variable[number].sign * x + "
             "variable[number].offset;\n}\n\n",
             e->real, n, n, e->real);
    text_add(e, out,
             "void %s_set(%s *m, int number, %s value)\n{\n"
             "    %s x = (value - variable[number].offset) * "
             "variable[number].sign;\n"
             "    memcpy((unsigned char *)m + variable[number].place, &x, "
             "sizeof x);\n}\n\n",
             n, n, e->real, e->real);
}

static void add_block_names(Emit *e, Text *out)
{
    text_add(e, out,
             "const char *%s_block_name(int block)\n{\n"
             "    static const char *const name[] = {\n"
             "        \"\",\n",
             e->o->name);
    for (int i = 0; i < nblock(e); i++)
        text_add(e, out, "        %s,\n", c_string(e, e->t->block.at[i].name));
    text_add(e, out,
             "    };\n    return block < 1 || block > %d ? \"\" : "
             "name[block];\n}\n",
             nblock(e));
}

static const char *make_code(Emit *e)
{
    Text out = {0};
    const char *n = e->o->name;
    text_add(e, &out,
             "/* %s.c - %s: %s, step %g s. Made by takt.\n"
             " *\n"
             " * Compile with -ffp-contract=off for the results of takt sim to "
             "the last bit;\n"
             " * never with -ffast-math: values that are not finite must stay "
             "visible. */\n"
             "#include \"%s.h\"\n\n#include \"takt_rt.h\"\n%s\n",
             n, e->o->model, e->o->method, e->o->step, n,
             !e->o->own_math   ? ""
             : e->o->is_float ? "#include \"takt_rt_mathf.h\"\n"
                              : "#include \"takt_rt_math.h\"\n");
    add_update(e, &out);
    add_init(e, &out);
    if (e->f->nstep == 1) {
        add_step(e, &out, 0, arena_printf(e->local, "%s_step", n));
    } else {
        for (int i = 0; i < e->f->nstep; i++)
            add_step(e, &out, i, arena_printf(e->local, "%s_step%d", n, i));
        add_turns(e, &out);
    }
    add_table(e, &out);
    add_block_names(e, &out);
    return text_end(e, &out);
}

/* --- what stands beside
 * --------------------------------------------------------------------- */

static const char *make_cmake(Emit *e)
{
    const char *n = e->o->name;
    return arena_printf(
        e->arena,
        "cmake_minimum_required(VERSION 3.13)\n"
        "project(%s C)\n"
        "set(CMAKE_C_STANDARD 99)\n"
        "if(NOT CMAKE_BUILD_TYPE)\n    set(CMAKE_BUILD_TYPE Release)\n"
        "endif()\n"
        "add_library(%s STATIC %s.c)\n"
        "target_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
        "target_compile_options(%s PRIVATE -ffp-contract=off)\n"
        "target_link_libraries(%s PUBLIC m)\n"
        "add_executable(%s_example example/main.c)\n"
        "target_link_libraries(%s_example PRIVATE %s)\n",
        n, n, n, n, n, n, n, n, n);
}

static const char *make_example(Emit *e)
{
    const char *n = e->o->name, *u = upper(e, n);
    return arena_printf(
        e->arena,
        "/* main.c - runs %s and prints where it ends.\n"
        " *\n"
        " *     %s_example [STEPS]\n"
        " */\n"
        "#include <stdio.h>\n#include <stdlib.h>\n\n#include \"%s.h\"\n\n"
        "int main(int argc, char **argv)\n{\n"
        "    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;\n"
        "    static %s m;\n"
        "    %s_init(&m);\n"
        "    for (long k = 0; k < n; k++)\n"
        "        if (%s_step(&m) < 0) {\n"
        "            printf(\"step %%ld failed in block %%d: %%s\\n\", k,\n"
        "                   m.block, %s_block_name(m.block));\n"
        "            return 1;\n"
        "        }\n"
        "    for (int i = 0; i < %s_NVAR; i++)\n"
        "        printf(\"%%s %%.17g\\n\", %s_name(i), (double)%s_get(&m, "
        "i));\n"
        "    return 0;\n}\n",
        n, n, n, n, n, n, n, u, n, n);
}

static size_t data_bytes(const Emit *e)
{
    size_t scalar = e->o->is_float ? sizeof(float) : sizeof(double), n = 0;
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        n += (size_t)e->nmember[h];
    size_t size = n * scalar + 3 * sizeof(int);
    return (size + scalar - 1) / scalar * scalar;
}

Emitted *emit_c(const Fused *f, const EmitOptions *options, Arena *arena)
{
    Emit e = {.f = f,
              .t = f->tape,
              .o = options,
              .arena = arena,
              .local = arena_new(),
              .real = options->is_float ? "float" : "double",
              .suffix = options->is_float ? "f" : ""};
    emit_places(&e);
    Emitted *out = NEW(arena, Emitted);
    out->header = make_header(&e);
    out->code = make_code(&e);
    out->cmake = make_cmake(&e);
    out->example = make_example(&e);
    out->nvar = count_table(&e);
    out->data_bytes = data_bytes(&e);
    arena_free(e.local);
    return out;
}
