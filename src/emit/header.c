/* header.c - NAME.h: the instance and its functions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "emit/emit_internal.h"

static void add_group(Emit *e, Text *out, Home home, const char *what)
{
    const char *name = e->o->name, *group = emit_group(home);
    if (e->nmember[home] == 0)
        return;
    text_add(e, out, "/* %s */\ntypedef struct %s_%s {\n", what, name, group);
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != home)
            continue;
        if (e->array[i]) {
            emit_factor_member(e, out, i);
            continue;
        }
        const char *model = e->t->slot_name[i];
        text_add(e, out, "    %s %s;", e->real, e->ident[i]);
        const char *formula = emit_formula(e, i);
        if (!model && formula)
            model = arena_printf(e->local, "= %s", formula);
        const char *unit = emit_unit(e, i);
        if (model && (unit || strcmp(model, e->ident[i])))
            text_add(e, out, " /* %s%s%s */", c_comment(model, e->local),
                     unit ? ", " : "", c_comment(unit, e->local));
        text_add(e, out, "\n");
    }
    text_add(e, out, "} %s_%s;\n\n", name, group);
}

bool emit_has_history(const Emit *e)
{
    return e->t->delay.n > 0 || e->t->set.n > 0;
}

/* What the tape uses, and TAKT_STATES_ROOM after it. */
int emit_set_room(const TapeSet *s)
{
    int n = s->n, k = s->nstate, rows = s->nrow;
    return s->nentry + 2 * n + k * n + 2 * k + 1 + rows * (n + s->neliminated) +
           rows + 4 * n + 2 * (rows + 1) * n + (k + 1) * (n + 2);
}

/* The past of delayed expressions. */
static void add_history(Emit *e, Text *out)
{
    if (!emit_has_history(e))
        return;
    text_add(e, out,
             "/* the past of delayed values, room to choose states */\ntypedef "
             "struct %s_h {\n",
             e->o->name);
    for (int i = 0; i < e->t->delay.n; i++)
        text_add(e, out, "    %s past%d[%d];\n", e->real, i,
                 e->t->delay.at[i].size);
    for (int i = 0; i < e->t->set.n; i++)
        text_add(e, out, "    %s set%d[%d];\n", e->real, i,
                 emit_set_room(&e->t->set.at[i]));
    text_add(e, out, "} %s_h;\n\n", e->o->name);
}

static void add_variables(Emit *e, Text *out)
{
    const char *n = e->o->name;
    text_add(e, out,
             "/* A row of the table of variables: value = sign * member + "
             "offset. */\n"
             "typedef struct %s_variable {\n"
             "    const char *name, *unit;\n"
             "    int kind;      /* 0 Real, 1 Integer, 2 Boolean, "
             "3 enumeration */\n"
             "    int causality; /* 0 time, 1 step, 2 parameter, 3 start "
             "value, 4 input,\n"
             "                      5 output, 6 local, 7 of an integrator */\n"
             "    size_t place;  /* of its member, of the type %s */\n"
             "    %s sign, offset;\n"
             "    int domain;    /* 0 any, 1 Integer, 2 Boolean, 3 positive "
             "*/\n"
             "} %s_variable;\n\n"
             "const %s_variable *%s_variables(void); /* NVAR rows */\n"
             "/* For who knows an instance by its address only: its bytes, and "
             "init in memory\n"
             " * that is aligned as malloc() does it; m->status tells how that "
             "went. */\n"
             "size_t %s_size(void);\n"
             "%s *%s_new(void *memory);\n\n",
             n, e->real, e->real, n, n, n, n, n, n);
}

static void add_exchange(Emit *e, Text *out)
{
    const char *n = e->o->name;
    if (!e->f->exchange)
        return;
    text_add(e, out,
             "/* For integrators of others, who set time and states: what "
             "follows from them;\n"
             " * a point that counts; an event at such a point. */\n"
             "int %s_rates(%s *m);\nint %s_accept(%s *m);\n"
             "int %s_event(%s *m);\n",
             n, n, n, n, n, n);
    if (e->f->exchange->moves)
        text_add(e, out,
                 "/* The rates, and what they move by where known quantities "
                 "do. */\n"
                 "int %s_tangent(%s *m);\n",
                 n, n);
    text_add(e, out, "\n");
}

static void add_parts(Emit *e, Text *out)
{
    const char *n = e->o->name;
    if (!e->f->parts)
        return;
    text_add(e, out,
             "/* A step in parts, for schedulers of others: time goes on by a "
             "step; does rate\n"
             " * 0, 1, ... tick then? its tick; after all that are due, what "
             "waits for them. */\n"
             "int %s_advance(%s *m);\nint %s_due(const %s *m, int rate);\n"
             "int %s_tick(%s *m, int rate);\nint %s_settle(%s *m);\n\n",
             n, n, n, n, n, n, n, n);
}

static void add_functions(Emit *e, Text *out)
{
    const char *n = e->o->name, *real = e->real;
    text_add(e, out,
             "/* Default parameters, start values and inputs. */\n"
             "void %s_default(%s *m);\n"
             "/* %s */\n"
             "int %s_start(%s *m);\n"
             "/* default and start */\n"
             "int %s_init(%s *m);\n"
             "/* To be called after parameters were changed between steps. "
             "*/\n"
             "void %s_update(%s *m);\n"
             "/* From t to t + step. */\n"
             "int %s_step(%s *m);\n\n",
             n, n,
             e->f->start == NONE
                 ? "Initial values: those of takt, whatever the parameters."
                 : "Initial values for the present parameters and inputs.",
             n, n, n, n, n, n, n, n);
    add_exchange(e, out);
    add_parts(e, out);
    text_add(e, out,
             "/* Quantities by number, 0 .. NVAR-1, and by their names in the "
             "model. */\n"
             "const char *%s_name(int number);\n"
             "int %s_find(const char *name); /* -1: there is none */\n"
             "%s %s_get(const %s *m, int number);\n"
             "/* 0; -1: there is no such number, or the value is not finite, "
             "not whole "
             "or\n * beyond 32 bits (Integer), neither 0 nor 1 (Boolean), not "
             "positive "
             "(step):\n * nothing is changed. */\n"
             "int %s_set(%s *m, int number, %s value);\n"
             "/* For people: the status, the iteration variables of a block, a "
             "message of\n"
             " * the model, and what the last status speaks of. */\n"
             "const char *%s_status_text(int status);\n"
             "int %s_fmi_status(int status); /* 0 OK, 1 Warning, 2 Discard, "
             "3 Error */\n"
             "const char *%s_block_name(int block);\n"
             "const char *%s_message(int message);\n"
             "const char *%s_where(const %s *m);\n\n",
             n, n, real, n, n, n, n, real, n, n, n, n, n, n);
    add_variables(e, out);
    emit_estimate_header(e, out);
    text_add(e, out, "#endif\n");
}

const char *emit_header(Emit *e)
{
    Text out = {0};
    const char *n = e->o->name, *u = emit_upper(e, n);
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
        "#ifndef %s_H\n#define %s_H\n\n#include <stddef.h>\n\n",
        n, c_comment(e->o->model, e->local), c_comment(e->o->method, e->local),
        n, n, n, u, u);
    text_add(e, &out, "#define %s_NVAR %d   /* rows of the name table */\n", u,
             e->row.n);
    text_add(e, &out, "#define %s_NBLOCK %d /* systems of equations */\n", u,
             emit_nblock(e));
    text_add(e, &out, "#define %s_STEP %s   /* step size, s */\n\n", u,
             emit_number(e, e->o->step));
    add_group(e, &out, HOME_PARAM, "parameters; after a change call update");
    add_group(e, &out, HOME_FIXED, "computed from parameters by update");
    add_group(e, &out, HOME_INPUT, "inputs: set before a step");
    add_group(e, &out, HOME_STATE, "state and outputs: what a step changes");
    add_history(e, &out);
    text_add(e, &out, "typedef struct %s {\n", n);
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        if (e->nmember[h] > 0)
            text_add(e, &out, "    %s_%s %s;\n", n, emit_group(h),
                     emit_group(h));
    if (emit_has_history(e))
        text_add(e, &out, "    %s_h h;\n", n);
    text_add(
        e, &out,
        "    int turn;    /* steps since the history began */\n"
        "    int status;  /* of the last step: its worst cause */\n"
        "    unsigned causes; /* all of them, as bits */\n"
        "    int block;   /* that they speak of, from 1; NBLOCK+1: none "
        "of them */\n"
        "    int message; /* of the model that they speak of, from 1 */\n"
        "    int variable; /* that they speak of: NAME_name(variable - 1);\n"
        "                     NVAR+1: some state, 0: none */\n"
        "%s} %s;\n\n",
        emit_has_ranges(e, HOME_PARAM)
            ? "    int strange; /* parameter outside what the plan was made "
              "for: as `variable` */\n"
            : "",
        n);
    emit_status_names(e, &out);
    add_functions(e, &out);
    return text_end(e, &out);
}
