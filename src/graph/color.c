/* color.c - greedy colouring of columns at distance two.
 *
 * An unknown gets the smallest colour that none of its equations has already.
 * Short equations are asked by looking at their unknowns; a long one (which
 * would cost the square of its length) keeps a set of its colours as bits, and
 * 64 colours are asked at once. So a dense equation of 90,000 unknowns costs
 * some 1e8 steps, not 1e10.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/color.h"

#include <assert.h>
#include <stdint.h>

enum { LONG_ROW = 256 };

typedef struct Greedy {
    const Incidence *inc;
    const Transpose *t;
    int *color;
    uint64_t *taken; /* colours that a neighbour has */
    uint64_t **row;  /* size neqn: bits of a long row, else NULL */
    int words;       /* of these sets */
    int ncolor;
} Greedy;

static Greedy begin(const Incidence *inc, const Transpose *t, Arena *local)
{
    Greedy g = {.inc = inc, .t = t};
    g.color = NEW_ARRAY(local, int, inc->nvar);
    g.row = NEW_ARRAY(local, uint64_t *, inc->neqn);
    g.words = inc->nvar / 64 + 1;
    g.taken = NEW_ARRAY(local, uint64_t, g.words);
    for (int i = 0; i < inc->neqn; i++)
        if (inc->start[i + 1] - inc->start[i] > LONG_ROW)
            g.row[i] = NEW_ARRAY(local, uint64_t, g.words);
    for (int j = 0; j < inc->nvar; j++)
        g.color[j] = NONE;
    return g;
}

/* Marks the colours of the other unknowns of equation i. */
static void mark(Greedy *g, int i, int used)
{
    if (g->row[i]) {
        for (int w = 0; w < used; w++)
            g->taken[w] |= g->row[i][w];
        return;
    }
    for (int k = g->inc->start[i]; k < g->inc->start[i + 1]; k++) {
        int c = g->color[g->inc->var[k]];
        if (c != NONE)
            g->taken[c / 64] |= (uint64_t)1 << c % 64;
    }
}

static int first_free(const Greedy *g, int used)
{
    for (int w = 0; w < used; w++)
        if (~g->taken[w])
            for (int b = 0; b < 64; b++)
                if (!(g->taken[w] >> b & 1))
                    return 64 * w + b;
    return 64 * used;
}

static void color_one(Greedy *g, int var)
{
    int used = g->ncolor / 64 + 1; /* words that can have a bit */
    memset(g->taken, 0, (size_t)used * sizeof *g->taken);
    for (int q = g->t->start[var]; q < g->t->start[var + 1]; q++)
        mark(g, g->t->eqn[q], used);
    int c = g->color[var] = first_free(g, used);
    if (c >= g->ncolor)
        g->ncolor = c + 1;
    for (int q = g->t->start[var]; q < g->t->start[var + 1]; q++)
        if (g->row[g->t->eqn[q]])
            g->row[g->t->eqn[q]][c / 64] |= (uint64_t)1 << c % 64;
}

/* Unknowns by the number of others they meet, most first; counting sort. */
static int *largest_first(const Incidence *inc, const Transpose *t,
                          Arena *local)
{
    long *meets = NEW_ARRAY(local, long, inc->nvar);
    int *order = NEW_ARRAY(local, int, inc->nvar);
    int most = inc->nvar; /* more does not count */
    int *start = NEW_ARRAY(local, int, most + 2);
    for (int j = 0; j < inc->nvar; j++) {
        for (int q = t->start[j]; q < t->start[j + 1]; q++)
            meets[j] += inc->start[t->eqn[q] + 1] - inc->start[t->eqn[q]];
        meets[j] = meets[j] < most ? most - meets[j] : 0;
        start[meets[j] + 1]++;
    }
    for (int m = 0; m <= most; m++)
        start[m + 1] += start[m];
    for (int j = 0; j < inc->nvar; j++)
        order[start[meets[j]]++] = j;
    return order;
}

/* The unknowns by colour. */
static void fill_groups(Coloring *c, int nvar, Arena *out)
{
    /* While the places are filled, start[g+1] is the next place of g. */
    int *start = NEW_ARRAY(out, int, c->ncolor + 2);
    int *var = NEW_ARRAY(out, int, nvar);
    for (int j = 0; j < nvar; j++)
        start[c->color[j] + 2]++;
    for (int g = 0; g <= c->ncolor; g++)
        start[g + 1] += start[g];
    for (int j = 0; j < nvar; j++)
        var[start[c->color[j] + 1]++] = j;
    c->start = start;
    c->var = var;
}

const Coloring *color_columns(const Incidence *inc, Arena *out)
{
    Arena *local = arena_new();
    const Transpose *t = incidence_transpose(inc, local);
    Greedy source = begin(inc, t, local), large = begin(inc, t, local);
    const int *order = largest_first(inc, t, local);
    for (int j = 0; j < inc->nvar; j++) {
        color_one(&source, j);
        color_one(&large, order[j]);
    }
    const Greedy *best = large.ncolor < source.ncolor ? &large : &source;

    Coloring *c = NEW(out, Coloring);
    int *color = NEW_ARRAY(out, int, inc->nvar);
    for (int j = 0; j < inc->nvar; j++)
        color[j] = best->color[j];
    for (int i = 0; i < inc->neqn; i++)
        if (inc->start[i + 1] - inc->start[i] > c->least)
            c->least = inc->start[i + 1] - inc->start[i];
    c->ncolor = best->ncolor;
    c->color = color;
    fill_groups(c, inc->nvar, out);
    arena_free(local);
    return c;
}

void color_check(const Incidence *inc, const Coloring *c)
{
    Arena *local = arena_new();
    int *seen = NEW_ARRAY(local, int, c->ncolor + 1);
    for (int i = 0; i < inc->neqn; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            assert(seen[c->color[inc->var[k]]] != i + 1);
            seen[c->color[inc->var[k]]] = i + 1;
        }
    assert(c->start[c->ncolor] == inc->nvar && c->ncolor >= c->least);
    arena_free(local);
}
