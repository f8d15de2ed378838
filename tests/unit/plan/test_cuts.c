/* The kinds of cut: each row of cuts.def is read, written and asked for. */
#include "support/test.h"

#include <stdlib.h>

#include "plan/keys.h"

static Plan *with_cut(const char *word, Arena *a)
{
    const char *text =
        arena_printf(a,
                     "{\"takt_plan\": 1, \"cuts\": [{\"kind\": \"%s\", "
                     "\"eq\": \"#1\", \"var\": \"x\"}]}",
                     word);
    Sources *sources = sources_new(a);
    Diag *diag = diag_new(sources, a);
    int source = sources_add(sources, "p.json", text, strlen(text));
    return plan_read(sources, source, a, diag);
}

static void every_kind_of_cut_is_read_and_written(void **state)
{
    (void)state;
    for (int k = 0; k < CUT_NKIND; k++) {
        char text[500] = "";
        Arena *a = arena_new();
        Plan *p = with_cut(plan_cut_rule[k].word, a);
        assert_non_null(p);
        assert_int_equal(p->cut[0].kind, k);
        FILE *out = fmemopen(text, sizeof text, "w");
        plan_write(p, false, out);
        fclose(out);
        assert_non_null(strstr(text, plan_cut_rule[k].word));
        arena_free(a);
    }
}

static void a_plan_knows_where_it_cuts_and_what_it_iterates(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool matrix, equation, iterates;
    } want[] = {
        {"sparsed", true, false, false},
        {"frozen", true, false, false},
        {"iterate", true, false, true},
        {"step", false, true, false},
    };
    for (int i = 0; i < 4; i++) {
        Arena *a = arena_new();
        Plan *p = with_cut(want[i].word, a);
        assert_non_null(p);
        assert_int_equal(plan_cuts(p, CUT_IN_MATRIX), want[i].matrix);
        assert_int_equal(plan_cuts(p, CUT_IN_EQUATION), want[i].equation);
        assert_int_equal(plan_iterates(p), want[i].iterates);
        arena_free(a);
    }
}

static void the_guide_has_the_table_of_the_kinds(void **state)
{
    (void)state;
    const char *source = getenv("TAKT_SOURCE");
    Arena *a = arena_new();
    Sources *sources = sources_new(a);
    int number = sources_read(sources, arena_printf(a, "%s/docs/guide/plan.md",
                                                    source ? source : "."));
    assert_int_not_equal(number, NONE);
    char *table = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&table, &n);
    plan_print_cuts(out);
    fclose(out);
    if (!strstr(sources_get(sources, number)->text, table))
        fail_msg("docs/guide/plan.md has another table of cuts than:\n%s",
                 table);
    free(table);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_cut_is_read_and_written),
        cmocka_unit_test(the_guide_has_the_table_of_the_kinds),
        cmocka_unit_test(a_plan_knows_where_it_cuts_and_what_it_iterates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
