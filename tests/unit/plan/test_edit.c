/* Decisions of the command line over those of a file. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "plan/keys.h"

typedef struct Bench {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    PlanEdits edits;
} Bench;

static Bench bench_new(void)
{
    Bench b = {.arena = arena_new()};
    b.sources = sources_new(b.arena);
    b.diag = diag_new(b.sources, b.arena);
    return b;
}

static Plan *read_text(Bench *b, const char *text)
{
    int source = sources_add(b->sources, "my.plan.json", text, strlen(text));
    Plan *p = plan_read(b->sources, source, b->arena, b->diag);
    assert_non_null(p);
    return p;
}

static void says(Bench *b, const char *what)
{
    char said[2000] = "";
    FILE *out = fmemopen(said, sizeof said, "w");
    diag_print(b->diag, out);
    fclose(out);
    if (!strstr(said, what))
        fail_msg("no '%s' in: %s", what, said);
}

static void a_later_edit_wins_over_the_file_and_earlier_ones(void **state)
{
    (void)state;
    Bench b = bench_new();
    Plan *p = read_text(&b, "{\"takt_plan\": 1, \"method\": \"be\","
                            "\"step\": 1, \"newton\": {\"tol\": 1e-3}}");
    assert_true(p->has[PLAN_NEWTON_TOL] && p->newton_tol == 1e-3);
    plan_add_edit(&b.edits, PLAN_METHOD, "lie", b.arena);
    plan_add_edit(&b.edits, PLAN_METHOD, "radau3", b.arena);
    plan_add_edit(&b.edits, PLAN_STEP, "2ms", b.arena);
    plan_add_edit(&b.edits, PLAN_NEWTON, "4", b.arena);
    plan_add_edit(&b.edits, PLAN_ONE_BLOCK, NULL, b.arena);
    plan_add_edit(&b.edits, PLAN_MATH, "takt", b.arena);
    assert_true(plan_apply(p, &b.edits, b.arena, b.diag));
    assert_string_equal(p->method, "radau3");
    assert_true(p->step == 2e-3 && p->newton == 4 && p->one_block);
    assert_int_equal(p->math, PM_TAKT);
    assert_false(p->has[PLAN_NEWTON_TOL]);
    assert_true(p->has[PLAN_NEWTON] && p->has[PLAN_ONE_BLOCK]);
    assert_true(plan_settle(p, PLAN_REALTIME, b.diag));
    arena_free(b.arena);
}

static void a_number_is_kept_to_the_last_bit(void **state)
{
    (void)state;
    Bench b = bench_new();
    double x = 1.0 / 3e7;
    Plan *p = plan_default(b.arena);
    plan_add_number(&b.edits, PLAN_STEP, x, b.arena);
    assert_true(plan_apply(p, &b.edits, b.arena, b.diag));
    assert_true(p->step == x);
    arena_free(b.arena);
}

static void refuses(PlanField key, const char *text, const char *message)
{
    Arena *a = arena_new();
    PlanEdit e = {key, text};
    const char *wrong = plan_edit_wrong(&e, a);
    if (!wrong || !strstr(wrong, message))
        fail_msg("'%s': %s", text, wrong ? wrong : "is taken");
    arena_free(a);
}

static void what_is_out_of_range_is_named_with_its_option(void **state)
{
    (void)state;
    refuses(PLAN_NEWTON, "-1", "--newton takes a whole number from 1");
    refuses(PLAN_NEWTON, "0", "not '0'");
    refuses(PLAN_NEWTON, "2.5", "--newton");
    refuses(PLAN_NEWTON, "1000001", "--newton");
    refuses(PLAN_STEP, "0", "--step takes a positive time");
    refuses(PLAN_STEP, "1 parsec", "--step");
    refuses(PLAN_GROWTH_BOUND, "-3", "--growth-bound takes a positive number");
    refuses(PLAN_GROWTH_BOUND, "inf", "--growth-bound");
    refuses(PLAN_EVENTS_MAX, "0", "--events-max");
    refuses(PLAN_TEARER, "best", "auto, cellier, modified or exact");
    refuses(PLAN_FACTOR, "lu", "unroll, table, qr or dense");
    refuses(PLAN_METHOD, "", "--method");
}

static void edits_of_factors_hold_for_all_blocks(void **state)
{
    (void)state;
    Bench b = bench_new();
    Plan *p = read_text(&b, "{\"takt_plan\": 1, \"factor\": {\"x\": \"qr\"}}");
    plan_add_edit(&b.edits, PLAN_REFINE, NULL, b.arena);
    assert_true(plan_apply(p, &b.edits, b.arena, b.diag));
    assert_int_equal(p->nfactor, 2);
    assert_int_equal(p->factor[0].factor, PF_QR);
    assert_true(p->factor[0].refine && p->factor[1].refine);
    assert_string_equal(p->factor[1].block, "*");
    plan_add_edit(&b.edits, PLAN_FACTOR, "table", b.arena);
    plan_add_edit(&b.edits, PLAN_NO_MONITOR, NULL, b.arena);
    assert_true(plan_apply(p, &b.edits, b.arena, b.diag));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(p->factor[i].factor, PF_LU);
        assert_true(p->factor[i].has_unroll && !p->factor[i].unroll);
        assert_true(p->factor[i].refine && p->factor[i].no_monitor);
    }
    arena_free(b.arena);
}

static void few_decisions_depend_on_the_goal(void **state)
{
    (void)state;
    Bench b = bench_new();
    Plan *desk = plan_default(b.arena), *code = plan_default(b.arena);
    assert_true(plan_settle(desk, PLAN_DESK, b.diag));
    assert_true(plan_settle(code, PLAN_REALTIME, b.diag));
    assert_string_equal(desk->method, "be");
    assert_string_equal(code->method, "lie");
    assert_int_equal(desk->defect, PD_FULL);
    assert_int_equal(code->defect, PD_CHEAP);
    assert_string_equal(desk->tunable, "all");
    assert_string_equal(code->tunable, "auto");
    code->method = desk->method;
    code->defect = desk->defect;
    code->tunable = desk->tunable;
    assert_memory_equal(desk, code, sizeof *desk);
    arena_free(b.arena);
}

static void what_a_goal_cannot_obey_is_refused(void **state)
{
    (void)state;
    Bench b = bench_new();
    Plan *p =
        read_text(&b, "{\"takt_plan\": 1,\n \"newton\": {\"tol\": 1e-6}}");
    assert_true(plan_settle(p, PLAN_DESK, b.diag));
    assert_false(plan_settle(p, PLAN_REALTIME, b.diag));
    says(&b, "my.plan.json:2:13: error: 'newton.tol' is for the desk");
    arena_free(b.arena);
    b = bench_new();
    assert_true(plan_settle(read_text(&b, "{\"takt_plan\": 1, \"damping\": "
                                          "true}"),
                            PLAN_REALTIME, b.diag));
    plan_add_edit(&b.edits, PLAN_FACTOR, "qr", b.arena);
    assert_non_null(plan_edits_wrong(&b.edits, PLAN_DESK, b.arena));
    assert_null(plan_edits_wrong(&b.edits, PLAN_REALTIME, b.arena));
    arena_free(b.arena);
}

static void decisions_that_exclude_each_other_are_refused(void **state)
{
    (void)state;
    static const char *const plan[] = {
        "{\"takt_plan\": 1, \"fixed\": true, \"init\": \"solve\"}",
        "{\"takt_plan\": 1, \"direct\": true, \"states\": [\"x\"]}",
    };
    for (int i = 0; i < 2; i++) {
        Bench b = bench_new();
        assert_false(
            plan_settle(read_text(&b, plan[i]), PLAN_REALTIME, b.diag));
        says(&b, "E1208");
        arena_free(b.arena);
    }
    Bench b = bench_new();
    plan_add_edit(&b.edits, PLAN_NEWTON, "2", b.arena);
    plan_add_edit(&b.edits, PLAN_NEWTON_TOL, "1e-3", b.arena);
    assert_non_null(plan_edits_wrong(&b.edits, PLAN_DESK, b.arena));
    Plan *p = read_text(&b, "{\"takt_plan\": 1, \"fixed\": true}");
    assert_true(plan_settle(p, PLAN_REALTIME, b.diag));
    assert_int_equal(p->init, PI_VALUES);
    arena_free(b.arena);
}

static void edits_of_one_key_are_dropped_others_stay(void **state)
{
    (void)state;
    Bench b = bench_new();
    plan_add_edit(&b.edits, PLAN_METHOD, "lie", b.arena);
    plan_add_edit(&b.edits, PLAN_STEP, "2ms", b.arena);
    plan_add_edit(&b.edits, PLAN_STEP, "3ms", b.arena);
    plan_drop_edits(&b.edits, PLAN_STEP);
    assert_int_equal(b.edits.n, 1);
    assert_false(plan_has_edit(&b.edits, PLAN_STEP));
    assert_string_equal(plan_find_edit(&b.edits, PLAN_METHOD), "lie");
    plan_drop_edits(&b.edits, PLAN_METHOD);
    assert_int_equal(b.edits.n, 0);
    arena_free(b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_of_one_key_are_dropped_others_stay),
        cmocka_unit_test(a_later_edit_wins_over_the_file_and_earlier_ones),
        cmocka_unit_test(a_number_is_kept_to_the_last_bit),
        cmocka_unit_test(what_is_out_of_range_is_named_with_its_option),
        cmocka_unit_test(edits_of_factors_hold_for_all_blocks),
        cmocka_unit_test(few_decisions_depend_on_the_goal),
        cmocka_unit_test(what_a_goal_cannot_obey_is_refused),
        cmocka_unit_test(decisions_that_exclude_each_other_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
