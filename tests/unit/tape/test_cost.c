/* Operations are counted, loops multiplied out. */
#include "tape/cost.h"
#include "support/test.h"

static void operations_are_counted_by_kind(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    Tape *t = tape_new(arena);
    int x = tape_slot(t, TR_CARRY, "x", 0), y = tape_slot(t, TR_CARRY, "y", 0);
    tape_begin(t, "step");
    int a = tape_emit(t, EX_ADD, NONE, x, y, NONE);
    int b = tape_emit(t, EX_MUL, NONE, a, x, NONE);
    int c = tape_emit(t, EX_DIV, NONE, b, a, NONE);
    int d = tape_emit(t, EX_SIN, NONE, c, NONE, NONE);
    tape_emit(t, EX_IF, x, d, y, x);
    tape_end(t);
    bool *member = NEW_ARRAY(arena, bool, t->nslot);
    member[x] = member[y] = true;
    const Cost *k = &cost_of(t, &t->segment.at[0], member, arena)->total;
    assert_int_equal(k->add, 1);
    assert_int_equal(k->mul, 1);
    assert_int_equal(k->div, 1);
    assert_int_equal(k->call, 1);
    assert_int_equal(k->select, 1);
    assert_int_equal(k->load, 5);
    assert_int_equal(k->store, 1);
    assert_true(k->code_bytes > 0 && k->stack_bytes > 0);
    arena_free(arena);
}

static void loops_are_multiplied_out_but_not_in_the_code(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    Tape *t = tape_new(arena);
    int x = tape_slot(t, TR_CARRY, "x", 0);
    tape_begin(t, "step");
    tape_emit(t, TAPE_REPEAT, 0, 3, 3, NONE);
    tape_emit(t, EX_ADD, x, x, x, NONE);
    tape_emit(t, TAPE_REPEAT, 0, 5, 1, NONE);
    tape_emit(t, EX_MUL, x, x, x, NONE);
    tape_end(t);
    bool *member = NEW_ARRAY(arena, bool, t->nslot);
    const CostTable *k = cost_of(t, &t->segment.at[0], member, arena);
    assert_int_equal(k->total.add, 3);
    assert_int_equal(k->total.mul, 15);
    assert_int_equal(k->code.mul, 1);
    arena_free(arena);
}

static void an_iterated_block_has_a_row_of_its_own(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    Tape *t = tape_new(arena);
    int x = tape_slot(t, TR_CARRY, "x", 0);
    int f = tape_slot(t, TR_TEMP, NULL, 0), d = tape_slot(t, TR_TEMP, NULL, 0);
    TapeBlock b = {.name = "x",
                   .n = 1,
                   .x = &x,
                   .residual = &f,
                   .delta = &d,
                   .iterations = 4,
                   .neval = 1,
                   .nsolve = 1};
    vec_push(arena, &t->block, b);
    tape_begin(t, "step");
    tape_emit(t, TAPE_BLOCK, 0, 0, NONE, NONE);
    tape_emit(t, EX_MUL, f, x, x, NONE);
    tape_emit(t, EX_DIV, d, f, x, NONE);
    tape_end(t);
    bool *member = NEW_ARRAY(arena, bool, t->nslot);
    const CostTable *k = cost_of(t, &t->segment.at[0], member, arena);
    assert_int_equal(k->nblock, 2);
    assert_int_equal(k->block[1].cost.mul, 4);
    assert_int_equal(k->block[1].cost.div, 4);
    assert_int_equal(k->block[1].cost.add, 4); /* x := x - delta */
    assert_int_equal(k->block[0].cost.mul, 0);
    arena_free(arena);
}

static void what_watches_over_a_step_is_counted_apart(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    Tape *t = tape_new(arena);
    int x = tape_slot(t, TR_CARRY, "x", 0);
    int f = tape_slot(t, TR_TEMP, NULL, 0), d = tape_slot(t, TR_TEMP, NULL, 0);
    TapeBlock b = {.name = "x",
                   .n = 1,
                   .x = &x,
                   .residual = &f,
                   .delta = &d,
                   .iterations = 2,
                   .neval = 1,
                   .nsolve = 2};
    vec_push(arena, &t->block, b);
    tape_begin(t, "step");
    tape_emit(t, TAPE_BLOCK, 0, 0, NONE, NONE);
    tape_emit(t, EX_MUL, f, x, x, NONE);
    tape_emit(t, EX_DIV, d, f, x, NONE);
    tape_from(t, (TapeOrigin){TO_DAMPING, NONE, NONE, NONE, NO_SPAN});
    tape_emit(t, EX_MUL, d, d, x, NONE);
    tape_from(t, (TapeOrigin){TO_DEFECT, NONE, NONE, NONE, NO_SPAN});
    tape_emit(t, EX_SIN, NONE, x, NONE, NONE);
    tape_end(t);
    bool *member = NEW_ARRAY(arena, bool, t->nslot);
    const CostTable *k = cost_of(t, &t->segment.at[0], member, arena);
    assert_int_equal(k->block[1].cost.mul, 2);
    assert_int_equal(k->watch[TO_DAMPING].mul, 2);
    assert_int_equal(k->watch[TO_DEFECT].call, 1);
    assert_int_equal(k->total.mul, 4);
    assert_int_equal(k->total.call, 1);
    for (int i = 0; i < TO_NROLE; i++) /* steps themselves have no row */
        assert_true(cost_watch_name((TapeRole)i) ||
                    k->watch[i].instructions == 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_counted_by_kind),
        cmocka_unit_test(loops_are_multiplied_out_but_not_in_the_code),
        cmocka_unit_test(an_iterated_block_has_a_row_of_its_own),
        cmocka_unit_test(what_watches_over_a_step_is_counted_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
