/* prop_states.c - the number of states of random linear systems.
 *
 * For E x' + A x = f(t) the number of states is the degree of the polynomial
 * det(s E + A), computed exactly modulo a prime: a second way that knows
 * nothing of structure. Small integers make dependent rows frequent, so that
 * exact removal of dependencies is tested as well. Systems with det = 0 must be
 * refused or warned of. TAKT_LONG=1 runs 20,000 instead of 2,000. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "reduce/reduce.h"
#include "simplify/simplify.h"
#include "support/random.h"

enum { MOST = 7 };

typedef struct Pencil {
    int n;
    int e[MOST][MOST], a[MOST][MOST];
} Pencil;

static int small(Random *r, int percent)
{
    if (random_below(r, 100) >= percent)
        return 0;
    int x = random_below(r, 5) - 2;
    return x ? x : 1;
}

static Pencil random_pencil(Random *r)
{
    Pencil p = {.n = 2 + random_below(r, MOST - 1)};
    for (int i = 0; i < p.n; i++) {
        for (int j = 0; j < p.n; j++) {
            p.e[i][j] = small(r, 25);
            p.a[i][j] = small(r, 45);
        }
    }
    return p;
}

/* Arithmetic modulo a prime: exact, but for one chance in 2^31. */
#define PRIME 2147483647LL

static long long inverse(long long x)
{
    long long result = 1;
    for (long long k = PRIME - 2; k; k /= 2, x = x * x % PRIME) {
        if (k % 2)
            result = result * x % PRIME;
    }
    return result;
}

static long long reduced(long long x)
{
    return (x % PRIME + PRIME) % PRIME;
}

/* det(s E + A) modulo PRIME. */
static long long determinant(const Pencil *p, long long s)
{
    long long m[MOST][MOST], det = 1;
    int n = p->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i][j] = reduced(s * p->e[i][j] + p->a[i][j]);
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && m[pivot][k] == 0)
            pivot++;
        if (pivot == n)
            return 0;
        for (int j = 0; j < n; j++) {
            long long t = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = t;
        }
        det = det * (pivot == k ? m[k][k] : PRIME - m[k][k]) % PRIME;
        long long over = inverse(m[k][k]);
        for (int i = k + 1; i < n; i++) {
            long long f = m[i][k] * over % PRIME;
            for (int j = k; j < n; j++)
                m[i][j] = reduced(m[i][j] - f * m[k][j] % PRIME);
        }
    }
    return det;
}

/* The degree of det(s E + A), or -1 if it vanishes: the highest divided
 * difference over s = 0, 1, ..., n that is not zero. */
static int degree(const Pencil *p)
{
    long long y[MOST + 1];
    int found = -1;
    for (int k = 0; k <= p->n; k++)
        y[k] = determinant(p, k);
    for (int order = 0; order <= p->n; order++) {
        if (y[0] != 0)
            found = order;
        for (int k = 0; k < p->n - order; k++)
            y[k] = reduced(y[k + 1] - y[k]) * inverse(order + 1) % PRIME;
    }
    return found;
}

static Flat *model_of(const Pencil *p, Arena *arena)
{
    Flat *f = NEW(arena, Flat);
    Dag *d = f->dag = dag_new(arena);
    f->model = "Random";
    f->comment = "";
    f->span = NO_SPAN;
    f->component = NEW(arena, FlatComponent);
    *f->component = (FlatComponent){
        .name = "", .parent = NONE, .class_name = "Random", .span = NO_SPAN};
    f->ncomponent = 1;
    f->nvar = f->neqn = p->n;
    f->var = NEW_ARRAY(arena, FlatVar, p->n);
    f->eqn = NEW_ARRAY(arena, FlatEqn, p->n);
    for (int i = 0; i < p->n; i++) {
        f->var[i] =
            flat_plain_var(arena_printf(arena, "x[%d]", i + 1), NO_SPAN);
        Expr sum = expr_real(d, 0);
        for (int j = 0; j < p->n; j++) {
            for (int order = 0; order < 2; order++) {
                int k = order ? p->e[i][j] : p->a[i][j];
                sum = expr_add(d, sum,
                               expr_mul(d, expr_real(d, k),
                                        expr_var(d, j, order, ET_REAL)));
            }
        }
        Expr t = expr_mul(d, expr_real(d, i + 1), expr_time(d));
        f->eqn[i] = (FlatEqn){.lhs = sum,
                              .rhs = expr_unary(d, EX_SIN, t),
                              .ordinal = i + 1,
                              .span = NO_SPAN};
    }
    return f;
}

static void show(const Pencil *p)
{
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++)
            printf("%3d", p->e[i][j]);
        printf("   |");
        for (int j = 0; j < p->n; j++)
            printf("%3d", p->a[i][j]);
        printf("\n");
    }
}

static bool is_right(const Pencil *p)
{
    Arena *arena = arena_new();
    Diag *diag = diag_new(sources_new(arena), arena);
    Sys *s = simplify(model_of(p, arena), (SimplifyOptions){0}, arena, diag);
    Dae *d = s ? reduce(s, (ReduceOptions){0}, arena, diag) : NULL;
    int want = degree(p), got = d ? d->nstate : -1;
    bool fine = got == want;
    if (want < 0) /* a singular pencil: refused, or W1005 beside W1101 */
        fine = !d || diag_count(diag, DIAG_WARNING) > (d->nstate > 0);
    if (!fine) {
        printf("states: %d, degree of the determinant: %d\n", got, want);
        show(p);
        diag_print(diag, stdout);
    }
    arena_free(arena);
    return fine;
}

static void states_are_the_degree_of_the_determinant(void **state)
{
    (void)state;
    Random r = random_start("prop_states");
    int n = random_cases(2000, 20000), bad = 0;
    for (int k = 0; k < n; k++) {
        Pencil p = random_pencil(&r);
        bad += !is_right(&p);
        if (bad == 3)
            break;
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_the_degree_of_the_determinant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
