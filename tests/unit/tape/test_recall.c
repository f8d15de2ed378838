/* What the last run has left of what this one begins with. */
#include <math.h>

#include "tape/exec.h"
#include "tape/prune.h"
#include "tape/recall.h"
#include "support/test.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int old, x, out, scale;
    bool wanted[64];
    double value[64];
} Fixture;

/* A step that begins at `old` and leaves x there. */
static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.old = tape_slot(f.t, TR_CARRY, "old x", 0);
    f.x = tape_slot(f.t, TR_VALUE, "x", 0);
    f.out = tape_slot(f.t, TR_VALUE, "out", 0);
    f.scale = tape_slot(f.t, TR_PARAM, "scale", 2);
    f.wanted[f.out] = true;
    f.value[f.old] = f.value[f.x] = 0.25;
    f.value[f.scale] = 2;
    tape_begin(f.t, "step");
    return f;
}

static int temp(Fixture *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

/* x = old + 0.5, out = `first`, something of x at the end. */
static void end(Fixture *f, int first)
{
    tape_emit(f->t, EX_ADD, f->x, f->old, tape_const(f->t, 0.5), NONE);
    tape_emit(f->t, EX_ADD, f->out, first, temp(f, EX_SIN, f->x, NONE), NONE);
    tape_emit(f->t, TAPE_COPY, f->old, f->x, NONE, NONE);
    tape_end(f->t);
}

static int recall(Fixture *f, int start)
{
    bool live[64] = {false};
    for (int i = 0; i < 64; i++)
        live[i] = f->wanted[i];
    live[f->old] = true;
    RecallOptions o = {.step = 0,
                       .start = start,
                       .wanted = f->wanted,
                       .live = live,
                       .value = f->value,
                       .nvalue = f->t->nslot};
    return tape_recall(f->t, &o);
}

static int count(const Fixture *f, int segment, int op)
{
    const TapeSegment *s = &f->t->segment.at[segment];
    int n = 0;
    for (int i = s->first; i < s->first + s->count; i++)
        n += f->t->code.at[i].op == op;
    return n;
}

static void a_sine_of_the_last_point_is_kept(void **unused)
{
    (void)unused;
    Fixture f = begin();
    end(&f, temp(&f, EX_SIN, f.old, NONE));
    int before = f.t->nslot;
    assert_int_equal(recall(&f, NONE), 1);
    assert_int_equal(count(&f, 0, EX_SIN), 1);
    assert_true(f.t->nslot > before);
    assert_int_equal(f.t->region[before], TR_CARRY);
    assert_true(f.t->initial[before] == sin(0.25)); /* what the first one had */
    arena_free(f.arena);
}

static void what_can_be_set_from_outside_is_computed(void **unused)
{
    (void)unused;
    Fixture f = begin();
    f.wanted[f.old] = true;
    end(&f, temp(&f, EX_SIN, f.old, NONE));
    assert_int_equal(recall(&f, NONE), 0);
    assert_int_equal(count(&f, 0, EX_SIN), 2);
    arena_free(f.arena);
}

static void what_depends_on_a_parameter_is_computed(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int first = temp(&f, EX_SIN, temp(&f, EX_MUL, f.scale, f.old), NONE);
    tape_emit(f.t, EX_ADD, f.x, f.old, tape_const(f.t, 0.5), NONE);
    int last = temp(&f, EX_SIN, temp(&f, EX_MUL, f.scale, f.x), NONE);
    tape_emit(f.t, EX_ADD, f.out, first, last, NONE);
    tape_emit(f.t, TAPE_COPY, f.old, f.x, NONE, NONE);
    tape_end(f.t);
    assert_int_equal(recall(&f, NONE), 0);
    arena_free(f.arena);
}

/* A state that is changed after the sine was taken. */
static void another_value_is_not_taken_for_it(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int first = temp(&f, EX_SIN, f.old, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.old, tape_const(f.t, 0.5), NONE);
    tape_emit(f.t, EX_ADD, f.out, first, temp(&f, EX_SIN, f.x, NONE), NONE);
    tape_emit(f.t, EX_NEG, f.x, f.x, NONE, NONE);
    tape_emit(f.t, TAPE_COPY, f.old, f.x, NONE, NONE);
    tape_end(f.t);
    assert_int_equal(recall(&f, NONE), 0);
    arena_free(f.arena);
}

static void what_is_in_a_loop_stays(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_REPEAT, 0, 2, 1, NONE);
    int first = temp(&f, EX_SIN, f.old, NONE);
    end(&f, first);
    assert_int_equal(recall(&f, NONE), 0);
    arena_free(f.arena);
}

/* The segment that makes the first values makes this one too. */
static void a_start_computes_what_is_kept(void **unused)
{
    (void)unused;
    Fixture f = begin();
    end(&f, temp(&f, EX_SIN, f.old, NONE));
    tape_begin(f.t, "start");
    tape_emit(f.t, TAPE_COPY, f.old, tape_const(f.t, 0.75), NONE, NONE);
    tape_end(f.t);
    assert_int_equal(recall(&f, 1), 1);
    assert_int_equal(count(&f, 1, EX_SIN), 1);
    const TapeSegment *s = &f.t->segment.at[1];
    const TapeInstr *last = &f.t->code.at[s->first + s->count - 1];
    assert_int_equal(last->op, TAPE_COPY);
    assert_int_equal(f.t->region[last->dst], TR_CARRY);
    arena_free(f.arena);
}

/* Ten runs with and without it give the same bits. */
static void results_are_the_same(void **unused)
{
    (void)unused;
    double out[2];
    for (int k = 0; k < 2; k++) {
        Fixture f = begin();
        int s = temp(&f, EX_SIN, f.old, NONE), c = temp(&f, EX_COS, s, NONE);
        tape_emit(f.t, EX_ADD, f.x, f.old, c, NONE);
        int z = temp(&f, EX_COS, temp(&f, EX_SIN, f.x, NONE), NONE);
        tape_emit(f.t, EX_MUL, f.out, c, z, NONE);
        tape_emit(f.t, TAPE_COPY, f.old, f.x, NONE, NONE);
        tape_end(f.t);
        int n = f.t->nslot;
        if (k == 1)
            assert_int_equal(recall(&f, NONE), 1);
        tape_check(f.t);
        Exec *e = exec_new(f.t);
        for (int i = 0; i < n; i++)
            if (f.t->region[i] != TR_CONST && i < 64)
                e->r[i] = f.value[i];
        for (int i = 0; i < 10; i++)
            assert_int_equal(exec_run(e, &f.t->segment.at[0]), 0);
        out[k] = e->r[f.out];
        exec_free(e);
        arena_free(f.arena);
    }
    assert_true(out[0] == out[1]);
    assert_true(out[0] != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_of_the_last_point_is_kept),
        cmocka_unit_test(what_can_be_set_from_outside_is_computed),
        cmocka_unit_test(what_depends_on_a_parameter_is_computed),
        cmocka_unit_test(another_value_is_not_taken_for_it),
        cmocka_unit_test(what_is_in_a_loop_stays),
        cmocka_unit_test(a_start_computes_what_is_kept),
        cmocka_unit_test(results_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
