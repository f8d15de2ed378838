/* Large systems: a chain and a grid, in time and without recursion. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "inline/inline.h"
#include "schedule/schedule.h"
#include "support/system.h"

/* Of the processor: the machine may be busy with other tests. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static const Schedule *schedule(System *s, double *time)
{
    double begin = seconds();
    Plan *plan = plan_default(s->arena);
    Inlined *d = inline_sys(system_end(s), plan, method_find("be", s->arena),
                            NULL, s->arena, s->diag);
    SchedOptions o = schedule_options(plan);
    const Schedule *sc =
        schedule_make(d, &d->system[d->cycle[0]],
                      schedule_start_samples(d, 0.01, s->arena, s->diag), &o,
                      s->arena, s->diag);
    *time = seconds() - begin;
    assert_non_null(sc);
    return sc;
}

static double chain(int n)
{
    System s = system_start();
    Expr before = expr_time(s.dag);
    for (int i = 0; i < n; i++) {
        char name[20];
        snprintf(name, sizeof name, "x%d", i);
        Expr x = system_var(&s, name, 0, 0);
        system_eqn(&s, x,
                   expr_add(s.dag, expr_unary(s.dag, EX_SIN, before),
                            expr_real(s.dag, 1)));
        before = x;
    }
    double time;
    const Schedule *sc = schedule(&s, &time);
    assert_int_equal(sc->nblock, n);
    assert_int_equal(sc->niteration, 0);
    arena_free(s.arena);
    return time;
}

/* Of three: what else the machine does only adds. */
static double fastest_chain(int n)
{
    double best = chain(n);
    for (int i = 1; i < 3; i++)
        best = fmin(best, chain(n));
    return best;
}

static void a_chain_of_100000_takes_linear_time(void **state)
{
    (void)state;
    /* 16 times the size: 16 times the time, not 256 times */
    double small = fastest_chain(6250), large = fastest_chain(100000);
    printf("chain: 6250 in %.3f s, 100000 in %.2f s\n", small, large);
    assert_true(large < 100 * small);
}

static void a_grid_is_one_block(void **state)
{
    (void)state;
    int n = getenv("TAKT_LONG") ? 300 : 100;
    System s = system_start();
    Expr *x = NEW_ARRAY(s.arena, Expr, n * n);
    for (int i = 0; i < n * n; i++) {
        char name[20];
        snprintf(name, sizeof name, "x%d", i);
        x[i] = system_var(&s, name, 0, 0);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Expr sum = expr_mul(s.dag, expr_real(s.dag, 4.5), x[i * n + j]);
            const int di[] = {-1, 1, 0, 0}, dj[] = {0, 0, -1, 1};
            for (int k = 0; k < 4; k++) {
                int a = i + di[k], b = j + dj[k];
                if (a >= 0 && a < n && b >= 0 && b < n)
                    sum = expr_sub(s.dag, sum, x[a * n + b]);
            }
            system_eqn(&s, sum, expr_real(s.dag, 1));
        }
    double time;
    const Schedule *sc = schedule(&s, &time);
    printf("grid %d x %d: %.2f s, %.0f MB, %d blocks, %d iteration "
           "variables\n",
           n, n, time, (double)arena_used() / 1e6, sc->nblock, sc->niteration);
    assert_int_equal(sc->largest, n * n);
    arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_100000_takes_linear_time),
        cmocka_unit_test(a_grid_is_one_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
