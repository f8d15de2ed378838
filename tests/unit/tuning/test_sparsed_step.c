/* test_sparsed_step.c - a step with cuts in its matrix is what dense linear
 * algebra makes of the same matrix: dz = (L - tau J)^-1 tau f(z). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/tuning.h"
#include "num/dense.h"

typedef struct Case {
    Compilation *c;
    Tuning *t;
} Case;

static Case open_case(const char *model, const char *view, double step)
{
    const char *source = getenv("TAKT_SOURCE");
    static const double rho[] = {0.5};
    Case k = {.c = driver_new()};
    DriverOptions o = driver_defaults(arena_printf(
        k.c->arena, "%s/models/gallery/%s.mo", source ? source : ".", model));
    plan_add_edit(&o.edits, PLAN_METHOD, "lie", k.c->arena);
    plan_add_number(&o.edits, PLAN_STEP, step, k.c->arena);
    o.stop = 40 * step;
    assert_true(driver_compile(k.c, &o, PHASE_DAE));
    TuneOptions to = {.groups = TUNE_SPARSING, .rho = rho, .nrho = 1};
    assert_true(plan_find_algebraic(view, &to.view));
    k.t = tuning_make(k.c, &to);
    assert_non_null(k.t);
    return k;
}

/* tau f(z) in a point: derivatives of states, 0 in algebraic rows. */
static void right_side(const Case *k, int point, double tau, double *rhs)
{
    const PencilSet *p = k->t->pencil;
    const Samples *s = k->t->reference->samples;
    for (int i = 0; i < p->n; i++) {
        rhs[i] = 0;
        if (i >= p->nx)
            continue;
        int sign, var = sys_find_var(k->c->sys, p->var[i]);
        assert_true(var != NONE);
        var = sys_resolve(k->c->sys, var, &sign);
        int der = inlined_find(s->inlined, var, 1);
        assert_true(der != NONE);
        rhs[i] = tau * s->point.at[point].value[der];
    }
}

/* One step of the compiled plan from a point; dz gets the change. The time
 * stays, so that sources do not move. */
static void step_of(Case *k, const Step *c, Sim *sim, int point, double *dz)
{
    const PencilSet *p = k->t->pencil;
    const Inlined *d = c->inlined;
    const SchedSamples *v =
        samples_values(k->t->reference->samples, d, c->input.size, k->c->arena);
    for (int i = 0; i < d->nvar; i++)
        if (c->lowered->slot[i] != NONE && d->var[i].kind != IV_PARAMETER &&
            d->var[i].kind != IV_UNUSED)
            sim->exec->r[c->lowered->slot[i]] = v->value[point][i];
    sim->exec->r[c->lowered->tape->time] =
        k->t->reference->samples->point.at[point].time;
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1)
            assert_true(
                exec_run(sim->exec, &c->lowered->system[d->cycle[0]].run) >= 0);
        for (int i = 0; i < p->nx; i++) {
            const TapeSymbol *s = tape_find_symbol(c->lowered->tape, p->var[i]);
            assert_non_null(s);
            double x = exec_value(sim->exec, s);
            dz[i] = turn == 0 ? x : x - dz[i];
        }
    }
}

static void compare(Case *k, const TuneCandidate *x, double step)
{
    const PencilSet *p = k->t->pencil;
    size_t n = (size_t)p->n;
    Arena *a = arena_new();
    double *m = NEW_ARRAY(a, double, n *n + 1);
    double *rhs = NEW_ARRAY(a, double, n + 1);
    double *dz = NEW_ARRAY(a, double, n + 1);
    int *pivot = NEW_ARRAY(a, int, n + 1);
    Diag *diag = diag_new(k->c->sources, k->c->arena);
    const Step *c = tuning_step(k->c, x->plan, STEP_HOST, k->c->arena, diag);
    assert_non_null(c);
    SimOptions so = step_sim_options(c);
    Sim *sim = sim_new(c->lowered, &so, k->c->arena, diag);
    assert_non_null(sim);
    assert_true(sim_init(sim));
    for (int s = 0; s < p->nsample; s++) {
        pencil_iteration_matrix(p, s, step, x->keep, x->frozen, m);
        right_side(k, s, step, rhs);
        assert_true(dense_lu_factor(p->n, m, pivot));
        dense_lu_solve(p->n, m, pivot, rhs, 1);
        step_of(k, c, sim, s, dz);
        for (int j = 0; j < p->nx; j++) {
            /* derivatives of the reference run have its tolerance */
            double scale = fabs(rhs[j]) + step * 1e-2 * p->nominal[j];
            if (fabs(dz[j] - rhs[j]) > 5e-2 * scale)
                print_message("%s, sample %d: %s moves by %g, dense %g\n",
                              x->name, s, p->var[j], dz[j], rhs[j]);
            assert_true(fabs(dz[j] - rhs[j]) <= 5e-2 * scale);
        }
    }
    sim_free(sim);
    arena_free(a);
}

static void check_case(const char *model, const char *view, double step)
{
    Case k = open_case(model, view, step);
    int checked = 0;
    for (int i = 0; i < k.t->candidate.n; i++) {
        const TuneCandidate *x = &k.t->candidate.at[i];
        if (!x->has_certificate)
            continue;
        compare(&k, x, step);
        checked++;
    }
    assert_true(checked >= 1);
    driver_end(k.c);
}

static void a_sparsed_step_is_that_of_its_matrix(void **state)
{
    (void)state;
    check_case("ExhaustPipe", "solve", 1e-3);
    check_case("QuarterCar", "solve", 1e-3);
    check_case("MotorDrive", "keep-small", 1e-4);
    check_case("MotorDrive", "keep", 1e-4);
    if (getenv("TAKT_LONG"))
        check_case("SixAxisRobot", "solve", 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sparsed_step_is_that_of_its_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
