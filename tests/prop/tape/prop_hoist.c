/* Random segments with parameters, copies and loops: the same results before
 * and after parameters were combined, also when these change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tape/exec.h"
#include "tape/hoist.h"
#include "tape/prune.h"

enum { NSTATE = 4, NPARAM = 5, NOPS = 40 };

static unsigned long long state_of_random = 99;

static int below(int n)
{
    state_of_random =
        state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (int)((state_of_random >> 33) % (unsigned)n);
}

typedef struct Case {
    Tape *t;
    int state[NSTATE], param[NPARAM];
    Vec(int) slot; /* that can be read */
    Vec(int) temp;
} Case;

static void add_operation(Case *c, Arena *arena)
{
    static const int op[] = {EX_ADD, EX_SUB, EX_MUL, EX_MUL,   EX_DIV,
                             EX_DIV, EX_ADD, EX_NEG, TAPE_COPY};
    int k = op[below(9)];
    /* more often than not a value that was just made, and a parameter */
    int recent = c->slot.n - 1 - below(4);
    int a = below(3) ? c->slot.at[recent] : c->slot.at[below(c->slot.n)];
    int b = below(2) ? c->param[below(NPARAM)] : c->slot.at[below(c->slot.n)];
    if (below(2) && k != EX_NEG && k != TAPE_COPY) {
        int swap = a;
        a = b;
        b = swap;
    }
    if (k == EX_NEG || k == TAPE_COPY)
        b = NONE;
    int dst = below(6) ? NONE : c->state[below(NSTATE)];
    dst = tape_emit(c->t, k, dst, a, b, NONE);
    if (c->t->region[dst] != TR_TEMP)
        return;
    vec_push(arena, &c->slot, dst);
    vec_push(arena, &c->temp, dst);
}

static Case random_case(Arena *arena)
{
    Case c = {.t = tape_new(arena)};
    for (int i = 0; i < NSTATE; i++) {
        c.state[i] = tape_slot(c.t, TR_CARRY, "x", 0.5 + 0.25 * below(7));
        vec_push(arena, &c.slot, c.state[i]);
    }
    for (int i = 0; i < NPARAM - 2; i++)
        c.param[i] = tape_slot(c.t, TR_PARAM, "p", 0.5 + 0.3 * below(5));
    c.param[NPARAM - 1] = tape_const(c.t, below(2) ? 2 : -0.7);
    tape_begin(c.t, "param");
    c.param[NPARAM - 2] = tape_slot(c.t, TR_DERIVED, NULL, 0);
    tape_emit(c.t, EX_ADD, c.param[NPARAM - 2], c.param[0], c.param[1], NONE);
    tape_end(c.t);
    tape_begin(c.t, "step");
    int loop = below(2) ? below(NOPS) : NONE, head = NONE;
    for (int i = 0; i < NOPS; i++) {
        if (i == loop) {
            head = c.t->code.n;
            tape_emit(c.t, TAPE_REPEAT, 0, 2, 10, NONE);
        }
        add_operation(&c, arena);
    }
    if (head != NONE && head + 11 > c.t->code.n)
        c.t->code.at[head].b = c.t->code.n - head - 1;
    tape_end(c.t);
    return c;
}

/* The states after a step; false if something is too large or small for a
 * comparison to mean much. */
static bool run(const Case *c, double factor, double *x)
{
    Exec *e = exec_new(c->t);
    for (int i = 0; i < NPARAM - 2; i++)
        e->r[c->param[i]] *= factor;
    exec_run(e, tape_find_segment(c->t, "param"));
    exec_run(e, tape_find_segment(c->t, "step"));
    bool fine = true;
    for (int i = 0; i < NSTATE; i++)
        x[i] = e->r[c->state[i]];
    for (int i = 0; i < c->temp.n; i++) {
        double size = fabs(e->r[c->temp.at[i]]);
        fine &= size < 1e3 && size > 1e-3;
    }
    for (int i = 0; i < NSTATE; i++)
        fine &= fabs(x[i]) < 1e3;
    exec_free(e);
    return fine;
}

static int count_operations(const Case *c, Arena *arena)
{
    bool *wanted = NEW_ARRAY(arena, bool, c->t->nslot);
    for (int i = 0; i < NSTATE; i++)
        wanted[c->state[i]] = true;
    TapeSegment s[2] = {*tape_find_segment(c->t, "param"),
                        *tape_find_segment(c->t, "step")};
    const Tape *p = tape_prune(c->t, s, 2, wanted, arena)->tape;
    int n = 0;
    for (int i = 0; i < p->segment.at[1].count; i++)
        n += p->code.at[p->segment.at[1].first + i].op != TAPE_COPY;
    return n;
}

static void results_stay_and_operations_do_not_grow(void **unused)
{
    (void)unused;
    int trials = getenv("TAKT_LONG") ? 200000 : 20000, compared = 0;
    long before = 0, after = 0;
    for (int trial = 0; trial < trials; trial++) {
        Arena *arena = arena_new();
        Case c = random_case(arena);
        double old[2][NSTATE], new[2][NSTATE];
        bool fine = run(&c, 1, old[0]);
        fine &= run(&c, 1.25, old[1]);
        int n = count_operations(&c, arena);
        Exec *e = exec_new(c.t);
        exec_run(e, tape_find_segment(c.t, "param"));
        TapeSegment step = *tape_find_segment(c.t, "step");
        tape_hoist(c.t, &step, 1, e->r);
        exec_free(e);
        tape_check(c.t);
        int m = count_operations(&c, arena);
        if (m > n) {
            printf("trial %d: %d operations became %d\n", trial, n, m);
            tape_print(c.t, stdout);
        }
        assert_true(m <= n);
        before += n;
        after += m;
        run(&c, 1, new[0]);
        run(&c, 1.25, new[1]);
        for (int k = 0; fine && k < 2; k++)
            for (int i = 0; i < NSTATE; i++) {
                double d = fabs(old[k][i] - new[k][i]);
                compared++;
                if (!(d <= 1e-8 * (1 + fabs(old[k][i])))) {
                    printf("trial %d: %.17g became %.17g\n", trial, old[k][i],
                           new[k][i]);
                    tape_print(c.t, stdout);
                }
                assert_true(d <= 1e-8 * (1 + fabs(old[k][i])));
            }
        arena_free(arena);
    }
    printf("%d segments, %d values compared, %ld operations became %ld\n",
           trials, compared, before, after);
    assert_true(compared > trials);
    assert_true(after < before * 95 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_stay_and_operations_do_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
