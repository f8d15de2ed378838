/* Numbers as C. */
#include <math.h>
#include <stdlib.h>

#include "emit/emit_internal.h"
#include "support/test.h"

static Emit begin(bool is_float)
{
    static EmitOptions o;
    o = (EmitOptions){.is_float = is_float};
    Arena *arena = arena_new();
    return (Emit){.o = &o, .arena = arena, .local = arena};
}

static void numbers_are_short_and_come_back(void **unused)
{
    (void)unused;
    Emit e = begin(false);
    assert_string_equal(emit_number(&e, 1), "1.0");
    assert_string_equal(emit_number(&e, 0.1), "0.1");
    assert_string_equal(emit_number(&e, 1e-25), "1e-25");
    const double hard[] = {1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0};
    for (int i = 0; i < 4; i++)
        assert_true(strtod(emit_number(&e, hard[i]), NULL) == hard[i]);
    arena_free(e.arena);
}

static void floats_have_a_suffix(void **unused)
{
    (void)unused;
    Emit e = begin(true);
    assert_string_equal(emit_number(&e, 0.1), "0.1f");
    assert_string_equal(emit_number(&e, 3), "3.0f");
    arena_free(e.arena);
}

static void what_is_no_number_is_given_by_its_bits(void **unused)
{
    (void)unused;
    Emit e = begin(false);
    assert_non_null(strstr(emit_number(&e, INFINITY), "7ff0000000000000"));
    arena_free(e.arena);
}

static void the_files_of_the_runtime_are_there(void **unused)
{
    (void)unused;
    const char *const name[] = {"takt_rt_base.h", "takt_rt_math.h",
                                "takt_rt_mathf.h", "takt_rt_start.h"};
    for (int i = 0; i < 4; i++) {
        assert_non_null(emit_runtime(name[i]));
        assert_non_null(strstr(emit_runtime(name[i]), "#endif"));
    }
    assert_null(emit_runtime("no.h"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_and_come_back),
        cmocka_unit_test(floats_have_a_suffix),
        cmocka_unit_test(what_is_no_number_is_given_by_its_bits),
        cmocka_unit_test(the_files_of_the_runtime_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
