/* pivot.c - choose independent columns of a sparse matrix in a wished order.
 *
 * Left-looking sparse elimination (Gilbert and Peierls, SIAM J. Sci. Stat.
 * Comput. 9(5), 1988): a column is reduced by the columns chosen before; if
 * something large enough is left in a row without a pivot, it is chosen. As
 * independence is a matroid, taking columns greedily in the order of the
 * wishes gives the best set by these wishes.
 *
 * Beside its value each entry carries a flag: does it change during a run? A
 * constant pivot is preferred over a varying one, so that what stays with a
 * varying pivot is what no fixed choice can promise.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>

typedef struct Entry {
    int row;
    bool varying;
    double value;
} Entry;

typedef struct Column {
    int start, end; /* in the list of entries */
} Column;

typedef struct Elimination {
    const PivotMatrix *m;
    PivotChoice *c;
    Arena *arena;
    Vec(Entry) lower; /* columns of L */
    Column *l;        /* of the pivot in a row */
    Vec(int) upper;   /* rows of the columns of U */
    Column *u;
    double *x; /* the column at work, by row */
    bool *varying;
    int *seen; /* by row: number of the column that saw it */
    int pass;
    int *order; /* rows of the column, dependencies last */
    int norder;
    int *stack, *next;
    int *count; /* by row: entries in the columns of the group */
} Elimination;

/* Visits the rows that `root` reaches through the pivots chosen so far. */
static void reach(Elimination *e, int root)
{
    int depth = 0;
    if (e->seen[root] == e->pass)
        return;
    e->seen[root] = e->pass;
    e->stack[0] = root;
    e->next[0] = e->l[root].start;
    while (depth >= 0) {
        int row = e->stack[depth];
        bool is_pivot = e->c->col_of[row] != NONE;
        if (!is_pivot || e->next[depth] == e->l[row].end) {
            e->order[e->norder++] = row;
            depth--;
            continue;
        }
        int to = e->lower.at[e->next[depth]++].row;
        if (e->seen[to] == e->pass)
            continue;
        e->seen[to] = e->pass;
        depth++;
        e->stack[depth] = to;
        e->next[depth] = e->l[to].start;
    }
}

/* x = L \ column; rows of x in `order`, from last to first. */
static void reduce_column(Elimination *e, int col)
{
    const PivotMatrix *m = e->m;
    e->pass++;
    e->norder = 0;
    for (int k = m->start[col]; k < m->start[col + 1]; k++)
        reach(e, m->row[k]);
    for (int k = 0; k < e->norder; k++) {
        e->x[e->order[k]] = 0;
        e->varying[e->order[k]] = false;
    }
    for (int k = m->start[col]; k < m->start[col + 1]; k++) {
        e->x[m->row[k]] = m->value[k];
        e->varying[m->row[k]] = m->varying[k];
    }
    for (int k = e->norder - 1; k >= 0; k--) {
        int row = e->order[k];
        if (e->c->col_of[row] == NONE || (e->x[row] == 0 && !e->varying[row]))
            continue;
        for (int i = e->l[row].start; i < e->l[row].end; i++) {
            const Entry *a = &e->lower.at[i];
            e->x[a->row] -= a->value * e->x[row];
            e->varying[a->row] |= a->varying || e->varying[row];
        }
    }
}

static double column_size(const PivotMatrix *m, int col)
{
    double size = 0;
    for (int k = m->start[col]; k < m->start[col + 1]; k++)
        size = fmax(size, fabs(m->value[k]));
    return size;
}

/* Is row a a better pivot than row b (or NONE)? A row with few entries causes
 * little fill. */
static bool is_better(const Elimination *e, int a, int b, double enough)
{
    if (b == NONE)
        return true;
    bool good_a = fabs(e->x[a]) >= enough, good_b = fabs(e->x[b]) >= enough;
    if (good_a != good_b)
        return good_a;
    if (good_a && e->count[a] != e->count[b])
        return e->count[a] < e->count[b];
    return fabs(e->x[a]) > fabs(e->x[b]);
}

/* The best row without a pivot for the column at work, or NONE. */
static int best_row(const Elimination *e, double least, bool constant_only)
{
    int best = NONE, best_constant = NONE;
    double most = 0;
    for (int k = 0; k < e->norder; k++) {
        if (e->c->col_of[e->order[k]] == NONE)
            most = fmax(most, fabs(e->x[e->order[k]]));
    }
    for (int k = 0; k < e->norder; k++) {
        int row = e->order[k];
        if (e->c->col_of[row] != NONE || !(fabs(e->x[row]) > least))
            continue;
        if (is_better(e, row, best, 0.1 * most))
            best = row;
        if (!e->varying[row] && is_better(e, row, best_constant, 0.1 * most))
            best_constant = row;
    }
    if (best_constant != NONE && fabs(e->x[best_constant]) >= 0.01 * most)
        return best_constant;
    return constant_only ? NONE : best;
}

static void take(Elimination *e, int col, int pivot)
{
    double p = e->x[pivot];
    bool varying = e->varying[pivot];
    e->u[col].start = e->upper.n;
    e->l[pivot].start = e->lower.n;
    for (int k = 0; k < e->norder; k++) {
        int row = e->order[k];
        if (e->x[row] == 0 && !e->varying[row])
            continue;
        if (e->c->col_of[row] != NONE) {
            vec_push(e->arena, &e->upper, row);
            continue;
        }
        if (row == pivot)
            continue;
        Entry a = {row, varying || e->varying[row], e->x[row] / p};
        vec_push(e->arena, &e->lower, a);
    }
    e->l[pivot].end = e->lower.n;
    e->u[col].end = e->upper.n;
    e->c->col_of[pivot] = col;
    e->c->row_of[col] = pivot;
    e->c->is_varying[pivot] = varying;
    e->c->nchosen++;
}

/* One pass over columns order[from..to). */
static void choose_pass(Elimination *e, const int *order, int from, int to,
                        double tolerance, bool constant_only)
{
    for (int k = from; k < to && e->c->nchosen < e->m->nrow; k++) {
        int col = order[k];
        if (e->c->row_of[col] != NONE)
            continue;
        reduce_column(e, col);
        int row =
            best_row(e, tolerance * column_size(e->m, col), constant_only);
        if (row != NONE)
            take(e, col, row);
    }
}

static void count_group(Elimination *e, const int *order, int from, int to)
{
    for (int i = 0; i < e->m->nrow; i++)
        e->count[i] = 0;
    for (int k = from; k < to; k++) {
        int col = order[k];
        for (int i = e->m->start[col]; i < e->m->start[col + 1]; i++)
            e->count[e->m->row[i]]++;
    }
}

/* Rows with a varying pivot that an unchosen column could take instead. */
static void find_alternatives(Elimination *e, int col)
{
    reduce_column(e, col);
    int *list = e->stack, n = 0;
    e->pass++;
    for (int k = 0; k < e->norder; k++) {
        int row = e->order[k];
        if (e->x[row] == 0 && !e->varying[row])
            continue;
        e->seen[row] = e->pass;
        list[n++] = row;
    }
    for (int k = 0; k < n; k++) {
        int row = list[k];
        if (e->c->col_of[row] == NONE)
            continue;
        if (e->c->is_varying[row]) {
            vec_push(e->arena, &e->c->alternative_row, row);
            vec_push(e->arena, &e->c->alternative_col, col);
        }
        Column u = e->u[e->c->col_of[row]];
        for (int i = u.start; i < u.end; i++) {
            int to = e->upper.at[i];
            if (e->seen[to] == e->pass)
                continue;
            e->seen[to] = e->pass;
            list[n++] = to;
        }
    }
}

static Elimination begin(const PivotMatrix *m, Arena *out)
{
    Elimination e = {.m = m, .arena = out};
    PivotChoice *c = NEW(out, PivotChoice);
    c->row_of = NEW_ARRAY(out, int, m->ncol);
    c->col_of = NEW_ARRAY(out, int, m->nrow);
    c->is_varying = NEW_ARRAY(out, bool, m->nrow);
    for (int j = 0; j < m->ncol; j++)
        c->row_of[j] = NONE;
    for (int i = 0; i < m->nrow; i++)
        c->col_of[i] = NONE;
    e.c = c;
    e.l = NEW_ARRAY(out, Column, m->nrow);
    e.u = NEW_ARRAY(out, Column, m->ncol);
    e.x = NEW_ARRAY(out, double, m->nrow);
    e.varying = NEW_ARRAY(out, bool, m->nrow);
    e.seen = NEW_ARRAY(out, int, m->nrow);
    e.order = NEW_ARRAY(out, int, m->nrow);
    e.stack = NEW_ARRAY(out, int, m->nrow);
    e.next = NEW_ARRAY(out, int, m->nrow);
    e.count = NEW_ARRAY(out, int, m->nrow);
    return e;
}

PivotChoice *reduce_pivot_choose(const PivotMatrix *m, const int *order,
                                 const int *group, int ngroup, Arena *out)
{
    Elimination e = begin(m, out);
    for (int g = 0; g < ngroup; g++) {
        count_group(&e, order, group[g], group[g + 1]);
        choose_pass(&e, order, group[g], group[g + 1], 1e-2, true);
        choose_pass(&e, order, group[g], group[g + 1], 1e-2, false);
        choose_pass(&e, order, group[g], group[g + 1], 1e-6, false);
        choose_pass(&e, order, group[g], group[g + 1], 1e-12, false);
    }
    for (int j = 0; j < m->ncol; j++) {
        if (e.c->row_of[j] == NONE)
            find_alternatives(&e, j);
    }
    return e.c;
}
