/* test_trial.c - what a trial leaves behind, kept and dropped. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/context.h"

#include "value/emit.h"
#include "eval/eval_internal.h"

static void make_structural(const Context *in, int var)
{
    in->flat->var[var].is_structural = true;
}

static const Lookup lookup = {.make_structural = make_structural};

/* A model with one parameter. */
static Context *model(void **state)
{
    Fixture *f = *state;
    f->in.memo = eval_memo_new(f->arena);
    f->in.lookup = &lookup;
    emit_var(&f->in, flat_plain_var("p", NO_SPAN));
    return &f->in;
}

/* One of everything. */
static void leave_all(const Context *in)
{
    Context initial = *in;
    initial.is_initial = true;
    left_assert(in, (FlatAssert){.condition = in->path, .component = 1});
    left_assert(&initial, (FlatAssert){.condition = in->path});
    left_when(in, (FlatWhen){0});
    left_pre(in, (PreUse){.var = 0});
    left_structural(in, 0);
    left_warning(in, NO_SPAN, DIAG_W0901, "a warning");
}

static int count_all(const Context *in)
{
    return in->flat->nassertion + in->flat->ninitial_assertion +
           in->flat->nwhen + in->memo->pre_use.n +
           in->flat->var[0].is_structural + diag_count(in->diag, DIAG_WARNING);
}

static void a_dropped_trial_leaves_nothing(void **state)
{
    Context *in = model(state);
    Trial t;
    trial_begin(&t, in);
    leave_all(&t.in);
    trial_drop(&t);
    assert_int_equal(count_all(in), 0);
}

static void a_kept_trial_leaves_one_of_everything(void **state)
{
    Context *in = model(state);
    Trial t;
    trial_begin(&t, in);
    leave_all(&t.in);
    assert_int_equal(count_all(in), 0);
    trial_keep(&t);
    assert_int_equal(count_all(in), 6);
    assert_int_equal(in->flat->nassertion, 1);
    assert_int_equal(in->flat->ninitial_assertion, 1);
}

static void a_kept_trial_inside_a_dropped_one_leaves_nothing(void **state)
{
    Context *in = model(state);
    Trial outer, inner;
    trial_begin(&outer, in);
    trial_begin(&inner, &outer.in);
    leave_all(&inner.in);
    trial_keep(&inner);
    trial_drop(&outer);
    assert_int_equal(count_all(in), 0);
}

static void an_inner_failure_does_not_fail_the_outer_trial(void **state)
{
    Context *in = model(state);
    Trial outer, inner;
    trial_begin(&outer, in);
    trial_begin(&inner, &outer.in);
    context_report(&inner.in, NO_SPAN, DIAG_E0402, "wrong");
    assert_true(trial_failed(&inner));
    trial_drop(&inner);
    assert_false(trial_failed(&outer));
    context_report(&outer.in, NO_SPAN, DIAG_U0601, "not known");
    assert_true(trial_failed(&outer));
    trial_drop(&outer);
    assert_false(diag_failed(in->diag));
}

static void a_trial_aloud_is_heard_and_leaves_nothing(void **state)
{
    Context *in = model(state);
    Trial t;
    trial_begin_aloud(&t, in);
    leave_all(&t.in);
    context_report(&t.in, NO_SPAN, DIAG_E0402, "wrong");
    assert_true(trial_failed(&t));
    trial_drop(&t);
    assert_int_equal(count_all(in), 0);
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
}

static void a_parameter_is_structural_inside_the_trial_only(void **state)
{
    Context *in = model(state);
    Trial t;
    trial_begin(&t, in);
    left_structural(&t.in, 0);
    assert_true(is_structural(&t.in, 0));
    assert_false(is_structural(in, 0));
    trial_drop(&t);
    assert_false(is_structural(in, 0));
}

static void a_fact_outlives_the_trial_that_asked_for_it(void **state)
{
    Context *in = model(state);
    Trial t, fact;
    trial_begin(&t, in);
    t.in.path = expr_bool(in->dag, false);
    t.in.in_when = true;
    fact_begin(&fact, &t.in, 3);
    assert_int_equal(fact.in.component, 3);
    assert_int_equal(fact.in.path, in->path);
    assert_false(fact.in.in_when);
    leave_all(&fact.in);
    assert_true(fact_end(&fact));
    trial_drop(&t);
    assert_int_equal(count_all(in), 6);
}

static void what_fails_in_silence_is_not_remembered(void **state)
{
    Context *in = model(state);
    Trial t, fact;
    trial_begin(&t, in);
    fact_begin(&fact, &t.in, 0);
    leave_all(&fact.in);
    context_report(&fact.in, NO_SPAN, DIAG_E0402, "wrong");
    assert_false(fact_end(&fact));
    assert_true(trial_failed(&t));
    trial_drop(&t);
    assert_int_equal(count_all(in), 0);
    fact_begin(&fact, in, 0);
    context_report(&fact.in, NO_SPAN, DIAG_E0402, "wrong");
    assert_true(fact_end(&fact));
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
}

static void a_limit_passed_in_silence_is_reported_at_the_end(void **state)
{
    Context *in = model(state);
    Trial t;
    in->run->work = MOST_WORK;
    trial_begin(&t, in);
    assert_false(eval_step(&t.in, NO_SPAN));
    trial_drop(&t);
    assert_false(eval_step(in, NO_SPAN));
    assert_false(diag_failed(in->diag));
    eval_finish(in);
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_dropped_trial_leaves_nothing),
        CASE(a_kept_trial_leaves_one_of_everything),
        CASE(a_kept_trial_inside_a_dropped_one_leaves_nothing),
        CASE(an_inner_failure_does_not_fail_the_outer_trial),
        CASE(a_trial_aloud_is_heard_and_leaves_nothing),
        CASE(a_parameter_is_structural_inside_the_trial_only),
        CASE(a_fact_outlives_the_trial_that_asked_for_it),
        CASE(what_fails_in_silence_is_not_remembered),
        CASE(a_limit_passed_in_silence_is_reported_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
