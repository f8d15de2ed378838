/* Constants and copies, and where they must not be taken for granted. */
#include "tape/fold.h"
#include "support/test.h"

typedef struct Fixture {
    Arena *arena;
    Tape *t;
    int x, y, p, zero, one, two;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.t = tape_new(f.arena);
    f.x = tape_slot(f.t, TR_CARRY, "x", 0);
    f.y = tape_slot(f.t, TR_VALUE, "y", 0);
    f.p = tape_slot(f.t, TR_PARAM, "p", 0);
    f.zero = tape_const(f.t, 0);
    f.one = tape_const(f.t, 1);
    f.two = tape_const(f.t, 2);
    tape_begin(f.t, "step");
    return f;
}

static int temp(Fixture *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

static const TapeInstr *last(const Fixture *f)
{
    return &vec_last(&f->t->code);
}

static void fold(Fixture *f, const double *value, int n)
{
    tape_end(f->t);
    tape_fold(f->t, &f->t->segment.at[0], value, n);
}

static void merge(Fixture *f, const double *value, int n)
{
    tape_end(f->t);
    tape_merge(f->t, &f->t->segment.at[0], value, n);
}

static void a_zero_takes_its_products_with_it(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_COPY, f.y, f.zero, NONE, NONE);
    int product = temp(&f, EX_MUL, f.y, f.x);
    tape_emit(f.t, EX_ADD, f.x, f.x, product, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(last(&f)->op, TAPE_COPY);
    assert_int_equal(last(&f)->a, f.x);
    arena_free(f.arena);
}

static void a_written_slot_is_no_constant_any_more(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_COPY, f.y, f.zero, NONE, NONE);
    tape_emit(f.t, EX_SIN, f.y, f.x, NONE, NONE);
    tape_emit(f.t, EX_MUL, f.x, f.y, f.x, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(last(&f)->op, EX_MUL);
    assert_int_equal(last(&f)->a, f.y);
    arena_free(f.arena);
}

static void a_copy_ends_when_its_source_is_written(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int copy = tape_emit(f.t, TAPE_COPY, NONE, f.x, NONE, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.x, f.one, NONE);
    tape_emit(f.t, EX_MUL, f.y, copy, f.two, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(last(&f)->a, copy);
    arena_free(f.arena);
}

static void a_loop_forgets_what_it_writes(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, TAPE_COPY, f.y, f.zero, NONE, NONE);
    tape_emit(f.t, TAPE_REPEAT, 0, 3, 2, NONE);
    tape_emit(f.t, EX_ADD, f.x, f.y, f.x, NONE);
    tape_emit(f.t, EX_ADD, f.y, f.y, f.one, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(f.t->code.at[2].op, EX_ADD);
    assert_int_equal(f.t->code.at[2].a, f.y);
    assert_int_equal(last(&f)->op, EX_ADD);
    arena_free(f.arena);
}

static void quotients_become_products_where_roundings_may_differ(void **unused)
{
    (void)unused;
    for (int merged = 0; merged < 2; merged++) {
        Fixture f = begin();
        tape_emit(f.t, EX_DIV, f.y, f.x, f.p, NONE);
        double *value = NEW_ARRAY(f.arena, double, f.t->nslot);
        value[f.p] = 4;
        (merged ? merge : fold)(&f, value, f.t->nslot);
        assert_int_equal(last(&f)->op, merged ? EX_MUL : EX_DIV);
        assert_int_equal(f.t->region[last(&f)->b], TR_CONST);
        assert_true(f.t->initial[last(&f)->b] == (merged ? 0.25 : 4));
        arena_free(f.arena);
    }
}

static void fixed_factors_are_multiplied_beforehand(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int sine = tape_emit(f.t, EX_SIN, NONE, f.x, NONE, NONE);
    int once = temp(&f, EX_MUL, sine, f.p);
    tape_emit(f.t, EX_MUL, f.y, f.two, once, NONE);
    double *value = NEW_ARRAY(f.arena, double, f.t->nslot);
    value[f.p] = 4;
    merge(&f, value, f.t->nslot);
    assert_int_equal(last(&f)->a, sine);
    assert_true(f.t->initial[last(&f)->b] == 8);
    arena_free(f.arena);
}

static void only_a_quotient_by_one_is_its_numerator(void **unused)
{
    (void)unused;
    Fixture f = begin();
    tape_emit(f.t, EX_DIV, f.y, f.x, f.one, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(last(&f)->op, TAPE_COPY);
    assert_int_equal(last(&f)->a, f.x);
    arena_free(f.arena);
    f = begin();
    tape_emit(f.t, EX_DIV, f.y, f.x, f.two, NONE);
    fold(&f, NULL, 0);
    assert_int_equal(last(&f)->op, EX_DIV);
    assert_int_equal(last(&f)->b, f.two);
    arena_free(f.arena);
}

/* The rules of logic against what they replace, for all truths. */
static void logic_keeps_its_truths(void **unused)
{
    (void)unused;
    Fixture f = begin();
    int c = temp(&f, EX_LT, f.x, f.one), d = temp(&f, EX_GT, f.x, f.p);
    int not_c = temp(&f, EX_NOT, c, NONE);
    int and = tape_emit(f.t, EX_IF, NONE, c, d, f.zero);
    int or = tape_emit(f.t, EX_IF, NONE, c, f.one, d);
    int swapped = tape_emit(f.t, EX_IF, NONE, not_c, f.x, f.p);
    int choice = tape_emit(f.t, EX_IF, NONE, c, f.one, f.two);
    int index = temp(&f, EX_SUB, choice, f.one);
    int second = temp(&f, EX_EQ, temp(&f, EX_ADD, index, f.one), f.two);
    int never = temp(&f, EX_GT, c, f.two);
    fold(&f, NULL, 0);
    const TapeInstr *code = f.t->code.at;
    const struct {
        int slot, op, a, b;
    } expect[] = {
        {and, EX_AND, c, d},
        { or, EX_OR, c, d},
        {swapped, EX_IF, c, f.p},
        {index, EX_NOT, c, NONE},
        {second, TAPE_COPY, index, NONE},
        {never, TAPE_COPY, f.zero, NONE},
    };
    for (size_t k = 0; k < sizeof expect / sizeof expect[0]; k++) {
        int at = 0;
        while (code[at].dst != expect[k].slot)
            at++;
        assert_int_equal(code[at].op, expect[k].op);
        assert_int_equal(code[at].a, expect[k].a);
        if (expect[k].b != NONE)
            assert_int_equal(code[at].b, expect[k].b);
    }
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_takes_its_products_with_it),
        cmocka_unit_test(a_written_slot_is_no_constant_any_more),
        cmocka_unit_test(a_copy_ends_when_its_source_is_written),
        cmocka_unit_test(a_loop_forgets_what_it_writes),
        cmocka_unit_test(quotients_become_products_where_roundings_may_differ),
        cmocka_unit_test(only_a_quotient_by_one_is_its_numerator),
        cmocka_unit_test(fixed_factors_are_multiplied_beforehand),
        cmocka_unit_test(logic_keeps_its_truths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
