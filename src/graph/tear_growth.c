/* tear_growth.c - the largest entry of L⁻¹B.
 *
 * One column a torn unknown, by forward substitution along the causal order.
 * Where that would be too much (many columns in a large block), the row sums
 * of |L|⁻¹|B| bound it, at the cost of a single column.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "graph/tear.h"

enum { WORK_UP_TO = 50000000 };

typedef struct Order {
    const TearProblem *p;
    const int *eqn, *var;
    int ncausal;
    int *pivot; /* size ncausal: edge solved for */
    double *w;  /* size n: a column of W, or row sums */
} Order;

/* Forward substitution; with `sums`, of absolute values. The torn entries of
 * w are given. Takes the largest into `g`. */
static void substitute(Order *o, int sample, bool sums, int torn, TearGrowth *g)
{
    const Incidence *inc = o->p->inc;
    const double *a = &o->p->value[(size_t)sample * (size_t)inc->nedge];
    for (int k = 0; k < o->ncausal; k++) {
        double sum = 0;
        for (int q = inc->start[o->eqn[k]]; q < inc->start[o->eqn[k] + 1];
             q++) {
            if (q == o->pivot[k])
                continue;
            double term = a[q] * o->w[inc->var[q]];
            sum += sums ? fabs(term) : -term;
        }
        double pivot = a[o->pivot[k]];
        double w = pivot == 0 ? INFINITY : sum / (sums ? fabs(pivot) : pivot);
        o->w[o->var[k]] = w;
        if (!(fabs(w) <= g->value)) {
            *g = (TearGrowth){fabs(w), sums, o->var[k], torn, sample};
            if (!isfinite(w)) {
                g->value = INFINITY;
                return;
            }
        }
    }
}

static void by_columns(Order *o, const int *torn, int ntorn, TearGrowth *g)
{
    for (int s = 0; s < o->p->nsample; s++)
        for (int c = 0; c < ntorn && g->value < INFINITY; c++) {
            for (int d = 0; d < ntorn; d++)
                o->w[torn[d]] = d == c;
            substitute(o, s, false, torn[c], g);
        }
}

static void by_sums(Order *o, const int *torn, int ntorn, TearGrowth *g)
{
    g->is_bound = true;
    for (int c = 0; c < ntorn; c++)
        o->w[torn[c]] = 1;
    for (int s = 0; s < o->p->nsample && g->value < INFINITY; s++)
        substitute(o, s, true, NONE, g);
}

TearGrowth tear_growth(const TearProblem *p, const int *eqn, const int *var,
                       int ncausal)
{
    TearGrowth g = {NAN, false, NONE, NONE, 0};
    if (p->nsample == 0)
        return g;
    Arena *local = arena_new();
    const Incidence *inc = p->inc;
    Order o = {p,
               eqn,
               var,
               ncausal,
               NEW_ARRAY(local, int, ncausal),
               NEW_ARRAY(local, double, inc->nvar)};
    bool *solved = NEW_ARRAY(local, bool, inc->nvar);
    int *torn = NEW_ARRAY(local, int, inc->nvar);
    int ntorn = 0;
    for (int k = 0; k < ncausal; k++) {
        o.pivot[k] = incidence_find(inc, eqn[k], var[k]);
        solved[var[k]] = true;
    }
    for (int j = 0; j < inc->nvar; j++)
        if (!solved[j])
            torn[ntorn++] = j;
    g.value = ntorn > 0 ? 1 : 0; /* a torn unknown is itself */
    if ((double)ntorn * inc->nedge * p->nsample <= WORK_UP_TO)
        by_columns(&o, torn, ntorn, &g);
    else
        by_sums(&o, torn, ntorn, &g);
    arena_free(local);
    return g;
}
