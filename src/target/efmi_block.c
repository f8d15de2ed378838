/* efmi_block.c - NAME_block.h and NAME_block.c: the methods of eFMI over the
 * generated C. Inputs, outputs and parameters are members of a struct, with the
 * types of the model. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "base/vec.h"
#include "target/efmi.h"

typedef Vec(char) Text;

static void add(Text *t, Arena *arena, const char *text)
{
    for (; *text; text++)
        vec_push(arena, t, *text);
}

static const char *end(Text *t, Arena *arena)
{
    vec_push(arena, t, '\0');
    return t->at;
}

static bool is_member(const GalecVar *v)
{
    return v->causality <= GALEC_TUNABLE;
}

static bool is_taken(const Efmi *e, int n, const char *name)
{
    if (c_is_reserved(name) || !strcmp(name, "model") ||
        !strcmp(name, "signals"))
        return true;
    for (int i = 0; i < n; i++)
        if (e->member[i] && !strcmp(e->member[i], name))
            return true;
    return false;
}

void efmi_name_members(Efmi *e, Arena *arena)
{
    const Galec *g = e->galec;
    e->member = NEW_ARRAY(arena, const char *, g->nvar + 1);
    for (int i = 0; i < g->nvar; i++) {
        if (!is_member(&g->var[i]))
            continue;
        const char *name =
            c_identifier(g->in->out->row[g->var[i].row].name, arena);
        e->member[i] = is_taken(e, i, name)
                           ? arena_printf(arena, "%s_%d_", name, i)
                           : name;
    }
}

static const char *c_type(const Efmi *e, const GalecVar *v)
{
    bool is_float = e->galec->in->step->plan->scalar == PS_FLOAT;
    return v->type == FT_BOOLEAN ? "bool"
           : v->type != FT_REAL  ? "int"
           : is_float            ? "float"
                                 : "double";
}

const char *efmi_block_header(const Efmi *e, Arena *arena)
{
    const Galec *g = e->galec;
    const char *n = g->in->name, *u = target_upper(n, arena);
    static const char *const word[] = {"input", "output", "parameter"};
    Text t = {0};
    add(&t, arena,
        arena_printf(
            arena,
            "/* %s_block.h - %s as a block of eFMI: Startup once; then "
            "for each step set the\n"
            " * inputs, DoStep, read the outputs. After a change of "
            "parameters Recalibrate.\n"
            " * Made by takt. */\n"
            "#ifndef %s_BLOCK_H\n#define %s_BLOCK_H\n\n"
            "#include <stdbool.h>\n\n#include \"%s.h\"\n\n"
            "/* Signals of a method, as bits. The block is then as "
            "before it. */\n"
            "#define %s_NAN 1u /* a value is not finite */\n"
            "#define %s_NO_SOLUTION_FOUND 2u /* a monitor or an "
            "assertion: %s_where() */\n\n"
            "typedef struct %s_block {\n    unsigned signals;\n",
            n, c_comment(g->in->model, arena), u, u, n, u, u, n, n));
    for (int i = 0; i < g->nvar; i++)
        if (is_member(&g->var[i]))
            add(&t, arena,
                arena_printf(
                    arena, "    %s %s; /* %s: %s */\n", c_type(e, &g->var[i]),
                    e->member[i], word[g->var[i].causality],
                    c_comment(g->in->out->row[g->var[i].row].name, arena)));
    add(&t, arena,
        arena_printf(arena,
                     "    %s model; /* the instance behind it */\n"
                     "} %s_block;\n\nvoid %s_Startup(%s_block *block);\n"
                     "void %s_Recalibrate(%s_block *block);\n"
                     "void %s_DoStep(%s_block *block);\n\n#endif\n",
                     n, n, n, n, n, n, n, n));
    return end(&t, arena);
}

/* Lines for all members of a kind. */
static void add_each(const Efmi *e, Text *t, GalecCausality causality, bool in,
                     Arena *arena)
{
    const Galec *g = e->galec;
    for (int i = 0; i < g->nvar; i++) {
        const GalecVar *v = &g->var[i];
        if (v->causality != causality)
            continue;
        if (in)
            add(t, arena,
                arena_printf(arena,
                             "    wrong |= %s_set(&b->model, %d, b->%s);\n",
                             g->in->name, v->row, e->member[i]));
        else
            add(t, arena,
                arena_printf(
                    arena, "    b->%s = %s%s_get(&b->model, %d)%s;\n",
                    e->member[i],
                    v->type == FT_REAL || v->type == FT_BOOLEAN ? "" : "(int)",
                    g->in->name, v->row, v->type == FT_BOOLEAN ? " != 0" : ""));
    }
}

static void add_begin(Text *t, const char *n, const char *method, Arena *arena)
{
    add(t, arena,
        arena_printf(arena, "void %s_%s(%s_block *b)\n{\n    int wrong = 0;\n",
                     n, method, n));
}

const char *efmi_block_code(const Efmi *e, Arena *arena)
{
    const char *n = e->galec->in->name, *u = target_upper(n, arena);
    Text t = {0};
    add(&t, arena,
        arena_printf(arena,
                     "/* %s_block.c - the methods of eFMI. Made by takt. */\n"
                     "#include \"%s_block.h\"\n\n"
                     "static void signal_of(%s_block *b, int status)\n{\n"
                     "    b->signals = status >= 0 ? 0 : status == -1 ? "
                     "%s_NAN : %s_NO_SOLUTION_FOUND;\n}\n\n",
                     n, n, n, u, u));
    add(&t, arena,
        arena_printf(arena,
                     "void %s_Startup(%s_block *b)\n{\n"
                     "    signal_of(b, %s_init(&b->model));\n",
                     n, n, n));
    for (int c = GALEC_INPUT; c <= GALEC_TUNABLE; c++)
        add_each(e, &t, (GalecCausality)c, false, arena);
    add(&t, arena, "}\n\n");
    add_begin(&t, n, "Recalibrate", arena);
    add_each(e, &t, GALEC_TUNABLE, true, arena);
    add(&t, arena,
        arena_printf(arena,
                     "    b->signals = wrong ? %s_NAN : 0;\n"
                     "    %s_update(&b->model);\n}\n\n",
                     u, n));
    add_begin(&t, n, "DoStep", arena);
    add_each(e, &t, GALEC_INPUT, true, arena);
    add(&t, arena,
        arena_printf(
            arena, "    signal_of(b, wrong ? -1 : %s_step(&b->model));\n", n));
    add_each(e, &t, GALEC_OUTPUT, false, arena);
    add(&t, arena, "}\n");
    return end(&t, arena);
}
