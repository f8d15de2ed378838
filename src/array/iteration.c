/* iteration.c - the iteration matrix of a system of any index. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/iteration.h"

#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "graph/scc.h"
#include "num/dense.h"

typedef struct Look {
    Array *a;
    int n;
    double *fx, *fd; /* f_x, f_x', by columns */
    bool *is_state;  /* of each column */
    bool *has_der;   /* of each row */
    int *var_of;     /* row -> column that it gives, NONE */
    bool *is_torn;   /* of each column */
    Arena *work;
} Look;

static void take_jacobians(Look *l, double t, const double *z)
{
    const Array *a = l->a;
    array_values(l->a, t, z);
    for (int k = 0; k < a->nentry; k++) {
        const ArrayEntry *e = &a->entry[k];
        double *m = e->is_der ? l->fd : l->fx;
        double x = array_entry(a, k);
        m[e->row + e->col * l->n] += x;
        if (e->is_der && x != 0) {
            l->is_state[e->col] = true;
            l->has_der[e->row] = true;
        }
    }
}

/* Equations without a derivative give variables without one. */
static void assign(Look *l)
{
    EdgeList list = edges_begin(l->work);
    for (int j = 0; j < l->n; j++)
        for (int i = 0; i < l->n; i++)
            if (!l->is_state[j] && !l->has_der[i] && l->fx[i + j * l->n] != 0)
                edges_add(&list, i, j, EDGE_CONSTANT, 0);
    const Incidence *inc = edges_end(&list, l->n, l->n, l->work);
    const Match *m = match_maximum(inc, l->work);
    memcpy(l->var_of, m->var_of, sizeof *l->var_of * (size_t)l->n);
}

/* Rows that need each other: row i leads to the row that gives a variable of
 * it. Returns the number of components. */
static int find_loops(const Look *l, const int *row_of, int *comp)
{
    Vec(int) to = {0};
    int *start = NEW_ARRAY(l->work, int, l->n + 1);
    for (int i = 0; i < l->n; i++) {
        start[i] = to.n;
        for (int j = 0; l->var_of[i] != NONE && j < l->n; j++)
            if (l->fx[i + j * l->n] != 0 && row_of[j] != NONE && row_of[j] != i)
                vec_push(l->work, &to, row_of[j]);
    }
    start[l->n] = to.n;
    return scc_find(l->n, start, to.at, comp);
}

/* The row of a loop whose variable stands in most of its rows; NONE: there is
 * no loop left. */
static int busiest_row(const Look *l, const int *comp, int ncomp)
{
    int best = NONE, most = 0;
    int *size = NEW_ARRAY(l->work, int, ncomp + 1);
    for (int i = 0; i < l->n; i++)
        size[comp[i]]++;
    for (int i = 0; i < l->n; i++) {
        int count = 0;
        if (l->var_of[i] == NONE || size[comp[i]] < 2)
            continue;
        for (int k = 0; k < l->n; k++)
            count += comp[k] == comp[i] && l->fx[k + l->var_of[i] * l->n] != 0;
        if (count > most) {
            most = count;
            best = i;
        }
    }
    return best;
}

static void tear(Look *l)
{
    int *row_of = NEW_ARRAY(l->work, int, l->n + 1);
    int *comp = NEW_ARRAY(l->work, int, l->n + 1);
    for (;;) {
        memset(row_of, 0xff, sizeof *row_of * (size_t)l->n); /* NONE */
        for (int i = 0; i < l->n; i++)
            if (l->var_of[i] != NONE)
                row_of[l->var_of[i]] = i;
        int row = busiest_row(l, comp, find_loops(l, row_of, comp));
        if (row == NONE)
            return;
        l->is_torn[l->var_of[row]] = true;
        l->var_of[row] = NONE;
    }
}

/* The iteration vector, and rows and columns with those that are eliminated
 * first. */
static void order(const Look *l, Iteration *it, int *row, int *col)
{
    bool *is_given = NEW_ARRAY(l->work, bool, l->n + 1);
    int nrow = 0, ncol = 0;
    for (int i = 0; i < l->n; i++)
        if (l->var_of[i] != NONE) {
            row[nrow++] = i;
            col[ncol++] = l->var_of[i];
            is_given[l->var_of[i]] = true;
        }
    it->n = l->n - nrow;
    for (int i = 0; i < l->n; i++)
        if (l->var_of[i] == NONE)
            row[nrow++] = i;
    for (int j = 0; j < l->n; j++) {
        if (is_given[j])
            continue;
        it->column[ncol - (l->n - it->n)] = j;
        col[ncol++] = j;
        it->nstate += l->is_state[j];
        it->ntorn += l->is_torn[j];
    }
    it->nfree = it->n - it->nstate - it->ntorn;
}

/* H of the iteration vector: the rest is eliminated. False: it is singular. */
static bool reduce(const Look *l, const Iteration *it, const int *row,
                   const int *col, double h, double *out)
{
    int n = l->n, w = n - it->n, v = it->n;
    double *ww = NEW_ARRAY(l->work, double, w *w + 1);
    double *x = NEW_ARRAY(l->work, double, w + 1);
    int *pivot = NEW_ARRAY(l->work, int, w + 1);
    for (int j = 0; j < w; j++)
        for (int i = 0; i < w; i++)
            ww[i + j * w] = l->fx[row[i] + col[j] * n];
    if (w > 0 && !dense_lu_factor(w, ww, pivot))
        return false;
    for (int j = 0; j < v; j++) {
        int c = col[w + j];
        for (int i = 0; i < w; i++)
            x[i] = l->fx[row[i] + c * n];
        if (w > 0)
            dense_lu_solve(w, ww, pivot, x, 1);
        for (int i = 0; i < v; i++) {
            int r = row[w + i];
            double sum = l->fx[r + c * n] + l->fd[r + c * n] / h;
            for (int k = 0; k < w; k++)
                sum -= l->fx[r + col[k] * n] * x[k];
            out[i + j * v] = sum;
        }
    }
    return true;
}

const Iteration *iteration_look(Array *a, double t, const double *z, double h,
                                Arena *arena)
{
    int n = a->n;
    Arena *work = arena_new();
    Look l = {.a = a,
              .n = n,
              .fx = NEW_ARRAY(work, double, n *n + 1),
              .fd = NEW_ARRAY(work, double, n *n + 1),
              .is_state = NEW_ARRAY(work, bool, n + 1),
              .has_der = NEW_ARRAY(work, bool, n + 1),
              .var_of = NEW_ARRAY(work, int, n + 1),
              .is_torn = NEW_ARRAY(work, bool, n + 1),
              .work = work};
    Iteration *it = NEW(arena, Iteration);
    it->column = NEW_ARRAY(arena, int, n + 1);
    int *row = NEW_ARRAY(work, int, n + 1), *col = NEW_ARRAY(work, int, n + 1);
    take_jacobians(&l, t, z);
    assign(&l);
    tear(&l);
    order(&l, it, row, col);
    int v = it->n;
    double *m = NEW_ARRAY(work, double, v *v + 1);
    double *s = NEW_ARRAY(work, double, v + 1);
    double *u = NEW_ARRAY(work, double, v *v + 1);
    double *w = NEW_ARRAY(work, double, v *v + 1);
    for (int k = 0; k < ITERATION_STEPS; k++, h /= 10) {
        it->h[k] = h;
        it->norm[k] = it->condition[k] = NAN;
        if (v == 0 || !reduce(&l, it, row, col, h, m) ||
            !dense_svd(v, m, s, u, w))
            continue;
        it->norm[k] = s[0];
        it->condition[k] = s[v - 1] > 0 ? s[0] / s[v - 1] : INFINITY;
    }
    arena_free(work);
    return it;
}

double iteration_slope(const Iteration *it)
{
    int k = ITERATION_STEPS - 1;
    while (k > 1 && !(it->condition[k] < 1e13))
        k--;
    return log10(it->condition[k] / it->condition[k - 1]) /
           log10(it->h[k] / it->h[k - 1]);
}
