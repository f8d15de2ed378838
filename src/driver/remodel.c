/* remodel.c - a system of index 1 where structure is wrong. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/remodel.h"

#include "array/remodel.h"

enum {
    MOST_EQUATIONS = 120, /* that are looked at as a whole */
    MOST_ORDER = 7,
};

static RemodelResult refuse(Compilation *c, const char *why)
{
    diag_report(c->diag, c->flat->span, DIAG_W1708,
                "structural analysis is wrong here, and the equations stay as "
                "they are: %s; takt sim --method partition integrates what has "
                "an index",
                why);
    return REMODEL_REFUSED;
}

/* "; states are chosen anew while running among x, y and among vx, vy" */
static const char *name_sets(const Array *a, const Selection *s, Arena *arena)
{
    const char *text = "";
    for (int i = 0; i < s->nset; i++) {
        const SelectSet *x = &s->set[i];
        text = arena_printf(arena, "%s%s among ", text,
                            i ? " and"
                              : "; states are chosen anew while "
                                "running");
        for (int j = 0; j < x->n; j++)
            text = arena_printf(arena, "%s%s%s", text, j ? ", " : "",
                                array_name(a, x->candidate[j], 0, arena));
    }
    return text;
}

static RemodelResult take_rows(Compilation *c, Array *a)
{
    const char *why;
    double length = c->stop - c->start;
    const ArrayIndex *x = array_index(a, c->start, length, c->arena);
    if (x->differentiation_index == NONE)
        return refuse(c, "no index was found (takt index says more)");
    bool is_suggested = !c->array && x->uniform_index != NONE;
    if (is_suggested) { /* taken back below */
        c->array = a;
        c->index = x;
    }
    const Selection *s = array_select(a, x, length, c->arena, &why);
    if (!s)
        return refuse(c, why);
    int before = a->n;
    DaeStateSet *sets = NEW_ARRAY(c->arena, DaeStateSet, s->nset + 1);
    if (!array_remodel(a, x, s, sets, c->arena))
        return refuse(c, "an equation has no derivative"), REMODEL_BROKEN;
    if (is_suggested)
        c->array = NULL;
    c->set = sets;
    c->nset = s->nset;
    diag_report(c->diag, c->flat->span, DIAG_W1708,
                "structural analysis sees index %d and %d states, numbers say "
                "index %d and %d states: %d rows of the derivative array take "
                "the place of %d equations (condition %.0e at %d points)%s",
                x->structural_index, x->structural_states,
                x->differentiation_index, s->nstate, s->m, before, s->condition,
                s->npoint, name_sets(a, s, c->arena));
    return REMODEL_DONE;
}

RemodelResult remodel(Compilation *c)
{
    if (c->sys->neqn > MOST_EQUATIONS)
        return refuse(c, "more than 120 equations are not looked at together");
    diag_mute(c->diag);
    Array *a = array_new(c->sys, c->start, MOST_ORDER, c->arena, c->diag);
    const char *why = a ? NULL : diag_first(c->diag, c->arena);
    diag_unmute(c->diag);
    return a ? take_rows(c, a) : refuse(c, why ? why : "it has no array");
}
