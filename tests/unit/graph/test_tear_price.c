/* Prices of tearings, counted by hand, and searches that lower them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "graph/tear_price.h"
#include "graphs.h"

enum { MOST = 16, MOST_EDGES = 64 };

/* What each edge is: of all the same kind but where a test says otherwise. */
typedef struct Drawn {
    TearProblem p;
    TearPrices prices;
    unsigned char edge[MOST_EDGES];
    int eqn[MOST];
    bool needed[MOST];
} Drawn;

static void draw_block(Drawn *d, const char *const *line, int n, PriceKind kind,
                       Arena *a)
{
    *d = (Drawn){.p = {draw(line, n, a), 0, NULL, NULL}};
    for (int k = 0; k < MOST_EDGES; k++)
        d->edge[k] = (unsigned char)kind;
    for (int i = 0; i < MOST; i++)
        d->eqn[i] = 5;
    d->prices = (TearPrices){d->edge, d->eqn, d->needed, 1, 10, 2};
}

static const Tear *by_hand(const Drawn *d, const int *torn, int n, Arena *a)
{
    TearOptions o = tear_defaults();
    const Tear *t = tear_given(&d->p, &o, torn, n, a);
    tear_check(&d->p, t);
    return t;
}

static const char *const pair[] = {"oo", "oo"};

static void constants_fold_and_products_with_one_are_free(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Drawn d;
    const int torn[] = {1};
    draw_block(&d, pair, 2, PRICE_CONSTANT, a);
    /* nothing varies: the unknown itself, a product with a constant inverse */
    double constant = tear_price(&d.p, &d.prices, by_hand(&d, torn, 1, a));
    assert_true(fabs(constant - (10 + 1.6)) < 1e-12);
    /* x0 := -x1, residual a x0 + b x1: a sum, an inverse, a product */
    draw_block(&d, pair, 2, PRICE_VARYING, a);
    d.edge[0] = d.edge[1] = PRICE_ONE;
    double varying = tear_price(&d.p, &d.prices, by_hand(&d, torn, 1, a));
    assert_true(fabs(varying - (10 + 3 * 1.6)) < 1e-12);
    arena_free(a);
}

static void iterations_count_and_what_is_needed_afterwards(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Drawn d;
    const int torn[] = {1};
    draw_block(&d, pair, 2, PRICE_CONSTANT, a);
    const Tear *t = by_hand(&d, torn, 1, a);
    double once = tear_price(&d.p, &d.prices, t);
    d.prices.iterations = 3;
    assert_true(fabs(tear_price(&d.p, &d.prices, t) - 3 * once) < 1e-12);
    d.needed[0] = true; /* x0 is evaluated once more */
    assert_true(fabs(tear_price(&d.p, &d.prices, t) - 3 * once - 5) < 1e-12);
    d.needed[1] = true; /* x1 is there already */
    assert_true(fabs(tear_price(&d.p, &d.prices, t) - 3 * once - 5) < 1e-12);
    arena_free(a);
}

/* A motion: q = q0 + h u, u = u0 + h a, a = f(q, u). Unknowns q u a. */
static const char *const motion[] = {"oo.", ".oo", "xxo"};

static void one_column_is_cheaper_than_two(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Drawn d;
    const int states[] = {0, 1};
    draw_block(&d, motion, 3, PRICE_VARYING, a);
    d.edge[0] = d.edge[2] = PRICE_ONE;      /* of q in 0, of u in 1 */
    d.edge[1] = d.edge[3] = PRICE_CONSTANT; /* h */
    TearOptions o = tear_defaults();
    double first = tear_price(&d.p, &d.prices, by_hand(&d, states, 2, a));
    const Tear *t = tear_cheapest(&d.p, &o, &d.prices, states, 2, a);
    tear_check(&d.p, t);
    assert_int_equal(t->ntorn, 1);
    assert_true(tear_price(&d.p, &d.prices, t) < first);
    arena_free(a);
}

static void the_bound_on_growth_is_obeyed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = heat(0.01, 1, a);
    int n = p.inc->neqn;
    unsigned char *edge = NEW_ARRAY(a, unsigned char, p.inc->nedge + 1);
    int *eqn = NEW_ARRAY(a, int, n + 1), *torn = NEW_ARRAY(a, int, n + 1);
    bool *needed = NEW_ARRAY(a, bool, n + 1);
    for (int k = 0; k < p.inc->nedge; k++)
        edge[k] = PRICE_VARYING;
    for (int i = 0; i < n; i++) {
        eqn[i] = 4;
        torn[i] = i;
    }
    TearPrices prices = {edge, eqn, needed, 1, 10, 2};
    TearOptions o = tear_defaults();
    const Tear *all = tear_given(&p, &o, torn, n, a);
    for (double bound = 1e3; bound > 2; bound /= 10) {
        o.bound = bound;
        const Tear *t = tear_cheapest(&p, &o, &prices, torn, n, a);
        tear_check(&p, t);
        assert_true(t->growth <= bound);
        assert_true(tear_price(&p, &prices, t) < tear_price(&p, &prices, all));
    }
    arena_free(a);
}

static void wishes_are_obeyed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Drawn d;
    const int none[] = {0};
    const signed char prefer[] = {TEAR_MUST, TEAR_NEVER, 0};
    draw_block(&d, motion, 3, PRICE_VARYING, a);
    d.p.prefer = prefer;
    TearOptions o = tear_defaults();
    const Tear *t = tear_cheapest(&d.p, &o, &d.prices, none, 1, a);
    tear_check(&d.p, t);
    assert_int_equal(t->torn[0], 0);
    assert_int_equal(t->nforbidden, 0);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_fold_and_products_with_one_are_free),
        cmocka_unit_test(iterations_count_and_what_is_needed_afterwards),
        cmocka_unit_test(one_column_is_cheaper_than_two),
        cmocka_unit_test(the_bound_on_growth_is_obeyed),
        cmocka_unit_test(wishes_are_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
