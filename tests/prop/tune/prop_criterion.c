/* prop_criterion.c - the predicted sum of eigenvalue changes of a cluster
 * against computed ones.
 *
 * For random pairs, real, complex, clustered, defective and with algebraic
 * parts, the iteration matrix loses a random perturbation e D. The error of the
 * first-order sum must be of second order: halving e divides it by 3.5 to 4.5
 * where e ||M|| / sep < 1e-3, with sep the separation of the cluster from the
 * rest (dtrsen) and M the change of the step, seen through the projector.
 * Left out are errors that are rounding, and those of which the term in e^2
 * (nearly) vanishes; they must be fewer than half.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "support/random.h"
#include "tune/assign.h"
#include "tune/criterion.h"

enum { MOST = 9 };

typedef struct Case {
    int n, nx;
    double tau;
    double l[MOST * MOST], df[MOST * MOST];
    double d[MOST * MOST]; /* direction of the perturbation */
} Case;

typedef struct Tally {
    int pairs, clusters, judged, multiple, algebraic, complex_ones;
} Tally;

/* ---- random pairs ---- */
static double normal(Random *r)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += random_unit(r);
    return (sum - 3) * 1.4;
}

static void random_matrix(Random *r, int n, double *m)
{
    for (int i = 0; i < n * n; i++)
        m[i] = normal(r);
}

/* m = v block v^-1 with a mildly conditioned v; false if it is not. */
static bool similar(Random *r, int n, const double *block, double *m)
{
    double v[MOST * MOST], w[MOST * MOST], t[MOST * MOST] = {0};
    int pivot[MOST];
    random_matrix(r, n, v);
    for (int i = 0; i < n; i++)
        v[i + i * n] += 3;
    for (int j = 0; j < n; j++) /* t = (v block)^T, w = v^T */
        for (int i = 0; i < n; i++) {
            w[j + i * n] = v[i + j * n];
            for (int k = 0; k < n; k++)
                t[j + i * n] += v[i + k * n] * block[k + j * n];
        }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, w, n, pivot, t, n) != 0)
        return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m[i + j * n] = t[j + i * n];
    return true;
}

/* Kind 0: real eigenvalues, 1: anything, 2: equal ones, 3: defective. */
static bool random_ode(Random *r, int kind, int n, double *df)
{
    if (kind == 1) {
        random_matrix(r, n, df);
        return true;
    }
    double block[MOST * MOST] = {0};
    for (int i = 0; i < n; i++)
        block[i + i * n] = -0.3 - 1.7 * i - random_unit(r);
    int first = random_below(r, n - 1);
    if (kind >= 2)
        block[first + 1 + (first + 1) * n] = block[first + first * n];
    if (kind == 3)
        block[first + (first + 1) * n] = 1;
    return similar(r, n, block, df);
}

static bool random_case(Random *r, int number, Case *c)
{
    memset(c, 0, sizeof *c);
    c->nx = 2 + random_below(r, 5);
    c->n = c->nx + (number % 2 ? 1 + random_below(r, 3) : 0);
    c->tau = random_between(r, 0.05, 1);
    int n = c->n, nx = c->nx;
    double ode[MOST * MOST];
    if (!random_ode(r, number % 4, nx, ode))
        return false;
    random_matrix(r, n, c->df);
    for (int i = nx; i < n; i++)
        c->df[i + i * n] += 4;
    for (int i = 0; i < nx; i++) {
        c->l[i + i * n] = 1;
        for (int j = 0; j < nx; j++)
            c->df[i + j * n] = ode[i + j * nx];
    }
    /* an algebraic part that leaves the reduced matrix as it was made */
    double y[MOST * MOST], a[MOST * MOST];
    int ny = n - nx, pivot[MOST];
    for (int j = 0; j < nx; j++)
        for (int i = 0; i < ny; i++)
            y[i + j * ny] = c->df[nx + i + j * n];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < ny; i++)
            a[i + j * ny] = c->df[nx + i + (nx + j) * n];
    if (ny > 0 &&
        LAPACKE_dgesv(LAPACK_COL_MAJOR, ny, nx, a, ny, pivot, y, ny) != 0)
        return false;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < nx; j++)
            for (int k = 0; k < ny; k++)
                c->df[i + j * n] += c->df[i + (nx + k) * n] * y[k + j * ny];
    for (int i = 0; i < n * n; i++)
        c->d[i] = random_below(r, 2) ? normal(r) : 0;
    return true;
}

/* ---- computed eigenvalues ---- */
/* Of (L + e tau D, L - tau Df + e tau D); false if LAPACK gives up. */
static bool eigenvalues(const Case *c, double e, double complex *value)
{
    int n = c->n;
    double a[MOST * MOST], b[MOST * MOST], re[MOST], im[MOST], beta[MOST];
    for (int i = 0; i < n * n; i++) {
        a[i] = c->l[i] + e * c->tau * c->d[i];
        b[i] = a[i] - c->tau * c->df[i];
    }
    if (LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, b, n, re, im, beta,
                      NULL, 1, NULL, 1) != 0)
        return false;
    for (int i = 0; i < n; i++)
        value[i] = CMPLX(re[i] / beta[i], im[i] / beta[i]);
    return true;
}

/* The step matrix (B + E)^-1 (A + E). */
static bool step(const Case *c, double e, double *m)
{
    int n = c->n, pivot[MOST];
    double b[MOST * MOST];
    for (int i = 0; i < n * n; i++) {
        m[i] = c->l[i] + e * c->tau * c->d[i];
        b[i] = m[i] - c->tau * c->df[i];
    }
    return LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, b, n, pivot, m, n) == 0;
}

/* Sum of the changes of the eigenvalues with member[i]. */
static bool sum_of_changes(const Case *c, double e, const double complex *exact,
                           const bool *member, double complex *sum)
{
    double complex moved[MOST];
    double cost[MOST * MOST];
    int pair[MOST], n = c->n;
    if (!eigenvalues(c, e, moved))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + j * n] = cabs(exact[i] - moved[j]);
    assign_bottleneck(n, cost, pair);
    *sum = 0;
    for (int i = 0; i < n; i++)
        if (member[i])
            *sum += moved[pair[i]] - exact[i];
    return true;
}

/* The separation of the members from the rest, by dtrsen; *s gets the
 * reciprocal norm of the projector. */
static double separation(const Case *c, const double complex *exact,
                         const bool *member, double *s)
{
    int n = c->n;
    double m[MOST * MOST], q[MOST * MOST], re[MOST], im[MOST], sep = 0;
    double cost[MOST * MOST];
    int pair[MOST];
    lapack_int none;
    lapack_logical select[MOST];
    if (!step(c, 0, m) || LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, m,
                                        n, &none, re, im, q, n) != 0)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + j * n] = cabs(exact[i] - CMPLX(re[j], im[j]));
    assign_bottleneck(n, cost, pair);
    for (int i = 0; i < n; i++)
        select[pair[i]] = member[i];
    lapack_int count;
    if (LAPACKE_dtrsen(LAPACK_COL_MAJOR, 'B', 'V', select, n, m, n, q, n, re,
                       im, &count, s, &sep) != 0)
        return 0;
    return sep;
}

static double change_norm(const Case *c, double e)
{
    double m[MOST * MOST], f[MOST * MOST], sum = 0;
    if (!step(c, 0, f) || !step(c, e, m))
        return INFINITY;
    for (int i = 0; i < c->n * c->n; i++)
        sum += (m[i] - f[i]) * (m[i] - f[i]);
    return sqrt(sum);
}

/* ---- the comparison ---- */
/* One cluster: predicted is the derivative of the sum by e. */
static void compare(const Case *c, const double complex *exact,
                    const bool *member, double predicted, Tally *t, int number)
{
    double s = 1, sep = separation(c, exact, member, &s);
    int count = 0;
    for (int i = 0; i < c->n; i++)
        count += member[i];
    if (count == c->n)
        sep = 1;
    if (sep < 1e-6)
        return;
    double e = 1;
    while (change_norm(c, e) / (s * sep) > 1e-3)
        e /= 2;
    double complex whole, half;
    if (!sum_of_changes(c, e, exact, member, &whole) ||
        !sum_of_changes(c, e / 2, exact, member, &half))
        return;
    t->clusters++;
    double first = cabs(whole - e * predicted);
    double second = cabs(half - e / 2 * predicted);
    double size = change_norm(c, e);
    if (first < 1e-12 / s || first < 5e-3 * size * size / sep)
        return; /* rounding, or no term in e^2 */
    t->judged++;
    if (first < 3.5 * second || first > 4.5 * second)
        fail_msg("pair %d: errors %g and %g, quotient %g", number, first,
                 second, first / second);
}

static void check_pair(const Case *c, Tally *t, int number)
{
    Arena *arena = arena_new();
    PencilSet *p = pencil_from_dense(c->n, c->nx, 1, c->l, c->df, arena);
    const Spectrum *s = spectrum_make(p, 0, c->tau, NULL, arena);
    double complex exact[MOST];
    if (s->code != TUNE_FINE || !eigenvalues(c, 0, exact)) {
        arena_free(arena);
        return;
    }
    const Criterion *k = criterion_make(p, s, arena);
    assert_int_equal(k->code, TUNE_FINE);
    t->pairs++;
    /* exact[i] belongs to mode pair[i]; those beyond nmode are zeros */
    double cost[MOST * MOST];
    int pair[MOST], n = c->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + j * n] =
                cabs(exact[i] - (j < s->nmode ? s->mode[j].lambda : 0));
    assign_bottleneck(n, cost, pair);
    for (int cluster = 0; cluster < k->ncluster; cluster++) {
        bool member[MOST] = {false}, is_complex = false;
        for (int i = 0; i < n; i++) {
            member[i] = pair[i] < s->nmode ? s->mode[pair[i]].cluster == cluster
                                           : cluster == s->ncluster;
            is_complex =
                is_complex || (member[i] && fabs(cimag(exact[i])) > 1e-3);
        }
        double predicted = 0;
        for (int j = 0; j < n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                predicted += k->gain[e + (size_t)cluster * (size_t)p->nnz] *
                             c->tau * c->d[p->row[e] + j * n];
        int before = t->judged;
        compare(c, exact, member, predicted, t, number);
        if (t->judged > before) {
            t->algebraic += cluster == s->ncluster;
            t->complex_ones += is_complex;
            t->multiple += cluster < s->ncluster && !is_complex &&
                           s->cluster[cluster].size > 1;
        }
    }
    arena_free(arena);
}

static void predicted_sums_are_of_second_order(void **state)
{
    (void)state;
    Random r = random_start("prop_criterion");
    Tally t = {0};
    int cases = random_cases(1000, 20000);
    for (int number = 0; t.pairs < cases && number < 4 * cases; number++) {
        Case c;
        if (random_case(&r, number, &c))
            check_pair(&c, &t, number);
    }
    printf("%d pairs, %d clusters, %d judged: %d complex, %d multiple, %d "
           "algebraic\n",
           t.pairs, t.clusters, t.judged, t.complex_ones, t.multiple,
           t.algebraic);
    assert_true(t.pairs >= cases);
    assert_true(t.judged > t.clusters / 2);
    assert_true(t.complex_ones > 50 && t.multiple > 100 && t.algebraic > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicted_sums_are_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
