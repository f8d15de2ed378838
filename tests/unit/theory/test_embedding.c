/* Embeddings against 8.7 and 8.8 of Cellier and Kofman: series of F, orders on
 * all trees, the search and the three formulas of (8.97). */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "theory/embedding.h"

static const Method *find(const char *name, Arena *a)
{
    const Method *m = method_find(name, a);
    assert_non_null(m);
    return m;
}

static EmbeddingTheory theory_of(const char *name, EmbeddingKind kind, Arena *a)
{
    const Method *m = find(name, a);
    const Embedding *e = embedding_find(m, kind, a);
    assert_non_null(e);
    return embedding_theory(m, e->nstep, embedding_weights(m, e, a), a);
}

static void is_fraction(Exact x, long p, long q)
{
    assert_true(x.is_exact);
    assert_int_equal(exact_sign(exact_sub(x, exact_of(p, q))), 0);
}

/* The candidate whose formula is this text. */
static const EmbeddingCandidate *candidate(const Method *m,
                                           const EmbeddingSearch *s,
                                           const char *text, Arena *a)
{
    for (int i = 0; i < s->n; i++)
        if (!strcmp(embedding_text(m, &s->at[i].e, a), text))
            return &s->at[i];
    return NULL;
}

/* (8.97), and their F of (8.99): cubic and quartic terms over 6 and 24. */
static void the_three_of_the_book_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long cubic[2], quartic[2];
    } want[] = {
        {"-25/279 x[-1] + 6/31 x[-2/3] + 250/279 x[0] + 25/31 h x'[1/3] + "
         "65/279 h x'[1]",
         {2224, 279 * 6},
         {12656, 837 * 24}}, /* printed: 877/58 */
        {"-1/36 x[-1] + 16/9 x[0] - 3/4 x[1/3] + 1 h x'[1/3] + 2/9 h x'[1]",
         {73, 9 * 6},
         {859, 54 * 24}},
        {"-2/23 x[-2/3] + 50/23 x[0] - 25/23 x[1/3] + 25/23 h x'[1/3] + 5/23 "
         "h x'[1]",
         {188, 23 * 6},
         {374, 23 * 24}},
    };
    Arena *a = arena_new();
    const Method *m = find("radau3", a);
    const EmbeddingSearch *s = embedding_search(m, a);
    for (int i = 0; i < 3; i++) {
        const EmbeddingCandidate *c = candidate(m, s, want[i].text, a);
        assert_non_null(c);
        const EmbeddingTheory *t = &c->theory;
        assert_true(t->a.yes && t->a.is_proven);
        assert_int_equal(t->order_linear, 2);
        assert_int_equal(t->order, 2);
        is_fraction(t->series[1], 2, 1);
        is_fraction(t->series[2], 2, 1);
        is_fraction(t->series[3], want[i].cubic[0], want[i].cubic[1]);
        is_fraction(t->series[4], want[i].quartic[0], want[i].quartic[1]);
    }
    arena_free(a);
}

/* Choices by counting, verdicts as they come out in exact numbers. */
static void the_search_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int tried, without, far, a, distinct;
    } want[] = {{"radau3", 56, 1, 23, 18, 15},
                {"lobatto4", 792, 596, 140, 44, 41}};
    Arena *a = arena_new();
    for (int i = 0; i < 2; i++) {
        const EmbeddingSearch *s = embedding_search(find(want[i].name, a), a);
        assert_int_equal(s->tried, want[i].tried);
        assert_int_equal(s->without, want[i].without);
        assert_int_equal(s->n, want[i].tried - want[i].without);
        assert_int_equal(s->far, want[i].far);
        assert_int_equal(s->a, want[i].a);
        assert_int_equal(s->a_distinct, want[i].distinct);
        for (int k = 0; k < s->n; k++) /* a verdict against values */
            assert_true(!s->at[k].theory.a.yes ||
                        s->at[k].theory.most <= 1 + 1e-12);
    }
    assert_null(embedding_search(find("sdirk4", a), a));
    assert_null(embedding_search(find("bdf3", a), a));
    arena_free(a);
}

/* (8.106), (8.107): -7/234 (Ah)^4 over two steps. */
static void the_blended_method_of_radau_3(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EmbeddingTheory t = theory_of("radau3", EK_BLENDED, a);
    is_fraction(t.series[1], 2, 1);
    is_fraction(t.series[2], 2, 1);
    is_fraction(t.series[3], 8, 6);
    is_fraction(t.series[4], 149 * 16, 156 * 24);
    is_fraction(exact_sub(t.series[4], exact_of(16, 24)), -7, 234);
    assert_true(t.a.yes && t.a.is_proven);
    assert_int_equal(t.order_linear, 3);
    assert_int_equal(t.order, 3);
    arena_free(a);
}

/* Fitted to x' = lambda x they claim 5 and 4; trees with branches fail. */
static void orders_are_lost_on_other_trees(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EmbeddingTheory t = theory_of("radau5", EK_BLENDED, a);
    assert_int_equal(t.order_linear, 5);
    assert_int_equal(t.order, 4);
    t = theory_of("lobatto4", EK_BLENDED, a);
    assert_int_equal(t.order_linear, 4);
    assert_int_equal(t.order, 3);
    t = theory_of("radau3", EK_BDF3, a);
    assert_int_equal(t.order_linear, 3);
    assert_int_equal(t.order, 3);
    assert_null(embedding_find(find("radau5", a), EK_BDF3, a));
    assert_null(embedding_find(find("sdirk4", a), EK_BLENDED, a));
    arena_free(a);
}

/* x' = cos t: a step of the method and the embedding are quadratures. The
 * estimate of (8.110) falls by h^4 there, and by h^5 on x' = -x. */
static double estimate_at(const Method *m, const Exact *d, double h,
                          bool cosine)
{
    int s = m->nstage;
    double sum = 0;
    if (cosine) {
        for (int i = 0; i < 2 * s; i++)
            sum += exact_double(d[i]) *
                   cos(0.7 + h * (m->c[i % s] + (i < s ? -1 : 0)));
        return h * sum;
    }
    /* x' = -x from 1, both steps: (I + h A) F = -x */
    double a[3][4], x = 1;
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < s; i++) {
            for (int j = 0; j < s; j++)
                a[i][j] = h * m->a[i * s + j] + (i == j);
            a[i][s] = -x;
        }
        for (int k = 0; k < s; k++)
            for (int i = 0; i < s; i++) {
                double f = i == k ? 0 : a[i][k] / a[k][k];
                for (int j = k; j <= s; j++)
                    a[i][j] -= f * a[k][j];
            }
        for (int i = 0; i < s; i++) {
            double slope = a[i][s] / a[i][i];
            sum += exact_double(d[step * s + i]) * slope;
            x += h * m->b[i] * slope;
        }
    }
    return h * sum;
}

static void the_loss_is_seen_on_a_problem(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Method *m = find("lobatto4", a);
    const Embedding *e = embedding_find(m, EK_BLENDED, a);
    const Exact *d = embedding_difference(m, e, a);
    for (int cosine = 0; cosine < 2; cosine++) {
        double slope = log2(fabs(estimate_at(m, d, 0.02, cosine) /
                                 estimate_at(m, d, 0.01, cosine)));
        assert_true(fabs(slope - (cosine ? 4 : 5)) < 0.1);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_of_the_book_are_found),
        cmocka_unit_test(the_search_counts),
        cmocka_unit_test(the_blended_method_of_radau_3),
        cmocka_unit_test(orders_are_lost_on_other_trees),
        cmocka_unit_test(the_loss_is_seen_on_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
