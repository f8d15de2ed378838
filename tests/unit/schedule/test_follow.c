/* The blocks of all stages of a Rosenbrock method have one matrix. */
#include "support/test.h"

#include "inline/inline.h"
#include "schedule/schedule.h"
#include "support/system.h"

/* x' = y, y' = -x z - t y, z^3 + z = x y: states coupled through a loop. */
static System problem(void)
{
    System s = system_start();
    Dag *d = s.dag;
    Expr x = system_var(&s, "x", 1, 1), y = system_var(&s, "y", 1, 0.5);
    Expr z = system_var(&s, "z", 0, 0.4);
    system_eqn(&s, system_der(&s, x), y);
    system_eqn(&s, system_der(&s, y),
               expr_sub(d, expr_neg(d, expr_mul(d, x, z)),
                        expr_mul(d, expr_time(d), y)));
    system_eqn(&s, expr_add(d, expr_mul(d, z, expr_mul(d, z, z)), z),
               expr_mul(d, x, y));
    return s;
}

static const SchedBlock *increments(const Schedule *sc, int stage)
{
    for (int i = 0; i < sc->nblock; i++) {
        const SchedBlock *b = &sc->block[i];
        if (b->ntorn > 0 && sc->inlined->var[b->torn[0]].kind == IV_INCREMENT &&
            sc->inlined->var[b->torn[0]].stage == stage)
            return b;
    }
    return NULL;
}

static void check_view(PlanAlgebraic how)
{
    System s = problem();
    Plan *plan = plan_default(s.arena);
    const Method *m = method_find("rodas4", s.arena);
    Inlined *d = inline_dae(system_dae(&s), plan, m, NULL, s.arena, s.diag);
    SchedSamples *samples = schedule_start_samples(d, 0.1, s.arena, s.diag);
    SchedOptions o = schedule_options(plan);
    o.algebraic = how;
    o.solve_symbolic = false;
    const Schedule *sc =
        schedule_make(d, &d->system[d->cycle[0]], samples, &o, s.arena, s.diag);
    assert_non_null(sc);
    schedule_check(sc);
    const SchedBlock *first = increments(sc, 0);
    assert_non_null(first);
    assert_true(first->kind == SK_LINEAR);
    for (int stage = 1; stage < m->nstage; stage++) {
        const SchedBlock *b = increments(sc, stage);
        assert_non_null(b);
        assert_int_equal(b->ntorn, first->ntorn);
        assert_int_equal(b->jac.nnz, first->jac.nnz);
        for (int k = 0; k < b->jac.nnz; k++)
            assert_int_equal(b->jac.value[k], first->jac.value[k]);
        for (int k = 0; k < b->ntorn; k++) {
            const InlinedVar *v = &d->var[b->torn[k]];
            assert_int_equal(v->stage, stage);
            assert_int_equal(v->sys_var, d->var[first->torn[k]].sys_var);
        }
    }
    arena_free(s.arena);
}

static void all_stages_are_solved_like_the_first(void **state)
{
    (void)state;
    check_view(PA_AUTO);
    check_view(PA_TEAR);
    check_view(PA_SOLVE);
    check_view(PA_KEEP_SMALL);
    check_view(PA_KEEP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stages_are_solved_like_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
