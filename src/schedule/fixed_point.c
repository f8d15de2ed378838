/* fixed_point.c - iterations without a matrix: the plan's `iteration`.
 *
 * Every unknown of a block has its own equation (the matching of BLT). With
 * first values for the torn ones the others follow from theirs, and then the
 * torn ones from theirs: new values, to begin again with. Simulators of
 * chemical processes tear their flowsheets for this, and circuit simulators
 * iterate so where they shun the Jacobian (Cellier, Kofman, Continuous System
 * Simulation, 8.11 and 8.13).
 *
 * In terms of a Newton iteration the matrix is the diagonal of the derivatives
 * of each residual by its own unknown, nothing of the chain in it:
 * x := x - r(x) / (dr/dx), which is the solution of the equation for x where it
 * is linear in x. So everything else, tolerances and messages, is that of
 * Newton's.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

typedef struct Order {
    Part *p;
    const Transpose *by_var;
    bool *known;
    int *open; /* by equation: other unknowns that are not known */
    Vec(int) ready;
    int *torn, *causal;
    int ntorn, ncausal;
} Order;

bool fixed_point_is_on(const Maker *m)
{
    return m->system->method && m->d->plan &&
           m->d->plan->iteration == PX_FIXED_POINT;
}

/* Can equation k of the part be solved for its own unknown? */
static bool is_solvable(const Order *x, int k)
{
    int edge = incidence_find(x->p->inc, k, k);
    return edge != NONE && x->p->inc->cls[edge] >= EDGE_CONSTANT;
}

static void learn(Order *x, int var)
{
    const Transpose *t = x->by_var;
    x->known[var] = true;
    for (int k = t->start[var]; k < t->start[var + 1]; k++)
        if (t->eqn[k] != var && --x->open[t->eqn[k]] == 0)
            vec_push(x->p->m->work, &x->ready, t->eqn[k]);
}

static void follow(Order *x)
{
    while (x->ready.n > 0) {
        int k = x->ready.at[--x->ready.n];
        if (x->known[k] || !is_solvable(x, k))
            continue;
        x->causal[x->ncausal++] = k;
        learn(x, k);
    }
}

/* Of what is open, what most equations wait for. */
static int next_torn(const Order *x)
{
    const Transpose *t = x->by_var;
    int best = NONE, most = -1;
    for (int j = 0; j < x->p->n; j++) {
        int count = 0;
        if (x->known[j])
            continue;
        for (int k = t->start[j]; k < t->start[j + 1]; k++)
            count += !x->known[t->eqn[k]];
        if (!is_solvable(x, j))
            return j;
        if (count > most && x->p->prefer[j] != TEAR_NEVER) {
            most = count;
            best = j;
        }
        if (best == NONE)
            best = j;
    }
    return best;
}

/* The equations of a part are matched with its unknowns, place by place. */
const Tear *fixed_point_tear(Part *p)
{
    Arena *a = p->m->work;
    TearProblem problem = part_problem(p, PART_ANY);
    Order x = {.p = p, .by_var = incidence_transpose(p->inc, a)};
    x.known = NEW_ARRAY(a, bool, p->n + 1);
    x.open = NEW_ARRAY(a, int, p->n + 1);
    x.torn = NEW_ARRAY(a, int, p->n + 1);
    x.causal = NEW_ARRAY(a, int, p->n + 1);
    for (int k = 0; k < p->n; k++) {
        bool own = incidence_find(p->inc, k, k) != NONE;
        x.open[k] = p->inc->start[k + 1] - p->inc->start[k] - own;
        if (x.open[k] == 0)
            vec_push(a, &x.ready, k);
    }
    for (follow(&x); x.ntorn + x.ncausal < p->n; follow(&x)) {
        int j = next_torn(&x);
        x.torn[x.ntorn++] = j;
        learn(&x, j);
    }
    Tear *t = NEW(a, Tear);
    TearGrowth g = tear_growth(&problem, x.causal, x.causal, x.ncausal);
    *t = (Tear){.n = p->n,
                .ncausal = x.ncausal,
                .eqn = x.causal,
                .var = x.causal,
                .ntorn = x.ntorn,
                .torn = x.torn,
                .residual = x.torn,
                .growth = g.value,
                .growth_var = g.var};
    return t;
}

/* The derivative of residual k by its own unknown; EXPR_NONE: it has none. */
static Expr own_slope(const Maker *m, const SchedBlock *b, int k)
{
    int edge =
        incidence_find(m->inc, b->residual_eqn[k], m->column[b->torn[k]]);
    return edge == NONE ? EXPR_NONE : m->slope[edge];
}

bool fixed_point_matrix(Maker *m, int block, SchedBlock *b)
{
    int n = b->ntorn;
    int *start = NEW_ARRAY(m->arena, int, n + 2);
    int *row = NEW_ARRAY(m->arena, int, n + 1);
    Expr *value = NEW_ARRAY(m->arena, Expr, n + 1);
    unsigned char *variance = NEW_ARRAY(m->arena, unsigned char, n + 1);
    b->kind = SK_NONLINEAR;
    b->has_no_matrix = true;
    b->bends = NEW_ARRAY(m->arena, bool, n + 1);
    for (int k = 0; k < n; k++) {
        start[k + 1] = k + 1;
        row[k] = k;
        value[k] = own_slope(m, b, k);
        b->bends[k] = true;
        if (value[k] == EXPR_NONE) {
            m->failed = true;
            diag_report(m->diag, m->system->eqn[b->residual_eqn[k]].span,
                        DIAG_E1206,
                        "iteration by fixed points: '%s' cannot be found from "
                        "its equation alone",
                        m->d->var[b->torn[k]].name);
            return false;
        }
        variance[k] = (unsigned char)variance_of(m->signs, value[k], block);
    }
    b->jac = (SchedJacobian){n, n, start, row, value, variance};
    return true;
}
