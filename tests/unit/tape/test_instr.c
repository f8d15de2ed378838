/* What the rows of instr.def say, and passes that obey them. */
#include "tape/fold.h"
#include "tape/prune.h"
#include "support/test.h"

static void an_instruction_reads_its_slots_and_no_numbers(void **state)
{
    (void)state;
    static const struct {
        int op, n, first;
        bool writes;
    } want[] = {
        {EX_ADD, 2, 11, true},      {EX_NEG, 1, 11, true},
        {EX_IF, 3, 11, true},       {EX_TIME, 0, 0, true},
        {TAPE_COPY, 1, 11, true},   {TAPE_BLOCK, 0, 0, false},
        {TAPE_REPEAT, 0, 0, false}, {TAPE_LEAVE, 1, 11, false},
        {TAPE_PAST, 2, 12, true},   {TAPE_RECORD, 1, 12, false},
        {TAPE_PUT, 1, 13, false},   {TAPE_GET, 0, 0, true},
        {TAPE_CHOOSE, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        TapeInstr in = {.op = want[i].op, .dst = 10, .a = 11, .b = 12, .c = 13};
        int slot[3];
        assert_int_equal(tape_reads(&in, slot), want[i].n);
        if (want[i].n > 0)
            assert_int_equal(slot[0], want[i].first);
        assert_int_equal(tape_writes(&in), want[i].writes ? 10 : NONE);
    }
}

static void names_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_string_equal(tape_op_name(EX_ATAN2), "ATAN2");
    assert_string_equal(tape_op_name(TAPE_CHOOSE), "CHOOSE");
    assert_int_equal(TAPE_COPY, EX_NOP);
}

/* The number 5 of a delay must not become what slot 5 is a copy of. */
static void folding_leaves_numbers_alone(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Tape *t = tape_new(a);
    int slot[8];
    for (int i = 0; i < 8; i++)
        slot[i] = tape_slot(t, TR_CARRY, NULL, 0);
    tape_begin(t, "step");
    tape_emit(t, TAPE_COPY, slot[3], slot[7], NONE, NONE);
    tape_emit(t, TAPE_PUT, 0, slot[3], slot[3], slot[3]);
    tape_emit(t, TAPE_PAST, slot[0], slot[3], slot[3], slot[3]);
    tape_end(t);
    tape_fold(t, &t->segment.at[0], NULL, 0);
    const TapeInstr *put = &t->code.at[1], *past = &t->code.at[2];
    assert_int_equal(put->a, slot[3]);
    assert_int_equal(put->b, slot[3]);
    assert_int_equal(put->c, slot[7]);
    assert_int_equal(past->a, slot[3]);
    assert_int_equal(past->b, slot[7]);
    assert_int_equal(past->c, slot[7]);
    arena_free(a);
}

static void what_writes_no_slot_is_never_dead(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Tape *t = tape_new(a);
    int x = tape_slot(t, TR_CARRY, "x", 0), y = tape_slot(t, TR_CARRY, "y", 0);
    tape_begin(t, "step");
    tape_emit(t, EX_NEG, x, y, NONE, NONE);
    tape_emit(t, TAPE_RECORD, 0, 0, x, NONE);
    tape_emit(t, TAPE_GET, y, 0, 0, NONE); /* for the next step */
    tape_end(t);
    bool *wanted = NEW_ARRAY(a, bool, t->nslot);
    Pruned *p = tape_prune(t, t->segment.at, 1, wanted, a);
    assert_int_equal(p->tape->code.n, 3);
    assert_true(p->carried[y]);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_reads_its_slots_and_no_numbers),
        cmocka_unit_test(names_are_those_of_the_tables),
        cmocka_unit_test(folding_leaves_numbers_alone),
        cmocka_unit_test(what_writes_no_slot_is_never_dead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
