/* select_states.c - which variables are states.
 *
 * A variable that the constraints determine at all points is in x1. Where the
 * choice changes on the way (a body that turns over), the variables that are
 * new at the order of a constraint become candidates, of which as many as there
 * are such constraints are in x1 at a time: the run chooses (dae/dae.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "array/select_internal.h"

static const double GOOD_PIVOT = 1e-2; /* of the largest in its row */

/* ---- constraints ---- */

/* Constraint r at point p, by x: its rows, combined as the circuit says. */
static void combine(const Choice *c, Constraints *k, int r, int p)
{
    const double *l = c->lambda[p] + (size_t)r * (size_t)c->nrow;
    for (int j = 0; j < c->n; j++) {
        double sum = 0;
        for (int i = 0; i < c->nrow; i++)
            sum += l[i] * *select_entry(c, p, i, j);
        k->g[p][r * c->n + j] = fabs(sum) < 1e-10 ? 0 : sum;
        if (k->g[p][r * c->n + j] == 0)
            continue;
        k->occurs[r * c->n + j] = true;
        if (k->level[r] < k->first[j])
            k->first[j] = k->level[r];
    }
}

static Constraints make_constraints(Choice *c)
{
    Constraints k = {.a = c->circuit.n,
                     .done = NEW_ARRAY(c->arena, bool, c->nrow),
                     .pivot = NEW_ARRAY(c->arena, int, c->nrow),
                     .level = NEW_ARRAY(c->arena, int, c->nrow),
                     .first = NEW_ARRAY(c->arena, int, c->n),
                     .moves = NEW_ARRAY(c->arena, bool, c->n)};
    k.occurs = NEW_ARRAY(c->arena, bool, (size_t)k.a *(size_t)c->n);
    for (int j = 0; j < c->n; j++)
        k.first[j] = c->k + 1;
    for (int i = 0; i < c->a->nentry; i++)
        if (c->a->entry[i].is_der)
            k.moves[c->a->entry[i].col] = true;
    for (int p = 0; p < c->npoint; p++)
        k.g[p] = NEW_ARRAY(c->arena, double, (size_t)k.a *(size_t)c->n);
    for (int r = 0; r < k.a; r++) {
        k.level[r] = c->circuit.at[r] / c->n;
        k.pivot[r] = NONE;
        for (int p = 0; p < c->npoint; p++)
            combine(c, &k, r, p);
    }
    return k;
}

/* ---- pivots for all points ---- */

/* The worst size of a pivot over the points, beside the largest of its row. The
 * points are those of a solution: where the sign of a pivot changes, it
 * vanishes on the way. */
static double pivot_worth(const Choice *c, const Constraints *k, int r, int j)
{
    double worth = INFINITY;
    for (int p = 0; p < c->npoint; p++) {
        double most = 0;
        for (int i = 0; i < c->n; i++)
            if (!c->is_first[i])
                most = fmax(most, fabs(k->g[p][r * c->n + i]));
        double x = fabs(k->g[p][r * c->n + j]);
        if (k->g[p][r * c->n + j] * k->g[0][r * c->n + j] < 0)
            return 0;
        worth = fmin(worth, most > 0 ? x / most : 0);
    }
    return worth;
}

static void eliminate(const Choice *c, Constraints *k, int r, int j)
{
    k->done[r] = true;
    k->pivot[r] = j;
    c->is_first[j] = true;
    for (int p = 0; p < c->npoint; p++) {
        double *g = k->g[p];
        for (int i = 0; i < k->a; i++) {
            double f =
                i == r || k->done[i] ? 0 : g[i * c->n + j] / g[r * c->n + j];
            for (int q = 0; f != 0 && q < c->n; q++)
                g[i * c->n + q] -= f * g[r * c->n + q];
        }
    }
}

/* Group 0: without derivatives; 1: new at this order; 2: any. */
static bool is_in_group(const Constraints *k, int j, int level, int group)
{
    return group == 2 || (group == 0 && !k->moves[j]) ||
           (group == 1 && k->first[j] >= level);
}

/* The best pivot of a level and a group; false: none is good enough. */
static bool find_pivot(const Choice *c, const Constraints *k, int level,
                       int group, int *row, int *col)
{
    double most = group == 2 ? 1e-6 : GOOD_PIVOT;
    *row = NONE;
    for (int r = 0; r < k->a; r++) {
        for (int j = 0; j < c->n; j++) {
            if (k->done[r] || k->level[r] != level || c->is_first[j] ||
                c->set_of[j] != NONE || !is_in_group(k, j, level, group))
                continue;
            double x = pivot_worth(c, k, r, j);
            if (x > most * (1 + 1e-6)) {
                most = x;
                *row = r;
                *col = j;
            }
        }
    }
    return *row != NONE;
}

/* Constraints of low order first. */
static bool take_pivots(Choice *c, Constraints *k)
{
    for (int left = k->a; left > 0; left--) {
        int row = NONE, col = NONE;
        for (int level = 0; level <= c->k && row == NONE; level++)
            for (int group = 0; group < 3 && row == NONE; group++)
                find_pivot(c, k, level, group, &row, &col);
        if (row == NONE)
            return false;
        eliminate(c, k, row, col);
    }
    return true;
}

/* ---- sets ---- */

/* x1 among the candidates of a set at point p: complete pivoting. The places of
 * these in s->candidate go to out[n]. */
static bool choose_at(const Choice *c, const Constraints *k, const int *rows,
                      int n, const SelectSet *s, int p, int *out)
{
    Arena *local = arena_new();
    double *a = NEW_ARRAY(local, double, (size_t)n *(size_t)s->n), whole = 0;
    bool *used = NEW_ARRAY(local, bool, s->n), fine = true;
    bool *gone = NEW_ARRAY(local, bool, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < s->n; j++) {
            a[i * s->n + j] = k->g[p][rows[i] * c->n + s->candidate[j]];
            whole = fmax(whole, fabs(a[i * s->n + j]));
        }
    for (int step = 0; step < n && fine; step++) {
        int row = NONE, col = NONE;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < s->n; j++)
                if (!gone[i] && !used[j] &&
                    (row == NONE ||
                     fabs(a[i * s->n + j]) > fabs(a[row * s->n + col])))
                    row = i, col = j;
        fine = row != NONE && fabs(a[row * s->n + col]) > GOOD_PIVOT * whole;
        gone[row] = used[col] = true;
        out[step] = col;
        for (int i = 0; i < n && fine; i++) {
            double f = gone[i] ? 0 : a[i * s->n + col] / a[row * s->n + col];
            for (int j = 0; j < s->n; j++)
                a[i * s->n + j] -= f * a[row * s->n + j];
        }
    }
    arena_free(local);
    return fine;
}

/* The determinant of a[n * n], which is destroyed. */
static double determinant(double *a, int n)
{
    double det = 1;
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++)
            row = fabs(a[i * n + k]) > fabs(a[row * n + k]) ? i : row;
        for (int j = 0; j < n && row != k; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[row * n + j];
            a[row * n + j] = swap;
        }
        det *= row != k ? -a[k * n + k] : a[k * n + k];
        for (int i = k + 1; i < n && a[k * n + k] != 0; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    return det;
}

/* Of the constraints by those candidates that are in x1 at point p. */
static double minor_at(const Choice *c, const Constraints *k, const int *rows,
                       int n, const SelectSet *s, int p)
{
    Arena *local = arena_new();
    double *a = NEW_ARRAY(local, double, (size_t)n *(size_t)n);
    int col = 0;
    for (int j = 0; j < s->n; j++) {
        if (!c->first_at[p][s->candidate[j]])
            continue;
        for (int i = 0; i < n; i++)
            a[i * n + col] = k->g[p][rows[i] * c->n + s->candidate[j]];
        col++;
    }
    double det = determinant(a, n);
    arena_free(local);
    return det;
}

/* Variables that are new at this order and occur in what is left. */
static void list_candidates(const Choice *c, const Constraints *k,
                            const int *rows, int n, SelectSet *s)
{
    int level = k->level[rows[0]];
    s->candidate = NEW_ARRAY(c->arena, int, c->n);
    for (int j = 0; j < c->n; j++) {
        bool occurs = false;
        for (int i = 0; i < n; i++)
            for (int p = 0; p < c->npoint; p++)
                occurs |= k->g[p][rows[i] * c->n + j] != 0;
        if (occurs && k->moves[j] && !c->is_first[j] && c->set_of[j] == NONE &&
            k->first[j] >= level)
            s->candidate[s->n++] = j;
    }
}

/* The rows of a level that no pivot serves at all points. */
static bool make_set(Choice *c, Constraints *k, const int *rows, int n)
{
    SelectSet s = {0};
    int *out = NEW_ARRAY(c->arena, int, n);
    list_candidates(c, k, rows, n, &s);
    s.nstate = s.n - n;
    if (s.nstate < 1)
        return false;
    for (int p = 0; p < c->npoint; p++) {
        if (!choose_at(c, k, rows, n, &s, p, out))
            return false;
        for (int i = 0; i < n; i++)
            c->first_at[p][s.candidate[out[i]]] = true;
        c->minor[p] *= minor_at(c, k, rows, n, &s, p);
    }
    if (!select_matrix(c, k, rows, n, &s))
        return false;
    s.initial = NEW_ARRAY(c->arena, int, s.nstate);
    for (int j = 0, i = 0; j < s.n; j++) {
        c->set_of[s.candidate[j]] = c->set.n;
        if (!c->first_at[0][s.candidate[j]])
            s.initial[i++] = j;
    }
    for (int i = 0; i < n; i++)
        k->done[rows[i]] = true;
    vec_push(c->arena, &c->set, s);
    return true;
}

/* Level by level: pivots that serve everywhere, then sets. */
static bool take_sets(Choice *c, Constraints *k)
{
    int *rows = NEW_ARRAY(c->arena, int, k->a + 1), row, col;
    for (int level = 0; level <= c->k; level++) {
        while (find_pivot(c, k, level, 0, &row, &col) ||
               find_pivot(c, k, level, 1, &row, &col))
            eliminate(c, k, row, col);
        int n = 0;
        for (int r = 0; r < k->a; r++)
            if (!k->done[r] && k->level[r] == level)
                rows[n++] = r;
        if (n > 0 && !make_set(c, k, rows, n))
            return false;
    }
    return true;
}

bool select_first(Choice *c, bool sets)
{
    Constraints k = make_constraints(c);
    c->is_first = NEW_ARRAY(c->arena, bool, c->n);
    c->set_of = NEW_ARRAY(c->arena, int, c->n);
    for (int j = 0; j < c->n; j++)
        c->set_of[j] = NONE;
    for (int p = 0; p < c->npoint; p++)
        c->first_at[p] = NEW_ARRAY(c->arena, bool, c->n);
    for (int p = 0; p < c->npoint; p++)
        c->minor[p] = 1;
    c->set.n = 0;
    if (!(sets ? take_sets(c, &k) : take_pivots(c, &k)))
        return false;
    for (int p = 0; p < c->npoint; p++)
        for (int j = 0; j < c->n; j++)
            c->first_at[p][j] |= c->is_first[j];
    memcpy(c->is_first, c->first_at[0], (size_t)c->n * sizeof *c->is_first);
    return true;
}

/* ---- columns ---- */

/* x1 of the candidates, which is another one at each point. */
static bool extend_sets(const Choice *c, Basis *b, double *v)
{
    int *at = NEW_ARRAY(c->arena, int, POINTS), column[POINTS];
    for (int s = 0; s < c->set.n; s++) {
        const SelectSet *x = &c->set.at[s];
        for (int p = 0; p < c->npoint; p++)
            at[p] = 0;
        for (int i = 0; i < x->n - x->nstate; i++) {
            for (int p = 0; p < c->npoint; p++) {
                while (!c->first_at[p][x->candidate[at[p]]])
                    at[p]++;
                column[p] = x->candidate[at[p]++];
            }
            if (!select_extend_each(c, b, column, v))
                return false;
        }
    }
    return true;
}

static int count_changing(const Choice *c)
{
    int n = 0;
    for (int s = 0; s < c->set.n; s++)
        n += c->set.at[s].n - c->set.at[s].nstate;
    return n;
}

/* All derivatives that are asked for. */
static bool take_asked(const Choice *c, Basis *b, int m, bool *taken, double *v)
{
    for (int col = c->n; col < (c->order + 1) * c->n; col++) {
        if (taken[col])
            continue;
        if (b->n == m ||
            select_independence(c, b, select_column, col, v) < INDEPENDENT)
            return false;
        select_extend(c, b, select_column, col, v);
        taken[col] = true;
    }
    return true;
}

/* x1 and x2' first, and x' of candidates; then x1' and w by rising order. */
bool select_columns(Choice *c, int m, ColumnChoice choice, bool *taken)
{
    Basis b = select_basis_new(c, m);
    double *v = NEW_ARRAY(c->arena, double, m + 1);
    int *out = NEW_ARRAY(c->arena, int, c->ncol), nout = 0;
    for (int j = 0; j < c->n; j++) {
        bool is_candidate = c->set_of[j] != NONE;
        int col = c->is_first[j] && !is_candidate ? j : c->n + j;
        if (b.n == m ||
            select_independence(c, &b, select_column, col, v) < INDEPENDENT)
            return false;
        select_extend(c, &b, select_column, col, v);
        taken[col] = true;
        if (is_candidate && c->is_first[j])
            taken[j] = true;
    }
    if (b.n + count_changing(c) > m || !extend_sets(c, &b, v) ||
        !take_asked(c, &b, m, taken, v))
        return false;
    c->mix = NULL;
    if (choice == COLUMNS_MIX)
        return select_mix(c, &b, taken);
    select_take_columns(c, &b, m, choice == COLUMNS_ANY, taken, out, &nout);
    return b.n == m;
}
