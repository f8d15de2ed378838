/* Every method, inlined and scheduled, converges with its order: on x' = -x^2
 * and on the index-1 system x' = -y - x/10, y^3 + y = x. */
#include "support/test.h"

#include <math.h>

#include "inline/inline.h"
#include "support/run_schedule.h"
#include "support/system.h"

typedef enum Problem { SQUARE, CUBIC } Problem;

static System problem(Problem which)
{
    System s = system_start();
    Expr x = system_var(&s, "x", 1, 1);
    if (which == SQUARE) {
        system_eqn(&s, system_der(&s, x),
                   expr_neg(s.dag, expr_mul(s.dag, x, x)));
        return s;
    }
    Expr y = system_var(&s, "y", 0, 0.6823278038280193);
    Expr tenth = expr_mul(s.dag, expr_real(s.dag, 0.1), x);
    system_eqn(&s, system_der(&s, x),
               expr_sub(s.dag, expr_neg(s.dag, y), tenth));
    Expr cube = expr_mul(s.dag, y, expr_mul(s.dag, y, y));
    system_eqn(&s, expr_add(s.dag, cube, y), x);
    return s;
}

static double start_slope(Problem which)
{
    return which == SQUARE ? -1 : -0.6823278038280193 - 0.1;
}

/* x at t = 1 after n steps. */
static double run(Problem which, const char *method, int n)
{
    System s = problem(which);
    Plan *plan = plan_default(s.arena);
    const Method *m = method_find(method, s.arena);
    double h = 1.0 / n;
    Inlined *d = inline_dae(system_dae(&s), plan, m, NULL, s.arena, s.diag);
    SchedSamples *samples = schedule_start_samples(d, h, s.arena, s.diag);
    SchedOptions o = schedule_options(plan);
    const Schedule **sc = NEW_ARRAY(s.arena, const Schedule *, d->nsystem);
    for (int i = 0; i < d->nsystem; i++)
        if (d->system[i].method) {
            sc[i] =
                schedule_make(d, &d->system[i], samples, &o, s.arena, s.diag);
            assert_non_null(sc[i]);
            schedule_check(sc[i]);
        }
    RunPoint p = {NEW_ARRAY(s.arena, double, d->nvar), 0};
    memcpy(p.value, samples->value[0], sizeof *p.value * (size_t)d->nvar);
    p.value[inlined_find(d, 0, 1)] = start_slope(which);
    run_carry(d->first, d->nfirst, &p);
    for (int k = 0; k < n; k++) {
        int system =
            k < d->nstart ? d->start[k] : d->cycle[(k - d->nstart) % d->ncycle];
        p.time = (k + 1) * h;
        int newton = d->system[system].newton;
        run_schedule(sc[system], newton ? newton : 8, &p);
        run_carry(d->system[system].carry, d->system[system].ncarry, &p);
    }
    double x = p.value[0];
    arena_free(s.arena);
    return x;
}

static void check_order(Problem which, const char *name, double exact)
{
    Arena *a = arena_new();
    const Method *m = method_find(name, a);
    int order = m->order;
    if (which == CUBIC && m->one_jacobian && order > 4)
        order--; /* on DAEs: docs/methods/extrapolation.md */
    bool fine_grid = m->kind == MK_MULTISTEP || m->kind == MK_ROSENBROCK;
    int n = fine_grid ? 32 : order >= 5 ? 8 : order >= 3 ? 16 : 32;
    arena_free(a);
    double coarse = fabs(run(which, name, n) - exact);
    double fine = fabs(run(which, name, 2 * n) - exact);
    double found = log2(coarse / fine);
    printf("  %-10s order %d, found %.2f, error %.2e\n", name, order, found,
           fine);
    double slack = order >= 5 ? 0.6 : 0.35; /* rounding is near */
    if (coarse < 1e-14) /* rodas3 has x = 1/(1 + t) without error */
        return;
    if (!(found > order - slack) || !(fine < 0.05))
        fail_msg("%s: order %.2f, expected %d", name, found, order);
}

static void every_method_has_its_order(void **state)
{
    (void)state;
    double exact[] = {0.5, run(CUBIC, "radau5", 200)};
    for (int which = SQUARE; which <= CUBIC; which++) {
        printf("problem %d\n", which + 1);
        for (int i = 0; i < method_count(); i++)
            if (strcmp(method_name(i), "none") != 0)
                check_order((Problem)which, method_name(i), exact[which]);
    }
}

static void one_newton_step_is_linearly_implicit_euler(void **state)
{
    (void)state;
    /* (3.4) of Schiela: x1 = x0 + h (1 - h J)^-1 f(x0), J = -2 x0 */
    double h = 1.0, x0 = 1, expected = x0 - h * x0 * x0 / (1 + 2 * h * x0);
    assert_true(fabs(run(SQUARE, "lie", 1) - expected) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_its_order),
        cmocka_unit_test(one_newton_step_is_linearly_implicit_euler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
