/* test_worse.c - when the outcome of a search is no use beside the rule that it
 * began with. The comparison is private to its file, which is part of this one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "../../../src/tuning/sparsed.c"

enum { LIMIT = 5 };

/* Whether a search with this outcome is worse than a rule with that one. */
static bool worse(TrialRun search, bool search_safe, TrialRun rule,
                  bool rule_safe)
{
    TuneOptions o = {.deviation = LIMIT};
    Tuner t = {.o = &o};
    TuneCandidate k = {.trial = &search, .is_safe = search_safe};
    TuneCandidate r = {.trial = &rule, .is_safe = rule_safe};
    return is_worse(&t, &k, &r);
}

static TrialRun trial(bool ran, double percent, long instructions)
{
    return (TrialRun){
        .ran = ran, .deviation.percent = percent, .instructions = instructions};
}

static void nothing_is_worse_than_a_rule_of_no_use(void **state)
{
    (void)state;
    TrialRun bad = trial(true, 99, 1000);
    assert_false(worse(bad, false, trial(false, 1, 10), true));
    assert_false(worse(bad, false, trial(true, 1, 10), false));
}

static void a_search_that_fails_is_worse(void **state)
{
    (void)state;
    TrialRun rule = trial(true, 1, 100);
    assert_true(worse(trial(false, 1, 10), true, rule, true));
    assert_true(worse(trial(true, 1, 10), false, rule, true));
    assert_false(worse(trial(true, 1, 10), true, rule, true));
}

static void a_search_that_strays_is_worse_unless_the_rule_does(void **state)
{
    (void)state;
    TrialRun near = trial(true, LIMIT, 100), far = trial(true, LIMIT + 1, 100);
    assert_true(worse(far, true, near, true));
    assert_false(worse(far, true, far, true));
    assert_false(worse(near, true, far, true));
    assert_false(worse(near, true, near, true));
}

static void a_search_that_costs_more_is_worse(void **state)
{
    (void)state;
    TrialRun rule = trial(true, 1, 100);
    assert_true(worse(trial(true, 1, 101), true, rule, true));
    assert_false(worse(trial(true, 1, 100), true, rule, true));
    assert_false(worse(trial(true, 1, 99), true, rule, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_worse_than_a_rule_of_no_use),
        cmocka_unit_test(a_search_that_fails_is_worse),
        cmocka_unit_test(a_search_that_strays_is_worse_unless_the_rule_does),
        cmocka_unit_test(a_search_that_costs_more_is_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
