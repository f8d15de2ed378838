/* The signature method against all assignments, and against Pantelides. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/pantelides.h"
#include "systems.h"

/* The largest sum over all transversals from equation i on, or -1000. */
static int best_value(const Incidence *s, int i, unsigned taken)
{
    int best = -1000;
    if (i == s->neqn)
        return 0;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
        if (taken >> s->var[k] & 1)
            continue;
        int v = s->weight[k] + best_value(s, i + 1, taken | 1u << s->var[k]);
        best = v > best ? v : best;
    }
    return best;
}

/* Pryce's fixed-point iteration for the smallest offsets. */
static void iterate_offsets(const Incidence *s, const Match *m, int *c, int *d)
{
    memset(c, 0, (size_t)s->neqn * sizeof *c);
    for (bool changed = true; changed;) {
        changed = false;
        memset(d, 0, (size_t)s->nvar * sizeof *d);
        for (int i = 0; i < s->neqn; i++)
            for (int k = s->start[i]; k < s->start[i + 1]; k++)
                if (s->weight[k] + c[i] > d[s->var[k]])
                    d[s->var[k]] = s->weight[k] + c[i];
        for (int i = 0; i < s->neqn; i++) {
            int k = incidence_find(s, i, m->var_of[i]);
            int want = d[m->var_of[i]] - s->weight[k];
            changed |= want != c[i];
            c[i] = want;
        }
    }
}

static void offsets_belong_to_the_best_assignment(void **state)
{
    (void)state;
    Random r = random_start("offsets");
    int cases = random_cases(5000, 50000);
    for (int n_case = 0; n_case < cases; n_case++) {
        Arena *a = arena_new();
        int n = 1 + random_below(&r, 7);
        const Incidence *s =
            random_regular(&r, n, random_between(&r, 0, 3), 3, a);
        const Offsets *o = signature_offsets(s, a);
        assert_non_null(o);
        offsets_check(s, o);
        assert_int_equal(o->value, best_value(s, 0, 0));
        int c[7], d[7];
        iterate_offsets(s, o->match, c, d);
        assert_memory_equal(o->c, c, (size_t)n * sizeof *c);
        assert_memory_equal(o->d, d, (size_t)n * sizeof *d);
        arena_free(a);
    }
}

static void pantelides_gives_the_same_offsets(void **state)
{
    (void)state;
    Random r = random_start("pantelides");
    int cases = random_cases(5000, 50000), differentiated = 0;
    for (int n_case = 0; n_case < cases; n_case++) {
        Arena *a = arena_new();
        int n = random_size(&r, 200);
        const Incidence *s =
            random_regular(&r, n, random_between(&r, 0, 2), 2, a);
        const Offsets *o = signature_offsets(s, a);
        const Pantelides *p = pantelides_run(s, 100000, a);
        assert_int_equal(p->status, PANTELIDES_DONE);
        offsets_check(s, p->offsets);
        assert_int_equal(o->index, p->offsets->index);
        assert_memory_equal(o->c, p->offsets->c, (size_t)n * sizeof *o->c);
        assert_memory_equal(o->d, p->offsets->d, (size_t)n * sizeof *o->d);
        differentiated += p->nstep > 0;
        arena_free(a);
    }
    printf("%d of %d systems need differentiation\n", differentiated, cases);
    assert_true(differentiated > cases / 10);
}

static void singular_systems_are_refused_by_both(void **state)
{
    (void)state;
    Random r = random_start("singular");
    int cases = random_cases(5000, 50000);
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        int n = 1 + random_below(&r, 12);
        const Incidence *s =
            random_any(&r, n, n, random_between(&r, 0.05, 0.4), a);
        bool regular = plain_matching(s, NONE, NONE) == n;
        const Pantelides *p = pantelides_run(s, 20, a);
        assert_int_equal(regular, signature_offsets(s, a) != NULL);
        assert_int_equal(regular, p->status == PANTELIDES_DONE);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_belong_to_the_best_assignment),
        cmocka_unit_test(pantelides_gives_the_same_offsets),
        cmocka_unit_test(singular_systems_are_refused_by_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
