/* search_moves.c - sets of entries that may be worth dropping together.
 *
 *   split   in each diagonal block the lightest entries are taken away until it
 *           falls apart; those of them that tie the parts are the move
 *   line    all entries of a row, a column or both but the diagonal: a state
 *           that becomes explicit, or is not needed for the others
 *   single  one entry
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "graph/blt.h"
#include "tune/search_internal.h"
#include "tune/tune_internal.h"

enum { SMALL_BLOCK = 2 };

/* The worst quotient of (5.1) that the criterion foretells when the entries go
 * too, each cluster by the mean of its eigenvalues. */
static double predicted(const Search *s, const int *place, int n)
{
    double worst = 0;
    for (int i = 0; i < s->nrated; i++) {
        const Rated *r = &s->rated[i];
        const Criterion *c = r->criterion;
        for (int k = 0; k < c->ncluster; k++) {
            double sum = r->sum[k];
            for (int l = 0; l < n; l++)
                sum += c->sum[place[l] + (size_t)k * (size_t)c->nnz];
            worst = fmax(worst, fabs(sum) / r->room[k]);
        }
    }
    return worst;
}

void search_add_move(Moves *m, const int *place, int n, const Search *s,
                     Arena *arena)
{
    if (n == 0)
        return;
    if (m->n == m->room) {
        size_t old = (size_t)m->room * sizeof *m->move;
        m->room = m->room ? 2 * m->room : 64;
        m->move =
            arena_grow(arena, m->move, old, (size_t)m->room * sizeof *m->move);
    }
    int *copy = NEW_ARRAY(arena, int, n);
    memcpy(copy, place, (size_t)n * sizeof *copy);
    m->move[m->n++] = (Move){n, copy, predicted(s, place, n)};
}

void search_single_moves(const Search *s, Moves *m, Arena *arena)
{
    for (int e = 0; e < s->p->nnz; e++)
        if (search_can_drop(s, e))
            search_add_move(m, &e, 1, s, arena);
}

/* Rows, columns and crosses of one variable, without the diagonal. */
void search_line_moves(const Search *s, Moves *m, Arena *arena)
{
    const PencilSet *p = s->p;
    int *place = NEW_ARRAY(arena, int, p->nnz + 1);
    for (int v = 0; v < p->nx; v++)
        for (int kind = 1; kind <= 3; kind++) {
            int n = 0;
            for (int j = 0; j < p->n; j++)
                for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                    bool in_row = p->row[e] == v, in_col = j == v;
                    if (in_row != in_col && search_can_drop(s, e) &&
                        ((kind & 1 && in_row) || (kind & 2 && in_col)))
                        place[n++] = e;
                }
            if (n > 1)
                search_add_move(m, place, n, s, arena);
        }
}

/* The diagonal block of each row and column of the pattern without the entries
 * of the block `only` lighter than `limit`. False if it is singular. */
static bool find_blocks(const Search *s, const int *only_of, int only,
                        double limit, int *block_of_row, int *block_of_col,
                        int *largest)
{
    const PencilSet *p = s->p;
    Arena *local = arena_new();
    EdgeList edges = edges_begin(local);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            bool is_cut = only != NONE && only_of[i] == only &&
                          search_can_drop(s, e) && s->weight[e] < limit;
            if ((s->keep[e] && !is_cut) || s->has_mass[e])
                edges_add(&edges, i, j, EDGE_CONSTANT, 0);
        }
    const Blt *blt = blt_order(edges_end(&edges, p->n, p->n, local), local);
    if (blt) {
        *largest = blt_largest(blt);
        for (int b = 0; b < blt->nblock; b++)
            for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
                block_of_row[blt->eqn[k]] = b;
                block_of_col[blt->var[k]] = b;
            }
    }
    arena_free(local);
    return blt != NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of block b, were its entries below `limit` gone, fall into how many
 * blocks? 0 if the matrix is singular then. */
static int parts_of(const Search *s, const int *of_row, int b, double limit,
                    int *row, int *col)
{
    int largest, parts = 0;
    if (!find_blocks(s, of_row, b, limit, row, col, &largest))
        return 0;
    Arena *local = arena_new();
    bool *seen = NEW_ARRAY(local, bool, s->p->n + 1);
    for (int i = 0; i < s->p->n; i++)
        if (of_row[i] == b && !seen[row[i]]) {
            seen[row[i]] = true;
            parts++;
        }
    arena_free(local);
    return parts;
}

/* Takes the lightest entries out of block b until it falls apart. */
static void split_block(const Search *s, const int *of_row, const int *of_col,
                        int b, Moves *m, Arena *arena)
{
    const PencilSet *p = s->p;
    double *limit = NEW_ARRAY(arena, double, p->nnz + 1);
    int *place = NEW_ARRAY(arena, int, p->nnz + 1);
    int *row = NEW_ARRAY(arena, int, p->n + 1);
    int *col = NEW_ARRAY(arena, int, p->n + 1);
    int count = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            if (of_row[p->row[e]] == b && of_col[j] == b &&
                search_can_drop(s, e))
                limit[count++] = s->weight[e];
    qsort(limit, (size_t)count, sizeof *limit, ascending);
    int low = 0, high = count; /* without high of them it is apart */
    while (low < high) {
        int mid = low + (high - low) / 2;
        int parts =
            parts_of(s, of_row, b, nextafter(limit[mid], INFINITY), row, col);
        if (parts != 1)
            high = mid;
        else
            low = mid + 1;
    }
    if (high == count ||
        parts_of(s, of_row, b, nextafter(limit[high], INFINITY), row, col) < 2)
        return;
    int n = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            if (of_row[p->row[e]] == b && of_col[j] == b &&
                search_can_drop(s, e) && s->weight[e] <= limit[high] &&
                row[p->row[e]] != col[j])
                place[n++] = e;
    search_add_move(m, place, n, s, arena);
}

void search_split_moves(const Search *s, Moves *m, Arena *arena)
{
    int n = s->p->n, largest;
    int *row = NEW_ARRAY(arena, int, n + 1);
    int *col = NEW_ARRAY(arena, int, n + 1);
    int *size = NEW_ARRAY(arena, int, n + 1);
    if (!find_blocks(s, NULL, NONE, 0, row, col, &largest))
        return;
    for (int i = 0; i < n; i++)
        size[row[i]]++;
    for (int b = 0; b < n; b++)
        if (size[b] >= SMALL_BLOCK)
            split_block(s, row, col, b, m, arena);
}
