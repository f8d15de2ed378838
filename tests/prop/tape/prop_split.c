/* Random code with names, blocks and loops: the same results before and after
 * values got slots of their own; and what a block leaves in a slot with a name
 * is what the name says. */
#include "tape/split.h"

#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "support/test.h"
#include "tape/exec.h"
#include "tape/hoist.h"

enum { NSTATE = 3, NNAMED = 6, NPARAM = 3, NOPS = 30 };

static Random source_of_random;

static int below(int n)
{
    return random_below(&source_of_random, n);
}

typedef struct Case {
    Tape *t;
    int named[NNAMED]; /* the first NSTATE are kept */
    int param[NPARAM];
    Vec(int) slot; /* that can be read */
} Case;

static void add_operation(Case *c, Arena *arena)
{
    static const int op[] = {EX_ADD, EX_SUB, EX_MUL,   EX_MUL,
                             EX_ADD, EX_NEG, TAPE_COPY};
    int k = op[below(7)];
    int a = c->slot.at[c->slot.n - 1 - below(c->slot.n < 6 ? c->slot.n : 6)];
    int b = below(2) ? c->param[below(NPARAM)] : c->slot.at[below(c->slot.n)];
    if (k == EX_NEG || k == TAPE_COPY)
        b = NONE;
    int dst = below(2) ? NONE : c->named[below(NNAMED)];
    dst = tape_emit(c->t, k, dst, a, b, NONE);
    if (c->t->region[dst] == TR_TEMP)
        vec_push(arena, &c->slot, dst);
}

/* v = a p + b p, read by one product: hoisting scales it where it is made. */
static void add_scalable(Case *c, Arena *arena)
{
    Tape *t = c->t;
    int p = c->param[below(NPARAM)], term[2];
    for (int i = 0; i < 2; i++)
        term[i] =
            tape_emit(t, EX_MUL, NONE, c->slot.at[below(c->slot.n)], p, NONE);
    int v = c->named[below(NNAMED)];
    tape_emit(t, EX_ADD, v, term[0], term[1], NONE);
    int product = tape_emit(t, EX_MUL, NONE, v, c->param[below(NPARAM)], NONE);
    tape_emit(t, EX_ADD, v, product, p, NONE);
    vec_push(arena, &c->slot, product);
}

/* A block for one of the states: its correction is what it computes last. */
static void add_block(Case *c, Arena *arena)
{
    Tape *t = c->t;
    TapeBlock b = {.name = "x", .n = 1, .iterations = 1 + below(3)};
    b.x = NEW_ARRAY(arena, int, 1);
    b.residual = NEW_ARRAY(arena, int, 1);
    b.delta = NEW_ARRAY(arena, int, 1);
    b.fallback = NEW_ARRAY(arena, int, 1);
    b.nominal = NEW_ARRAY(arena, double, 1);
    b.x[0] = c->named[below(NSTATE)];
    b.residual[0] = b.delta[0] = tape_slot(t, TR_TEMP, NULL, 0);
    b.fallback[0] = NONE;
    b.nominal[0] = 1;
    int number = t->block.n, inside = c->slot.n;
    vec_push(arena, &t->block, b);
    tape_emit(t, TAPE_BLOCK, 0, number, NONE, NONE);
    int head = t->code.n;
    for (int i = 1 + below(8); i > 0; i--)
        below(8) ? add_operation(c, arena) : add_scalable(c, arena);
    tape_emit(t, EX_MUL, b.delta[0], c->slot.at[c->slot.n - 1],
              tape_const(t, 0.125), NONE);
    t->block.at[number].neval = t->code.n - head;
    if (b.iterations > 1)
        c->slot.n = inside; /* temporaries of a loop stay in it */
}

static Case random_case(Arena *arena)
{
    static const char *const name[NNAMED] = {"a", "b", "c", "d", "e", "f"};
    Case c = {.t = tape_new(arena)};
    for (int i = 0; i < NNAMED; i++) {
        c.named[i] = tape_slot(c.t, TR_CARRY, name[i], 0.5 + 0.25 * below(7));
        c.t->meaning[c.named[i]].entry = i;
        vec_push(arena, &c.slot, c.named[i]);
    }
    for (int i = 0; i < NPARAM; i++)
        c.param[i] = tape_slot(c.t, TR_PARAM, "p", 0.5 + 0.3 * below(5));
    tape_begin(c.t, "param");
    tape_end(c.t);
    tape_begin(c.t, "step");
    for (int i = 0; i < NOPS; i++) {
        int what = below(12), head = c.t->code.n, outside = c.slot.n;
        if (what == 0) {
            tape_emit(c.t, TAPE_REPEAT, 0, 2, 0, NONE);
            for (int k = 0; k < 4; k++)
                add_operation(&c, arena);
            if (below(2))
                add_block(&c, arena);
            c.t->code.at[head].b = c.t->code.n - head - 1;
            c.slot.n = outside;
        } else if (what < 3) {
            add_block(&c, arena);
        } else if (what == 3) {
            add_scalable(&c, arena);
        } else {
            add_operation(&c, arena);
        }
    }
    tape_end(c.t);
    return c;
}

/* The first `nkept` slots with names after a step; false: it was ended. */
static bool run(const Tape *t, const Case *c, int nkept, double *x)
{
    Exec *e = exec_new(t);
    exec_run(e, tape_find_segment(t, "param"));
    bool fine = exec_run(e, tape_find_segment(t, "step")) >= 0;
    for (int i = 0; i < nkept; i++)
        x[i] = e->r[c->named[i]];
    exec_free(e);
    return fine;
}

static bool has_form(const Tape *t, int form)
{
    for (int i = 0; i < t->nslot; i++)
        if (t->meaning[i].form & form)
            return true;
    return false;
}

static void results_stay_the_same_bits(void **unused)
{
    (void)unused;
    source_of_random = random_start("prop_split");
    int trials = random_cases(10000, 100000);
    int iterates = 0, scaled = 0, compared = 0;
    for (int trial = 0; trial < trials; trial++) {
        Arena *arena = arena_new();
        Case c = random_case(arena);
        Exec *e = exec_new(c.t);
        TapeSegment step = *tape_find_segment(c.t, "step");
        tape_hoist(c.t, &step, 1, e->r);
        exec_free(e);
        int nkept = below(2) ? NSTATE : NNAMED;
        bool *kept = NEW_ARRAY(arena, bool, c.t->nslot);
        for (int i = 0; i < nkept; i++)
            kept[c.named[i]] = true;
        const Tape *s = tape_split(c.t, kept, arena);
        tape_check(s);
        iterates += has_form(s, TF_ITERATE);
        scaled += has_form(s, TF_SCALED);
        double before[NNAMED], after[NNAMED];
        bool fine = run(c.t, &c, nkept, before);
        assert_int_equal(run(s, &c, nkept, after), fine);
        compared += fine;
        if (!fine) { /* a block was not finite and ended the run */
            arena_free(arena);
            continue;
        }
        if (memcmp(before, after, (size_t)nkept * sizeof *before) != 0) {
            printf("trial %d\n", trial);
            tape_print(c.t, stdout);
            tape_print(s, stdout);
        }
        assert_memory_equal(before, after, (size_t)nkept * sizeof *before);
        arena_free(arena);
    }
    printf(
        "%d segments, %d compared, %d with iterates, %d with scaled values\n",
        trials, compared, iterates, scaled);
    assert_true(iterates > trials / 4 && scaled > trials / 4);
    assert_true(compared > trials / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_stay_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
