/* seen.c - names, the hull along runs, the domain. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/seen.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/* What a range of a quantity that moves is wider by, of its width and size. */
#define MARGIN      1e-2
#define SIZE_MARGIN 1e-6

typedef struct Names {
    Seen *seen;
    const Tape *tape;
    bool *has; /* of each symbol of the tape */
} Names;

static void add(Names *n, const char *name)
{
    const TapeSymbol *s = name ? tape_find_symbol(n->tape, name) : NULL;
    if (!s || n->tape->region[s->slot] == TR_CONST ||
        n->has[s - n->tape->symbol.at])
        return;
    n->has[s - n->tape->symbol.at] = true;
    n->seen->name[n->seen->n++] = s->name;
}

/* What d(lhs - rhs)/d(var) depends on. */
static void add_entry(Names *n, const Compilation *c, const SysEqn *e,
                      const char *var, Arena *arena)
{
    const Sys *sys = c->sys;
    int sign, order, v = sys_find_quantity(sys, var, &order);
    if (v == NONE)
        return;
    Expr x = expr_var(sys->dag, sys_resolve(sys, v, &sign), order, ET_REAL);
    const Expr side[] = {e->lhs, e->rhs};
    for (int k = 0; k < 2; k++) {
        Expr *leaf;
        int nleaf = expr_leaves(sys->dag, expr_diff(sys->dag, side[k], x),
                                &leaf, arena);
        for (int i = 0; i < nleaf; i++)
            if (expr_is_var(sys->dag, leaf[i], &v, &order) && order == 0)
                add(n, sys->var[v].name);
    }
}

static void add_cuts(Names *n, const Compilation *c, const Plan *p)
{
    Arena *work = arena_new();
    for (int i = 0; i < p->ncut; i++)
        for (int k = 0; k < c->dae->sys->neqn; k++) {
            const SysEqn *e = &c->dae->sys->eqn[k];
            if (!strcmp(sys_eqn_name(c->sys, e, work), p->cut[i].eqn))
                add_entry(n, c, e, p->cut[i].var, work);
        }
    arena_free(work);
}

const Seen *seen_names(const Compilation *c, const Plan *plan, const Tape *t)
{
    const Sys *sys = c->sys;
    Seen *s = NEW(c->arena, Seen);
    Names n = {.seen = s, .tape = t};
    n.has = NEW_ARRAY(c->arena, bool, t->symbol.n + 1);
    s->name = NEW_ARRAY(c->arena, const char *, t->symbol.n + 1);
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_INPUT)
            add(&n, sys->var[i].name);
    for (int i = 0; i < c->dae->nstate; i++)
        add(&n, dae_leaf_text(c->dae, c->dae->state[i].leaf, c->arena));
    add_cuts(&n, c, plan);
    s->nmoving = s->n;
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_PARAMETER && sys->var[i].is_tunable &&
            sys->var[i].type != FT_STRING)
            add(&n, sys->var[i].name);
    return s;
}

SeenRun seen_begin(const Seen *s, const Tape *t, double *low, double *high,
                   Arena *arena)
{
    SeenRun r = {.seen = s, .low = low, .high = high};
    r.symbol = NEW_ARRAY(arena, const TapeSymbol *, s->n + 1);
    for (int i = 0; i < s->n; i++) {
        r.symbol[i] = tape_find_symbol(t, s->name[i]);
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    return r;
}

void seen_row(SeenRun *r, const Exec *exec)
{
    int n = r->has_row ? r->seen->nmoving : r->seen->n;
    r->has_row = true;
    for (int i = 0; i < n; i++) {
        if (!r->symbol[i])
            continue;
        double x = exec_value(exec, r->symbol[i]);
        r->low[i] = fmin(r->low[i], x);
        r->high[i] = fmax(r->high[i], x);
    }
}

/* x to six digits: at most x (side -1), or at least (side 1). What a plan says
 * does not depend on last bits. */
static double outward(double x, int side)
{
    double near = number_round(x, 6);
    return side * (near - x) >= 0 ? near
                                  : number_round(x + side * 1e-5 * fabs(x), 6);
}

PlanDomain seen_domain(const Seen *s, const double *low, const double *high,
                       double stop, Arena *arena)
{
    PlanDomain d = {.stop = stop};
    d.range = NEW_ARRAY(arena, PlanRange, s->n + 1);
    for (int i = 0; i < s->n; i++) {
        if (!isfinite(low[i]) || !isfinite(high[i]) || low[i] > high[i])
            continue;
        double size = fmax(fabs(low[i]), fabs(high[i])), margin = 0;
        if (i < s->nmoving)
            margin = MARGIN * (high[i] - low[i]) + SIZE_MARGIN * size;
        d.range[d.nrange++] =
            (PlanRange){s->name[i], outward(low[i] - margin, -1),
                        outward(high[i] + margin, 1)};
    }
    return d;
}
