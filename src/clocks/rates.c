/* rates.c - what is known of the new model: which of its variables change at
 * the ticks of a periodic clock only.
 *
 * v = if tick then value else pre(v) need not be looked at while its clock does
 * not tick, nor again in the iterations of the event that is its tick: what
 * `value` asks for is what was before (sample, previous), and variables of
 * clocks with the same base, which tick at the same moments. Where it asks for
 * one of another base clock, that can still change; no such variable is named
 * here.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

/* The base clock of a variable, NONE: it has no clock. */
static int base_of(Clocks *c, int var)
{
    if (var >= c->in->nvar)
        return c->aux_base.at[var - c->in->nvar];
    int node = clocks_find(c, var);
    return c->node.at[node].clocked ? c->timing[node].base : NONE;
}

void clocks_note_rate(Clocks *c, int node, int var, Expr value)
{
    node = clocks_find(c, node);
    int base = c->timing[node].base, n;
    Expr *leaf;
    if (var >= c->in->nvar)
        c->aux_base.at[var - c->in->nvar] = base;
    if (c->base.at[base].is_event)
        return;
    n = expr_leaves(c->dag, value, &leaf, c->local);
    for (int i = 0; i < n; i++) {
        int other = base_of(c, expr_node(c->dag, leaf[i])->var);
        if (other != NONE && other != base)
            return;
    }
    vec_push(c->local, &c->rated, ((Rated){var, node}));
}

/* The rate that ticks with the variable `tick`. */
static int rate_of(Flat *f, const BaseClock *b, const Tick *t)
{
    for (int i = 0; i < f->nrate; i++)
        if (f->rate[i].tick == t->var)
            return i;
    f->rate[f->nrate++] = (FlatRate){.tick = t->var,
                                     .interval = b->tick * (double)t->every,
                                     .first = b->tick * (double)t->first};
    return f->nrate - 1;
}

/* The rate that ticks as node `node` does, NONE: there is none. */
static int rate_like(Clocks *c, int node)
{
    const Timing *at = &c->timing[node];
    if (!c->node.at[node].clocked || !at->known)
        return NONE;
    for (int k = 0; k < c->tick.n; k++) {
        const Tick *t = &c->tick.at[k];
        if (t->base != at->base || t->every != at->every ||
            t->first != at->first)
            continue;
        for (int r = 0; r < c->out->nrate; r++)
            if (t->var != NONE && c->out->rate[r].tick == t->var)
                return r;
    }
    return NONE;
}

/* Rates are called as the first Clock of the model that ticks with them. */
static void name_rates(Clocks *c)
{
    for (int i = 0; i < c->in->nvar; i++) {
        const FlatVar *v = &c->in->var[i];
        int rate = v->type == FT_CLOCK ? rate_like(c, clocks_find(c, i)) : NONE;
        if (rate == NONE || c->out->rate[rate].name)
            continue;
        c->out->rate[rate].name = v->name;
        c->out->rate[rate].comment = v->comment;
    }
}

void clocks_add_rates(Clocks *c)
{
    Flat *f = c->out;
    f->rate = NEW_ARRAY(c->arena, FlatRate, c->tick.n + 1);
    f->nrate = 0;
    f->rate_of = NEW_ARRAY(c->arena, int, f->nvar + 1);
    for (int i = 0; i < f->nvar; i++)
        f->rate_of[i] = NONE;
    for (int i = 0; i < c->rated.n; i++) {
        const Rated *r = &c->rated.at[i];
        const Tick *t = clocks_tick(c, r->node);
        if (t->var != NONE)
            f->rate_of[r->var] = rate_of(f, &c->base.at[t->base], t);
    }
    name_rates(c);
}
