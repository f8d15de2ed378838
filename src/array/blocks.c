/* blocks.c - ranks of the blocks of the leading Jacobian. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/blocks.h"

#include <math.h>

enum {
    LARGEST = 600, /* rows of a block that are looked at */
    POINTS = 3,
};

/* Values of the leading Jacobian on the edges of `lead`, at all points. */
typedef struct Leading {
    const Incidence *lead;
    double *value[POINTS]; /* by edge */
} Leading;

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2 * ((double)(*seed >> 8) / 0xffffff) - 1;
}

static void near_start(const Array *a, double t, unsigned seed, double *z)
{
    array_start(a, 0, t, z);
    for (int j = 0; j < 2 * a->n; j++) {
        double scale = a->col[j % a->n].nominal;
        z[j] += (j < a->n ? 0.1 * fmax(fabs(z[j]), 0.1 * scale) : scale) *
                noise(&seed);
    }
}

/* Entry e of the Jacobian is a leading one: its edge, or NONE. */
static int leading_edge(const Array *a, const Incidence *lead, const int *place,
                        const ArrayEntry *e)
{
    if (e->row >= a->neqn)
        return NONE;
    const ArrayColumn *c = &a->col[e->col];
    int j = place[c->var], order = c->order + e->is_der;
    if (order != a->offsets->d[j] - a->offsets->c[e->row])
        return NONE;
    return incidence_find(lead, e->row, j);
}

static Leading evaluate(Array *a, double t, Arena *arena)
{
    Leading l = {signature_leading(a->sigma, a->offsets, arena), {NULL}};
    int *place = NEW_ARRAY(arena, int, a->sys->nvar);
    double *z = NEW_ARRAY(arena, double, 2 * a->n);
    for (int j = 0; j < a->neqn; j++)
        place[a->unknown[j]] = j;
    for (int p = 0; p < POINTS; p++) {
        l.value[p] = NEW_ARRAY(arena, double, l.lead->nedge);
        near_start(a, t, (unsigned)(17 * p + 3), z);
        array_values(a, t, z);
        for (int i = 0; i < a->nentry; i++) {
            int edge = leading_edge(a, l.lead, place, &a->entry[i]);
            if (edge != NONE)
                l.value[p][edge] = array_entry(a, i);
        }
    }
    return l;
}

static Rank rank_of(const Leading *l, const Blt *blt, int b, int *place, int p)
{
    Arena *arena = arena_new();
    int from = blt->start[b], n = blt->start[b + 1] - from;
    double *m = NEW_ARRAY(arena, double, (size_t)n *(size_t)n);
    for (int j = 0; j < n; j++)
        place[blt->var[from + j]] = j;
    for (int i = 0; i < n; i++) {
        int row = blt->eqn[from + i];
        for (int e = l->lead->start[row]; e < l->lead->start[row + 1]; e++) {
            int j = place[l->lead->var[e]];
            if (j != NONE)
                m[(size_t)j * (size_t)n + (size_t)i] = l->value[p][e];
        }
    }
    for (int j = 0; j < n; j++)
        place[blt->var[from + j]] = NONE;
    rank_scale(n, n, m);
    Rank r = rank_find(n, 0, n, m, RANK_DROP);
    arena_free(arena);
    return r;
}

static void add_singular(const Array *a, ArrayBlocks *out, const Blt *blt,
                         int b, Rank r, Arena *arena)
{
    int from = blt->start[b], n = blt->start[b + 1] - from;
    int *var = NEW_ARRAY(arena, int, n);
    for (int j = 0; j < n; j++)
        var[j] = a->unknown[blt->var[from + j]];
    out->singular[out->nsingular++] =
        (ArrayBlock){b, n, blt->eqn + from, var, r};
}

const ArrayBlocks *array_blocks(Array *a, double t, Arena *arena)
{
    if (!a->offsets)
        return NULL;
    Leading l = evaluate(a, t, arena);
    const Blt *blt = blt_order_matched(l.lead, a->offsets->match, arena);
    ArrayBlocks *out = NEW(arena, ArrayBlocks);
    int *place = NEW_ARRAY(arena, int, a->neqn);
    for (int j = 0; j < a->neqn; j++)
        place[j] = NONE;
    out->n = blt->nblock;
    out->blt = blt;
    out->largest = blt_largest(blt);
    out->kept = 1;
    out->singular = NEW_ARRAY(arena, ArrayBlock, blt->nblock);
    for (int b = 0; b < blt->nblock; b++) {
        int n = blt->start[b + 1] - blt->start[b];
        Rank best = {.rank = NONE};
        if (n > LARGEST) {
            out->skipped++;
            continue;
        }
        for (int p = 0; p < POINTS && best.rank < n; p++) {
            Rank r = rank_of(&l, blt, b, place, p);
            best = r.rank > best.rank ? r : best;
        }
        if (best.rank == n)
            out->kept = fmin(out->kept, best.kept);
        else
            add_singular(a, out, blt, b, best, arena);
    }
    return out;
}
