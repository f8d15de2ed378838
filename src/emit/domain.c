/* domain.c - the ranges of the plan: is a step where the plan was made for?
 *
 * Each quantity with a range is compared with its middle, without a branch; the
 * last one that is farther from it than half the width is the variable of the
 * cause OUTSIDE. Parameters are looked at by `update`, all others by the steps.
 * With NAME_NO_DOMAIN defined the compiler leaves all of it out.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "emit/emit_internal.h"

typedef struct EmitRange {
    int slot;
    int row;             /* of the name table, from 1 */
    double middle, half; /* of the slot, not of the alias with the name */
} EmitRange;

/* The symbol with this name and its row of the name table, from 1. */
static const TapeSymbol *find_symbol(const Emit *e, const char *name, int *row)
{
    *row = 2; /* time and step come first */
    for (int i = 0; i < e->t->symbol.n; i++) {
        if (!emit_in_table(e, i))
            continue;
        (*row)++;
        if (!strcmp(e->t->symbol.at[i].name, name))
            return &e->t->symbol.at[i];
    }
    return NULL;
}

void emit_find_ranges(Emit *e)
{
    const PlanDomain *d = e->o->domain;
    if (!d || d->no_check)
        return;
    e->range = NEW_ARRAY(e->local, EmitRange, d->nrange + 1);
    for (int i = 0; i < d->nrange; i++) {
        const PlanRange *r = &d->range[i];
        int row;
        const TapeSymbol *s = find_symbol(e, r->name, &row);
        if (!s)
            continue;
        e->range[e->nrange++] = (EmitRange){
            .slot = s->slot,
            .row = row,
            .middle = (0.5 * r->low + 0.5 * r->high - s->offset) * s->sign,
            .half = 0.5 * r->high - 0.5 * r->low};
    }
}

bool emit_has_ranges(const Emit *e, Home home)
{
    for (int i = 0; i < e->nrange; i++)
        if (home == HOME_NONE || e->home[e->range[i].slot] == home)
            return true;
    return false;
}

/* What is kept of a float lies as far off as rounding takes it. */
static double half_of(const Emit *e, const EmitRange *r)
{
    return e->o->is_float ? r->half + 2e-7 * (fabs(r->middle) + r->half)
                          : r->half;
}

static void look(Emit *e, Text *out, const char *number, bool parameters,
                 const char *const *ref)
{
    for (int i = 0; i < e->nrange; i++) {
        const EmitRange *r = &e->range[i];
        if ((e->home[r->slot] == HOME_PARAM) != parameters)
            continue;
        text_add(e, out, "    %s = takt_beyond%s(%s, %s, %s, %s, %d);\n",
                 number, e->suffix, number, ref[r->slot],
                 emit_number(e, r->middle), emit_number(e, half_of(e, r)),
                 r->row);
    }
}

void emit_range_update(Emit *e, Text *out)
{
    if (!emit_has_ranges(e, HOME_PARAM))
        return;
    text_add(e, out, "    uint32_t strange = 0;\n#ifndef %s_NO_DOMAIN\n",
             emit_upper(e, e->o->name));
    look(e, out, "strange", true, e->ref);
    text_add(e, out, "#endif\n    m->strange = (int)strange;\n");
}

void emit_range_look(Emit *e, Text *out)
{
    if (!emit_has_ranges(e, HOME_NONE))
        return;
    text_add(e, out, "    uint32_t beyond = %s;\n#ifndef %s_NO_DOMAIN\n",
             emit_has_ranges(e, HOME_PARAM) ? "(uint32_t)m->strange" : "0",
             emit_upper(e, e->o->name));
    look(e, out, "beyond", false, e->next);
    text_add(e, out, "#endif\n");
}
