/* rank.c - is the leading Jacobian regular? Constant dependencies are removed.
 *
 * Structure can be deceived: rows C (a' - b') and C (b' - a') are dependent
 * whatever the values are. Each block of the leading Jacobian is evaluated at
 * random points near the start; if it is singular at all of them, a left null
 * vector of its constant rows is sought. If that vector is the same for other
 * values of the parameters, the combination of the equations contains none of
 * the leading derivatives: it replaces one of them, and the analysis repeats
 * with a constraint that structure can see. Otherwise the equations are named.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>

enum {
    LARGEST = 300, /* rows of a block that are looked at */
    POINTS = 4,    /* random points */
};

static const double NOTHING = 1e-11; /* beside the terms of a sum */

typedef struct Block {
    int n;
    const int *row, *col; /* of the leading Jacobian, size n */
    Expr *entry;          /* n * n by rows, EXPR_NONE: structurally zero */
} Block;

static Block read_block(Reduce *r, const Blt *blt, int b, int *place,
                        Arena *tmp)
{
    const Incidence *inc = r->part.leading;
    int from = blt->start[b], n = blt->start[b + 1] - from;
    Block k = {n, blt->eqn + from, blt->var + from, NULL};
    k.entry = NEW_ARRAY(tmp, Expr, n * n);
    for (int j = 0; j < n; j++)
        place[k.col[j]] = j;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            k.entry[i * n + j] = EXPR_NONE;
        int row = k.row[i];
        for (int e = inc->start[row]; e < inc->start[row + 1]; e++) {
            int j = place[inc->var[e]];
            if (j != NONE)
                k.entry[i * n + j] = reduce_jacobian_entry(r, row, inc->var[e]);
        }
    }
    for (int j = 0; j < n; j++)
        place[k.col[j]] = NONE;
    return k;
}

/* The values of the block; false if one is not finite. */
static bool block_values(Reduce *r, const Block *k, const Point *p, double *a)
{
    for (int i = 0; i < k->n * k->n; i++) {
        a[i] = k->entry[i] == EXPR_NONE ? 0
                                        : reduce_point_value(r, k->entry[i], p);
        if (!isfinite(a[i]))
            return false;
    }
    return true;
}

static void scale_rows(double *a, int nrow, int ncol)
{
    for (int i = 0; i < nrow; i++) {
        double s = 0;
        for (int j = 0; j < ncol; j++)
            s = fmax(s, fabs(a[i * ncol + j]));
        for (int j = 0; s > 0 && j < ncol; j++)
            a[i * ncol + j] /= s;
    }
}

/* Rank by elimination with full pivoting; `a` is destroyed. An entry is zero if
 * it is nothing beside the terms it is the sum of: how large it is does not
 * matter, since columns may have any unit. It becomes zero at once: what it
 * would leave in places that were empty has no terms to be compared with. If
 * `combine` (nrow * nrow) is given it gets the row operations, and *is_pivot
 * the rows that kept a pivot. */
static int eliminate(double *a, int nrow, int ncol, double *combine,
                     bool *is_pivot, Arena *tmp)
{
    int rank = 0;
    double *terms = NEW_ARRAY(tmp, double, nrow *ncol);
    for (int i = 0; i < nrow * ncol; i++)
        terms[i] = fabs(a[i]);
    for (int i = 0; combine && i < nrow * nrow; i++)
        combine[i] = i / nrow == i % nrow;
    for (int i = 0; i < nrow; i++)
        is_pivot[i] = false;
    for (; rank < nrow && rank < ncol; rank++) {
        int pi = NONE, pj = NONE;
        double best = 0;
        for (int i = 0; i < nrow; i++) {
            for (int j = 0; !is_pivot[i] && j < ncol; j++) {
                double x = fabs(a[i * ncol + j]);
                if (x > best) {
                    best = x;
                    pi = i;
                    pj = j;
                }
            }
        }
        if (pi == NONE)
            break;
        is_pivot[pi] = true;
        for (int i = 0; i < nrow; i++) {
            double f = is_pivot[i] ? 0 : a[i * ncol + pj] / a[pi * ncol + pj];
            if (f == 0)
                continue;
            for (int j = 0; j < ncol; j++) {
                double x = f * a[pi * ncol + j];
                a[i * ncol + j] -= x;
                terms[i * ncol + j] = fmax(terms[i * ncol + j], fabs(x));
                if (fabs(a[i * ncol + j]) <= NOTHING * terms[i * ncol + j])
                    a[i * ncol + j] = 0;
            }
            a[i * ncol + pj] = 0;
            for (int j = 0; combine && j < nrow; j++)
                combine[i * nrow + j] -= f * combine[pi * nrow + j];
        }
    }
    return rank;
}

/* `value` with all truths that are unknown the same. */
static const double *with_truths(const Reduce *r, const double *value,
                                 bool truth, Arena *tmp)
{
    double *x = NEW_ARRAY(tmp, double, r->sys->nvar + 1);
    for (int v = 0; v < r->sys->nvar; v++)
        x[v] = sys_is_unknown(r->sys, v) && r->sys->var[v].type == FT_BOOLEAN
                   ? truth
                   : value[v];
    return x;
}

/* Is the block singular at all random points, and where all truths are false,
 * or true? Of ten brakes on one shaft two are stuck wherever truths are
 * tossed. */
static bool is_singular(Reduce *r, const Block *k, double *const *tossed,
                        Arena *tmp)
{
    double *a = NEW_ARRAY(tmp, double, k->n * k->n);
    bool *is_pivot = NEW_ARRAY(tmp, bool, k->n);
    const double *value[POINTS + 2];
    for (int t = 0; t < POINTS; t++)
        value[t] = tossed[t];
    value[POINTS] = value[POINTS + 1] = NULL; /* made where asked for */
    for (int t = 0; t < POINTS + 2; t++) {
        if (!value[t])
            value[t] = with_truths(r, tossed[0], t > POINTS, tmp);
        Point p = {value[t], 0.1 * (t + 1), (unsigned)(t * 1000 + 1)};
        if (!block_values(r, k, &p, a))
            return false; /* cannot tell */
        scale_rows(a, k->n, k->n);
        if (eliminate(a, k->n, k->n, NULL, is_pivot, tmp) == k->n)
            return false;
    }
    return true;
}

/* ---- constant dependencies ---- */
double reduce_tidy(double x)
{
    for (int q = 1; q <= 64; q++) {
        double p = round(x * q);
        if (fabs(x * q - p) < 1e-9 * fmax(1, fabs(p)))
            return p / q;
    }
    return x;
}

/* sum lambda_i entry_ij = 0 for all j, also with other parameter values? */
static bool holds_always(Reduce *r, const Block *k, const int *row, int nrow,
                         const double *lambda, Arena *tmp)
{
    for (int t = 0; t < POINTS; t++) {
        double *value = NEW_ARRAY(tmp, double, r->sys->nvar);
        for (int v = 0; v < r->sys->nvar; v++) {
            double x = r->start[v];
            value[v] = r->sys->var[v].type == FT_REAL
                           ? x * (1 + 0.37 * sin(12.9 * v + 3.1 * t)) + 0.01
                           : x;
        }
        Point p = {value, 0, 1};
        for (int j = 0; j < k->n; j++) {
            double sum = 0, size = 0;
            for (int i = 0; i < nrow; i++) {
                Expr e = k->entry[row[i] * k->n + j];
                if (e == EXPR_NONE || lambda[i] == 0)
                    continue;
                double x = lambda[i] * reduce_point_value(r, e, &p);
                sum += x;
                size = fmax(size, fabs(x));
            }
            if (!(fabs(sum) <= 1e-10 * size))
                return false;
        }
    }
    return true;
}

typedef struct Dependency {
    int n;
    int *row;       /* rows of the leading Jacobian */
    double *lambda; /* their factors */
} Dependency;

/* A combination of constant rows of the block that vanishes. */
static bool find_dependency(Reduce *r, const Block *k, Dependency *out,
                            Arena *tmp)
{
    int *row = NEW_ARRAY(tmp, int, k->n), n = 0;
    for (int i = 0; i < k->n; i++) {
        bool constant = true;
        for (int j = 0; constant && j < k->n; j++) {
            Expr e = k->entry[i * k->n + j];
            constant = e == EXPR_NONE || reduce_is_parametric(r, e);
        }
        if (constant)
            row[n++] = i;
    }
    double *a = NEW_ARRAY(tmp, double, n * k->n);
    double *combine = NEW_ARRAY(tmp, double, n *n);
    double *scale = NEW_ARRAY(tmp, double, n);
    bool *is_pivot = NEW_ARRAY(tmp, bool, n);
    Point p = {r->start, 0, 0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k->n; j++) {
            Expr e = k->entry[row[i] * k->n + j];
            a[i * k->n + j] = e == EXPR_NONE ? 0 : reduce_point_value(r, e, &p);
            scale[i] = fmax(scale[i], fabs(a[i * k->n + j]));
        }
        if (scale[i] == 0 || !isfinite(scale[i]))
            scale[i] = 1;
        for (int j = 0; j < k->n; j++)
            a[i * k->n + j] /= scale[i];
    }
    eliminate(a, n, k->n, combine, is_pivot, tmp);
    for (int i = 0; i < n; i++) {
        if (is_pivot[i])
            continue;
        double *lambda = NEW_ARRAY(tmp, double, n), most = 0;
        for (int j = 0; j < n; j++) {
            lambda[j] = combine[i * n + j] / scale[j];
            most = fmax(most, fabs(lambda[j]));
        }
        for (int j = 0; j < n; j++) {
            lambda[j] = reduce_tidy(lambda[j] / most);
            if (fabs(lambda[j]) < 1e-9)
                lambda[j] = 0;
        }
        if (!holds_always(r, k, row, n, lambda, tmp))
            continue;
        *out = (Dependency){0, NEW_ARRAY(r->tmp, int, n),
                            NEW_ARRAY(r->tmp, double, n)};
        for (int j = 0; j < n; j++) {
            if (lambda[j] == 0)
                continue;
            out->row[out->n] = k->row[row[j]];
            out->lambda[out->n++] = lambda[j];
        }
        return out->n > 0;
    }
    return false;
}

/* ---- replacing ---- */
typedef struct Leading {
    Reduce *r;
    const Block *k;
    int least; /* differentiations of the replaced equation */
} Leading;

/* Leading derivatives of the block cancel, so they may be taken as 0. */
static Expr drop_leading(void *context, Dag *d, Expr leaf)
{
    const Leading *x = context;
    const Part *p = &x->r->part;
    int v, order;
    if (!expr_is_var(d, leaf, &v, &order) || p->column[v] == NONE)
        return EXPR_NONE;
    int col = p->column[v];
    if (order != p->offsets->d[col] - x->least)
        return EXPR_NONE;
    for (int j = 0; j < x->k->n; j++) {
        if (x->k->col[j] == col)
            return expr_real(d, 0);
    }
    return EXPR_NONE;
}

static bool replace_equation(Reduce *r, const Block *k, const Dependency *dep)
{
    const int *c = r->part.offsets->c;
    int which = 0;
    for (int i = 1; i < dep->n; i++) {
        if (c[dep->row[i]] < c[dep->row[which]])
            which = i;
    }
    Leading x = {r, k, c[dep->row[which]]};
    ExprMap *map = expr_map_new(r->dag, drop_leading, &x, r->tmp);
    Expr sum = expr_real(r->dag, 0);
    for (int i = 0; i < dep->n; i++) {
        const SysEqn *e = &r->eqn.at[r->part.eqn[dep->row[i]]];
        Expr f = expr_sub(r->dag, e->lhs, e->rhs);
        for (int t = x.least; t < c[dep->row[i]] && f != EXPR_NONE; t++)
            f = expr_total_diff(r->dag, f, r->varies, r->sys->nvar);
        if (f == EXPR_NONE)
            return false;
        f = expr_mul(r->dag, expr_real(r->dag, dep->lambda[i]),
                     expr_map(map, f));
        sum = expr_add(r->dag, sum, f);
    }
    int from = r->part.eqn[dep->row[which]];
    SysEqn *e = &r->eqn.at[from];
    SysEqn was = *e;
    e->lhs = expr_real(r->dag, 0);
    e->rhs = expr_simplify(r->dag, sum);
    e->origin = (SysOrigin){RULE_COMBINED, from};
    if (expr_is_zero(r->dag, e->rhs))
        vec_push(r->tmp, &r->redundant, was);
    return true;
}

static void report_block(Reduce *r, const Block *k)
{
    r->is_deceived = true;
    if (r->options.asks_numbers)
        return;
    const SysEqn *e = &r->eqn.at[r->part.eqn[k->row[0]]];
    diag_report(r->diag, e->span, DIAG_W1005,
                "%d equations determine %d unknowns by structure, but depend "
                "on each other near the start point; structural analysis "
                "cannot be trusted here: takt index tells what the index is",
                k->n, k->n);
    for (int i = 0; i < k->n && i < 6; i++) {
        const SysEqn *f = &r->eqn.at[r->part.eqn[k->row[i]]];
        diag_note(r->diag, f->span, "%s for '%s'",
                  sys_eqn_text(r->sys, f, 80, r->tmp),
                  r->sys->var[r->part.var[k->col[i]]].name);
    }
}

bool reduce_remove_dependencies(Reduce *r, int round)
{
    const Part *p = &r->part;
    const Blt *blt = blt_order_matched(p->leading, p->offsets->match, r->tmp);
    int *place = NEW_ARRAY(r->tmp, int, p->n);
    for (int j = 0; j < p->n; j++)
        place[j] = NONE;
    double *value[POINTS];
    for (int t = 0; t < POINTS; t++)
        value[t] = reduce_random_values(r, (unsigned)(31 * t + 5));
    bool changed = false;
    Arena *tmp = arena_new();
    reduce_find_definitions(r);
    for (int b = 0; b < blt->nblock; b++) {
        int n = blt->start[b + 1] - blt->start[b];
        if (n > LARGEST)
            continue;
        if (n > 30 || b % 1000 == 999) {
            arena_free(tmp);
            tmp = arena_new();
        }
        Block k = read_block(r, blt, b, place, tmp);
        Dependency dep;
        reduce_see_zeros(r, k.entry, n * n, value, POINTS);
        if (is_singular(r, &k, value, tmp)) {
            if (round < 50 && n > 1 && find_dependency(r, &k, &dep, tmp) &&
                replace_equation(r, &k, &dep))
                changed = true;
            else if (!reduce_find_zeros(r, k.entry, n * n))
                report_block(r, &k);
        }
    }
    arena_free(tmp);
    return changed;
}
