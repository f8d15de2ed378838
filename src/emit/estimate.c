/* estimate.c - what generated code says of its errors.
 *
 * The step computes them (step/fuse_estimate.c) and leaves in the instance the
 * largest, when it was and of which state: a log that needs no room but its
 * own. Here it gets its functions, and the status its name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emit/emit_internal.h"

bool emit_has_estimate(const Emit *e)
{
    return e->f->estimate.inaccurate != NONE;
}

/* Row of the name table, from 0, of state k; NONE: it has no name there. */
static int row_of(const Emit *e, int k)
{
    const Inlined *d = e->f->low->inlined;
    const DaeState *x = &d->dae->state[k];
    int row = 2; /* time and step come first */
    for (int i = 0; i < e->t->symbol.n; i++) {
        if (!emit_in_table(e, i))
            continue;
        const TapeSymbol *s = &e->t->symbol.at[i];
        int entry = inlined_find(d, x->var, x->order);
        if (entry != NONE && !strcmp(s->name, d->var[entry].name))
            return row;
        row++;
    }
    return NONE;
}

/* Rows of the name table, from 1, by number of the state, from 1. */
void emit_estimate_table(Emit *e, Text *out)
{
    if (!emit_has_estimate(e))
        return;
    int n = e->f->low->inlined->estimate.n;
    text_add(e, out,
             "/* rows of the name table, from 1, of the states, from 1 */\n"
             "static const int state_row[%d] = {0",
             n + 1);
    for (int k = 0; k < n; k++)
        text_add(e, out, ",%s%d", (k + 1) % 12 ? " " : "\n    ",
                 row_of(e, k) + 1);
    text_add(e, out, "};\n\n");
}

void emit_estimate_look(Emit *e, Text *out)
{
    if (!emit_has_estimate(e))
        return;
    text_add(e, out,
             "    const int inexact = (int)takt_flag(%s != 0);\n"
             "    const uint32_t astray = (uint32_t)state_row[(int)%s];\n",
             e->next[e->f->estimate.inaccurate],
             e->next[e->f->estimate.inaccurate]);
}

void emit_estimate_header(Emit *e, Text *out)
{
    const char *n = e->o->name, *real = e->real;
    if (!emit_has_estimate(e))
        return;
    text_add(e, out,
             "/* Estimated errors of states%s, over max(nominal,\n"
             " * |x|): that of the last step, the largest since start, when it "
             "was, and its\n"
             " * state, a number for NAME_name (-1: none yet). */\n"
             "%s %s_error(const %s *m);\n"
             "%s %s_largest_error(const %s *m);\n"
             "%s %s_largest_error_time(const %s *m);\n"
             "int %s_largest_error_of(const %s *m);\n\n",
             e->f->low->inlined->estimate.running ? ", of the run so far"
                                                  : " in a step",
             real, n, n, real, n, n, real, n, n, n, n);
}

static void add_getter(Emit *e, Text *out, const char *what, int slot)
{
    const char *n = e->o->name;
    text_add(e, out, "%s %s_%s(const %s *m)\n{\n    return %s;\n}\n\n", e->real,
             n, what, n, e->ref[slot]);
}

void emit_estimate_functions(Emit *e, Text *out)
{
    const FusedEstimate *f = &e->f->estimate;
    if (!emit_has_estimate(e))
        return;
    add_getter(e, out, "error", f->worst);
    add_getter(e, out, "largest_error", f->largest);
    add_getter(e, out, "largest_error_time", f->largest_time);
    text_add(e, out,
             "int %s_largest_error_of(const %s *m)\n{\n"
             "    return %s > 0 ? state_row[(int)%s + 1] - 1 : -1;\n}\n\n",
             e->o->name, e->o->name, e->ref[f->largest],
             e->ref[f->largest_state]);
}
