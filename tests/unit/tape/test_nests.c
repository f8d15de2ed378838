/* Selections within selections: every form, and where nothing may change. */
#include <string.h>

#include "tape/exec.h"
#include "tape/nests.h"
#include "support/test.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int p, q, x, y, out, a, b;
} Fixture;

/* a and b are made by relations of p and q. */
static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.p = tape_slot(f.t, TR_CARRY, "p", 0);
    f.q = tape_slot(f.t, TR_CARRY, "q", 0);
    f.x = tape_slot(f.t, TR_CARRY, "x", 2);
    f.y = tape_slot(f.t, TR_CARRY, "y", 3);
    f.out = tape_slot(f.t, TR_VALUE, "out", 0);
    tape_begin(f.t, "step");
    f.a = tape_emit(f.t, EX_GT, NONE, f.p, tape_const(f.t, 0), NONE);
    f.b = tape_emit(f.t, EX_GT, NONE, f.q, tape_const(f.t, 0), NONE);
    return f;
}

static int select(Fixture *f, int c, int yes, int no)
{
    return tape_emit(f->t, EX_IF, NONE, c, yes, no);
}

static void select_out(Fixture *f, int c, int yes, int no)
{
    tape_emit(f->t, EX_IF, f->out, c, yes, no);
}

/* Of straight-line code: what `out` is for p and q. */
static double value_of(const Tape *t, const Fixture *f, double p, double q)
{
    double *v = NEW_ARRAY(f->arena, double, t->nslot);
    memcpy(v, t->initial, (size_t)t->nslot * sizeof *v);
    v[f->p] = p;
    v[f->q] = q;
    for (int i = 0; i < t->code.n; i++) {
        const TapeInstr *in = &t->code.at[i];
        double b = in->b == NONE ? 0 : v[in->b];
        if (in->op == TAPE_COPY)
            v[in->dst] = v[in->a];
        else if (in->op == EX_IF)
            v[in->dst] = v[in->a] != 0 ? b : v[in->c];
        else
            v[in->dst] = expr_apply((ExprOp)in->op, v[in->a], b, 0);
    }
    return v[f->out];
}

static int selections_for_out(const Tape *t, const Fixture *f)
{
    const TapeInstr *last = &vec_last(&t->code);
    assert_int_equal(last->dst, f->out);
    assert_int_equal(last->op, EX_IF);
    int n = 1;
    for (int i = 0; i < t->code.n; i++)
        for (int k = 0; k < 2; k++)
            n += t->code.at[i].op == EX_IF &&
                 t->code.at[i].dst == (k ? last->b : last->c);
    return n;
}

static void expect(Fixture *f, int nselection)
{
    tape_end(f->t);
    Tape *t = tape_flatten_nests(f->t, f->arena);
    assert_int_equal(selections_for_out(t, f), nselection);
    assert_int_equal(t->segment.at[0].count, t->code.n);
    for (int k = 0; k < 4; k++) {
        double p = k & 1, q = (k >> 1) & 1;
        assert_true(value_of(f->t, f, p, q) == value_of(t, f, p, q));
    }
    arena_free(f->arena);
}

static void all_forms_become_one_selection(void **unused)
{
    (void)unused;
    Fixture f = begin();
    select_out(&f, f.a, f.x, select(&f, f.b, f.x, f.y));
    expect(&f, 1);
    f = begin();
    select_out(&f, f.a, f.x, select(&f, f.b, f.y, f.x));
    expect(&f, 1);
    f = begin();
    select_out(&f, f.a, select(&f, f.b, f.x, f.y), f.x);
    expect(&f, 1);
    f = begin();
    select_out(&f, f.a, select(&f, f.b, f.x, f.y), f.y);
    expect(&f, 1);
}

static void nests_of_three_become_one_selection(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int c = tape_emit(f.t, EX_GT, NONE, f.p, f.q, NONE);
    int inner = select(&f, f.b, f.y, select(&f, c, f.x, f.y));
    select_out(&f, f.a, f.x, inner);
    expect(&f, 1);
}

static void three_values_stay_two_selections(void **unused)
{
    (void)unused;
    Fixture f = begin();
    select_out(&f, f.a, f.x, select(&f, f.b, f.y, f.p));
    expect(&f, 2);
}

static void what_others_read_stays(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int inner = select(&f, f.b, f.x, f.y);
    tape_emit(f.t, EX_ADD, f.q, inner, f.y, NONE);
    select_out(&f, f.a, f.x, inner);
    expect(&f, 2);
}

/* y is another one when the outer selection reads it. */
static void what_has_changed_since_is_not_read(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int inner = select(&f, f.b, f.x, f.y);
    tape_emit(f.t, EX_ADD, f.y, f.x, f.y, NONE);
    select_out(&f, f.a, f.x, inner);
    expect(&f, 2);
}

/* A condition that logic knows nothing of may be any number. */
static void conditions_have_to_be_truths(void **unused)
{
    (void)unused;
    Fixture f = begin();
    select_out(&f, f.p, f.x, select(&f, f.b, f.x, f.y));
    expect(&f, 2);
}

/* What a guard leaves out keeps its value: a selection within it is not one
 * after it. */
static void guards_keep_their_selections(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int at = f.t->code.n;
    tape_emit(f.t, TAPE_GUARD, NONE, f.p, 0, 0);
    int inner = select(&f, f.b, f.x, f.y);
    f.t->code.at[at].b = 1;
    select_out(&f, f.a, f.x, inner);
    tape_end(f.t);
    Tape *t = tape_flatten_nests(f.t, f.arena);
    assert_int_equal(selections_for_out(t, &f), 2);
    arena_free(f.arena);
}

/* Bodies grow with what is put into them. */
static void lengths_of_loops_are_kept(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int at = f.t->code.n;
    tape_emit(f.t, TAPE_REPEAT, NONE, 3, 0, NONE);
    select_out(&f, f.a, f.x, select(&f, f.b, f.y, f.x));
    f.t->code.at[at].b = 2;
    int after = tape_emit(f.t, EX_ADD, NONE, f.out, f.x, NONE);
    tape_end(f.t);
    Tape *t = tape_flatten_nests(f.t, f.arena);
    assert_int_equal(t->code.at[at].b, 4);
    assert_int_equal(vec_last(&t->code).dst, after);
    assert_int_equal(t->code.at[at + 4].dst, f.out);
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_become_one_selection),
        cmocka_unit_test(nests_of_three_become_one_selection),
        cmocka_unit_test(three_values_stay_two_selections),
        cmocka_unit_test(what_others_read_stays),
        cmocka_unit_test(what_has_changed_since_is_not_read),
        cmocka_unit_test(conditions_have_to_be_truths),
        cmocka_unit_test(guards_keep_their_selections),
        cmocka_unit_test(lengths_of_loops_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
