/* The rows of status.def: what a step can say. */
#include "support/test.h"

#include "base/status.h"

static void codes_tell_what_was_kept(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_NCAUSE; i++) {
        const StatusRow *r = &status_row[i];
        assert_ptr_equal(status_find(r->code), r); /* no code twice */
        assert_true((r->code < 0) == (r->severity == SEVERITY_FAILED));
        assert_true(r->text[0] && r->word[0]);
    }
    assert_null(status_find(STATUS_FINE));
    assert_null(status_find(1000));
    assert_true(STATUS_NCAUSE <= 31); /* constants of an int of 32 bits */
}

static void no_doubt_stands_before_a_failure(void **state)
{
    (void)state;
    bool failures_over = false;
    for (int i = 0; i < STATUS_NCAUSE; i++) {
        bool fails = status_row[i].severity == SEVERITY_FAILED;
        assert_false(fails && failures_over);
        failures_over |= !fails;
    }
}

static void an_fmu_goes_on_unless_a_step_failed(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_NCAUSE; i++)
        switch (status_row[i].severity) {
        case SEVERITY_FINE:
        case SEVERITY_NOTED: assert_int_equal(status_row[i].fmi, FMI_OK); break;
        case SEVERITY_DOUBTFUL:
            assert_int_equal(status_row[i].fmi, FMI_WARNING);
            break;
        default: assert_true(status_row[i].fmi >= FMI_DISCARD);
        }
}

static void a_count_of_steps_names_cause_place_and_hint(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(
        status_count_text(&status_row[CAUSE_WARNING], 12, "y", a),
        "in 12 steps a block did not converge: y");
    assert_string_equal(status_count_text(&status_row[CAUSE_EVENTS], 1, "", a),
                        "in 1 step events did not come to rest");
    assert_non_null(
        strstr(status_count_text(&status_row[CAUSE_FACTORS], 2, "x", a),
               "trusted: x (its matrix"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_tell_what_was_kept),
        cmocka_unit_test(no_doubt_stands_before_a_failure),
        cmocka_unit_test(an_fmu_goes_on_unless_a_step_failed),
        cmocka_unit_test(a_count_of_steps_names_cause_place_and_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
