/* Dead instructions, loops, and what must live from call to call. */
#include "tape/prune.h"
#include "support/test.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int x, y, old, one;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.x = tape_slot(f.t, TR_CARRY, "x", 0);
    f.y = tape_slot(f.t, TR_CARRY, "y", 0);
    f.old = tape_slot(f.t, TR_CARRY, "old", 0);
    f.one = tape_const(f.t, 1);
    tape_begin(f.t, "step");
    return f;
}

static Pruned *prune(Fixture *f, int wanted_slot)
{
    tape_end(f->t);
    bool *wanted = NEW_ARRAY(f->arena, bool, f->t->nslot);
    wanted[wanted_slot] = true;
    return tape_prune(f->t, f->t->segment.at, f->t->segment.n, wanted,
                      f->arena);
}

static void what_nobody_reads_is_dropped(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_ADD, f.y, f.one, f.one, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.x, f.one, NONE);
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 1);
    assert_int_equal(p->tape->code.at[0].dst, f.x);
    assert_true(p->carried[f.x]);
    assert_false(p->carried[f.y]);
    arena_free(f.arena);
}

static void a_slot_read_in_the_next_call_lives(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_ADD, f.x, f.old, f.one, NONE);
    tape_emit(f.t, TAPE_COPY, f.old, f.x, NONE, NONE);
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 2);
    assert_true(p->carried[f.old]);
    arena_free(f.arena);
}

static void a_loop_hands_its_end_to_its_begin(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_REPEAT, 0, 3, 2, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.x, f.y, NONE);
    tape_emit(f.t, EX_ADD, f.y, f.y, f.one, NONE); /* for the next turn */
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 3);
    assert_int_equal(p->tape->code.at[0].b, 2);
    arena_free(f.arena);
}

static void leaving_a_loop_keeps_what_is_read_behind_it(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_REPEAT, 0, 3, 3, NONE);
    tape_emit(f.t, EX_ADD, f.y, f.one, f.one, NONE); /* read if left here */
    tape_emit(f.t, TAPE_LEAVE, 0, f.old, NONE, NONE);
    tape_emit(f.t, EX_SUB, f.y, f.one, f.one, NONE);
    tape_emit(f.t, TAPE_COPY, f.x, f.y, NONE, NONE);
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 5);
    assert_true(p->carried[f.old]);
    arena_free(f.arena);
}

static void the_past_is_read_by_its_time_and_delay(void **unused)
{
    (void)unused;
    Fixture f = begin();
    TapeDelay d = {.size = 4, .count = f.old};
    vec_push(f.t->arena, &f.t->delay, d);
    tape_emit(f.t, TAPE_PAST, f.x, 0, f.y, f.one);
    tape_emit(f.t, TAPE_RECORD, 0, 0, f.x, NONE);
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 2);
    assert_true(p->carried[f.y]);
    tape_check(p->tape);
    arena_free(f.arena);
}

/* Reading the correction alone keeps the block, and it is not from the call
 * before. */
static void a_block_lives_by_its_correction(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int delta = tape_slot(f.t, TR_TEMP, NULL, 0);
    TapeBlock b = {.name = "y", .n = 1, .iterations = 1, .neval = 1};
    b.x = &f.y;
    b.delta = b.residual = &delta;
    vec_push(f.t->arena, &f.t->block, b);
    tape_emit(f.t, TAPE_BLOCK, 0, 0, NONE, NONE);
    tape_emit(f.t, EX_SUB, delta, f.y, f.one, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.x, delta, NONE);
    Pruned *p = prune(&f, f.x);
    assert_int_equal(p->tape->code.n, 3);
    assert_true(p->carried[f.y]);
    assert_false(p->carried[delta]);
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_reads_is_dropped),
        cmocka_unit_test(a_slot_read_in_the_next_call_lives),
        cmocka_unit_test(a_loop_hands_its_end_to_its_begin),
        cmocka_unit_test(leaving_a_loop_keeps_what_is_read_behind_it),
        cmocka_unit_test(the_past_is_read_by_its_time_and_delay),
        cmocka_unit_test(a_block_lives_by_its_correction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
