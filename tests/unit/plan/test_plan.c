/* Plans: read, written, refused. */
#include "support/test.h"

#include <math.h>

#include "plan/plan.h"

static Plan *read_text(const char *text, char *said, size_t size, Arena *a)
{
    Sources *sources = sources_new(a);
    Diag *diag = diag_new(sources, a);
    int source = sources_add(sources, "my.plan.json", text, strlen(text));
    Plan *p = plan_read(sources, source, a, diag);
    FILE *out = fmemopen(said, size, "w");
    diag_print(diag, out);
    fclose(out);
    return p;
}

static const char full[] =
    "{\n"
    "  \"takt_plan\": 1,\n"
    "  \"model\": \"A.B\",\n"
    "  \"method\": \"lie\",\n"
    "  \"step\": 0.001,\n"
    "  \"newton\": 2,\n"
    "  \"order_buildup\": true,\n"
    "  \"direct\": true,\n"
    "  \"algebraic\": \"keep-small\",\n"
    "  \"one_block\": true,\n"
    "  \"tearer\": \"cellier\",\n"
    "  \"growth_bound\": 500,\n"
    "  \"tearing\": {\n    \"x\": [\"y\", \"z\\\"\"]},\n"
    "  \"states\": [\"x\"],\n"
    "  \"modes\": {\"x\": \"explicit\", \"y\": \"implicit\"},\n"
    "  \"cuts\": [\n"
    "    {\"kind\": \"frozen\", \"eq\": \"C1#2\", \"var\": \"x\", "
    "\"value\": 2.5},\n"
    "    {\"kind\": \"step\", \"eq\": \"#1\", \"var\": \"y\"}],\n"
    "  \"force\": [[\"#1\", \"x\"]],\n"
    "  \"damping\": true,\n"
    "  \"scalar\": \"float\",\n"
    "  \"math\": \"takt\",\n"
    "  \"factor\": {\"x\": {\"kind\": \"qr\", \"unroll\": true}},\n"
    "  \"init\": \"values\",\n"
    "  \"fixed\": true,\n"
    "  \"events\": {\"max\": 5},\n"
    "  \"samples\": {\"count\":20}\n"
    "}\n";

static void a_full_plan_is_read(void **state)
{
    (void)state;
    char said[1000] = "";
    Arena *a = arena_new();
    Plan *p = read_text(full, said, sizeof said, a);
    assert_non_null(p);
    assert_string_equal(said, "");
    assert_string_equal(p->method, "lie");
    assert_true(p->step == 0.001 && p->newton == 2 && p->direct);
    assert_int_equal(p->algebraic, PA_KEEP_SMALL);
    assert_int_equal(plan_mode(p, "x"), MODE_EXPLICIT);
    assert_int_equal(plan_mode(p, "other"), MODE_IMPLICIT);
    assert_int_equal(p->ncut, 2);
    assert_true(p->cut[0].value == 2.5 && isnan(p->cut[1].value));
    assert_string_equal(p->tearing[0].var[1], "z\"");
    assert_int_equal(p->factor[0].factor, PF_QR);
    assert_int_equal(p->events_max, 5);
    arena_free(a);
}

static void writing_gives_the_text_back(void **state)
{
    (void)state;
    char said[1000] = "", text[4000] = "";
    Arena *a = arena_new();
    Plan *p = read_text(full, said, sizeof said, a);
    FILE *out = fmemopen(text, sizeof text, "w");
    plan_write(p, false, out);
    fclose(out);
    assert_string_equal(text, full);
    arena_free(a);
}

static void a_default_plan_can_be_written_whole_and_read(void **state)
{
    (void)state;
    char said[1000] = "", text[4000] = "";
    Arena *a = arena_new();
    FILE *out = fmemopen(text, sizeof text, "w");
    plan_write(plan_default(a), true, out);
    fclose(out);
    Plan *p = read_text(text, said, sizeof said, a);
    assert_non_null(p);
    assert_true(p->growth_bound == 1000 && p->tearer == PT_AUTO);
    arena_free(a);
}

static void refuses(const char *text, const char *message)
{
    char said[2000] = "";
    Arena *a = arena_new();
    assert_null(read_text(text, said, sizeof said, a));
    if (!strstr(said, message))
        fail_msg("no '%s' in: %s", message, said);
    arena_free(a);
}

static void mistakes_are_shown_at_their_place(void **state)
{
    (void)state;
    refuses("{\"takt_plan\": 1,\n  \"metod\": \"be\"}", "my.plan.json:2:3");
    refuses("{\"takt_plan\": 1,\n  \"metod\": \"be\"}", "method");
    refuses("{\"takt_plan\": 1, \"step\": -1}", "positive number");
    refuses("{\"takt_plan\": 1, \"newton\": 0}", "at least 1");
    refuses("{\"takt_plan\": 1, \"newton\": {\"tol\": 1, \"x\": 2}}",
            "no key 'x'");
    refuses("{\"takt_plan\": 1, \"newton\": {}}", "not empty");
    refuses("{\"takt_plan\": 1, \"newton\": {\"tol\": 0}}", "positive");
    refuses("{\"takt_plan\": 1, \"events\": 3}", "object");
    refuses("{\"takt_plan\": 1, \"damping\": {\"factor\": 1}}", "true");
    refuses("{\"takt_plan\": 1, \"pivots\": {}}", "no key 'pivots'");
    refuses("{\"takt_plan\": 1, \"cuts\": [{\"kind\": \"step\", "
            "\"eq\": \"#1\", \"var\": \"x\", \"value\": 1}]}",
            "without 'value'");
    refuses("{\"takt_plan\": 2}", "version 1");
    refuses("{}", "takt_plan");
    refuses("[]", "object");
    refuses("{\"takt_plan\": 1,}", "not valid JSON");
    refuses("{\"takt_plan\": 1} x", "not valid JSON");
    refuses("", "not valid JSON");
    refuses("{\"takt_plan\": 1, \"algebraic\": \"kep\"}", "keep-small");
    refuses("{\"takt_plan\": 1, \"cuts\": [{\"kind\": \"step\"}]}", "'eq'");
    refuses("{\"takt_plan\": 1, \"cuts\": [{\"k\": {\"a\": 1}}]}",
            "no key 'k'");
    refuses("{\"takt_plan\": 1, \"force\": [[\"a\"]]}", "a pair");
    refuses("{\"takt_plan\": 1, \"modes\": {\"x\": 1}}", "implicit");
    refuses("{\"takt_plan\": 1, \"step\": 1, \"step\": 2}", "only once");
    refuses("{\"takt_plan\": 1, \"modes\": {\"x\": \"explicit\", "
            "\"x\": \"implicit\"}}",
            "'x' must be given only once");
    refuses("{\"takt_plan\": 1, \"domain\": {\"range\": {\"u\": [0, 1], "
            "\"u\": [0, 9]}}}",
            "'u' must be given only once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_plan_is_read),
        cmocka_unit_test(writing_gives_the_text_back),
        cmocka_unit_test(a_default_plan_can_be_written_whole_and_read),
        cmocka_unit_test(mistakes_are_shown_at_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
