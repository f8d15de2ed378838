/* lag_pencil.c - the blocks of an iteration matrix with their numbers.
 *
 * A step is (L - tau Df) z = L z_n near a point: the derivative by the old
 * values is -L.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "graph/blt.h"
#include "tune/lag.h"
#include "tune/mixed_internal.h"

typedef struct Part {
    const int *eqn, *var; /* rows and columns of the pencil */
    int n;
} Part;

static int by_size(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : x->eqn[0] - y->eqn[0];
}

static void name_part(const PencilSet *p, const Part *part, LagBlock *b,
                      Arena *arena)
{
    b->n = part->n;
    b->eqn = NEW_ARRAY(arena, const char *, part->n + 1);
    b->var = NEW_ARRAY(arena, const char *, part->n + 1);
    bool *allowed = NEW_ARRAY(arena, bool, b->inc->nedge + 1);
    for (int i = 0; i < part->n; i++) {
        b->eqn[i] = p->eqn[part->eqn[i]];
        b->var[i] = p->var[part->var[i]];
        for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++) {
            int row = part->eqn[i], column = part->var[b->inc->var[k]];
            allowed[k] = row != column || row >= p->nx;
        }
    }
    b->allowed = allowed;
}

static void fill(const PencilSet *p, double tau, const Part *part, LagBlock *b,
                 Arena *arena)
{
    size_t ne = (size_t)b->inc->nedge, n = (size_t)part->n;
    double *a = NEW_ARRAY(arena, double, (size_t)p->nsample *ne + 1);
    double *c = NEW_ARRAY(arena, double, (size_t)p->nsample *n *n + 1);
    bool *kept = NEW_ARRAY(arena, bool, p->nsample + 1);
    for (int s = 0; s < p->nsample; s++) {
        const Pencil *q = &p->sample[s];
        kept[s] = q->kept_back;
        for (size_t i = 0; i < n; i++) {
            size_t row = (size_t)part->eqn[i], size = (size_t)p->n;
            for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++) {
                size_t at = row + (size_t)part->var[b->inc->var[k]] * size;
                a[(size_t)s * ne + (size_t)k] = q->l[at] - tau * q->df[at];
            }
            for (size_t j = 0; j < n; j++)
                c[(size_t)s * n * n + i + j * n] =
                    -q->l[row + (size_t)part->var[j] * size];
        }
    }
    b->nsample = p->nsample;
    b->value = a;
    b->old = c;
    b->kept_back = kept;
}

LagBlock **lag_from_pencil(const PencilSet *p, double tau, int *n, Arena *arena)
{
    Arena *work = arena_new();
    const Incidence *inc = mixed_incidence(p, NULL, work);
    const Blt *blt = blt_order(inc, work);
    int nblock = blt ? blt->nblock : 0;
    Part *part = NEW_ARRAY(work, Part, nblock + 1);
    *n = 0;
    for (int b = 0; b < nblock; b++) {
        int at = blt->start[b], size = blt->start[b + 1] - at;
        if (size > 1)
            part[(*n)++] = (Part){blt->eqn + at, blt->var + at, size};
    }
    if (*n > 1)
        qsort(part, (size_t)*n, sizeof *part, by_size);
    LagBlock **list = NEW_ARRAY(arena, LagBlock *, *n + 1);
    IncidenceMap map = incidence_map(inc, work);
    for (int b = 0; b < *n; b++) {
        list[b] = NEW(arena, LagBlock);
        list[b]->inc = incidence_part(inc, part[b].eqn, part[b].n, part[b].var,
                                      part[b].n, map, NULL, arena);
        name_part(p, &part[b], list[b], arena);
        fill(p, tau, &part[b], list[b], arena);
    }
    arena_free(work);
    return list;
}
