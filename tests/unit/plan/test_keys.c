/* The table of decisions: complete, and the one of the guide. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "plan/keys.h"

static const char begin[] = "<!-- keys: printed by takt -->\n";
static const char end[] = "<!-- end of keys -->\n";

/* The table that the program prints stands in the guide. With TAKT_BLESS set
 * the page is written. */
static void the_guide_has_the_table_of_the_program(void **state)
{
    (void)state;
    const char *source = getenv("TAKT_SOURCE");
    Arena *a = arena_new();
    const char *path =
        arena_printf(a, "%s/docs/guide/plan.md", source ? source : ".");
    Sources *sources = sources_new(a);
    int number = sources_read(sources, path);
    assert_int_not_equal(number, NONE);
    const char *page = sources_get(sources, number)->text;
    char *table = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&table, &n);
    plan_print_keys(out);
    fclose(out);
    const char *from = strstr(page, begin), *to = strstr(page, end);
    assert_true(from && to);
    from += strlen(begin);
    bool same = (size_t)(to - from) == n && memcmp(from, table, n) == 0;
    if (!same && getenv("TAKT_BLESS")) {
        FILE *f = fopen(path, "w");
        fprintf(f, "%.*s%s%s", (int)(from - page), page, table, to);
        fclose(f);
    } else if (!same) {
        fail_msg("docs/guide/plan.md has another table than keys.def; "
                 "TAKT_BLESS=1 writes it. This is printed:\n%s",
                 table);
    }
    free(table);
    arena_free(a);
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        assert_non_null(k->help);
        assert_true(k->key || (k->option && k->edit));
        assert_true((k->kind == KEY_OWN) == (k->part != NULL));
        assert_true(k->kind != KEY_WORD || plan_count_words(k) > 1);
        assert_true(!k->option == !k->verbs);
        assert_true(k->metavar ? k->option != NULL : true);
        if (k->key)
            assert_int_equal(plan_find_key(k->key, k->sub), f);
        if (k->option)
            assert_int_equal(plan_find_option(k->option), f);
        if (k->excludes)
            assert_int_equal(plan_keys[k->excludes - 1].excludes - 1, f);
    }
}

/* Two rows may not share their place. */
static void every_row_has_a_member_of_its_own(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (!k->key || k->kind == KEY_OWN || k->kind == KEY_TEXT)
            continue;
        Plan *p = plan_default(a);
        assert_true(plan_get_number(p, k) == k->standard);
        plan_set_number(p, k, k->kind == KEY_WORD ? 1 : k->standard + 1);
        for (int g = 0; g < PLAN_NFIELD; g++)
            if (g != f && plan_keys[g].key && plan_keys[g].kind != KEY_OWN &&
                plan_keys[g].kind != KEY_TEXT)
                assert_true(plan_get_number(p, &plan_keys[g]) ==
                            plan_keys[g].standard);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guide_has_the_table_of_the_program),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(every_row_has_a_member_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
