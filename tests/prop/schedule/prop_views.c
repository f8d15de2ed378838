/* Random DAEs: what a step iterates on does not change its result.
 *
 *     P(x) x' = A x + B y + s(x),     D y = C x + g,     s_i = w sin(x_k)
 *
 * with P = I or a full matrix that varies with x. Dense linear algebra gives
 * f(x) = x' and, by differences, its Jacobian; from these
 *
 *   backward Euler   converged, is the same in all views, in one block or not
 *   LIE, solve       x + (I - h f_x)^-1 h f(x)
 *   LIE, cut         the same with the matrix that is left
 */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "inline/inline.h"
#include "support/random.h"
#include "support/run_schedule.h"
#include "support/system.h"

enum { MOST = 6 };

typedef struct Model {
    int n, m; /* states, algebraic variables */
    bool has_mass, is_linear;
    double a[MOST][MOST], b[MOST][MOST], c[MOST][MOST], d[MOST][MOST];
    double p[MOST][MOST], w[MOST], g[MOST], x[MOST];
    int k[MOST]; /* sin of which state */
} Model;

static double some(Random *r, double share)
{
    return random_below(r, 100) < share * 100 ? random_between(r, -1, 1) : 0;
}

static Model random_model(Random *r)
{
    Model m = {.n = 1 + random_below(r, MOST), .m = random_below(r, MOST)};
    m.has_mass = m.n > 1 && random_below(r, 3) == 0;
    m.is_linear = !m.has_mass && random_below(r, 2);
    for (int i = 0; i < MOST; i++) {
        for (int j = 0; j < MOST; j++) {
            m.a[i][j] = some(r, 0.4);
            m.b[i][j] = some(r, 0.4);
            m.c[i][j] = some(r, 0.4);
            m.d[i][j] = some(r, 0.5) + (i == j ? 3 : 0);
            m.p[i][j] = i == j ? 4 : random_between(r, -0.5, 0.5);
        }
        m.w[i] = m.is_linear ? 0 : some(r, 0.5);
        m.k[i] = random_below(r, m.n);
        m.g[i] = random_between(r, -1, 1);
        m.x[i] = random_between(r, -1, 1);
    }
    return m;
}

/* ---- as equations ---- */

static Expr term(System *s, Expr sum, double factor, Expr x)
{
    return factor == 0
               ? sum
               : expr_add(s->dag, sum,
                          expr_mul(s->dag, expr_real(s->dag, factor), x));
}

/* p cos(x_i) off the diagonal, p + sin(x_i) on it */
static Expr mass(System *s, const Model *m, const Expr *x, int i, int j)
{
    Expr p = expr_real(s->dag, m->p[i][j]);
    if (i == j)
        return expr_add(s->dag, p, expr_unary(s->dag, EX_SIN, x[i]));
    return expr_mul(s->dag, p, expr_unary(s->dag, EX_COS, x[i]));
}

static System build(const Model *m)
{
    System s = system_start();
    Expr x[MOST], y[MOST], zero = expr_real(s.dag, 0);
    char name[20];
    for (int i = 0; i < m->n; i++) {
        snprintf(name, sizeof name, "x%d", i);
        x[i] = system_var(&s, name, 1, m->x[i]);
    }
    for (int i = 0; i < m->m; i++) {
        snprintf(name, sizeof name, "y%d", i);
        y[i] = system_var(&s, name, 0, 0);
    }
    for (int i = 0; i < m->n; i++) {
        Expr left = m->has_mass ? zero : system_der(&s, x[i]), right = zero;
        for (int j = 0; m->has_mass && j < m->n; j++)
            left = expr_add(
                s.dag, left,
                expr_mul(s.dag, mass(&s, m, x, i, j), system_der(&s, x[j])));
        for (int j = 0; j < m->n; j++)
            right = term(&s, right, m->a[i][j], x[j]);
        for (int j = 0; j < m->m; j++)
            right = term(&s, right, m->b[i][j], y[j]);
        right = term(&s, right, m->w[i], expr_unary(s.dag, EX_SIN, x[m->k[i]]));
        system_eqn(&s, left, right);
    }
    for (int i = 0; i < m->m; i++) {
        Expr left = zero, right = expr_real(s.dag, m->g[i]);
        for (int j = 0; j < m->m; j++)
            left = term(&s, left, m->d[i][j], y[j]);
        for (int j = 0; j < m->n; j++)
            right = term(&s, right, m->c[i][j], x[j]);
        system_eqn(&s, left, right);
    }
    return s;
}

/* ---- as numbers ---- */

static void solve(int n, double *a, double *b)
{
    lapack_int pivot[2 * MOST];
    if (n > 0)
        assert_int_equal(
            LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, a, n, pivot, b, n), 0);
}

static void algebraic(const Model *m, const double *x, double *y)
{
    double d[MOST * MOST];
    for (int i = 0; i < m->m; i++) {
        y[i] = m->g[i];
        for (int j = 0; j < m->n; j++)
            y[i] += m->c[i][j] * x[j];
        for (int j = 0; j < m->m; j++)
            d[i + j * m->m] = m->d[i][j];
    }
    solve(m->m, d, y);
}

static void slope(const Model *m, const double *x, double *f)
{
    double y[MOST], p[MOST * MOST];
    algebraic(m, x, y);
    for (int i = 0; i < m->n; i++) {
        f[i] = m->w[i] * sin(x[m->k[i]]);
        for (int j = 0; j < m->n; j++)
            f[i] += m->a[i][j] * x[j];
        for (int j = 0; j < m->m; j++)
            f[i] += m->b[i][j] * y[j];
        for (int j = 0; j < m->n; j++)
            p[i + j * m->n] = !m->has_mass ? i == j
                              : i == j     ? m->p[i][i] + sin(x[i])
                                           : m->p[i][j] * cos(x[i]);
    }
    solve(m->n, p, f);
}

/* x + (I - h f_x)^-1 h f(x), with the derivatives of column j by differences.
 */
static void lie_step(const Model *m, double h, double *x)
{
    double e[MOST * MOST], f[MOST], up[MOST], down[MOST], z[MOST];
    for (int j = 0; j < m->n; j++) {
        memcpy(z, x, sizeof z);
        z[j] = x[j] + 1e-5;
        slope(m, z, up);
        z[j] = x[j] - 1e-5;
        slope(m, z, down);
        for (int i = 0; i < m->n; i++)
            e[i + j * m->n] = (i == j) - h * (up[i] - down[i]) / 2e-5;
    }
    slope(m, x, f);
    for (int i = 0; i < m->n; i++)
        f[i] *= h;
    solve(m->n, e, f);
    for (int i = 0; i < m->n; i++)
        x[i] += f[i];
}

/* ---- one step of a schedule ---- */

typedef struct Made {
    System s;
    Plan *plan;
    Inlined *d;
    const Schedule *sc;
    RunPoint p;
} Made;

static Made make(const Model *m, const char *method, double h,
                 PlanAlgebraic how, bool whole, PlanCut *cut, int ncut)
{
    Made r = {.s = build(m)};
    Arena *a = r.s.arena;
    r.plan = plan_default(a);
    r.plan->algebraic = how;
    r.plan->cut = cut;
    r.plan->ncut = ncut;
    r.d = inline_dae(system_dae(&r.s), r.plan, method_find(method, a), NULL, a,
                     r.s.diag);
    assert_non_null(r.d);
    SchedOptions o = schedule_options(r.plan);
    o.one_block |= whole;
    SchedSamples *samples = schedule_start_samples(r.d, h, a, r.s.diag);
    r.sc = schedule_make(r.d, &r.d->system[r.d->cycle[0]], samples, &o, a,
                         r.s.diag);
    assert_non_null(r.sc);
    schedule_check(r.sc);
    r.p.value = NEW_ARRAY(a, double, r.d->nvar + 1);
    memcpy(r.p.value, samples->value[0], sizeof *r.p.value * (size_t)r.d->nvar);
    algebraic(m, m->x, r.p.value + m->n); /* y follow the x in the table */
    run_carry(r.d->first, r.d->nfirst, &r.p);
    return r;
}

static void all_views_give_one_step(void **state)
{
    (void)state;
    static const PlanAlgebraic how[] = {PA_TEAR, PA_SOLVE, PA_KEEP_SMALL,
                                        PA_KEEP, PA_AUTO};
    Random r = random_start("prop_views");
    int cases = random_cases(150, 5000);
    double worst = 0;
    for (int c = 0; c < cases; c++) {
        Model m = random_model(&r);
        double first[MOST] = {0};
        for (int i = 0; i < 10; i++) {
            Made x = make(&m, "be", 0.05, how[i / 2], i % 2, NULL, 0);
            run_schedule(x.sc, 12, &x.p);
            for (int k = 0; k < m.n; k++) {
                if (i == 0)
                    first[k] = x.p.value[k];
                worst = fmax(worst, fabs(x.p.value[k] - first[k]));
            }
            arena_free(x.s.arena);
        }
        assert_true(worst < 1e-10);
    }
    printf("largest difference of the views %.1e\n", worst);
}

/* All states, and nothing else, are iterated on: an ODE stays an ODE. */
static void solve_is_the_linearly_implicit_step_of_the_ode(void **state)
{
    (void)state;
    Random r = random_start("prop_views");
    int cases = random_cases(200, 5000), nloop = 0;
    double worst = 0;
    for (int c = 0; c < cases; c++) {
        Model m = random_model(&r);
        Made x = make(&m, "lie", 0.1, PA_SOLVE, true, NULL, 0);
        const SchedBlock *b = schedule_state_block(x.sc);
        assert_non_null(b);
        assert_int_equal(b->ntorn, m.n);
        assert_int_equal(b->nstate, m.n);
        for (int k = 0; k < m.n; k++)
            assert_int_equal(b->torn[k], k);
        nloop += b->nloop;
        run_schedule(x.sc, 1, &x.p);
        lie_step(&m, 0.1, m.x);
        for (int k = 0; k < m.n; k++)
            worst = fmax(worst, fabs(x.p.value[k] - m.x[k]));
        assert_true(worst < 1e-8);
        arena_free(x.s.arena);
    }
    printf("against dense (I - h J): %.1e, %d loops solved inside\n", worst,
           nloop);
    assert_true(nloop > 10);
}

/* ---- cuts ---- */

/* The matrix of the block without the cut places, L kept; and -r. */
static void cut_matrix(const Made *x, const SchedBlock *b, const bool *is_cut,
                       double *a, double *r)
{
    int n = b->ntorn;
    RunPoint p = x->p;
    memset(a, 0, sizeof *a * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        r[i] = -run_expr(x->sc, b->residual[i], &p);
    for (int j = 0; j < n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            int i = b->jac.row[k];
            a[i + j * n] = is_cut[k] ? i == j && i < b->nstate
                                     : run_expr(x->sc, b->jac.value[k], &p);
        }
}

/* Cuts some places and lets the step with a plan and dense algebra agree.
 * Returns false if the matrix that is left is close to singular. */
static bool check_cut(Random *r, const Model *m, PlanAlgebraic how,
                      double *worst)
{
    Made x = make(m, "lie", 0.1, how, true, NULL, 0);
    const SchedBlock *b = schedule_state_block(x.sc);
    Arena *a = x.s.arena;
    int n = b->ntorn, ncut = 0;
    bool *is_cut = NEW_ARRAY(a, bool, b->jac.nnz + 1);
    PlanCut *cut = NEW_ARRAY(a, PlanCut, b->jac.nnz + 1);
    for (int j = 0; j < n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            int i = b->jac.row[k];
            if (random_below(r, 4) > 0 || (i == j && i >= b->nstate))
                continue;
            is_cut[k] = true;
            cut[ncut++] =
                (PlanCut){random_below(r, 2) ? CUT_SPARSED : CUT_ITERATE,
                          inlined_eqn_name(
                              x.d, &x.sc->system->eqn[b->residual_eqn[i]], a),
                          x.d->var[b->torn[j]].name, NAN, NO_SPAN};
        }
    double *e = NEW_ARRAY(a, double, n *n), *d = NEW_ARRAY(a, double, n);
    Schedule before = *x.sc; /* what does not depend on the states */
    before.nblock = (int)(b - x.sc->block);
    before.ntail = 0;
    run_schedule(&before, 1, &x.p);
    run_chain(x.sc, b, &x.p);
    cut_matrix(&x, b, is_cut, e, d);
    lapack_int *pivot = NEW_ARRAY(a, lapack_int, n);
    bool fine = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, e, n, pivot, d, n) == 0;
    Made y = make(m, "lie", 0.1, how, ncut == 0, cut, ncut);
    const SchedBlock *c = schedule_state_block(y.sc);
    assert_int_equal(c->ntorn, n);
    run_schedule(y.sc, 1, &y.p);
    for (int k = 0; k < n && fine; k++) {
        double scale = fmax(1, fabs(d[k]));
        fine = scale < 1e3;
        if (fine)
            *worst = fmax(*worst, fabs(x.p.value[b->torn[k]] + d[k] -
                                       y.p.value[c->torn[k]]) /
                                      scale);
    }
    arena_free(x.s.arena);
    arena_free(y.s.arena);
    return fine;
}

static void a_cut_matrix_gives_the_step_of_dense_algebra(void **state)
{
    (void)state;
    static const PlanAlgebraic how[] = {PA_SOLVE, PA_KEEP_SMALL, PA_KEEP};
    Random r = random_start("prop_views");
    int cases = random_cases(200, 5000), done = 0;
    double worst = 0;
    for (int c = 0; c < cases; c++) {
        Model m = random_model(&r);
        done += check_cut(&r, &m, how[random_below(&r, 3)], &worst);
        assert_true(worst < 1e-10);
    }
    printf("%d of %d cut matrices, largest difference %.1e\n", done, cases,
           worst);
    assert_true(done > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_views_give_one_step),
        cmocka_unit_test(solve_is_the_linearly_implicit_step_of_the_ode),
        cmocka_unit_test(a_cut_matrix_gives_the_step_of_dense_algebra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
