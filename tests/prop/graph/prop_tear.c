/* Tearing: orders that can be followed, the smallest number against all
 * subsets, growth and solutions against LAPACK. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>

#include "graph/blt.h"
#include "graph/tear_price.h"
#include "systems.h"

/* What is known if the unknowns of the set are torn. */
static unsigned complete(const Incidence *inc, unsigned known)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < inc->neqn; i++) {
            int open = 0, edge = NONE;
            for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
                if (!(known >> inc->var[k] & 1)) {
                    open++;
                    edge = k;
                }
            if (open == 1 && inc->cls[edge] == EDGE_CONSTANT &&
                inc->weight[edge] == 0) {
                known |= 1u << inc->var[edge];
                more = true;
            }
        }
    }
    return known;
}

static int fewest_torn(const Incidence *inc)
{
    unsigned all = (1u << inc->nvar) - 1;
    int fewest = inc->nvar;
    for (unsigned set = 0; set <= all; set++) {
        int size = __builtin_popcount(set);
        if (size < fewest && complete(inc, set) == all)
            fewest = size;
    }
    return fewest;
}

static void exact_is_the_smallest_of_all_subsets(void **state)
{
    (void)state;
    Random r = random_start("exact");
    int cases = random_cases(1500, 8000), better = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        int n = 2 + random_below(&r, 9);
        const Incidence *inc =
            random_regular(&r, n, random_between(&r, 0.5, 4), 1, a);
        TearProblem p = {inc, 0, NULL, NULL};
        TearOptions o = tear_defaults();
        o.penalty_cost = 1e3;
        const Tear *t = tear_block(&p, &o, a);
        tear_check(&p, t);
        int fewest = fewest_torn(inc);
        assert_int_equal(t->ntorn, fewest);
        o.methods = 1u << TEAR_EXACT; /* without the help of heuristics */
        assert_int_equal(tear_block(&p, &o, a)->ntorn, fewest);
        assert_int_equal(t->npenalty, 0);
        bool worse = false;
        for (int k = 0; k < t->nalternative; k++) {
            TearAlternative x = t->alternative[k];
            if (x.penalties)
                continue;
            assert_true(x.ntorn >= fewest);
            assert_true(x.method != TEAR_EXACT ||
                        (x.proven && x.ntorn == fewest));
            worse |= x.ntorn > fewest;
        }
        better += worse;
        arena_free(a);
    }
    printf("a heuristic missed the minimum in %d of %d\n", better, cases);
}

/* A block with its numbers, as columns for LAPACK. */
typedef struct Block {
    int n;
    double *a; /* n x n */
    double *b; /* n */
} Block;

static double random_number(Random *r)
{
    double size = pow(10, random_between(r, -1.5, 1.5));
    return random_below(r, 2) ? size : -size;
}

static Block dense(const TearProblem *p, Random *r, Arena *a)
{
    int n = p->inc->neqn;
    Block d = {n, NEW_ARRAY(a, double, n *n), NEW_ARRAY(a, double, n)};
    for (int i = 0; i < n; i++) {
        d.b[i] = random_number(r);
        for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
            d.a[p->inc->var[k] * n + i] = p->value[k];
    }
    return d;
}

/* x by LU with pivoting; returns 1/condition, 0 if singular. */
static double solve_dense(Block d, double *x, Arena *a)
{
    int n = d.n;
    double *lu = NEW_ARRAY(a, double, n *n), rcond = 0;
    int *pivot = NEW_ARRAY(a, int, n);
    memcpy(lu, d.a, (size_t)(n * n) * sizeof *lu);
    memcpy(x, d.b, (size_t)n * sizeof *x);
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, lu, n);
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, lu, n, pivot) != 0)
        return 0;
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, lu, n, norm, &rcond);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, lu, n, pivot, x, n);
    return rcond;
}

/* The residual of equation i at x. */
static double residual(const TearProblem *p, const double *b, int i,
                       const double *x)
{
    double sum = -b[i];
    for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
        sum += p->value[k] * x[p->inc->var[k]];
    return sum;
}

/* Computes the solved unknowns from the torn ones in x. */
static void follow(const TearProblem *p, const Tear *t, const double *b,
                   double *x)
{
    for (int k = 0; k < t->ncausal; k++) {
        int edge = incidence_find(p->inc, t->eqn[k], t->var[k]);
        x[t->var[k]] = 0;
        x[t->var[k]] = -residual(p, b, t->eqn[k], x) / p->value[edge];
    }
}

/* x by tearing: residuals at zero and at unit vectors, a small dense system. */
static void solve_torn(const TearProblem *p, const Tear *t, const double *b,
                       double *x, Arena *a)
{
    int m = t->ntorn;
    double *s = NEW_ARRAY(a, double, m *m), *rhs = NEW_ARRAY(a, double, m);
    double *zero = NEW_ARRAY(a, double, t->n), *unit = zero;
    int *pivot = NEW_ARRAY(a, int, m);
    follow(p, t, b, x);
    for (int k = 0; k < m; k++)
        rhs[k] = -residual(p, b, t->residual[k], x);
    for (int c = 0; c < m; c++) {
        unit = NEW_ARRAY(a, double, t->n);
        unit[t->torn[c]] = 1;
        follow(p, t, zero, unit);
        for (int k = 0; k < m; k++)
            s[c * m + k] = residual(p, zero, t->residual[k], unit);
    }
    if (m > 0)
        assert_int_equal(
            LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, s, m, pivot, rhs, m), 0);
    for (int k = 0; k < m; k++)
        x[t->torn[k]] = rhs[k];
    follow(p, t, b, x);
}

/* Growth by the definition: the largest entry of L⁻¹B, by dense columns. */
static double plain_growth(const TearProblem *p, const Tear *t, Arena *a)
{
    double most = 1; /* a torn unknown is itself */
    double *zero = NEW_ARRAY(a, double, t->n);
    for (int c = 0; c < t->ntorn; c++) {
        double *x = NEW_ARRAY(a, double, t->n);
        x[t->torn[c]] = 1;
        follow(p, t, zero, x);
        for (int j = 0; j < t->n; j++)
            most = fabs(x[j]) > most ? fabs(x[j]) : most;
    }
    return most;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++)
        most = fabs(x[j]) > most ? fabs(x[j]) : most;
    return most;
}

/* A tearing of a lower price, with edges of any kind. */
static const Tear *by_cost(const TearProblem *p, const TearOptions *o,
                           const Tear *t, Random *r, Arena *a)
{
    int n = p->inc->neqn;
    unsigned char *edge = NEW_ARRAY(a, unsigned char, p->inc->nedge + 1);
    int *eqn = NEW_ARRAY(a, int, n + 1);
    bool *needed = NEW_ARRAY(a, bool, n + 1);
    for (int k = 0; k < p->inc->nedge; k++)
        edge[k] = (unsigned char)(PRICE_ONE + random_below(r, 3));
    for (int i = 0; i < n; i++) {
        eqn[i] = (int)random_below(r, 20);
        needed[i] = random_below(r, 2);
    }
    TearPrices prices = {edge,
                         eqn,
                         needed,
                         1 + (int)random_below(r, 3),
                         (int)random_below(r, 20),
                         (int)random_below(r, 3)};
    return tear_cheapest(p, o, &prices, t->torn, t->ntorn, a);
}

/* Returns the error in units of 1e-13 growth condition |x|, or -1. */
static double compare_block(const TearProblem *p, Random *r, Arena *a)
{
    TearOptions o = tear_defaults();
    o.least = random_below(r, 2) ? EDGE_CONSTANT : EDGE_VARYING;
    o.bound = pow(10, random_between(r, 0.5, 4));
    o.work = 100000;
    o.penalty_cost = random_unit(r);
    o.methods = 1u << random_below(r, TEAR_NMETHOD);
    const Tear *t = tear_block(p, &o, a);
    if (random_below(r, 4) == 0)
        t = by_cost(p, &o, t, r, a);
    tear_check(p, t);
    assert_true(t->growth <= o.bound);
    double growth = plain_growth(p, t, a);
    assert_true(fabs(growth - t->growth) <= 1e-9 * growth);

    Block d = dense(p, r, a);
    double *x = NEW_ARRAY(a, double, d.n), *y = NEW_ARRAY(a, double, d.n);
    double rcond = solve_dense(d, x, a);
    if (rcond < 1e-12)
        return -1;
    solve_torn(p, t, d.b, y, a);
    for (int j = 0; j < d.n; j++)
        y[j] -= x[j];
    return largest(y, d.n) * rcond / (1e-13 * growth * largest(x, d.n));
}

/* The blocks of a random system, each with random numbers. */
static void torn_solutions_are_those_of_lapack(void **state)
{
    (void)state;
    Random r = random_start("torn");
    int cases = random_cases(10000, 30000), nblock = 0, nsingular = 0;
    int largest_block = 0;
    double worst = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        int n = random_size(&r, 200);
        const Incidence *inc =
            random_regular(&r, n, random_between(&r, 0.5, 2), 1, a);
        const Blt *blt = blt_order(inc, a);
        IncidenceMap map = incidence_map(inc, a);
        for (int b = 0; b < blt->nblock; b++) {
            int at = blt->start[b], size = blt->start[b + 1] - at;
            const Incidence *part = incidence_part(
                inc, &blt->eqn[at], size, &blt->var[at], size, map, NULL, a);
            double *value = NEW_ARRAY(a, double, part->nedge);
            for (int k = 0; k < part->nedge; k++)
                value[k] = random_number(&r);
            TearProblem p = {part, 1, value, NULL};
            double error = compare_block(&p, &r, a);
            assert_true(error <= 1);
            worst = error > worst ? error : worst;
            nsingular += error < 0;
            nblock += size > 1;
            largest_block = size > largest_block ? size : largest_block;
        }
        arena_free(a);
    }
    printf("%d blocks up to %d, %d too singular, worst error %.3g of the "
           "bound\n",
           nblock, largest_block, nsingular, worst);
}

static void the_same_input_gives_the_same_output(void **state)
{
    (void)state;
    Random r = random_start("same");
    for (int c = 0; c < random_cases(100, 1000); c++) {
        Arena *a = arena_new();
        const Incidence *inc =
            random_regular(&r, 1 + random_below(&r, 60), 2, 1, a);
        TearProblem p = {inc, 0, NULL, NULL};
        TearOptions o = tear_defaults();
        o.work = 1000000;
        const Tear *s = tear_block(&p, &o, a), *t = tear_block(&p, &o, a);
        assert_int_equal(s->ntorn, t->ntorn);
        assert_memory_equal(s->eqn, t->eqn, (size_t)s->ncausal * sizeof(int));
        assert_memory_equal(s->torn, t->torn, (size_t)s->ntorn * sizeof(int));
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_the_smallest_of_all_subsets),
        cmocka_unit_test(torn_solutions_are_those_of_lapack),
        cmocka_unit_test(the_same_input_gives_the_same_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
