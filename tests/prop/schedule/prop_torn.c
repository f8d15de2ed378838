/* Random linear systems: what a torn schedule gives is what LAPACK gives, up to
 * 1e-13 * growth * condition. */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "inline/inline.h"
#include "support/random.h"
#include "support/run_schedule.h"
#include "support/system.h"

typedef struct Linear {
    int n;
    double *a; /* n * n, by columns */
    double *b;
} Linear;

/* A structurally regular matrix: a permuted diagonal and some more. */
static Linear random_matrix(Random *r, Arena *work)
{
    int n = 1 + random_below(r, 60);
    Linear m = {n, NEW_ARRAY(work, double, n *n), NEW_ARRAY(work, double, n)};
    int *perm = NEW_ARRAY(work, int, n);
    for (int i = 0; i < n; i++)
        perm[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = random_below(r, i + 1), old = perm[i];
        perm[i] = perm[k];
        perm[k] = old;
    }
    for (int i = 0; i < n; i++) {
        m.a[perm[i] * n + i] = random_between(r, 1, 4);
        m.b[i] = random_between(r, -1, 1);
    }
    int more = random_below(r, 3 * n + 1);
    double scale = random_below(r, 2) ? 1 : 1e3;
    for (int k = 0; k < more; k++)
        m.a[random_below(r, n) * n + random_below(r, n)] =
            random_between(r, -1, 1) * (random_below(r, 4) ? 1 : scale);
    return m;
}

static System build(const Linear *m)
{
    System s = system_start();
    int n = m->n;
    Expr *x = NEW_ARRAY(s.arena, Expr, n);
    for (int j = 0; j < n; j++) {
        char name[20];
        snprintf(name, sizeof name, "x%d", j);
        x[j] = system_var(&s, name, 0, 0);
    }
    for (int i = 0; i < n; i++) {
        Expr sum = expr_real(s.dag, 0);
        for (int j = 0; j < n; j++)
            if (m->a[j * n + i] != 0)
                sum = expr_add(
                    s.dag, sum,
                    expr_mul(s.dag, expr_real(s.dag, m->a[j * n + i]), x[j]));
        system_eqn(&s, sum, expr_real(s.dag, m->b[i]));
    }
    return s;
}

/* Solves m; returns the condition in the 1-norm. */
static double solve_dense(const Linear *m, double *x, Arena *work)
{
    int n = m->n;
    double *a = NEW_ARRAY(work, double, n *n), rcond = 0;
    lapack_int *pivot = NEW_ARRAY(work, lapack_int, n);
    memcpy(a, m->a, sizeof *a * (size_t)(n * n));
    memcpy(x, m->b, sizeof *x * (size_t)n);
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, a, n);
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, a, n, pivot, x, n) != 0)
        return INFINITY;
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, a, n, norm, &rcond);
    return 1 / rcond;
}

static bool check_one(Random *r, double *worst)
{
    Arena *work = arena_new();
    Linear m = random_matrix(r, work);
    double *x = NEW_ARRAY(work, double, m.n);
    double condition = solve_dense(&m, x, work);
    if (!(condition < 1e12)) {
        arena_free(work);
        return false;
    }
    System s = build(&m);
    Plan *plan = plan_default(s.arena);
    plan->growth_bound = random_below(r, 2) ? 1e3 : 1e6;
    plan->algebraic = random_below(r, 8) ? PA_SOLVE : PA_KEEP;
    Inlined *d = inline_sys(system_end(&s), plan, method_find("be", s.arena),
                            NULL, s.arena, s.diag);
    SchedOptions o = schedule_options(plan);
    o.solve_symbolic = random_below(r, 2);
    const Schedule *sc = schedule_make(
        d, &d->system[d->cycle[0]],
        schedule_start_samples(d, 0.01, s.arena, s.diag), &o, s.arena, s.diag);
    assert_non_null(sc);
    schedule_check(sc);
    RunPoint p = {NEW_ARRAY(work, double, d->nvar), 0};
    run_schedule(sc, 1, &p);
    double size = 0, error = 0;
    for (int j = 0; j < m.n; j++) {
        size = fmax(size, fabs(x[j]));
        error = fmax(error, fabs(p.value[j] - x[j]));
    }
    double unit = 1e-13 * sc->growth * condition * fmax(size, 1e-300);
    *worst = fmax(*worst, error / unit);
    if (!(error <= unit))
        fail_msg("n = %d: error %.3g, allowed %.3g (growth %.3g, condition "
                 "%.3g, torn %d)",
                 m.n, error, unit, sc->growth, condition, sc->niteration);
    arena_free(s.arena);
    arena_free(work);
    return true;
}

static void torn_solutions_agree_with_lapack(void **state)
{
    (void)state;
    Random r = random_start("prop_torn");
    int cases = random_cases(400, 10000), checked = 0;
    double worst = 0;
    for (int i = 0; i < cases; i++)
        checked += check_one(&r, &worst);
    printf("%d systems, error at most %.3g of what is allowed\n", checked,
           worst);
    assert_true(checked > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torn_solutions_agree_with_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
