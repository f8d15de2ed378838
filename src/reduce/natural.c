/* natural.c - states where derivatives enter in fixed combinations.
 *
 * In rows C (a' - b') = ..., C (b' - a') = ... only a - b moves: structure,
 * which looks at a and b one by one, sees two states where there is one. Where
 * derivatives enter as M x' with coefficients that do not change during a run,
 * a basis of the rows of M says what the states are: rows b of M that are
 * independent give
 *
 *     z_b = sum_j M_bj / M_bp x_j,    M_bp z_b' in place of sum_j M_bj x_j',
 *
 * and a row that depends on them, lambda times these. Variables that occur
 * together are looked at together; where all of their combinations occur, they
 * are the states and nothing changes. Charges and masses are then kept to
 * rounding, whatever the method.
 *
 * A combination must not depend on the values of parameters, since these may
 * change after compilation; M_bj / M_bp may, then it stays an expression.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>

enum {
    LARGEST = 100, /* rows or variables of a group */
    POINTS = 4,    /* values of parameters that are tried; the first are given
                    */
};
static const double NOTHING = 1e-10; /* what is left of a dependent row */

typedef struct Entry {
    int row, var; /* of Reduce.eqn; of Sys */
    Expr coef;
} Entry;

typedef struct Natural {
    Reduce *r;
    Arena *tmp;
    Vec(Entry) entry; /* row by row */
    int *parent;      /* of each variable: variables that occur together */
    bool *spoiled;    /* of each variable: not to be replaced */
    double *value[POINTS];
} Natural;

/* One group: rows of M and their variables. */
typedef struct Group {
    int nrow, ncol;
    int *row, *var; /* of Reduce.eqn; of Sys */
    int *place;     /* of each variable of the Sys: column, or NONE */
    Expr *coef;     /* nrow * ncol, EXPR_NONE: 0 */
    double *m;      /* nrow * ncol */
    int nbasis;
    int *basis;     /* rows that are independent */
    int *pivot;     /* of each of them: column p */
    double *lambda; /* nrow * nbasis: each row by those of the basis */
    Expr *der;      /* of each of them: M_bp z_b' */
} Group;

/* ---- entries of M ---- */

static int root_of(Natural *n, int v)
{
    while (n->parent[v] != v)
        v = n->parent[v] = n->parent[n->parent[v]];
    return v;
}

static void spoil(void *context, const Dag *d, Expr e)
{
    int v, order;
    if (expr_is_var(d, e, &v, &order) && order > 0)
        ((Natural *)context)->spoiled[v] = true;
}

static void add_row(Natural *n, int row)
{
    Reduce *r = n->r;
    const SysEqn *e = &r->eqn.at[row];
    bool is_discrete = reduce_is_discrete_valued(r, e);
    Expr *leaf;
    int count = reduce_eqn_leaves(r, e, &leaf, n->tmp), last = NONE;
    for (int k = 0; k < count; k++) {
        int v, order;
        if (!expr_is_var(r->dag, leaf[k], &v, &order) || order == 0)
            continue;
        Expr a = expr_diff(r->dag, e->lhs, leaf[k]);
        Expr b = expr_diff(r->dag, e->rhs, leaf[k]);
        Expr coef = a == EXPR_NONE || b == EXPR_NONE ? EXPR_NONE
                                                     : expr_sub(r->dag, a, b);
        if (order > 1 || is_discrete || !reduce_is_parametric(r, coef))
            n->spoiled[v] = true;
        Entry x = {row, v, coef};
        vec_push(n->tmp, &n->entry, x);
        if (last != NONE)
            n->parent[root_of(n, v)] = root_of(n, last);
        last = v;
    }
}

/* What the user or an event wants as a state stays as it is. */
static void keep_wishes(Natural *n)
{
    const Sys *s = n->r->sys;
    for (int v = 0; v < s->nvar; v++) {
        n->spoiled[v] |=
            s->var[v].role != SR_UNKNOWN || s->var[v].state_select > SS_DEFAULT;
        for (int i = 0; i < n->r->options.nwished; i++)
            n->spoiled[v] |= !strcmp(s->var[v].name, n->r->options.state[i]);
    }
    for (int i = 0; i < s->naction; i++) {
        const SysAction *a = &s->action[i];
        Expr root[] = {a->active, a->value};
        if (a->kind == FA_REINIT)
            n->spoiled[a->var] = true;
        expr_walk(s->dag, root, a->value == EXPR_NONE ? 1 : 2, spoil, n);
    }
}

/* The values given, then others of all parameters. */
static void set_values(Natural *n)
{
    const Sys *s = n->r->sys;
    for (int t = 0; t < POINTS; t++) {
        n->value[t] = NEW_ARRAY(n->tmp, double, s->nvar);
        for (int v = 0; v < s->nvar; v++) {
            double x = n->r->start[v];
            bool moves = t > 0 && s->var[v].type == FT_REAL;
            n->value[t][v] =
                moves ? x * (1 + 0.37 * sin(12.9 * v + 3.1 * t)) + 0.01 : x;
        }
    }
}

static double value_of(Natural *n, Expr e, int t)
{
    Point p = {n->value[t], 0, 1};
    return e == EXPR_NONE ? 0 : reduce_point_value(n->r, e, &p);
}

/* ---- a group ---- */

static int column_of(Group *g, int v)
{
    if (g->place[v] == NONE) {
        g->place[v] = g->ncol;
        g->var[g->ncol++] = v;
    }
    return g->place[v];
}

/* The rows of the group of variable `root`. Returns false if it is none. */
static bool read_group(Natural *n, int root, Group *g, Arena *tmp)
{
    int nvar = n->r->sys->nvar, last = NONE;
    g->row = NEW_ARRAY(tmp, int, LARGEST);
    g->var = NEW_ARRAY(tmp, int, nvar);
    g->place = NEW_ARRAY(tmp, int, nvar);
    for (int v = 0; v < nvar; v++)
        g->place[v] = NONE;
    for (int i = 0; i < n->entry.n; i++) {
        const Entry *e = &n->entry.at[i];
        if (root_of(n, e->var) != root)
            continue;
        if (n->spoiled[e->var] || (e->row != last && g->nrow == LARGEST))
            return false;
        if (e->row != last)
            g->row[g->nrow++] = last = e->row;
        column_of(g, e->var);
    }
    if (g->ncol < 2 || g->ncol > LARGEST)
        return false;
    g->coef = NEW_ARRAY(tmp, Expr, g->nrow * g->ncol);
    for (int i = 0; i < g->nrow * g->ncol; i++)
        g->coef[i] = EXPR_NONE;
    for (int i = 0, at = NONE; i < n->entry.n; i++) {
        const Entry *e = &n->entry.at[i];
        if (root_of(n, e->var) != root)
            continue;
        at += at == NONE || g->row[at] != e->row;
        g->coef[at * g->ncol + g->place[e->var]] = e->coef;
    }
    return true;
}

/* What is left of row v beside the rows of the basis, eliminated one by one in
 * `work`; share gets the factors. */
static double remainder_of(const Group *g, const double *work, const int *lead,
                           double *v, double *share)
{
    double size = 0, left = 0;
    for (int j = 0; j < g->ncol; j++)
        size = fmax(size, fabs(v[j]));
    for (int b = 0; b < g->nbasis; b++) {
        const double *u = work + b * g->ncol;
        share[b] = v[lead[b]] / u[lead[b]];
        for (int j = 0; share[b] != 0 && j < g->ncol; j++)
            v[j] -= share[b] * u[j];
    }
    for (int j = 0; j < g->ncol; j++)
        left = fmax(left, fabs(v[j]));
    return size > 0 ? left / size : 0;
}

static int largest_of(const double *v, int n)
{
    int best = 0;
    for (int j = 1; j < n; j++)
        best = fabs(v[j]) > fabs(v[best]) * (1 + 1e-9) ? j : best;
    return best;
}

/* Rows of the basis, first to last: those that others do not give. Returns
 * false where a number is none. */
static bool find_basis(Natural *n, Group *g, Arena *tmp)
{
    int size = g->nrow * g->ncol;
    double *work = NEW_ARRAY(tmp, double, size);
    double *v = NEW_ARRAY(tmp, double, g->ncol);
    double *share = NEW_ARRAY(tmp, double, g->nrow);
    int *lead = NEW_ARRAY(tmp, int, g->nrow);
    g->m = NEW_ARRAY(tmp, double, size);
    g->basis = NEW_ARRAY(tmp, int, g->nrow);
    g->pivot = NEW_ARRAY(tmp, int, g->nrow);
    for (int i = 0; i < size; i++) {
        g->m[i] = value_of(n, g->coef[i], 0);
        if (!isfinite(g->m[i]))
            return false;
    }
    for (int i = 0; i < g->nrow; i++) {
        const double *row = g->m + i * g->ncol;
        memcpy(v, row, (size_t)g->ncol * sizeof *v);
        if (remainder_of(g, work, lead, v, share) < NOTHING)
            continue;
        memcpy(work + g->nbasis * g->ncol, v, (size_t)g->ncol * sizeof *v);
        lead[g->nbasis] = largest_of(v, g->ncol);
        g->pivot[g->nbasis] = largest_of(row, g->ncol);
        g->basis[g->nbasis++] = i;
    }
    return true;
}

/* lambda of row i: least squares by normal equations are enough, since what
 * comes out is tried. */
static void solve_row(const Group *g, int i, Arena *tmp)
{
    int nb = g->nbasis;
    double *a = NEW_ARRAY(tmp, double, nb *(nb + 1));
    double *x = g->lambda + i * nb;
    for (int b = 0; b < nb; b++) {
        const double *u = g->m + g->basis[b] * g->ncol;
        double scale = 1 / fabs(u[g->pivot[b]]);
        for (int j = 0; j < g->ncol; j++) {
            for (int c = 0; c < nb; c++)
                a[b * (nb + 1) + c] +=
                    scale * u[j] * scale * g->m[g->basis[c] * g->ncol + j];
            a[b * (nb + 1) + nb] +=
                scale * u[j] * scale * g->m[i * g->ncol + j];
        }
    }
    for (int b = 0; b < nb; b++) { /* positive definite: any order serves */
        for (int c = 0; c < nb; c++) {
            double f = c == b ? 0 : a[c * (nb + 1) + b] / a[b * (nb + 1) + b];
            for (int j = b; f != 0 && j <= nb; j++)
                a[c * (nb + 1) + j] -= f * a[b * (nb + 1) + j];
        }
    }
    for (int b = 0; b < nb; b++)
        x[b] = reduce_tidy(a[b * (nb + 1) + nb] / a[b * (nb + 1) + b]);
}

/* Is row i = sum lambda_b row b for all values of the parameters? */
static bool holds_always(Natural *n, const Group *g, int i)
{
    const double *lambda = g->lambda + i * g->nbasis;
    for (int t = 0; t < POINTS; t++) {
        for (int j = 0; j < g->ncol; j++) {
            double sum = -value_of(n, g->coef[i * g->ncol + j], t);
            double size = fabs(sum);
            for (int b = 0; b < g->nbasis; b++) {
                double x = lambda[b] *
                           value_of(n, g->coef[g->basis[b] * g->ncol + j], t);
                sum += x;
                size = fmax(size, fabs(x));
            }
            if (!(fabs(sum) <= NOTHING * size))
                return false;
        }
    }
    return true;
}

static bool find_lambda(Natural *n, Group *g, Arena *tmp)
{
    g->lambda = NEW_ARRAY(tmp, double, g->nrow * g->nbasis);
    for (int i = 0; i < g->nrow; i++) {
        bool is_basis = false;
        for (int b = 0; b < g->nbasis; b++) {
            g->lambda[i * g->nbasis + b] = g->basis[b] == i;
            is_basis |= g->basis[b] == i;
        }
        if (is_basis)
            continue;
        solve_row(g, i, tmp);
        if (!holds_always(n, g, i))
            return false;
    }
    return true;
}

/* ---- states ---- */

/* M_bj / M_bp: a number if it is one for all values of the parameters. */
static Expr ratio(Natural *n, const Group *g, int b, int j)
{
    Dag *d = n->r->dag;
    Expr up = g->coef[g->basis[b] * g->ncol + j];
    Expr low = g->coef[g->basis[b] * g->ncol + g->pivot[b]];
    double x = reduce_tidy(value_of(n, up, 0) / value_of(n, low, 0));
    for (int t = 1; t < POINTS; t++) {
        double y = value_of(n, up, t) / value_of(n, low, t);
        if (!(fabs(x - y) <= NOTHING * fabs(x)))
            return expr_div(d, up, low);
    }
    return expr_real(d, x);
}

static double nominal_of(const Reduce *r, int v)
{
    double x;
    Expr e = r->sys->var[v].nominal;
    return e != EXPR_NONE && expr_is_const(r->dag, e, &x) ? fabs(x) : 0;
}

/* Start and nominal value as those of its parts, if these have any. */
static void give_attributes(Natural *n, const Group *g, int b, int z)
{
    Reduce *r = n->r;
    Dag *d = r->dag;
    bool has_start = false;
    Expr start = expr_real(d, 0);
    double nominal = 0;
    for (int j = 0; j < g->ncol; j++) {
        if (g->coef[g->basis[b] * g->ncol + j] == EXPR_NONE)
            continue;
        Expr c = ratio(n, g, b, j), s = r->sys->var[g->var[j]].start;
        double own = nominal_of(r, g->var[j]);
        nominal = fmax(nominal, own * fabs(value_of(n, c, 0)));
        if (s == EXPR_NONE)
            continue;
        has_start = true;
        start = expr_add(d, start, expr_mul(d, c, s));
    }
    if (has_start)
        r->sys->var[z].start = expr_simplify(d, start);
    if (nominal > 0)
        r->sys->var[z].nominal = expr_real(d, nominal);
}

/* z_b and what it means; a row with one variable has its state already. */
static Expr add_state(Natural *n, Group *g, int b)
{
    Reduce *r = n->r;
    Dag *d = r->dag;
    Expr sum = expr_real(d, 0);
    int count = 0, only = g->var[g->pivot[b]];
    for (int j = 0; j < g->ncol; j++) {
        if (g->coef[g->basis[b] * g->ncol + j] == EXPR_NONE)
            continue;
        count++;
        Expr x =
            expr_mul(d, ratio(n, g, b, j), reduce_leaf_of(r, g->var[j], 0));
        sum = expr_add(d, sum, x);
    }
    Expr pivot = g->coef[g->basis[b] * g->ncol + g->pivot[b]];
    if (count == 1) {
        r->sys->var[only].derivatives = 1;
        return expr_mul(d, pivot, reduce_leaf_of(r, only, 1));
    }
    const SysEqn *from = &r->eqn.at[g->row[g->basis[b]]];
    const char *name =
        arena_printf(r->arena, "$state(%s)",
                     expr_text(d, sum, sys_var_name, r->sys, 60, r->tmp));
    int z = sys_add_var(r->sys, name, SR_UNKNOWN, FT_REAL, from->component,
                        from->span, r->arena);
    SysEqn e = {.lhs = reduce_leaf_of(r, z, 0),
                .rhs = sum,
                .origin = {RULE_AUXILIARY, z},
                .component = from->component,
                .span = from->span};
    r->sys->var[z].derivatives = 1;
    r->sys->var[z].state_select = SS_PREFER;
    r->nnatural++;
    give_attributes(n, g, b, z);
    vec_push(r->tmp, &r->eqn, e);
    return expr_mul(d, pivot, reduce_leaf_of(r, z, 1));
}

static void replace_rows(Natural *n, const Group *g)
{
    Reduce *r = n->r;
    Dag *d = r->dag;
    ExprMap *map = expr_map_new(d, NULL, NULL, n->tmp);
    for (int j = 0; j < g->ncol; j++)
        expr_map_fix(map, reduce_leaf_of(r, g->var[j], 1), expr_real(d, 0));
    for (int i = 0; i < g->nrow; i++) {
        SysEqn *e = &r->eqn.at[g->row[i]];
        Expr sum = expr_real(d, 0);
        for (int b = 0; b < g->nbasis; b++) {
            double lambda = g->lambda[i * g->nbasis + b];
            if (lambda != 0)
                sum = expr_add(d, sum,
                               expr_mul(d, expr_real(d, lambda), g->der[b]));
        }
        Expr rest = expr_sub(d, expr_map(map, e->rhs), expr_map(map, e->lhs));
        e->lhs = expr_simplify(d, sum);
        e->rhs = expr_simplify(d, rest);
    }
}

static void look_at(Natural *n, int root)
{
    Group g = {0};
    Arena *tmp = arena_new();
    if (read_group(n, root, &g, tmp) && find_basis(n, &g, tmp) &&
        g.nbasis > 0 && g.nbasis < g.ncol && find_lambda(n, &g, tmp)) {
        g.der = NEW_ARRAY(tmp, Expr, g.nbasis);
        for (int j = 0; j < g.ncol; j++)
            n->r->sys->var[g.var[j]].derivatives = 0;
        for (int b = 0; b < g.nbasis; b++)
            g.der[b] = add_state(n, &g, b);
        replace_rows(n, &g);
    }
    arena_free(tmp);
}

void reduce_find_natural_states(Reduce *r)
{
    int nvar = r->sys->nvar;
    Natural n = {.r = r, .tmp = arena_new()};
    n.parent = NEW_ARRAY(n.tmp, int, nvar);
    n.spoiled = NEW_ARRAY(n.tmp, bool, nvar);
    bool *seen = NEW_ARRAY(n.tmp, bool, nvar);
    for (int v = 0; v < nvar; v++)
        n.parent[v] = v;
    for (int i = 0; i < r->eqn.n; i++)
        add_row(&n, i);
    keep_wishes(&n);
    set_values(&n);
    for (int i = 0, count = n.entry.n; i < count; i++) {
        int root = root_of(&n, n.entry.at[i].var);
        if (!seen[root])
            look_at(&n, root);
        seen[root] = true;
    }
    arena_free(n.tmp);
}
