/* inlined.c - finding, naming, printing and checking difference equations. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inline/inlined.h"

#include <math.h>
#include <assert.h>

/* ---- finding ---- */

static int compare_entry(const InlinedVar *a, const InlinedVar *b)
{
    int x[] = {a->sys_var, a->kind, a->order, a->stage, a->back};
    int y[] = {b->sys_var, b->kind, b->order, b->stage, b->back};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Heap sort: qsort() cannot be told of the table. */
static void sift(const Inlined *d, int *at, int i, int n)
{
    int top = at[i];
    for (int k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && compare_entry(&d->var[at[k]], &d->var[at[k + 1]]) < 0)
            k++;
        if (compare_entry(&d->var[top], &d->var[at[k]]) >= 0)
            break;
        at[i] = at[k];
    }
    at[i] = top;
}

void inlined_sort(Inlined *d, Arena *arena)
{
    int n = d->nvar - d->sys->nvar;
    d->sorted = NEW_ARRAY(arena, int, n + 1);
    for (int i = 0; i < n; i++)
        d->sorted[i] = d->sys->nvar + i;
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(d, d->sorted, i, n);
    for (int i = n - 1; i > 0; i--) {
        int last = d->sorted[i];
        d->sorted[i] = d->sorted[0];
        d->sorted[0] = last;
        sift(d, d->sorted, 0, i);
    }
}

static int find_entry(const Inlined *d, InlinedVar key)
{
    int low = 0, high = d->nvar - d->sys->nvar;
    while (low < high) {
        int mid = low + (high - low) / 2;
        int order = compare_entry(&key, &d->var[d->sorted[mid]]);
        if (order == 0)
            return d->sorted[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NONE;
}

int inlined_find(const Inlined *d, int sys_var, int order)
{
    if (order == 0)
        return d->var[sys_var].kind == IV_UNUSED ? NONE : sys_var;
    InlinedVar key = {.kind = IV_VALUE,
                      .sys_var = sys_var,
                      .order = order,
                      .stage = DIFF_END};
    if (d->var[sys_var].kind == IV_INPUT)
        key.kind = IV_INPUT;
    return find_entry(d, key);
}

SysFelt inlined_felt(const Inlined *d, int entry)
{
    int v = d->var[entry].sys_var;
    return v == NONE ? FELT_CHANGES : d->sys->var[v].felt;
}

double inlined_nominal(const Inlined *d, int entry)
{
    int v = d->var[entry].sys_var;
    double x = 0;
    if (v != NONE && d->sys->var[v].nominal != EXPR_NONE &&
        d->var[entry].order == 0 &&
        expr_is_const(d->dag, d->sys->var[v].nominal, &x) && x != 0)
        return fabs(x);
    return 1;
}

int inlined_find_old(const Inlined *d, int sys_var, int order, int back)
{
    InlinedVar key = {.kind = IV_OLD,
                      .sys_var = sys_var,
                      .order = order,
                      .stage = DIFF_END,
                      .back = back};
    return find_entry(d, key);
}

int inlined_find_stage(const Inlined *d, int like, int stage)
{
    InlinedVar key = d->var[like];
    key.stage = stage;
    return find_entry(d, key);
}

bool inlined_is_local(const InlinedEqn *e)
{
    return e->stage == COPY_FILTER || e->stage == COPY_LOCAL;
}

/* ---- names ---- */

const char *inlined_var_name(void *inlined, int var)
{
    const Inlined *d = inlined;
    assert(0 <= var && var < d->nvar);
    return d->var[var].name;
}

const char *inlined_known_as(const Inlined *d, int entry, Arena *arena)
{
    const Sys *s = d->sys;
    for (int i = 0; i < s->neqn; i++) {
        int v, order;
        if (s->eqn[i].origin.rule == RULE_CONDITION &&
            expr_is_var(d->dag, s->eqn[i].lhs, &v, &order) &&
            v == d->var[entry].sys_var)
            return expr_text(d->dag, s->eqn[i].rhs, sys_var_name, (void *)s,
                             200, arena);
    }
    return d->var[entry].name;
}

static const SysEqn *origin_eqn(const Inlined *d, const InlinedEqn *e)
{
    if (e->kind == IE_INITIAL)
        return &d->dae->init.eqn[e->from];
    return d->dae ? &d->dae->eqn[e->from] : &d->sys->eqn[e->from];
}

/* "C1#2", "der(C1#2)" */
static const char *model_eqn_name(const Inlined *d, const SysEqn *e,
                                  Arena *arena)
{
    int times = 0;
    while (d->dae && e->origin.rule == RULE_DIFFERENTIATED &&
           e->origin.from >= 0 && e->origin.from < d->dae->neqn &&
           times < 100) {
        e = &d->dae->eqn[e->origin.from];
        times++;
    }
    const char *name = sys_eqn_name(d->sys, e, arena);
    for (int i = 0; i < times; i++)
        name = arena_printf(arena, "der(%s)", name);
    return name;
}

const char *inlined_eqn_name(const Inlined *d, const InlinedEqn *e,
                             Arena *arena)
{
    const char *name = "";
    switch (e->kind) {
    case IE_MODEL:
    case IE_LINEAR:
    case IE_INITIAL: name = model_eqn_name(d, origin_eqn(d, e), arena); break;
    case IE_INTEGRATION:
    case IE_ADVANCE: {
        int var = NONE, order = 0;
        if (!expr_is_var(d->dag, e->lhs, &var, &order))
            break;
        const InlinedVar *v = &d->var[var];
        if (v->sys_var == NONE)
            return v->name;
        name = d->sys->var[v->sys_var].name;
        for (int k = 0; k < v->order; k++)
            name = arena_printf(arena, "der(%s)", name);
        name = arena_printf(arena, "int(%s)", name);
        break;
    }
    case IE_PARAMETER: name = d->sys->var[e->from].name; break;
    }
    if (e->kind == IE_LINEAR)
        name = arena_printf(arena, "lin(%s)", name);
    if (e->stage != DIFF_END)
        name = arena_printf(arena, "%s@%d", name, e->stage + 1);
    return name;
}

const char *inlined_eqn_text(const Inlined *d, const InlinedEqn *e, int limit,
                             Arena *arena)
{
    const char *l =
        expr_text(d->dag, e->lhs, inlined_var_name, (void *)d, limit, arena);
    const char *r =
        expr_text(d->dag, e->rhs, inlined_var_name, (void *)d, limit, arena);
    return arena_printf(arena, "%s = %s", l, r);
}

static void print_system(const Inlined *d, const InlinedSystem *s, FILE *out)
{
    Arena *a = arena_new();
    fprintf(out, "system %s", s->name);
    if (s->method)
        fprintf(out, " by %s", s->method->name);
    fprintf(out, ": %d equations, %d unknowns\n", s->neqn, s->nunknown);
    for (int i = 0; i < s->neqn; i++)
        fprintf(out, "  %s\n", inlined_eqn_text(d, &s->eqn[i], 500, a));
    for (int i = 0; i < s->nalias; i++)
        fprintf(out, "  %s := %s%s\n", d->var[s->alias[i].var].name,
                s->alias[i].sign < 0 ? "-" : "",
                d->var[s->alias[i].target].name);
    for (int i = 0; i < s->ncarry; i++)
        fprintf(out, "  carry %s := %s\n", d->var[s->carry[i].to].name,
                d->var[s->carry[i].from].name);
    arena_free(a);
}

void inlined_print(const Inlined *d, FILE *out)
{
    for (int i = 0; i < d->nsystem; i++)
        print_system(d, &d->system[i], out);
    for (int i = 0; i < d->nrelation; i++) {
        fprintf(out, "%s: ", d->var[d->relation[i].var].name);
        expr_print(d->dag, d->relation[i].now, inlined_var_name, (void *)d, 500,
                   out);
        putc('\n', out);
    }
}

static void check_leaf(void *context, const Dag *dag, Expr e)
{
    const Inlined *d = context;
    int var = NONE, order = 0;
    if (!expr_is_var(dag, e, &var, &order))
        return;
    assert(0 <= var && var < d->nvar && order == 0);
    assert(d->var[var].leaf == e);
    assert(d->var[var].kind != IV_UNUSED);
}

static void check_system(const Inlined *d, const InlinedSystem *s)
{
    for (int i = 0; i < s->neqn; i++) {
        Expr side[] = {s->eqn[i].lhs, s->eqn[i].rhs};
        expr_walk(d->dag, side, 2, check_leaf, (void *)d);
    }
    for (int i = 0; i < s->nunknown; i++)
        assert(0 <= s->unknown[i] && s->unknown[i] < d->nvar);
    for (int i = 0; i < s->ncarry; i++) {
        const InlinedVar *to = &d->var[s->carry[i].to];
        assert(to->kind == IV_OLD ||
               (to->kind == IV_KEPT && to->source == s->carry[i].from));
    }
}

void inlined_check(const Inlined *d)
{
    assert(d->nvar >= d->sys->nvar && d->var[d->step].kind == IV_STEP);
    for (int i = 0; i < d->nsystem; i++)
        check_system(d, &d->system[i]);
    for (int i = 0; i < d->nstart; i++)
        assert(d->start[i] >= 0 && d->start[i] < d->nsystem);
    for (int i = 0; i < d->ncycle; i++)
        assert(d->cycle[i] >= 0 && d->cycle[i] < d->nsystem);
}

double inlined_leaf_value(void *point, const Dag *d, Expr leaf)
{
    const InlinedPoint *p = point;
    int var, order;
    if (expr_is_var(d, leaf, &var, &order))
        return p->value[var];
    switch (expr_op(d, leaf)) {
    case EX_TIME: return p->time;
    default: return 0;
    }
}
