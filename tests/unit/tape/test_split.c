/* A slot with a name holds what its name says. */
#include "tape/split.h"

#include "support/test.h"
#include "tape/exec.h"
#include "tape/hoist.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int x, v, y, k, one;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.x = tape_slot(f.t, TR_CARRY, "x", 3);
    f.v = tape_slot(f.t, TR_CARRY, "v", 0);
    f.y = tape_slot(f.t, TR_CARRY, "y", 0);
    f.k = tape_slot(f.t, TR_PARAM, "k", 2);
    f.t->meaning[f.v].entry = 7;
    f.one = tape_const(f.t, 1);
    tape_begin(f.t, "param");
    tape_end(f.t);
    tape_begin(f.t, "step");
    return f;
}

/* A block for x whose code is what was emitted from `head` on. */
static void close_block(Fixture *f, int head)
{
    TapeBlock *b = &f->t->block.at[0];
    b->neval = f->t->code.n - head - 1;
}

static int open_block(Fixture *f, int iterations)
{
    TapeBlock b = {.name = "x", .n = 1, .iterations = iterations};
    b.x = NEW_ARRAY(f->arena, int, 1);
    b.residual = NEW_ARRAY(f->arena, int, 1);
    b.delta = NEW_ARRAY(f->arena, int, 1);
    b.fallback = NEW_ARRAY(f->arena, int, 1);
    b.nominal = NEW_ARRAY(f->arena, double, 1);
    b.x[0] = f->x;
    b.residual[0] = b.delta[0] = tape_slot(f->t, TR_TEMP, NULL, 0);
    b.fallback[0] = NONE;
    b.nominal[0] = 1;
    vec_push(f->arena, &f->t->block, b);
    tape_emit(f->t, TAPE_BLOCK, 0, 0, NONE, NONE);
    return f->t->code.n - 1;
}

static const Tape *split(Fixture *f, int kept_slot)
{
    tape_end(f->t);
    bool *kept = NEW_ARRAY(f->arena, bool, f->t->nslot);
    kept[kept_slot] = kept[f->x] = true;
    const Tape *s = tape_split(f->t, kept, f->arena);
    tape_check(s);
    return s;
}

static const char *name_of(const Tape *t, int instruction)
{
    return t->slot_name[t->code.at[instruction].dst];
}

static void a_scaled_value_loses_the_name(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_MUL, f.v, f.x, f.k, NONE); /* v, read once, */
    tape_emit(f.t, EX_ADD, f.y, f.v, f.one, NONE);
    f.t->code.at[0].scaled = f.k;
    tape_emit(f.t, EX_ADD, f.v, f.x, f.one, NONE); /* and v itself */
    const Tape *s = split(&f, f.v);
    assert_string_equal(name_of(s, 0), "v scaled");
    assert_int_equal(s->code.at[1].a, s->code.at[0].dst);
    assert_string_equal(name_of(s, 2), "v");
    TapeMeaning m = s->meaning[s->code.at[0].dst];
    assert_int_equal(m.entry, 7);
    assert_int_equal(m.form, TF_SCALED);
    assert_int_equal(m.factor, f.k);
    assert_string_equal(name_of(f.t, 0), "v"); /* the tape itself stays */
    arena_free(f.arena);
}

/* v = x / k, y = v x c; v was made to take the factor c. */
static void hoisting_notes_what_it_scales(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int c = tape_slot(f.t, TR_PARAM, "c", 5);
    int sum = tape_slot(f.t, TR_TEMP, NULL, 0);
    int a = tape_emit(f.t, EX_MUL, NONE, f.x, f.k, NONE);
    int b = tape_emit(f.t, EX_MUL, NONE, f.y, f.k, NONE);
    tape_emit(f.t, EX_ADD, f.v, a, b, NONE);
    tape_emit(f.t, EX_MUL, sum, f.v, c, NONE);
    tape_emit(f.t, TAPE_COPY, f.y, sum, NONE, NONE);
    tape_emit(f.t, EX_ADD, f.v, f.x, f.one, NONE);
    tape_end(f.t);
    TapeSegment step = vec_last(&f.t->segment);
    Exec *e = exec_new(f.t);
    tape_hoist(f.t, &step, 1, e->r);
    exec_free(e);
    bool *kept = NEW_ARRAY(f.arena, bool, f.t->nslot);
    kept[f.v] = kept[f.y] = kept[f.x] = true;
    const Tape *s = tape_split(f.t, kept, f.arena);
    assert_string_equal(name_of(s, 2), "v scaled");
    assert_int_equal(s->meaning[s->code.at[2].dst].factor, c);
    e = exec_new(s);
    e->r[f.y] = 4;
    exec_run(e, tape_find_segment(s, "param"));
    exec_run(e, tape_find_segment(s, "step"));
    assert_true(e->r[f.y] == (3 * 2 + 4 * 2) * 5);
    assert_true(e->r[f.v] == 3 + 1);
    exec_free(e);
    arena_free(f.arena);
}

static void what_a_block_computes_for_itself_is_an_iterate(void **unused)
{
    (void)unused;
    for (int iterations = 1; iterations < 3; iterations++) {
        Fixture f = begin();
        int head = open_block(&f, iterations);
        tape_emit(f.t, EX_MUL, f.v, f.x, f.k, NONE);
        tape_emit(f.t, EX_SUB, f.t->block.at[0].delta[0], f.v, f.one, NONE);
        close_block(&f, head);
        tape_emit(f.t, EX_MUL, f.v, f.x, f.k, NONE);
        const Tape *s = split(&f, f.v);
        assert_string_equal(name_of(s, head + 1), "v iterate");
        assert_int_equal(s->meaning[s->code.at[head + 1].dst].form, TF_ITERATE);
        assert_int_equal(s->code.at[head + 2].a, s->code.at[head + 1].dst);
        assert_string_equal(name_of(s, head + 3), "v");
        arena_free(f.arena);
    }
}

static void what_is_read_after_the_block_stays(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int head = open_block(&f, 1);
    tape_emit(f.t, EX_MUL, f.v, f.x, f.k, NONE);
    close_block(&f, head);
    tape_emit(f.t, TAPE_COPY, f.y, f.v, NONE, NONE);
    const Tape *s = split(&f, f.y);
    assert_string_equal(name_of(s, head + 1), "v");
    arena_free(f.arena);
}

static void what_comes_around_a_loop_stays(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_REPEAT, 0, 3, 3, NONE);
    tape_emit(f.t, EX_ADD, f.y, f.y, f.v, NONE); /* v of the turn before */
    int head = open_block(&f, 1);
    tape_emit(f.t, EX_MUL, f.v, f.x, f.k, NONE);
    close_block(&f, head);
    const Tape *s = split(&f, f.y);
    assert_string_equal(name_of(s, head + 1), "v");
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scaled_value_loses_the_name),
        cmocka_unit_test(hoisting_notes_what_it_scales),
        cmocka_unit_test(what_a_block_computes_for_itself_is_an_iterate),
        cmocka_unit_test(what_is_read_after_the_block_stays),
        cmocka_unit_test(what_comes_around_a_loop_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
