/* jacobian.c - derivatives of the residuals by the iteration variables, through
 * the chain of assignments.
 *
 * Forward accumulation on expressions: with v_k := f_k(torn, v_1 .. v_{k-1}),
 *
 *     dv_k/dt_j = df_k/dt_j + sum_m df_k/dv_m dv_m/dt_j
 *     dr_i/dt_j = dr_i/dt_j + sum_m dr_i/dv_m dv_m/dt_j
 *
 * where only entries that are not 0 are kept. A linear loop inside the
 * chain, A v = b, gives its derivatives by another solution with its factors,
 *
 *     dv/dt_j = -A^-1 (dr/dt_j + sum_m dr/dv_m dv_m/dt_j),   r = A v - b.
 *
 * Entries that the plan cuts are left out: those of the residuals by iteration
 * variables at the end, what an equation has of a variable of the chain, or
 * what an equation of the chain has of any variable, on the way. Either is the
 * entry of the matrix before elimination (Gustafsson 2021, 7.1 (125): the row
 * of int(x) without x' is that of a slow state). The expressions share
 * their parts in the DAG, so an entry costs a product and a sum. A chain whose
 * variables all depend on many torn ones would give too many entries; then the
 * block is better left untorn, with a larger and much sparser matrix.
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

typedef Vec(Expr) Leaves;

typedef struct Through {
    Maker *m;
    int block; /* its number */
    const SchedBlock *b;
    const ExprJacobian *part; /* rows: chain, residuals; columns: chain, torn
                                 (or those of drift_make) */
    int ncol;
    bool is_drift; /* columns are not those of the matrix: no cuts */
    int *start;    /* row k has entry start[k] .. start[k+1]-1 */
    int *key;      /* of each column of `part`: its place in sums */
    Vec(Entry) entry;
    Expr *sum; /* by column, while a row is made */
    bool *has;
    Vec(int) cols;
    int ncut;    /* entries changed by the plan */
    bool *bends; /* residual: its true derivatives change while it is solved,
                    or the plan has changed one */
    Arena *work;
} Through;

static int row_eqn(const SchedBlock *b, int row)
{
    return row < b->nchain ? b->chain[row].eqn
                           : b->residual_eqn[row - b->nchain];
}

/* The number in front of h x'_j in the formula of a stage: h a_ij of a
 * Runge-Kutta method, h gamma of a Rosenbrock method, h beta_0 of a multistep
 * method. */
static Expr formula_step(const Maker *m, int eqn, int entry)
{
    const Method *how = m->system->method;
    int n = how->nstage, i = m->system->eqn[eqn].stage;
    int j = m->d->var[entry].stage;
    double factor = 1;
    if (how->kind == MK_RK) {
        i = i == DIFF_END ? n - 1 : i;
        j = j == DIFF_END ? n - 1 : j;
        factor = how->a[i * n + j];
    } else if (how->kind == MK_ROSENBROCK) {
        factor = how->gamma;
    } else if (how->kind == MK_MULTISTEP) {
        factor = how->beta[0];
    } else if (how->kind == MK_ONELEG) {
        factor = how->beta[0] / how->alpha[0];
    }
    return expr_mul(m->dag, expr_real(m->dag, factor),
                    m->d->var[m->d->step].leaf);
}

/* The entry of residual i by torn variable j as the plan wants it. The matrix
 * is L - tau Df, with L = 1 on the diagonal of the states: a cut takes away the
 * part of Df, a frozen entry has a constant there. In rows of the model the
 * constant is the derivative of lhs - rhs. */
static Expr cut_entry(Through *t, int i, int j, Expr value)
{
    Maker *m = t->m;
    Dag *d = m->dag;
    int eqn = t->b->residual_eqn[i], entry = t->b->torn[j];
    const PlanCut *c = eqn == NONE ? NULL : cuts_of_plan(m, eqn, entry);
    if (!c)
        return value;
    t->ncut++;
    bool is_state = view_state_of(m, eqn) != NONE;
    bool has_mass = view_state_of(m, eqn) == m->column[entry];
    Expr mass = expr_real(d, has_mass ? 1 : 0);
    if (plan_cut_rule[c->kind].leaves == CUT_LEAVES_ZERO)
        return mass;
    Expr step = is_state ? formula_step(m, eqn, entry) : expr_real(d, -1);
    double df = c->value;
    if (isnan(df))
        df = edges_value(m, expr_div(d, expr_sub(d, mass, value), step));
    if (!isfinite(df))
        return value;
    return expr_sub(d, mass, expr_mul(d, step, expr_real(d, df)));
}

/* The entry as the plan wants it; and what that means for its row. */
static Expr take_entry(Through *t, int i, int j, Expr value)
{
    int ncut = t->ncut;
    Expr cut = cut_entry(t, i, j, value);
    t->bends[i] |= t->ncut > ncut ||
                   variance_of(t->m->signs, value, t->block) == SV_UNKNOWN;
    return cut;
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

static void sort_columns(Through *t)
{
    if (t->cols.n > 1)
        qsort(t->cols.at, (size_t)t->cols.n, sizeof *t->cols.at, by_number);
}

static void end_row(Through *t, int row)
{
    int residual = row - t->b->nchain;
    sort_columns(t);
    for (int i = 0; i < t->cols.n; i++) {
        int col = t->cols.at[i];
        t->has[col] = false;
        Expr value = t->sum[col];
        if (residual >= 0 && !t->is_drift)
            value = take_entry(t, residual, col, value);
        if (!expr_is_zero(t->m->dag, value))
            vec_push(t->work, &t->entry, ((Entry){col, value}));
    }
    t->cols.n = 0;
    t->start[row + 1] = t->entry.n;
}

/* Does the plan take out what row `row` has of column `from`? Entries of the
 * residuals by iteration variables wait for end_row. */
static bool is_dropped(Through *t, int row, int from)
{
    const SchedBlock *b = t->b;
    int nchain = b->nchain;
    if (t->is_drift || (row >= nchain && from >= nchain))
        return false;
    int entry = from < nchain ? b->chain[from].var : b->torn[from - nchain];
    if (row_eqn(b, row) == NONE || !cuts_drop(t->m, row_eqn(b, row), entry))
        return false;
    t->ncut++;
    return true;
}

/* Entries of a row of `part` in the order in which they are added up. */
static int *order_row(Through *t, int row)
{
    const ExprJacobian *p = t->part;
    int n = p->start[row + 1] - p->start[row];
    int *at = NEW_ARRAY(t->work, int, n + 1);
    for (int i = 0; i < n; i++) {
        int k = p->start[row] + i, j = i;
        for (; j > 0 && t->key[p->col[at[j - 1]]] > t->key[p->col[k]]; j--)
            at[j] = at[j - 1];
        at[j] = k;
    }
    return at;
}

/* Adds up what the row gets through the chain and by itself; its own variables,
 * if it belongs to a loop, are held. */
static bool sum_row(Through *t, int row, const SchedLoop *own)
{
    const ExprJacobian *p = t->part;
    int nchain = t->b->nchain;
    const int *order = order_row(t, row);
    for (int i = 0; i < p->start[row + 1] - p->start[row]; i++) {
        int k = order[i], from = p->col[k];
        if (own && from >= own->first && from < own->first + own->n)
            continue;
        if (p->value[k] == EXPR_NONE)
            return false;
        if (is_dropped(t, row, from))
            continue;
        if (from >= nchain) {
            add_to(t, from - nchain, p->value[k]);
            continue;
        }
        for (int e = t->start[from]; e < t->start[from + 1]; e++) {
            Entry x = t->entry.at[e];
            add_to(t, x.col, expr_mul(t->m->dag, p->value[k], x.value));
        }
    }
    return true;
}

static bool make_row(Through *t, int row)
{
    if (!sum_row(t, row, NULL))
        return false;
    end_row(t, row);
    return true;
}

/* The rows of a loop together: right-hand sides by columns, solved one after
 * the other. Returns the row that has no derivative, NONE if all have. */
static int make_loop(Through *t, const SchedLoop *loop)
{
    Dag *d = t->m->dag;
    int n = loop->n;
    Expr zero = expr_real(d, 0);
    int *place = NEW_ARRAY(t->work, int, t->ncol + 1); /* of a column, + 1 */
    Vec(int) col = {0};
    Vec(Expr) rhs = {0}; /* by columns */
    for (int i = 0; i < n; i++) {
        if (!sum_row(t, loop->first + i, loop))
            return loop->first + i;
        for (int k = 0; k < t->cols.n; k++) {
            int j = t->cols.at[k];
            t->has[j] = false;
            if (place[j] == 0) {
                vec_push(t->work, &col, j);
                place[j] = col.n;
                for (int r = 0; r < n; r++)
                    vec_push(t->work, &rhs, zero);
            }
            rhs.at[(place[j] - 1) * n + i] = expr_neg(d, t->sum[j]);
        }
        t->cols.n = 0;
    }
    Expr *x = NEW_ARRAY(t->work, Expr, (size_t)col.n * (size_t)n + 1);
    for (int k = 0; k < col.n; k++)
        eliminate_apply(d, loop, rhs.at + k * n, x + k * n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < col.n; k++)
            add_to(t, col.at[k], x[k * n + i]);
        end_row(t, loop->first + i);
    }
    return NONE;
}

/* What the rows of a block are made of. */
static Expr *rows_of(Maker *m, const SchedBlock *b, Arena *work)
{
    Expr *row = NEW_ARRAY(work, Expr, b->nchain + sched_nrow(b) + 1);
    for (int k = 0; k < b->nchain; k++) /* a discrete value in the chain has no
                                           derivative that matters */
        row[k] = expr_type(m->dag, b->chain[k].value) == ET_REAL
                     ? b->chain[k].value
                     : EXPR_NONE;
    for (int i = 0; i < b->nloop; i++)
        for (int k = b->loop[i].first; k < b->loop[i].first + b->loop[i].n; k++)
            row[k] = m->residual[b->chain[k].eqn];
    for (int k = 0; k < sched_nrow(b); k++)
        row[b->nchain + k] = b->residual[k];
    return row;
}

/* Their derivatives by the variables of the chain and by x[0 .. nx-1]. */
static const ExprJacobian *partials(Maker *m, const SchedBlock *b,
                                    const Expr *x, int nx, Arena *work)
{
    int n = b->nchain + sched_nrow(b);
    Expr *row = rows_of(m, b, work);
    Expr *col = NEW_ARRAY(work, Expr, b->nchain + nx + 1);
    for (int k = 0; k < b->nchain; k++)
        col[k] = m->d->var[b->chain[k].var].leaf;
    for (int k = 0; k < nx; k++)
        col[b->nchain + k] = x[k];
    return expr_jacobian(m->dag, row, n, col, b->nchain + nx, work);
}

static Expr *torn_leaves(const Maker *m, const SchedBlock *b, Arena *work)
{
    Expr *leaf = NEW_ARRAY(work, Expr, b->ntorn + 1);
    for (int k = 0; k < b->ntorn; k++)
        leaf[k] = m->d->var[b->torn[k]].leaf;
    return leaf;
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
    for (int i = 0; i < sched_nrow(b); i++)
        for (int e = t->start[b->nchain + i]; e < t->start[b->nchain + i + 1];
             e++) {
            int k = at[t->entry.at[e].col]++;
            row[k] = i;
            value[k] = t->entry.at[e].value;
            variance[k] = (unsigned char)variance_of(m->signs, value[k], block);
        }
    b->jac = (SchedJacobian){n, nnz, start, row, value, variance};
}

/* Is there an occurrence of an unknown of the block that no derivative shows
 * (below floor or sign, or through a discrete variable)? Then it is not
 * linear. */
static bool hides_unknowns(Maker *m, int block)
{
    const Blt *blt = m->blt;
    for (int k = blt->start[block]; k < blt->start[block + 1]; k++) {
        int i = blt->eqn[k];
        for (int e = m->inc->start[i]; e < m->inc->start[i + 1]; e++)
            if (m->block_of[m->inc->var[e]] == block && edges_bend(m, e))
                return true;
    }
    return false;
}

static bool is_frozen(const Maker *m, const SchedBlock *b);

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

/* All rows bend where some derivative does not show what there is, or where the
 * matrix is that of another point. */
static void mark_bends(Maker *m, int block, SchedBlock *b, const Through *t)
{
    bool all = hides_unknowns(m, block) || is_frozen(m, b);
    b->bends = b->kind == SK_NONLINEAR ? t->bends : NULL;
    for (int i = 0; all && b->bends && i < sched_nrow(b); i++)
        b->bends[i] = true;
}

static void report_opaque(Maker *m, const SchedBlock *b, int row)
{
    int eqn = row_eqn(b, row);
    m->failed = true;
    diag_report(m->diag, eqn == NONE ? NO_SPAN : m->system->eqn[eqn].span,
                DIAG_U1202,
                "%s takes part in an iteration, but a function in it has no "
                "derivative",
                eqn == NONE ? "an invariant" : "this equation");
}

/* All rows in their order. Returns the row that has no derivative, NONE if all
 * have; *small: not too many entries. */
static int make_rows(Through *t, bool *small)
{
    const SchedBlock *b = t->b;
    long limit = 200000 + 2L * t->m->inc->nedge;
    int n = b->nchain + sched_nrow(b), loop = 0;
    for (int row = 0; row < n && *small; row++) {
        if (loop < b->nloop && b->loop[loop].first == row) {
            int bad = make_loop(t, &b->loop[loop]);
            if (bad != NONE)
                return bad;
            row += b->loop[loop++].n - 1;
        } else if (!make_row(t, row)) {
            return row;
        }
        *small = b->nchain == 0 || t->entry.n <= limit;
    }
    return NONE;
}

static Expr replace_frozen(void *context, Dag *d, Expr leaf)
{
    const Inlined *inlined = context;
    int var = NONE, order = 0;
    return expr_is_var(d, leaf, &var, &order) ? inlined->var[var].frozen
                                              : EXPR_NONE;
}

/* Is it x' of a state? */
static bool is_slope(const Inlined *d, int entry)
{
    const InlinedVar *v = &d->var[entry];
    if (v->kind != IV_VALUE || v->order == 0)
        return false;
    int x = inlined_find(d, v->sys_var, v->order - 1);
    return x != NONE && d->var[x].is_state;
}

/* Methods with one Jacobian for all stages: the partial derivatives at t_n, but
 * for those by x', the mass matrix: L(x_i) in (3.8) of Schiela. The time of a
 * stage is time - (1 - c) h in its equations. */
static const ExprJacobian *frozen_partials(Maker *m, const SchedBlock *b,
                                           const ExprJacobian *p, Arena *work)
{
    Dag *d = m->dag;
    int n = b->nchain + sched_nrow(b), nnz = p->start[n];
    double c = m->d->var[b->torn[0]].c;
    Expr back = expr_mul(d, expr_real(d, c), m->d->var[m->d->step].leaf);
    ExprMap *map = expr_map_new(d, replace_frozen, (void *)m->d, work);
    expr_map_fix(map, expr_time(d), expr_sub(d, expr_time(d), back));
    for (int i = 0; i < m->d->ninside; i++)
        expr_map_fix(map, m->d->inside[i].value, m->d->inside[i].first);
    Expr *value = NEW_ARRAY(work, Expr, nnz + 1);
    for (int k = 0; k < nnz; k++) {
        int col = p->col[k];
        int entry =
            col < b->nchain ? b->chain[col].var : b->torn[col - b->nchain];
        bool keep = p->value[k] == EXPR_NONE || is_slope(m->d, entry);
        value[k] = keep ? p->value[k] : expr_map(map, p->value[k]);
    }
    ExprJacobian *out = NEW(work, ExprJacobian);
    *out = *p;
    out->value = value;
    return out;
}

/* Does the block belong to a stage of a method with one Jacobian, without a
 * state that follows from others by an equation of the model? */
static bool is_frozen(const Maker *m, const SchedBlock *b)
{
    const Method *method = m->system->method;
    if (b->kind != SK_NONLINEAR || !method || !method->one_jacobian ||
        m->d->var[b->torn[0]].stage == DIFF_END)
        return false;
    for (int k = 0; k < b->nchain; k++)
        if (m->d->var[b->chain[k].var].is_state &&
            m->system->eqn[b->chain[k].eqn].kind != IE_INTEGRATION)
            return false;
    return true;
}

/* Systems that are made of the same equations add up in the same order: that of
 * the equations which the variables follow from. What is a copy has the place
 * of its original. */
static int *find_keys(Maker *m, const SchedBlock *b, int ncol, Arena *work)
{
    int *key = NEW_ARRAY(work, int, b->nchain + ncol + 1);
    int *of = NEW_ARRAY(work, int, m->d->nvar + 1);
    for (int k = 0; k < b->nchain; k++) {
        Expr x = b->chain[k].value;
        int var = NONE, order = 0, eqn = b->chain[k].eqn;
        if (expr_op(m->dag, x) == EX_NEG)
            x = expr_arg(m->dag, x, 0);
        int own = eqn == NONE ? 0 : m->system->eqn[eqn].from + 1;
        bool is_copy = expr_is_var(m->dag, x, &var, &order);
        key[k] = is_copy ? of[var] : own;
        of[b->chain[k].var] = key[k];
    }
    return key;
}

static Through begin_through(Maker *m, int block, const SchedBlock *b, int ncol,
                             Arena *work)
{
    return (Through){.key = find_keys(m, b, ncol, work),
                     .m = m,
                     .block = block,
                     .b = b,
                     .ncol = ncol,
                     .start =
                         NEW_ARRAY(work, int, b->nchain + sched_nrow(b) + 2),
                     .sum = NEW_ARRAY(work, Expr, ncol + 1),
                     .has = NEW_ARRAY(work, bool, ncol + 1),
                     .bends = NEW_ARRAY(m->arena, bool, sched_nrow(b) + 1),
                     .work = work};
}

/* A matrix with other values, that one solve is not exact with. */
static void make_frozen(Maker *m, int block, SchedBlock *b,
                        const ExprJacobian *part, Arena *work)
{
    Through t = begin_through(m, block, b, b->ntorn, work);
    bool small = true;
    t.part = frozen_partials(m, b, part, work);
    make_rows(&t, &small);
    if (small)
        store(&t, block, b);
}

bool jacobian_make(Maker *m, int block, SchedBlock *b)
{
    Arena *work = arena_new();
    Through t = begin_through(m, block, b, b->ntorn, work);
    t.part = partials(m, b, torn_leaves(m, b, work), b->ntorn, work);
    bool small = true;
    int bad = make_rows(&t, &small);
    if (bad != NONE)
        report_opaque(m, b, bad);
    if (small && !m->failed) {
        store(&t, block, b);
        /* with an inexact matrix one solve is not exact */
        b->kind = t.ncut > 0 ? SK_NONLINEAR : kind_of(m, block, b);
        mark_bends(m, block, b, &t);
        if (is_frozen(m, b))
            make_frozen(m, block, b, t.part, work);
    }
    arena_free(work);
    return small;
}

/* ---- drift ---- */

/* What the rows depend on beside the unknowns of the block and changes from
 * step to step: time, inputs, old and delayed values, earlier blocks. Relations
 * and discrete variables go to *jump: there is no derivative by them. */
static void find_leaves(Maker *m, int block, const SchedBlock *b, Leaves *x,
                        Leaves *jump, Arena *work)
{
    Expr *row = rows_of(m, b, work), *leaf;
    Expr all = expr_real(m->dag, 0);
    for (int k = 0; k < b->nchain + b->ntorn; k++)
        if (row[k] != EXPR_NONE)
            all = expr_make_raw(m->dag, EX_ADD, all, row[k], EXPR_NONE);
    int n = expr_leaves(m->dag, all, &leaf, work);
    if (expr_has_op(m->dag, all, EX_TIME))
        vec_push(work, x, expr_time(m->dag));
    for (int k = 0; k < n; k++) {
        int var, order;
        expr_is_var(m->dag, leaf[k], &var, &order);
        const InlinedVar *v = &m->d->var[var];
        if (v->kind == IV_PARAMETER || v->kind == IV_UNUSED ||
            v->kind == IV_STEP ||
            (m->column[var] != NONE && m->block_of[m->column[var]] == block))
            continue;
        bool jumps =
            v->kind == IV_RELATION || v->is_discrete || v->type != ET_REAL;
        vec_push(work, jumps ? jump : x, leaf[k]);
    }
}

static void store_drift(Through *t, const Leaves *x, const Leaves *jump,
                        SchedBlock *b)
{
    Arena *arena = t->m->arena;
    int first = t->start[b->nchain], n = t->entry.n - first;
    SchedDrift *d = NEW(arena, SchedDrift);
    d->start = NEW_ARRAY(arena, int, b->ntorn + 1);
    d->leaf = NEW_ARRAY(arena, Expr, n + 1);
    d->value = NEW_ARRAY(arena, Expr, n + 1);
    for (int i = 0; i <= b->ntorn; i++)
        d->start[i] = t->start[b->nchain + i] - first;
    for (int k = 0; k < n; k++) {
        d->leaf[k] = x->at[t->entry.at[first + k].col];
        d->value[k] = t->entry.at[first + k].value;
    }
    d->njump = jump->n;
    d->jump = NEW_ARRAY(arena, Expr, jump->n + 1);
    for (int k = 0; k < jump->n; k++)
        d->jump[k] = jump->at[k];
    b->drift = d;
}

void drift_make(Maker *m, int block, SchedBlock *b)
{
    Arena *work = arena_new();
    Leaves x = {0}, jump = {0};
    find_leaves(m, block, b, &x, &jump, work);
    Through t = begin_through(m, block, b, x.n, work);
    bool small = true;
    t.is_drift = true;
    t.part = partials(m, b, x.at, x.n, work);
    if (make_rows(&t, &small) == NONE && small)
        store_drift(&t, &x, &jump, b);
    arena_free(work);
}
