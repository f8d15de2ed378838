/* What is computed twice, and where it must be computed again. */
#include "tape/share.h"
#include "support/test.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int x, y, z, c;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.x = tape_slot(f.t, TR_CARRY, "x", 0);
    f.y = tape_slot(f.t, TR_VALUE, "y", 0);
    f.z = tape_slot(f.t, TR_VALUE, "z", 0);
    f.c = tape_slot(f.t, TR_CARRY, "c", 0);
    tape_begin(f.t, "step");
    return f;
}

static int temp(Fixture *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

static void share(Fixture *f)
{
    tape_end(f->t);
    tape_share(f->t, &f->t->segment.at[0]);
}

static const TapeInstr *instr(const Fixture *f, int k)
{
    return &f->t->code.at[f->t->segment.at[0].first + k];
}

static void the_second_is_a_copy_of_the_first(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int sum = temp(&f, EX_ADD, f.x, f.y), other = temp(&f, EX_ADD, f.y, f.x);
    int first = temp(&f, EX_SIN, sum, NONE);
    temp(&f, EX_SIN, other, NONE);
    temp(&f, EX_SUB, f.x, f.y);
    temp(&f, EX_SUB, f.y, f.x); /* another one */
    share(&f);
    assert_int_equal(instr(&f, 1)->op, TAPE_COPY);
    assert_int_equal(instr(&f, 1)->a, sum);
    assert_int_equal(instr(&f, 3)->op, TAPE_COPY);
    assert_int_equal(instr(&f, 3)->a, first);
    assert_int_equal(instr(&f, 5)->op, EX_SUB);
    arena_free(f.arena);
}

static void a_written_operand_is_another_value(void **unused)
{
    (void)unused;
    Fixture f = begin();
    temp(&f, EX_MUL, f.x, f.y);
    tape_emit(f.t, EX_ADD, f.x, f.x, f.y, NONE);
    temp(&f, EX_MUL, f.x, f.y);
    share(&f);
    assert_int_equal(instr(&f, 2)->op, EX_MUL);
    arena_free(f.arena);
}

static void a_lost_result_is_computed_again(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_MUL, f.z, f.x, f.y, NONE);
    tape_emit(f.t, EX_SIN, f.z, f.x, NONE, NONE);
    temp(&f, EX_MUL, f.x, f.y);
    share(&f);
    assert_int_equal(instr(&f, 2)->op, EX_MUL);
    arena_free(f.arena);
}

/* z := x y; three times: z := if c then x y else z, y := z + c, c := z > y */
static void a_loop_leaves_what_it_writes_again(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_MUL, f.z, f.x, f.x, NONE);
    tape_emit(f.t, TAPE_REPEAT, 0, 3, 4, NONE);
    int again = temp(&f, EX_MUL, f.x, f.x);
    tape_emit(f.t, EX_IF, f.z, f.c, again, f.z);
    tape_emit(f.t, EX_ADD, f.y, f.y, f.z, NONE);
    tape_emit(f.t, EX_GT, f.c, f.z, f.y, NONE);
    temp(&f, EX_ADD, f.y, f.z);
    share(&f);
    assert_int_equal(instr(&f, 2)->op, TAPE_COPY);
    assert_int_equal(instr(&f, 2)->a, f.z);
    assert_int_equal(instr(&f, 3)->op, TAPE_COPY);
    assert_int_equal(instr(&f, 3)->a, f.z); /* to itself */
    assert_int_equal(instr(&f, 4)->op, EX_ADD);
    assert_int_equal(instr(&f, 6)->op, EX_ADD); /* y is another one by now */
    arena_free(f.arena);
}

/* z := x; twice: z := if c then y else z, y := x: true of the first pass only
 */
static void a_loop_that_changes_later_is_not_taken_in(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_COPY, f.y, f.x, NONE, NONE);
    tape_emit(f.t, TAPE_COPY, f.z, f.x, NONE, NONE);
    tape_emit(f.t, TAPE_REPEAT, 0, 2, 2, NONE);
    tape_emit(f.t, EX_IF, f.z, f.c, f.y, f.z);
    tape_emit(f.t, EX_SIN, f.y, f.x, NONE, NONE);
    share(&f);
    assert_int_equal(instr(&f, 3)->op, EX_IF);
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_is_a_copy_of_the_first),
        cmocka_unit_test(a_written_operand_is_another_value),
        cmocka_unit_test(a_lost_result_is_computed_again),
        cmocka_unit_test(a_loop_leaves_what_it_writes_again),
        cmocka_unit_test(a_loop_that_changes_later_is_not_taken_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
