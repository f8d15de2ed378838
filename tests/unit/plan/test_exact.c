/* Numbers (p + q sqrt(d)) / r: reading, arithmetic, signs, texts. */
#include "support/test.h"

#include <math.h>

#include "plan/exact.h"

static Exact of(const char *text)
{
    Exact x = {0};
    const char *end = text;
    assert_true(exact_read(text, &end, &x));
    assert_int_equal(*end, '\0');
    return x;
}

static void is_text(Exact x, const char *want)
{
    Arena *a = arena_new();
    assert_string_equal(exact_text(x, a), want);
    arena_free(a);
}

static void texts_read_as_what_they_say(void **state)
{
    (void)state;
    is_text(of("5/12"), "5/12");
    is_text(of("-0.125"), "-1/8");
    is_text(of("(88-7*sqrt6)/360"), "(88 - 7 sqrt6)/360");
    is_text(of("-(2+sqrt12)/4"), "(-1 - sqrt3)/2");
    is_text(of("sqrt9"), "3");
    assert_false(of("0.43586652150845900").is_exact);
    assert_false(of("1e-3").is_exact);
    assert_true(exact_double(of("1e-3")) == 1e-3);
    assert_true(exact_double(of("0.386")) == 0.386);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      "x",          "1/0",    "(1+2",
                                      "sqrt",  "1*2",        "(1-)/2", "/3",
                                      "1e999", "sqrt9999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *end = "";
        Exact x;
        assert_false(exact_read(bad[i], &end, &x) && *end == '\0');
    }
}

static void the_field_is_closed(void **state)
{
    (void)state;
    Exact x = of("(2-3*sqrt6)/225"), y = of("(16+sqrt6)/36");
    is_text(exact_sub(exact_add(x, y), y), "(2 - 3 sqrt6)/225");
    is_text(exact_div(exact_mul(x, y), y), "(2 - 3 sqrt6)/225");
    is_text(exact_mul(of("sqrt6"), of("sqrt6")), "6");
    assert_false(exact_add(of("sqrt2"), of("sqrt3")).is_exact);
    assert_true(fabsl(exact_add(of("sqrt2"), of("sqrt3")).x -
                      3.14626436994197234L) < 1e-17L);
}

/* 665857/470832 is near sqrt 2 by 1.6e-12, from above. */
static void signs_are_exact(void **state)
{
    (void)state;
    assert_int_equal(exact_sign(exact_sub(of("665857/470832"), of("sqrt2"))),
                     1);
    assert_int_equal(exact_sign(exact_sub(of("sqrt2"), of("665857/470832"))),
                     -1);
    assert_int_equal(exact_sign(exact_sub(of("1/3"), of("1/3"))), 0);
}

static void what_overflows_is_no_longer_called_exact(void **state)
{
    (void)state;
    Exact x = of("9999999967/9999999929");
    for (int i = 0; i < 8; i++)
        x = exact_mul(x, x);
    assert_false(x.is_exact);
    long double want = powl(9999999967.0L / 9999999929.0L, 256);
    assert_true(fabsl(x.x - want) < 1e-14L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_read_as_what_they_say),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(the_field_is_closed),
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(what_overflows_is_no_longer_called_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
