/* Two plans side by side. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "plan/compare.h"

static Plan *read_text(const char *text, Arena *a)
{
    Sources *sources = sources_new(a);
    Diag *diag = diag_new(sources, a);
    int source = sources_add(sources, "my.plan.json", text, strlen(text));
    Plan *p = plan_read(sources, source, a, diag);
    assert_non_null(p);
    return p;
}

static int compare(const char *a, const char *b, char *said, size_t size)
{
    Arena *arena = arena_new();
    FILE *out = fmemopen(said, size, "w");
    int n = plan_compare(read_text(a, arena), read_text(b, arena), "a.json",
                         "b.json", out);
    fclose(out);
    arena_free(arena);
    return n;
}

static void assert_says(const char *said, const char *line)
{
    if (!strstr(said, line))
        fail_msg("'%s' is not in:\n%s", line, said);
}

static void every_kind_of_difference_is_printed(void **state)
{
    (void)state;
    char said[4000] = "";
    int n = compare("{\"takt_plan\": 1, \"method\": \"lie\", \"step\": 0.001,"
                    "\"modes\": {\"x\": \"explicit\", \"y\": \"implicit\"},"
                    "\"cuts\": [{\"kind\": \"sparsed\", \"eq\": \"#1\","
                    "\"var\": \"u\"}, {\"kind\": \"step\", \"eq\": \"#2\","
                    "\"var\": \"v\"}], \"evidence\": {\"instructions\": 200,"
                    "\"worst\": {\"radius\": 0.5}}}",
                    "{\"takt_plan\": 1, \"method\": \"be\", \"step\": 0.001,"
                    "\"newton\": 2, \"modes\": {\"z\": \"explicit\"},"
                    "\"cuts\": [{\"kind\": \"sparsed\", \"eq\": \"#1\","
                    "\"var\": \"u\"}, {\"kind\": \"frozen\", \"eq\": \"#3\","
                    "\"var\": \"w\", \"value\": 2.5}], \"scalar\": \"float\","
                    "\"evidence\": {\"instructions\": 100,"
                    "\"worst\": {\"radius\": 0.25}}}",
                    said, sizeof said);
    assert_int_equal(n, 7);
    assert_says(said, "a: a.json\nb: b.json");
    assert_says(said, "method              lie             be");
    assert_says(said, "newton              -               2");
    assert_says(said, "scalar              double          float");
    assert_says(said, "modes\n  x             explicit        implicit");
    assert_says(said, "z             implicit        explicit");
    assert_says(said, "cuts\n  v in #2       step            -");
    assert_says(said, "w in #3       -               frozen 2.5");
    assert_says(said, "instructions  200             100             x 0.5");
    assert_says(said, "worst.radius  0.5             0.25            x 0.5");
    assert_says(said, "7 decisions differ; 2 cuts in a, 2 in b");
    assert_null(strstr(said, "\n  y "));    /* implicit is the default */
    assert_null(strstr(said, "\n  step ")); /* equal in both */
    assert_null(strstr(said, "u in #1"));
}

static void a_default_that_is_written_out_is_no_difference(void **state)
{
    (void)state;
    char said[1000] = "";
    int n = compare("{\"takt_plan\": 1}",
                    "{\"takt_plan\": 1, \"method\": \"be\","
                    "\"growth_bound\": 1000, \"direct\": false}",
                    said, sizeof said);
    assert_int_equal(n, 0);
    assert_says(said, "the plans decide the same");
}

static void evidence_alone_is_no_decision(void **state)
{
    (void)state;
    char said[1000] = "";
    int n = compare("{\"takt_plan\": 1, \"evidence\": {\"list\": [1, 2]}}",
                    "{\"takt_plan\": 1, \"evidence\": {\"list\": [1, 3]}}",
                    said, sizeof said);
    assert_int_equal(n, 0);
    assert_says(said, "list[1]");
    assert_says(said, "x 1.5");
    assert_null(strstr(said, "list[0]"));
}

static void long_lists_are_cut_short_but_counted(void **state)
{
    (void)state;
    static char text[20000], said[20000];
    int at = snprintf(text, sizeof text, "{\"takt_plan\": 1, \"cuts\": [");
    for (int i = 0; i < 100; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"kind\": \"sparsed\", \"eq\": \"#%d\", "
                       "\"var\": \"x\"}",
                       i ? "," : "", i + 1);
    snprintf(text + at, sizeof text - (size_t)at, "]}");
    assert_int_equal(compare(text, "{\"takt_plan\": 1}", said, sizeof said),
                     100);
    assert_says(said, "... and 60 more");
    assert_says(said, "100 cuts in a, 0 in b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_difference_is_printed),
        cmocka_unit_test(a_default_that_is_written_out_is_no_difference),
        cmocka_unit_test(evidence_alone_is_no_decision),
        cmocka_unit_test(long_lists_are_cut_short_but_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
