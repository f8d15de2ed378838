/* jacobian.c - derivatives of the residuals by the iteration variables, through
 * the chain of assignments.
 *
 * Forward accumulation on expressions: with v_k := f_k(torn, v_1 .. v_{k-1}),
 *
 *     dv_k/dt_j = df_k/dt_j + sum_m df_k/dv_m dv_m/dt_j
 *     dr_i/dt_j = dr_i/dt_j + sum_m dr_i/dv_m dv_m/dt_j
 *
 * where only entries that are not 0 are kept. The expressions share their parts
 * in the DAG, so an entry costs a product and a sum. A chain whose variables
 * all depend on many torn ones would give too many entries; then the block is
 * better left untorn, with a larger and much sparser matrix.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/schedule_internal.h"

typedef struct Entry {
    int col;
    Expr value;
} Entry;

typedef struct Through {
    Maker *m;
    const SchedBlock *b;
    const ExprJacobian *part; /* rows: chain, residuals; columns: chain, torn */
    int *start;               /* row k has entry start[k] .. start[k+1]-1 */
    Vec(Entry) entry;
    Expr *sum; /* by column, while a row is made */
    bool *has;
    Vec(int) cols;
    int ncut; /* entries changed by the plan */
    Arena *work;
} Through;

static int row_eqn(const SchedBlock *b, int row)
{
    return row < b->nchain ? b->chain[row].eqn
                           : b->residual_eqn[row - b->nchain];
}

static int col_entry(const SchedBlock *b, int col)
{
    return col < b->nchain ? b->chain[col].var : b->torn[col - b->nchain];
}

/* The derivative as the plan wants it: 0 where the entry is cut, a constant
 * where it is frozen. In a row of the chain, which was solved for its own
 * variable, the constant counts against the slope of that one. */
static Expr cut_entry(Through *t, int row, int col, Expr value)
{
    Maker *m = t->m;
    int eqn = row_eqn(t->b, row), entry = col_entry(t->b, col);
    const PlanCut *c = cuts_of_plan(m, eqn, entry);
    if (!c)
        return value;
    t->ncut++;
    if (c->kind != CUT_FROZEN)
        return expr_real(m->dag, 0);
    if (isnan(c->value)) {
        double x = edges_value(m, value);
        return isfinite(x) ? expr_real(m->dag, x) : value;
    }
    Expr number = expr_real(m->dag, c->value);
    if (row >= t->b->nchain)
        return number;
    int own = incidence_find(m->inc, eqn, m->column[t->b->chain[row].var]);
    return expr_neg(m->dag, expr_div(m->dag, number, m->slope[own]));
}

static void add_to(Through *t, int col, Expr value)
{
    if (!t->has[col]) {
        t->has[col] = true;
        t->sum[col] = value;
        vec_push(t->work, &t->cols, col);
    } else {
        t->sum[col] = expr_add(t->m->dag, t->sum[col], value);
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void end_row(Through *t)
{
    if (t->cols.n > 1)
        qsort(t->cols.at, (size_t)t->cols.n, sizeof *t->cols.at, by_number);
    for (int i = 0; i < t->cols.n; i++) {
        int col = t->cols.at[i];
        t->has[col] = false;
        if (!expr_is_zero(t->m->dag, t->sum[col]))
            vec_push(t->work, &t->entry, ((Entry){col, t->sum[col]}));
    }
    t->cols.n = 0;
}

static bool make_row(Through *t, int row)
{
    const ExprJacobian *p = t->part;
    int nchain = t->b->nchain;
    for (int k = p->start[row]; k < p->start[row + 1]; k++) {
        if (p->value[k] == EXPR_NONE)
            return false;
        Expr value = cut_entry(t, row, p->col[k], p->value[k]);
        if (p->col[k] >= nchain) {
            add_to(t, p->col[k] - nchain, value);
            continue;
        }
        int from = p->col[k];
        for (int e = t->start[from]; e < t->start[from + 1]; e++) {
            Entry x = t->entry.at[e];
            add_to(t, x.col, expr_mul(t->m->dag, value, x.value));
        }
    }
    end_row(t);
    t->start[row + 1] = t->entry.n;
    return true;
}

static const ExprJacobian *partials(Maker *m, const SchedBlock *b, Arena *work)
{
    int n = b->nchain + b->ntorn;
    Expr *row = NEW_ARRAY(work, Expr, n + 1);
    Expr *col = NEW_ARRAY(work, Expr, n + 1);
    for (int k = 0; k < b->nchain; k++) {
        /* a discrete value in the chain has no derivative that matters */
        row[k] = expr_type(m->dag, b->chain[k].value) == ET_REAL
                     ? b->chain[k].value
                     : EXPR_NONE;
        col[k] = m->d->var[b->chain[k].var].leaf;
    }
    for (int k = 0; k < b->ntorn; k++) {
        row[b->nchain + k] = b->residual[k];
        col[b->nchain + k] = m->d->var[b->torn[k]].leaf;
    }
    return expr_jacobian(m->dag, row, n, col, n, work);
}

/* The residual rows, by columns. */
static void store(Through *t, int block, SchedBlock *b)
{
    Maker *m = t->m;
    int n = b->ntorn, first = t->start[b->nchain];
    int nnz = t->entry.n - first;
    int *start = NEW_ARRAY(m->arena, int, n + 2), *row;
    Expr *value;
    unsigned char *variance;
    row = NEW_ARRAY(m->arena, int, nnz + 1);
    value = NEW_ARRAY(m->arena, Expr, nnz + 1);
    variance = NEW_ARRAY(m->arena, unsigned char, nnz + 1);
    for (int e = first; e < t->entry.n; e++)
        start[t->entry.at[e].col + 1]++;
    for (int j = 0; j < n; j++)
        start[j + 1] += start[j];
    int *at = NEW_ARRAY(t->work, int, n + 1);
    memcpy(at, start, sizeof *at * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int e = t->start[b->nchain + i]; e < t->start[b->nchain + i + 1];
             e++) {
            int k = at[t->entry.at[e].col]++;
            row[k] = i;
            value[k] = t->entry.at[e].value;
            variance[k] =
                (unsigned char)facts_variance(m->facts, value[k], block);
        }
    b->jac = (SchedJacobian){n, nnz, start, row, value, variance};
}

/* Is there an occurrence of an unknown of the block that no derivative shows
 * (below floor, or through a discrete variable)? Then it is not linear. */
static bool hides_unknowns(Maker *m, int block)
{
    const Blt *blt = m->blt;
    for (int k = blt->start[block]; k < blt->start[block + 1]; k++) {
        int i = blt->eqn[k];
        for (int e = m->inc->start[i]; e < m->inc->start[i + 1]; e++)
            if (m->block_of[m->inc->var[e]] == block &&
                m->slope[e] == EXPR_NONE)
                return true;
    }
    return false;
}

static SchedKind kind_of(Maker *m, int block, const SchedBlock *b)
{
    int worst = SV_NUMBER;
    for (int k = 0; k < b->jac.nnz; k++)
        if (b->jac.variance[k] > worst)
            worst = b->jac.variance[k];
    if (worst == SV_UNKNOWN || hides_unknowns(m, block))
        return SK_NONLINEAR;
    return worst == SV_STEP ? SK_LINEAR : SK_CONSTANT;
}

static void report_opaque(Maker *m, const SchedBlock *b, int row)
{
    m->failed = true;
    diag_report(m->diag, m->system->eqn[row_eqn(b, row)].span, DIAG_U1202,
                "this equation takes part in an iteration, but a function in "
                "it has no derivative");
}

bool jacobian_make(Maker *m, int block, SchedBlock *b)
{
    Arena *work = arena_new();
    int n = b->nchain + b->ntorn;
    long limit = 200000 + 2L * m->inc->nedge;
    Through t = {.m = m, .b = b, .work = work};
    t.part = partials(m, b, work);
    t.start = NEW_ARRAY(work, int, n + 2);
    t.sum = NEW_ARRAY(work, Expr, b->ntorn + 1);
    t.has = NEW_ARRAY(work, bool, b->ntorn + 1);
    bool small = true;
    for (int row = 0; row < n && small; row++) {
        if (!make_row(&t, row)) {
            report_opaque(m, b, row);
            break;
        }
        small = b->nchain == 0 || t.entry.n <= limit;
    }
    if (small && !m->failed) {
        store(&t, block, b);
        /* with an inexact matrix one solve is not exact */
        b->kind = t.ncut > 0 ? SK_NONLINEAR : kind_of(m, block, b);
    }
    arena_free(work);
    return small;
}
