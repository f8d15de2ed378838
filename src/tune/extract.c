/* extract.c - a block's matrix in the samples, as L and Df. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/extract.h"

#include <math.h>
#include <string.h>

typedef struct Extract {
    const Schedule *s;
    const SchedBlock *b;
    const Inlined *d;
    int n, nx;
    int *col_at; /* place of each torn variable among the columns */
    int *row_at; /* place of each residual among the rows */
    PencilSet *set;
    double step;
    Arena *arena, *work;
    Diag *diag;
} Extract;

/* ---- names and order ---- */

static bool is_formula_of(const Extract *x, int eqn, int entry)
{
    const InlinedEqn *e = &x->s->system->eqn[eqn];
    if (e->kind != IE_INTEGRATION || e->state == NONE)
        return false;
    const DaeState *q = &x->d->dae->state[e->state];
    const InlinedVar *v = &x->d->var[entry];
    return q->var == v->sys_var && q->order == v->order;
}

/* States first, each beside its integration formula. */
static bool order(Extract *x)
{
    const SchedBlock *b = x->b;
    int rest = 0;
    for (int i = 0; i < x->n; i++)
        x->row_at[i] = NONE;
    for (int j = 0; j < x->n; j++) {
        if (!x->d->var[b->torn[j]].is_state)
            continue;
        int i = 0;
        while (i < x->n && !is_formula_of(x, b->residual_eqn[i], b->torn[j]))
            i++;
        if (i == x->n) {
            diag_report(x->diag, x->s->system->eqn[b->residual_eqn[0]].span,
                        DIAG_E1501,
                        "'%s' cannot be tuned: its integration formula is not "
                        "an equation of the iteration",
                        x->d->var[b->torn[j]].name);
            return false;
        }
        x->col_at[j] = x->row_at[i] = x->nx++;
    }
    for (int j = 0, i = 0; j < x->n; j++) {
        if (x->d->var[b->torn[j]].is_state)
            continue;
        while (x->row_at[i] != NONE)
            i++;
        x->col_at[j] = x->row_at[i] = x->nx + rest++;
    }
    return true;
}

static double nominal_of(const Extract *x, int entry)
{
    const InlinedVar *v = &x->d->var[entry];
    double value = 1;
    if (v->sys_var == NONE || v->order > 0)
        return 1;
    Expr e = x->d->sys->var[v->sys_var].nominal;
    if (e == EXPR_NONE || !expr_is_const(x->d->dag, e, &value) || value == 0)
        return 1;
    return fabs(value);
}

static void name_all(Extract *x)
{
    PencilSet *p = x->set;
    const char **eqn = NEW_ARRAY(x->arena, const char *, x->n + 1);
    const char **var = NEW_ARRAY(x->arena, const char *, x->n + 1);
    double *nominal = NEW_ARRAY(x->arena, double, x->n + 1);
    for (int k = 0; k < x->n; k++) {
        InlinedEqn e = x->s->system->eqn[x->b->residual_eqn[k]];
        e.stage = DIFF_END; /* plans name the equation of all stages */
        eqn[x->row_at[k]] = inlined_eqn_name(x->d, &e, x->arena);
        var[x->col_at[k]] = x->d->var[x->b->torn[k]].name;
        nominal[x->col_at[k]] = nominal_of(x, x->b->torn[k]);
    }
    p->eqn = eqn;
    p->var = var;
    p->nominal = nominal;
}

/* ---- the pattern ---- */

static void make_pattern(Extract *x)
{
    PencilSet *p = x->set;
    const SchedJacobian *jac = &x->b->jac;
    size_t n = (size_t)x->n;
    char *has = NEW_ARRAY(x->work, char, n *n + 1); /* 1 constant, 2 varies */
    for (int j = 0; j < x->nx; j++)
        has[(size_t)j + (size_t)j * n] = 1;
    for (int j = 0; j < x->n; j++)
        for (int k = jac->start[j]; k < jac->start[j + 1]; k++) {
            size_t at =
                (size_t)x->row_at[jac->row[k]] + (size_t)x->col_at[j] * n;
            bool fixed = jac->variance[k] <= SV_PARAMETER;
            has[at] = fixed ? 1 : 2;
        }
    int *start = NEW_ARRAY(x->arena, int, x->n + 1);
    for (size_t at = 0; at < n * n; at++)
        p->nnz += has[at] != 0;
    int *row = NEW_ARRAY(x->arena, int, p->nnz + 1);
    bool *fixed = NEW_ARRAY(x->arena, bool, p->nnz + 1);
    int nnz = 0;
    for (int j = 0; j < x->n; j++) {
        start[j] = nnz;
        for (int i = 0; i < x->n; i++) {
            char c = has[(size_t)i + (size_t)j * n];
            if (!c)
                continue;
            fixed[nnz] = c == 1;
            row[nnz++] = i;
        }
    }
    start[x->n] = nnz;
    p->start = start;
    p->row = row;
    p->is_constant = fixed;
}

/* ---- the numbers ---- */

/* False if some entry is not finite. */
static bool fill(Extract *x, const double *node, double *l, double *df)
{
    const SchedJacobian *jac = &x->b->jac;
    size_t n = (size_t)x->n;
    for (int j = 0; j < x->nx; j++)
        l[(size_t)j + (size_t)j * n] = 1;
    for (int j = 0; j < x->n; j++)
        for (int k = jac->start[j]; k < jac->start[j + 1]; k++) {
            size_t at =
                (size_t)x->row_at[jac->row[k]] + (size_t)x->col_at[j] * n;
            double e = jac->value[k] == EXPR_NONE ? NAN : node[jac->value[k]];
            if (!isfinite(e))
                return false;
            df[at] = -e;
        }
    for (size_t at = 0; at < n * n; at++)
        df[at] = (df[at] + l[at]) / x->step;
    return true;
}

static void evaluate(Extract *x, const Samples *samples)
{
    PencilSet *p = x->set;
    const SchedJacobian *jac = &x->b->jac;
    size_t size = (size_t)x->n * (size_t)x->n;
    const SchedSamples *v = samples_values(samples, x->d, x->step, x->work);
    Pencil *out = NEW_ARRAY(x->arena, Pencil, v->nsample + 1);
    double *node = NEW_ARRAY(x->work, double, dag_count(x->d->dag) + 1);
    for (int s = 0; s < v->nsample; s++) {
        const SamplePoint *at = &samples->point.at[s];
        InlinedPoint point = {v->value[s], at->time};
        expr_eval_all(x->d->dag, jac->value, jac->nnz, inlined_leaf_value,
                      &point, node);
        double *l = NEW_ARRAY(x->arena, double, size + 1);
        double *df = NEW_ARRAY(x->arena, double, size + 1);
        if (fill(x, node, l, df))
            out[p->nsample++] =
                (Pencil){l, df, at->time, at->scenario, s, at->kept_back, 0};
    }
    pencil_find_same(out, p->nsample, p->n);
    p->sample = out;
}

double *pencil_values(const Schedule *s, const SchedBlock *b,
                      const Samples *samples, double step, Arena *arena)
{
    Arena *work = arena_new();
    const SchedSamples *v = samples_values(samples, s->inlined, step, work);
    size_t n = (size_t)b->ntorn;
    double *z = NEW_ARRAY(arena, double, n *(size_t)v->nsample + 1);
    int at = 0;
    for (int part = 0; part < 2; part++) /* states first */
        for (int j = 0; j < b->ntorn; j++) {
            if (s->inlined->var[b->torn[j]].is_state != (part == 0))
                continue;
            for (int k = 0; k < v->nsample; k++)
                z[(size_t)at + (size_t)k * n] = v->value[k][b->torn[j]];
            at++;
        }
    arena_free(work);
    return z;
}

PencilSet *pencil_make(const Schedule *s, const SchedBlock *b,
                       const Samples *samples, double step, Arena *arena,
                       Diag *diag)
{
    Extract x = {.s = s,
                 .b = b,
                 .d = s->inlined,
                 .n = b->ntorn,
                 .set = NEW(arena, PencilSet),
                 .step = step,
                 .arena = arena,
                 .work = arena_new(),
                 .diag = diag};
    x.col_at = NEW_ARRAY(x.work, int, x.n + 1);
    x.row_at = NEW_ARRAY(x.work, int, x.n + 1);
    bool fine = order(&x);
    if (fine) {
        x.set->n = x.n;
        x.set->nx = x.nx;
        name_all(&x);
        make_pattern(&x);
        evaluate(&x, samples);
        pencil_check(x.set);
        if (x.set->nsample == 0) {
            fine = false;
            diag_report(diag, s->system->eqn[b->residual_eqn[0]].span,
                        DIAG_E1502,
                        "the derivatives of the step are not finite in any "
                        "of the %d points of the reference run",
                        samples->point.n);
        }
    }
    arena_free(x.work);
    return fine ? x.set : NULL;
}
