/* Ranges of a plan: read, written, edited, and refused. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

typedef struct Bench {
    Arena *arena;
    Sources *sources;
    Diag *diag;
} Bench;

static Bench bench(void)
{
    Bench b = {.arena = arena_new()};
    b.sources = sources_new(b.arena);
    b.diag = diag_new(b.sources, b.arena);
    return b;
}

static Plan *read(Bench *b, const char *text)
{
    int source = sources_add(b->sources, "plan.json", text, strlen(text));
    return plan_read(b->sources, source, b->arena, b->diag);
}

static char *written(const Plan *p)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    plan_write(p, false, out);
    fclose(out);
    return text;
}

static void ranges_are_read_and_written_back(void **state)
{
    (void)state;
    Bench b = bench();
    const Plan *p = read(&b, "{\"takt_plan\": 1, \"domain\": {\"stop\": 4, "
                             "\"range\": {\"F\": [0, 1], \"x y\": [-2, -2]}}}");
    assert_non_null(p);
    assert_int_equal(p->domain.nrange, 2);
    assert_true(p->domain.stop == 4 && !p->domain.no_check);
    assert_true(plan_find_range(p, "x y")->high == -2);
    assert_null(plan_find_range(p, "x"));
    char *first = written(p);
    const Plan *again = read(&b, first);
    assert_non_null(again);
    char *second = written(again);
    assert_string_equal(first, second);
    free(first);
    free(second);
    arena_free(b.arena);
}

static void the_check_can_be_left_out(void **state)
{
    (void)state;
    Bench b = bench();
    Plan *p = read(&b, "{\"takt_plan\": 1, \"domain\": {\"check\": false, "
                       "\"range\": {\"F\": [0, 1]}}}");
    assert_non_null(p);
    assert_true(p->domain.no_check && isnan(p->domain.stop));
    char *text = written(p);
    assert_non_null(strstr(text, "\"check\": false"));
    free(text);
    p = read(&b,
             "{\"takt_plan\": 1, \"domain\": {\"range\": {\"F\": [0, 1]}}}");
    PlanEdits edits = {0};
    plan_add_edit(&edits, PLAN_NO_DOMAIN, NULL, b.arena);
    assert_true(plan_apply(p, &edits, b.arena, b.diag));
    assert_true(p->domain.no_check);
    arena_free(b.arena);
}

static void what_is_no_range_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{\"takt_plan\": 1, \"domain\": {\"range\": {\"F\": [1, 0]}}}",
        "{\"takt_plan\": 1, \"domain\": {\"range\": {\"F\": [1]}}}",
        "{\"takt_plan\": 1, \"domain\": {\"range\": {\"F\": 1}}}",
        "{\"takt_plan\": 1, \"domain\": {\"ranges\": {}}}",
        "{\"takt_plan\": 1, \"domain\": [1, 2]}",
    };
    for (int i = 0; i < 5; i++) {
        Bench b = bench();
        assert_null(read(&b, wrong[i]));
        arena_free(b.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_read_and_written_back),
        cmocka_unit_test(the_check_can_be_left_out),
        cmocka_unit_test(what_is_no_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
