/* prices.c - what tear_price.h has to know of a part. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "graph/tear_price.h"
#include "schedule/schedule_internal.h"

/* Instructions of an iteration variable besides its row and column: guess,
 * residual, correction, is it finite, kept for the next step, watched pivot;
 * and of a watched entry of L (lower/factor.h). */
enum { TORN = 16, WATCH = 2 };

static PriceKind kind_of(const Part *p, int edge)
{
    const Maker *m = p->m;
    Expr slope = m->slope[p->edge[edge]];
    double x;
    if (slope == EXPR_NONE)
        return PRICE_VARYING;
    if (expr_is_const(m->dag, slope, &x))
        return x == 0 ? PRICE_NONE : fabs(x) == 1 ? PRICE_ONE : PRICE_CONSTANT;
    return variance_of(m->signs, slope, p->block) <= SV_PARAMETER
               ? PRICE_CONSTANT
               : PRICE_VARYING;
}

static TearPrices prices_of(const Part *p)
{
    Maker *m = p->m;
    unsigned char *edge = NEW_ARRAY(m->work, unsigned char, p->inc->nedge + 1);
    int *eqn = NEW_ARRAY(m->work, int, p->n + 1);
    bool *needed = NEW_ARRAY(m->work, bool, p->n + 1);
    for (int k = 0; k < p->inc->nedge; k++)
        edge[k] = (unsigned char)kind_of(p, k);
    for (int i = 0; i < p->n; i++) {
        Expr r = m->residual[p->eqn[i]];
        eqn[i] = r == EXPR_NONE ? 1 : (int)cost_of_exprs(m, p->block, &r, 1);
    }
    for (int j = 0; j < p->n; j++)
        needed[j] = cost_is_needed(m, m->system->unknown[p->var[j]]);
    return (TearPrices){edge, eqn, needed, cost_iterations(m), TORN, WATCH};
}

const Tear *prices_tear(Part *p, const int *torn, int ntorn)
{
    TearProblem problem = part_problem(p, PART_STEEP);
    TearOptions o = part_options(p);
    TearPrices prices = prices_of(p);
    if (!torn) {
        o.methods = 1u << TEAR_CELLIER; /* good enough to begin with */
        const Tear *few = tear_block(&problem, &o, p->m->work);
        torn = few->torn;
        ntorn = few->ntorn;
    }
    return tear_cheapest(&problem, &o, &prices, torn, ntorn, p->m->work);
}
