/* group.c - columns that one evaluation serves, also where entries were cut.
 *
 * Two columns may be moved together if no row that is read has both. When the
 * iteration matrix keeps only some entries, the others still move f and would
 * add to those that are kept; Schiela (2002, 5.3) lets a cut entry join where
 * it is some orders of magnitude smaller than the smallest kept entry of its
 * row. Sizes are those of |entry| * increment, because that is what adds, and
 * the largest over the samples: an entry that passes through zero is not small.
 * Two cut entries of a row never hinder each other, since neither is read.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "graph/color.h"
#include "crhs/crhs.h"

/* Which entries the iteration matrix keeps. */
static TaktRtStatus read_keep(const TaktRtSetup *s, const Jacobian *j,
                              bool *kept, TaktRtReport *r, Arena *local)
{
    EdgeList edges = edges_begin(local);
    for (int k = 0; k < j->nnz; k++) {
        kept[k] = s->nkeep == 0;
        edges_add(&edges, j->row[k], j->col[k], EDGE_CONSTANT, 0);
    }
    if (s->nkeep == 0)
        return TAKT_RT_FINE;
    const Incidence *inc = edges_end(&edges, j->n, j->n, local);
    int *entry = NEW_ARRAY(local, int, j->nnz + 1);
    for (int k = 0; k < j->nnz; k++)
        entry[incidence_find(inc, j->row[k], j->col[k])] = k;
    for (int k = 0; k < s->nkeep; k++) {
        int row = s->krow[k], col = s->kcol[k];
        if (row < 0 || row >= j->n || col < 0 || col >= j->n)
            return crhs_say(r, TAKT_RT_BAD_SETUP, row, col,
                            "entry %d to keep, (%d, %d), is outside of "
                            "0 .. %d",
                            k, row, col, j->n - 1);
        int at = incidence_find(inc, row, col);
        if (at != NONE) /* keeping a zero costs nothing */
            kept[entry[at]] = true;
    }
    return TAKT_RT_FINE;
}

/* Smallest kept entry of each row, infinity if none. */
static const double *row_floor(const Jacobian *j, const bool *kept,
                               Arena *local)
{
    double *least = NEW_ARRAY(local, double, j->n);
    for (int i = 0; i < j->n; i++)
        least[i] = INFINITY;
    for (int k = 0; k < j->nnz; k++)
        if (kept[k] && j->large[k] > 0)
            least[j->row[k]] = fmin(least[j->row[k]], j->large[k]);
    return least;
}

/* One equation for the kept entries of each row, and one for each pair of a
 * kept and a cut entry that must not meet: then no equation may have two
 * unknowns of a group. */
static const Incidence *conflicts(const TaktRtSetup *s, const Jacobian *j,
                                  const bool *kept, Arena *local)
{
    EdgeList edges = edges_begin(local), rows = edges_begin(local);
    const double *least = row_floor(j, kept, local);
    for (int k = 0; k < j->nnz; k++)
        if (kept[k]) {
            edges_add(&edges, j->row[k], j->col[k], EDGE_CONSTANT, 0);
            edges_add(&rows, j->row[k], j->col[k], EDGE_CONSTANT, 0);
        }
    const Incidence *inc = edges_end(&rows, j->n, j->n, local);
    int next = j->n;
    for (int k = 0; k < j->nnz; k++) {
        int i = j->row[k];
        if (kept[k] || j->large[k] <= s->threshold * least[i])
            continue;
        for (int q = inc->start[i]; q < inc->start[i + 1]; q++, next++) {
            edges_add(&edges, next, j->col[k], EDGE_CONSTANT, 0);
            edges_add(&edges, next, inc->var[q], EDGE_CONSTANT, 0);
        }
    }
    return edges_end(&edges, next, j->n, local);
}

static int groups_of_pattern(const Jacobian *j, Arena *local)
{
    EdgeList edges = edges_begin(local);
    for (int k = 0; k < j->nnz; k++)
        edges_add(&edges, j->row[k], j->col[k], EDGE_CONSTANT, 0);
    return color_columns(edges_end(&edges, j->n, j->n, local), local)->ncolor;
}

/* Columns and kept entries by colour; columns without one are left out. */
static void fill(const Jacobian *j, const bool *kept, const Coloring *c,
                 Groups *g, Arena *arena)
{
    int *gstart = NEW_ARRAY(arena, int, c->ncolor + 1);
    int *cstart = NEW_ARRAY(arena, int, c->ncolor + 1);
    int *entry = NEW_ARRAY(arena, int, j->nnz + 1);
    int *column = NEW_ARRAY(arena, int, j->n + 1);
    Arena *local = arena_new();
    int *first = NEW_ARRAY(local, int, j->n + 1);
    int *list = NEW_ARRAY(local, int, j->nnz + 1);
    for (int k = 0; k < j->nnz; k++)
        first[j->col[k] + 1] += kept[k];
    for (int i = 0; i < j->n; i++)
        first[i + 1] += first[i];
    int *at = NEW_ARRAY(local, int, j->n);
    for (int k = 0; k < j->nnz; k++)
        if (kept[k])
            list[first[j->col[k]] + at[j->col[k]]++] = k;
    for (int q = 0; q < c->ncolor; q++) {
        int before = g->ncolumn;
        for (int v = c->start[q]; v < c->start[q + 1]; v++) {
            int col = c->var[v];
            if (at[col] == 0)
                continue;
            column[g->ncolumn++] = col;
            for (int i = 0; i < at[col]; i++)
                entry[g->nkept++] = list[first[col] + i];
        }
        if (g->ncolumn == before)
            continue;
        cstart[++g->ngroup] = g->ncolumn;
        gstart[g->ngroup] = g->nkept;
    }
    arena_free(local);
    g->gstart = gstart;
    g->cstart = cstart;
    g->entry = entry;
    g->column = column;
}

TaktRtStatus crhs_group(const TaktRtSetup *s, const Jacobian *j, Groups *g,
                        TaktRtReport *r, Arena *arena)
{
    Arena *local = arena_new();
    bool *kept = NEW_ARRAY(local, bool, j->nnz + 1);
    *g = (Groups){0};
    TaktRtStatus status = read_keep(s, j, kept, r, local);
    if (status == TAKT_RT_FINE) {
        const Incidence *inc = conflicts(s, j, kept, local);
        fill(j, kept, color_columns(inc, local), g, arena);
        g->ngroup_pattern = groups_of_pattern(j, local);
    }
    arena_free(local);
    return status;
}
