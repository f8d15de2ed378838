/* prop_step.c - the small matrix of a sparsed step against QZ on the whole
 * pair.
 *
 * Random index-1 systems lose random entries. The eigenvalues of the matrix
 * over the remembered variables, with zeros, must be those of
 * (L + tau (Df - J), L - tau J); the eigenvalues of the full pattern those that
 * spectrum.h finds after its elimination; and choice_make() must hand out
 * patterns that the certificate accepts.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>

#include "support/random.h"
#include "tune/assign.h"
#include "tune/certificate.h"
#include "tune/search.h"
#include "tune/step.h"

enum { MOST = 12 };

static PencilSet *random_set(Random *r, int nsample, Arena *a)
{
    int nx = 1 + random_below(r, 7), n = nx + random_below(r, 5);
    size_t size = (size_t)(n * n);
    double *l = NEW_ARRAY(a, double, size *(size_t)nsample);
    double *df = NEW_ARRAY(a, double, size *(size_t)nsample);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double scale = pow(10, random_between(r, -1, 2));
            double value =
                random_below(r, 3) ? random_between(r, -1, 1) * scale : 0;
            if (i == j) /* mostly stable, and g_y regular */
                value = -2 * pow(10, random_between(r, 0, 3));
            for (int s = 0; s < nsample; s++) {
                size_t at = (size_t)(i + j * n) + (size_t)s * size;
                l[at] = i == j && i < nx;
                df[at] = value * random_between(r, 0.9, 1.1);
            }
        }
    return pencil_from_dense(n, nx, nsample, l, df, a);
}

/* Eigenvalues of the whole pair by QZ; false if it is singular. */
static bool whole(const PencilSet *p, double tau, const bool *keep,
                  double complex *value)
{
    int n = p->n;
    double a[MOST * MOST], b[MOST * MOST], re[MOST], im[MOST], beta[MOST];
    pencil_iteration_matrix(p, 0, tau, keep, NULL, b);
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] + tau * p->sample[0].df[i];
    if (LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, b, n, re, im, beta,
                      NULL, 1, NULL, 1) != 0)
        return false;
    for (int i = 0; i < n; i++) {
        if (fabs(beta[i]) < 1e-6)
            return false;
        value[i] = CMPLX(re[i] / beta[i], im[i] / beta[i]);
    }
    return true;
}

static double distance(int n, const double complex *a, const double complex *b)
{
    double cost[MOST * MOST];
    int pair[MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + j * n] = cabs(a[i] - b[j]);
    return assign_bottleneck(n, cost, pair);
}

static void the_small_matrix_has_the_eigenvalues_of_the_pair(void **state)
{
    (void)state;
    Random r = random_start("prop_step");
    int cases = random_cases(2000, 20000), compared = 0;
    for (int k = 0; k < cases; k++) {
        Arena *a = arena_new();
        PencilSet *p = random_set(&r, 1, a);
        double tau = pow(10, random_between(&r, -3, 0));
        bool *keep = NEW_ARRAY(a, bool, p->nnz + 1);
        for (int e = 0; e < p->nnz; e++)
            keep[e] = random_below(&r, 4) > 0;
        double complex exact[MOST], small[MOST] = {0}, modes[MOST] = {0};
        StepMatrix m = step_matrix(p, 0, tau, 1, keep, NULL, a);
        if (m.code == TUNE_FINE && whole(p, tau, keep, exact)) {
            double size = 1;
            for (int i = 0; i < p->n; i++)
                size = fmax(size, cabs(exact[i]));
            assert_int_equal(step_eigenvalues(m.n, m.m, small), TUNE_FINE);
            assert_true(distance(p->n, exact, small) < 1e-5 * size);
            compared++;
        }
        const Spectrum *s = spectrum_make(p, 0, tau, NULL, a);
        if (s->code == TUNE_FINE && whole(p, tau, NULL, exact)) {
            for (int i = 0; i < s->nmode; i++)
                modes[i] = s->mode[i].lambda;
            assert_true(distance(p->n, exact, modes) < 1e-5);
        }
        arena_free(a);
    }
    printf("%d of %d steps compared\n", compared, cases);
    assert_true(compared > cases * 3 / 4);
}

static void a_choice_passes_its_own_tests(void **state)
{
    (void)state;
    Random r = random_start("prop_step");
    static const double rhos[] = {0.01, 0.1, 0.5, 1};
    int cases = random_cases(200, 2000), sparser = 0, cheaper = 0;
    for (int k = 0; k < cases; k++) {
        Arena *a = arena_new();
        PencilSet *p = random_set(&r, 3, a);
        CertificateOptions o = {
            .choice = {.tau = pow(10, random_between(&r, -3, 0)),
                       .rho = rhos[k % 4],
                       .order = k % 5 == 0 ? 2 : 0,
                       .freeze = k % 3 == 0},
            .growth = 1e9};
        Choice c = choice_make(p, &o.choice, NULL, a);
        if (c.code == TUNE_FINE) {
            Certificate t = certificate_make(p, &o, c.keep, c.frozen, NULL, a);
            if (!t.is_safe)
                fail_msg("case %d: %s", k, t.why);
            sparser += c.ndropped > 0;
            double before, after;
            SearchOptions few = {.tests = 60};
            Choice d = search_improve(p, &o.choice, &c, &few, NULL, &before,
                                      &after, a);
            t = certificate_make(p, &o, d.keep, d.frozen, NULL, a);
            if (!t.is_safe)
                fail_msg("case %d, searched: %s", k, t.why);
            assert_true(after <= before);
            cheaper += after < before;
        }
        arena_free(a);
    }
    printf("%d of %d choices drop entries, %d are made cheaper\n", sparser,
           cases, cheaper);
    assert_true(sparser > cases / 2 && cheaper > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_small_matrix_has_the_eigenvalues_of_the_pair),
        cmocka_unit_test(a_choice_passes_its_own_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
