/* prop_large.c - a system of the size of the six-axis robot without tearing:
 * 354 unknowns, 78 of them states, 20 samples. The whole analysis, criterion,
 * choice at one rho and certificate, must end within a minute of processor
 * time, and what is chosen must be sparser and safe. With sanitizers, which
 * say nothing about time, five of its machines and 8 samples.
 *
 * The system is made of 13 machines with six states each: a stiff current, a
 * motor and a load with an elastic shaft, a slow controller. Algebraic
 * variables are torques, voltages and sums of them, in short chains with some
 * loops, and tie neighbouring machines weakly.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <time.h>

#include "support/random.h"
#include "tune/certificate.h"
#include "tune/search.h"

#if defined(__SANITIZE_ADDRESS__)
enum { NX = 30, NY = 106, SAMPLES = 8 };
#else
enum { NX = 78, NY = 276, SAMPLES = 20 };
#endif
enum { N = NX + NY, MACHINE = 6 };

static void set(double *df, int i, int j, double value)
{
    df[i + (size_t)j * N] = value;
}

/* One machine: states from `x`, its own algebraic variables from `y` on. */
static void add_machine(double *df, int x, int y, int ny, double load)
{
    double stiff = -3000 - 20 * x, shaft = 4e4 * load, friction = 3 * load;
    set(df, x, x, stiff); /* current */
    set(df, x, y, 800);   /* voltage */
    set(df, x, x + 2, -50);
    set(df, x + 1, x + 2, 1); /* motor angle and speed */
    set(df, x + 2, y + 1, 10);
    set(df, x + 2, x + 2, -friction);
    set(df, x + 3, x + 4, 1); /* load angle and speed */
    set(df, x + 4, y + 2, 1);
    set(df, x + 4, x + 4, -friction);
    set(df, x + 5, x + 3, -2); /* controller */
    set(df, x + 5, x + 5, -5);
    for (int k = 0; k < ny; k++)
        set(df, NX + y - NX + k, y + k, -1);
    set(df, y, x + 5, 0.5);
    set(df, y, x + 1, -0.1);
    set(df, y + 1, x, 2);
    set(df, y + 1, y + 2, -0.1);
    set(df, y + 2, x + 1, shaft);
    set(df, y + 2, x + 3, -shaft);
    set(df, y + 2, x + 2, shaft / 500);
    set(df, y + 2, x + 4, -shaft / 500);
    for (int k = 3; k < ny; k++) { /* sums of what was there before */
        set(df, y + k, y + k - 1, 0.3);
        set(df, y + k, y + k - 3, 0.2 * load);
        set(df, y + k, x + k % MACHINE, 0.1);
        if (k % 5 == 0 && k + 1 < ny)
            set(df, y + k - 1, y + k + 1, 0.05 * load); /* a loop */
    }
    set(df, x + 4, y + ny - 1, 0.02);
}

static PencilSet *large(Random *r, Arena *a)
{
    size_t size = (size_t)N * N;
    double *l = NEW_ARRAY(a, double, size *SAMPLES);
    double *df = NEW_ARRAY(a, double, size *SAMPLES);
    int machines = NX / MACHINE;
    for (int s = 0; s < SAMPLES; s++) {
        for (int i = 0; i < NX; i++)
            l[(size_t)s * size + (size_t)i * (N + 1)] = 1;
        double *m = df + (size_t)s * size;
        for (int k = 0; k < machines; k++) {
            int first = NX + NY * k / machines;
            int next = NX + NY * (k + 1) / machines;
            add_machine(m, k * MACHINE, first, next - first,
                        random_between(r, 0.8, 1.2));
            if (k > 0)
                set(m, first + 3, first - 1, 0.01 * random_unit(r));
        }
    }
    PencilSet *p = pencil_from_dense(N, NX, SAMPLES, l, df, a);
    for (int s = 0; s < SAMPLES; s++) {
        ((Pencil *)p->sample)[s].time = 0.05 * s;
        ((Pencil *)p->sample)[s].kept_back = s % 5 == 4;
    }
    return p;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int said;

static void say(void *context, const char *what, int done, int total)
{
    (void)context;
    assert_non_null(what);
    assert_true(done <= total || total == 12);
    said++;
}

static void a_large_system_is_analysed_within_a_minute(void **state)
{
    (void)state;
    Random r = random_start("prop_large");
    Arena *a = arena_new();
    PencilSet *p = large(&r, a);
    CertificateOptions o = {
        .choice = {.tau = 1e-3, .rho = 0.1, .known = choice_known(p, a)}};
    TuneProgress progress = {say, NULL};
    double start = seconds();
    Choice c = choice_make(p, &o.choice, &progress, a);
    double chosen = seconds();
    if (c.why)
        printf("%s\n", c.why);
    assert_int_equal(c.code, TUNE_FINE);
    Certificate t = certificate_make(p, &o, c.keep, c.frozen, &progress, a);
    double certified = seconds();
    printf("%d unknowns, %d states, %d of %d entries left, %d tests: choice "
           "%.1f s, certificate %.1f s\n",
           p->n, p->nx, c.nnz, p->nnz, c.tests, chosen - start,
           certified - chosen);
    printf("worst ratio %.3g, radius %.6g, contraction %.3g, product %.3g\n",
           t.ratio, t.radius, t.contraction, t.product_ratio);
    if (t.why)
        printf("%s\n", t.why);
    assert_true(c.nnz < p->nnz * 9 / 10);
    assert_true(c.worst_ratio <= 1);
    assert_true(said > SAMPLES);
    assert_true(certified - start < 60);
    SearchOptions few = {.tests = 60};
    double before, after;
    search_improve(p, &o.choice, &c, &few, &progress, &before, &after, a);
    printf("search: %g to %g operations in %.1f s\n", before, after,
           seconds() - certified);
    assert_true(after <= before);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_system_is_analysed_within_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
