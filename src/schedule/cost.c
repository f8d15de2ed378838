/* cost.c - what a block costs per step, counted before there is code.
 *
 * The correction J^-1 r is formed on handles as lower/ does it later, and the
 * instructions of everything that has to be computed are counted, shared nodes
 * once:
 *
 *     what is known before the iteration            once
 *     chain, residuals, matrix, factors, solution   each iteration
 *     chain, as far as somebody needs it            once more at the end
 *     the watch over the factors, corrections,      as tape/cost.h does
 *     what is kept for the next step
 *
 * What depends on parameters only costs nothing. A node is its operation; one
 * instruction more fetches an operand where all are in memory, and one puts
 * away what is used again (tape/cost.h counts code in the same way). Where the
 * correction would be too long the operations of the factorisation are counted
 * by the pattern.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "num/static_lu.h"
#include "schedule/schedule_internal.h"

/* Factorisations of more operations are counted, not formed: they will be done
 * by tables (step/pivots.h). */
enum { MOST_FLOPS = 4000 };
/* Instructions of one of their operations. */
enum { BY_TABLE = 7 };

typedef struct Count {
    Maker *m;
    int block;
    int *nuse;            /* by node */
    double step, unknown; /* by what the nodes depend on */
} Count;

static void count_uses(void *context, const Dag *d, Expr e)
{
    Count *c = context;
    for (int i = 0; i < expr_node(d, e)->narg; i++)
        c->nuse[expr_arg(d, e, i)]++;
}

/* Is it fetched from memory: a variable, a number, what was put away? */
static bool is_in_memory(const Count *c, Expr e)
{
    return expr_node(c->m->dag, e)->narg == 0 || c->nuse[e] > 1 ||
           variance_of(c->m->signs, e, c->block) <= SV_PARAMETER;
}

/* Small powers are products (lower/lower_expr.c). */
static int instructions_of(const Dag *d, Expr e)
{
    double power = 0;
    if (expr_op(d, e) == EX_POW &&
        expr_is_const(d, expr_arg(d, e, 1), &power) &&
        (power == 2 || power == 3 || power == 4))
        return power == 2 ? 1 : 2;
    return expr_op_info[expr_op(d, e)].instructions;
}

static double weight_of(const Count *c, const Dag *d, Expr e)
{
    int narg = expr_node(d, e)->narg, nmemory = 0;
    for (int i = 0; i < narg; i++)
        nmemory += is_in_memory(c, expr_arg(d, e, i));
    /* a division is one instruction, but a slow one */
    double slow = expr_op(d, e) == EX_DIV ? 0.5 : 0;
    return instructions_of(d, e) + slow + (nmemory == narg) + (c->nuse[e] > 1);
}

static void count_node(void *context, const Dag *d, Expr e)
{
    Count *c = context;
    if (expr_node(d, e)->narg == 0)
        return;
    SchedVariance v = variance_of(c->m->signs, e, c->block);
    if (v == SV_STEP)
        c->step += weight_of(c, d, e);
    else if (v == SV_UNKNOWN)
        c->unknown += weight_of(c, d, e);
}

static Count count_roots(Maker *m, int block, const Expr *root, int n)
{
    Arena *work = arena_new();
    Count c = {.m = m, .block = block};
    c.nuse = NEW_ARRAY(work, int, dag_count(m->dag) + 1);
    if (n > 0) {
        expr_walk(m->dag, root, n, count_uses, &c);
        expr_walk(m->dag, root, n, count_node, &c);
    }
    arena_free(work);
    return c;
}

static void read_leaves(Maker *m, Expr e, int block, Arena *work)
{
    Expr *leaf;
    int n = expr_leaves(m->dag, e, &leaf, work);
    for (int i = 0; i < n; i++) {
        int var = NONE, order = 0;
        expr_is_var(m->dag, leaf[i], &var, &order);
        int column = m->column[var];
        if (column == NONE || m->block_of[column] != block)
            m->is_read[var] = true;
    }
}

/* Is it looked at by the next step, by another block, or from outside? */
static bool is_read(const Maker *m, int entry)
{
    const InlinedVar *v = &m->d->var[entry];
    if (v->is_state || v->sys_var == NONE || m->is_read[entry])
        return true;
    int old = inlined_find_old(m->d, v->sys_var, v->order, 1);
    if (old != NONE && m->is_read[old])
        return true;
    int flat = m->d->sys->var[v->sys_var].flat;
    return v->order == 0 && flat != NONE && m->d->sys->flat &&
           flat < m->d->sys->flat->nvar &&
           m->d->sys->flat->var[flat].causality == FC_OUTPUT;
}

/* What the block reads, if somebody reads the block. */
static bool read_block(Maker *m, int block, Arena *work)
{
    int begin = m->blt->start[block], end = m->blt->start[block + 1];
    bool live = false;
    for (int k = begin; k < end && !live; k++)
        live = is_read(m, m->system->unknown[m->blt->var[k]]);
    for (int k = begin; k < end && live; k++) {
        const InlinedEqn *e = &m->system->eqn[m->blt->eqn[k]];
        read_leaves(m, e->lhs, block, work);
        read_leaves(m, e->rhs, block, work);
    }
    return live;
}

/* From the last block to the first; what was done is not looked at again, and
 * an old value that is read makes its variable read. */
static void find_reads(Maker *m)
{
    Arena *work = arena_new();
    bool *done = NEW_ARRAY(work, bool, m->blt->nblock + 1), again = true;
    m->is_read = NEW_ARRAY(m->work, bool, m->d->nvar + 1);
    for (int i = 0; i < m->d->nrelation; i++)
        read_leaves(m, m->d->relation[i].now, NONE, work);
    while (again) {
        again = false;
        for (int b = m->blt->nblock - 1; b >= 0; b--)
            if (!done[b] && read_block(m, b, work))
                done[b] = again = true;
    }
    arena_free(work);
}

bool cost_is_needed(Maker *m, int entry)
{
    if (!m->is_read)
        find_reads(m);
    return is_read(m, entry);
}

/* Is it the start of an iteration inside the chain (nonlinear_loop.c)? */
static bool is_start(const Maker *m, const SchedBlock *b, int place)
{
    for (int i = 0; i < b->nloop; i++)
        if (b->loop[i].niteration > 0 && place >= b->loop[i].first &&
            place < b->loop[i].first + b->loop[i].n)
            return inlined_find_old(
                       m->d, m->d->var[b->chain[place].var].sys_var,
                       m->d->var[b->chain[place].var].order, 1) != NONE;
    return false;
}

/* Chain variables that are needed, or that needed ones follow from. */
static int needed_roots(Maker *m, const SchedBlock *b, Expr *root, Arena *work)
{
    bool *need = NEW_ARRAY(work, bool, m->d->nvar + 1);
    int n = 0;
    for (int k = b->nchain - 1; k >= 0; k--) {
        int var = b->chain[k].var;
        if (!need[var] && !cost_is_needed(m, var) && !is_start(m, b, k))
            continue;
        Expr *leaf;
        int count = expr_leaves(m->dag, b->chain[k].value, &leaf, work);
        for (int i = 0; i < count; i++) {
            int entry = NONE, order = 0;
            expr_is_var(m->dag, leaf[i], &entry, &order);
            need[entry] = true;
        }
        root[n++] = b->chain[k].value;
    }
    return n;
}

int cost_iterations(const Maker *m)
{
    const Plan *plan = m->d->plan;
    if (m->system->newton > 0 && !(plan && plan_iterates(plan)))
        return m->system->newton;
    return plan ? plan_newton(plan) : PLAN_NEWTON_ITERATIONS;
}

/* Increments are solved for once per stage, with one matrix. */
static int iterations_of(const Maker *m, const SchedBlock *b)
{
    if (m->d->var[b->torn[0]].kind == IV_INCREMENT)
        return m->system->method->nstage;
    return b->kind == SK_NONLINEAR ? cost_iterations(m) : 1;
}

double cost_of_exprs(Maker *m, int block, const Expr *root, int n)
{
    return count_roots(m, block, root, n).unknown;
}

/* Values of the matrix in the first sample and in points around it, as far as
 * they are finite; returns in how many. Later, pivots are chosen from many
 * points of a run: the fill of one is too optimistic. */
enum { POINTS = 5 };

static int evaluate(Maker *m, const SchedJacobian *j, double **value,
                    Arena *work)
{
    size_t nnz = (size_t)j->nnz;
    double *point = NEW_ARRAY(work, double, m->d->nvar + 1);
    *value = NEW_ARRAY(work, double, POINTS *nnz + 1);
    if (!m->samples || m->samples->nsample == 0)
        return 0;
    unsigned long long random = 1;
    EdgesValues values = edges_values(m, j->value, j->nnz, work);
    for (int s = 0; s < POINTS; s++) {
        const double *at = m->samples->value[0];
        double *out = *value + (size_t)s * nnz;
        if (s > 0) {
            edges_shake(m, &random, point);
            at = point;
        }
        edges_values_at(&values, at, out);
        for (size_t k = 0; k < nnz; k++)
            if (!isfinite(out[k]))
                return s;
    }
    return POINTS;
}

/* Instructions of the watch over factors: entries of L that vary, and pivots
 * that are differences. */
static double watch_cost(Maker *m, int block, const SchedLoop *whole)
{
    const StaticLu *f = whole->lu;
    double cost = 0;
    for (int i = 0; i < f->lstart[f->n]; i++)
        if (variance_of(m->signs, whole->entry[f->l[i]], block) > SV_PARAMETER)
            cost += 2;
    for (int k = 0; k < f->n; k++)
        if (f->lstart[k + 1] > f->lstart[k] &&
            variance_of(m->signs, whole->inverse[k], block) > SV_PARAMETER)
            cost += 4;
    return cost;
}

/* The correction, if it can be formed; else NULL. *other: instructions that its
 * expressions do not show. */
static Expr *correction(Maker *m, int block, const SchedBlock *b, double *other,
                        Arena *work)
{
    const SchedJacobian *j = &b->jac;
    int *col = NEW_ARRAY(work, int, j->nnz + 1);
    for (int k = 0; k < j->n; k++)
        for (int i = j->start[k]; i < j->start[k + 1]; i++)
            col[i] = k;
    double *value;
    int ns = evaluate(m, j, &value, work);
    const StaticLu *lu =
        static_lu_rough(j->n, j->nnz, j->row, col, value, ns, 0.1, work);
    if (!lu && ns > 1)
        lu = static_lu_rough(j->n, j->nnz, j->row, col, value, 1, 0.1, work);
    if (!lu)
        lu = static_lu_rough(j->n, j->nnz, j->row, col, value, 0, 0, work);
    *other = BY_TABLE * (lu ? (double)lu->flops : pow(j->n, 3) * 2 / 3);
    if (!lu || lu->flops > MOST_FLOPS)
        return NULL;
    SchedLoop whole = {.n = j->n};
    eliminate_factor(m->dag, lu, j->value, &whole, work);
    Expr *rhs = NEW_ARRAY(work, Expr, j->n + 1);
    Expr *x = NEW_ARRAY(work, Expr, j->n + 1);
    for (int i = 0; i < j->n; i++)
        rhs[i] = b->residual[i];
    eliminate_apply(m->dag, &whole, rhs, x);
    *other = watch_cost(m, block, &whole);
    return x;
}

/* Where the next step begins: iteration variables that nobody else needs. In a
 * model with events they are selected anew in every turn of the event
 * iteration, and derivatives are computed for that alone. */
enum { KEPT = 4, KEPT_WITH_EVENTS = 60, SLOPE_WITH_EVENTS = 90 };

/* A derivative, or another name of one? */
static bool is_slope(const Maker *m, int entry)
{
    for (int i = 0; i < m->system->nalias; i++)
        if (m->system->alias[i].target == entry &&
            m->d->var[m->system->alias[i].var].order > 0)
            return true;
    return m->d->var[entry].order > 0;
}

static double kept_cost(const Maker *m, const SchedBlock *b)
{
    double cost = 0;
    for (int k = 0; k < b->ntorn && b->kind == SK_NONLINEAR; k++) {
        const InlinedVar *v = &m->d->var[b->torn[k]];
        if (!v->is_state)
            cost += m->d->nrelation == 0      ? KEPT
                    : is_slope(m, b->torn[k]) ? SLOPE_WITH_EVENTS
                                              : KEPT_WITH_EVENTS;
    }
    return cost;
}

static double iteration_cost(Maker *m, int block, const SchedBlock *b,
                             Arena *work)
{
    int n = 0;
    double other;
    Expr *root =
        NEW_ARRAY(work, Expr, b->nchain + 2 * b->ntorn + b->jac.nnz + 1);
    for (int k = 0; k < b->nchain; k++)
        root[n++] = b->chain[k].value;
    for (int k = 0; k < b->ntorn; k++)
        root[n++] = b->residual[k];
    Expr *delta = correction(m, block, b, &other, work);
    for (int k = 0; delta && k < b->ntorn; k++)
        root[n++] = delta[k];
    for (int k = 0; !delta && k < b->jac.nnz; k++)
        root[n++] = b->jac.value[k];
    Count c = count_roots(m, block, root, n);
    return c.step + iterations_of(m, b) * (c.unknown + other + 3 * b->ntorn) +
           kept_cost(m, b);
}

double cost_of_block(Maker *m, int block, const SchedBlock *b)
{
    Arena *work = arena_new();
    Expr *root = NEW_ARRAY(work, Expr, b->nchain + b->ntorn + 1);
    double cost = 0;
    int n = needed_roots(m, b, root, work);
    if (b->kind == SK_SOLVED) {
        for (int k = 0; k < b->ntorn; k++)
            root[n++] = b->solution[k];
    } else if (b->kind != SK_ASSIGN) {
        cost = iteration_cost(m, block, b, work);
    }
    Count c = count_roots(m, block, root, n);
    cost += c.unknown + (b->kind == SK_SOLVED ? c.step : 0);
    arena_free(work);
    return cost;
}
