/* method.c - from a table of coefficients to a Method, and its properties.
 *
 * The order of a Runge-Kutta method is tested by the conditions of the rooted
 * trees with up to five nodes (Butcher; Hairer, Norsett, Wanner, II.2), that
 * of a multistep method by its action on polynomials. The error constant on
 * the linear test equation is the first coefficient in which the stability
 * function R(z) = 1 + sum_k z^k b A^(k-1) 1 differs from exp(z).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/method_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- one-step methods ---- */

/* y = A x */
static void apply(const Method *m, const double *x, double *y)
{
    for (int i = 0; i < m->nstage; i++) {
        y[i] = 0;
        for (int j = 0; j < m->nstage; j++)
            y[i] += m->a[i * m->nstage + j] * x[j];
    }
}

static double weigh(const Method *m, const double *x)
{
    double sum = 0;
    for (int i = 0; i < m->nstage; i++)
        sum += m->b[i] * x[i];
    return sum;
}

static double factorial(int n)
{
    double f = 1;
    for (int i = 2; i <= n; i++)
        f *= i;
    return f;
}

static double rk_error_constant(const Method *m, Arena *work)
{
    double *x = NEW_ARRAY(work, double, m->nstage);
    double *y = NEW_ARRAY(work, double, m->nstage);
    for (int i = 0; i < m->nstage; i++)
        x[i] = 1;
    for (int k = 0; k < m->order; k++) {
        apply(m, x, y);
        memcpy(x, y, sizeof *x * (size_t)m->nstage);
    }
    return weigh(m, x) - 1 / factorial(m->order + 1);
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-14 * (1 + fabs(a));
}

/* c, flags and error constant, from a and b. */
static void derive_rk(Method *m, Arena *arena)
{
    int s = m->nstage;
    double *c = NEW_ARRAY(arena, double, s);
    m->is_explicit = m->is_diagonal = true;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double a = m->a[i * s + j];
            c[i] += a;
            if (a != 0 && j >= i)
                m->is_explicit = false;
            if (a != 0 && j > i)
                m->is_diagonal = false;
        }
    for (int i = 0; i < s; i++) /* 2/3 + 1/3 is to be 1, not nearly so */
        if (same(c[i], round(c[i])))
            c[i] = round(c[i]);
    m->c = c;
    m->is_stiffly_accurate = c[s - 1] == 1;
    for (int j = 0; j < s; j++)
        if (!same(m->b[j], m->a[(s - 1) * s + j]))
            m->is_stiffly_accurate = false;
    Arena *work = arena_new();
    m->error_constant = rk_error_constant(m, work);
    arena_free(work);
}

/* Row j of the extrapolation table makes j substeps, j = 1 .. k. */
static void extrapolation_exactly(Method *m, int k, Arena *arena)
{
    int s = k * (k + 1) / 2;
    Exact *a = NEW_ARRAY(arena, Exact, s * s + s), *b = a + s * s;
    for (int i = 0; i < s * s; i++)
        a[i] = exact_of(0, 1);
    for (int j = 1, first = 0; j <= k; first += j, j++) {
        Exact weight = exact_of(1, 1);
        for (int l = 1; l <= k; l++)
            if (l != j)
                weight = exact_mul(weight, exact_of(j, j - l));
        for (int i = first; i < first + j; i++) {
            for (int l = first; l <= i; l++)
                a[i * s + l] = exact_of(1, j);
            b[i] = exact_div(weight, exact_of(j, 1));
        }
    }
    m->exact = a;
}

static void extrapolation_table(Method *m, int k, Arena *arena)
{
    int s = k * (k + 1) / 2;
    double *a = NEW_ARRAY(arena, double, s *s);
    double *b = NEW_ARRAY(arena, double, s);
    double *last = NEW_ARRAY(arena, double, s);
    extrapolation_exactly(m, k, arena);
    double sum = 0;
    int *guess = NEW_ARRAY(arena, int, s);
    for (int j = 1, first = 0; j <= k; first += j, j++) {
        double weight = 1;
        for (int l = 1; l <= k; l++)
            if (l != j)
                weight *= (double)j / (j - l);
        for (int i = first; i < first + j; i++) {
            for (int l = first; l <= i; l++)
                a[i * s + l] = 1.0 / j;
            b[i] = weight / j;
            guess[i] = i == first ? NONE : i - 1;
        }
        last[first + j - 1] = weight;
        sum += fabs(weight);
    }
    m->nstage = s;
    m->a = a;
    m->b = b;
    m->stage_guess = guess;
    m->stage_weight = last;
    m->weighs_changes = sum > 50;
    m->one_jacobian = true;
}

/* ---- multistep methods ---- */

/* How the polynomial (t - t_{n+1})^q / q! of unit step fails the formula. */
static double multistep_defect(const Method *m, int q)
{
    double sum = 0;
    for (int k = 0; k <= m->nback; k++) {
        sum += m->alpha[k] * pow(-k, q);
        if (q > 0)
            sum -= q * m->beta[k] * pow(-k, q - 1);
    }
    return sum / factorial(q);
}

/* The same for (8.29): the derivative at the point sum beta_k t_{n+1-k}. */
static double oneleg_defect(const Method *m, int q)
{
    double sum = 0, at = 0;
    for (int k = 0; k <= m->nback; k++) {
        sum += m->alpha[k] * pow(-k, q);
        at += m->beta[k] * -k;
    }
    return (sum - (q > 0 ? q * pow(at, q - 1) : 0)) / factorial(q);
}

static double linear_defect(const Method *m, int q)
{
    return m->kind == MK_ONELEG ? oneleg_defect(m, q) : multistep_defect(m, q);
}

static void derive_multistep(Method *m)
{
    double sum = 0;
    for (int k = 0; k <= m->nback; k++)
        sum += m->beta[k];
    m->error_constant = -multistep_defect(m, m->order + 1) / sum;
}

/* ---- building ---- */

static Method *build_named(const char *name, Arena *arena)
{
    for (int i = 0; i < method_nspec; i++)
        if (strcmp(method_spec[i].name, name) == 0)
            return method_build(&method_spec[i], NULL, arena);
    return NULL;
}

/* The n numbers of a table of methods.c. */
static const Exact *read_table(const char *text, int n, Arena *arena)
{
    Exact *x = NEW_ARRAY(arena, Exact, n);
    for (int i = 0; i < n; i++) {
        const char *end = text;
        bool good = exact_read(text, &end, &x[i]);
        assert(good && *end == ' ');
        (void)good;
        text = end + 1;
    }
    assert(*text == '\0');
    return x;
}

static const double *rounded(const Exact *x, int n, Arena *arena)
{
    double *y = NEW_ARRAY(arena, double, n);
    for (int i = 0; i < n; i++)
        y[i] = exact_double(x[i]);
    return y;
}

/* How many numbers the table has. */
static int table_size(const MethodSpec *spec)
{
    switch (spec->kind) {
    case MK_RK: return spec->size * spec->size + spec->size;
    case MK_ROSENBROCK: return 2 * spec->size * spec->size + spec->size;
    case MK_MULTISTEP:
    case MK_ONELEG: return 2 * spec->size + 2;
    case MK_CYCLE:
    case MK_NONE: break;
    }
    return 0;
}

/* Its numbers, rounded; NULL: it has none. */
static const double *take_table(Method *m, const MethodSpec *spec,
                                const Exact *number, Arena *arena)
{
    int n = table_size(spec);
    m->exact = number;
    if (spec->table)
        m->exact = read_table(spec->table, n, arena);
    if (spec->hat) {
        m->exact_hat = read_table(spec->hat, spec->size, arena);
        m->b_hat = rounded(m->exact_hat, spec->size, arena);
        m->order_hat = spec->order - 1;
    }
    return m->exact ? rounded(m->exact, n, arena) : NULL;
}

static void build_rk(Method *m, const MethodSpec *spec, const double *table,
                     Arena *arena)
{
    m->nstage = spec->size;
    m->a = table;
    m->b = table ? table + (size_t)spec->size * (size_t)spec->size : NULL;
    if (spec->flags & METHOD_EXTRAPOLATION)
        extrapolation_table(m, spec->size, arena);
    if (spec->flags & METHOD_LINEARLY) {
        int *guess = NEW_ARRAY(arena, int, 1);
        guess[0] = NONE;
        m->stage_guess = guess;
    }
    if (spec->flags & (METHOD_LINEARLY | METHOD_EXTRAPOLATION))
        m->newton = 1;
    derive_rk(m, arena);
}

static void build_rosenbrock(Method *m, const MethodSpec *spec,
                             const double *table, Arena *arena)
{
    m->nstage = spec->size;
    rosenbrock_build(m, table, arena);
    Arena *work = arena_new();
    m->error_constant = rk_error_constant(m, work);
    arena_free(work);
}

static void build_cycle(Method *m, const MethodSpec *spec, Arena *arena)
{
    const Method **part = NEW_ARRAY(arena, const Method *, spec->size);
    for (int i = 0; i < spec->size; i++)
        part[i] = build_named(spec->other[i], arena);
    m->part = part;
    m->npart = spec->size;
}

Method *method_build(const MethodSpec *spec, const Exact *number, Arena *arena)
{
    Method *m = NEW(arena, Method);
    m->name = spec->name;
    m->title = spec->title;
    m->kind = spec->kind;
    m->order = spec->order;
    m->stage_order = spec->stage_order;
    const double *table = take_table(m, spec, number, arena);
    switch (spec->kind) {
    case MK_RK: build_rk(m, spec, table, arena); break;
    case MK_CYCLE: build_cycle(m, spec, arena); break;
    case MK_ROSENBROCK: build_rosenbrock(m, spec, table, arena); break;
    case MK_MULTISTEP:
    case MK_ONELEG:
        m->nback = spec->size;
        m->alpha = table;
        m->beta = table + spec->size + 1;
        m->reevaluate = spec->flags & METHOD_REEVALUATE;
        if (spec->other[0] && spec->size > 1)
            m->start = build_named(spec->other[0], arena);
        derive_multistep(m);
        break;
    case MK_NONE: break;
    }
    return m;
}

const Method *method_find(const char *name, Arena *arena)
{
    return build_named(name, arena);
}

int method_count(void)
{
    return method_nspec;
}

const char *method_name(int i)
{
    assert(0 <= i && i < method_nspec);
    return method_spec[i].name;
}

/* Words of takt sim --method that choose their steps, or the order of steps,
 * while they run. */
static const char *const of_desk[] = {
    "ida",       "cvode", "completion", "completion-adams",
    "partition", "bdf",   "liex"};

bool method_is_of_desk(const char *name)
{
    for (size_t i = 0; i < sizeof of_desk / sizeof *of_desk; i++)
        if (!strcmp(name, of_desk[i]))
            return true;
    return false;
}

static bool ends_in_json(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

const Method *method_read(const char *name, Sources *sources, Arena *arena,
                          Diag *diag)
{
    const Method *m = method_find(name, arena);
    if (m)
        return m;
    if (ends_in_json(name)) {
        int source = sources_read(sources, name);
        if (source != NONE)
            return method_read_json(sources, source, arena, diag);
        diag_report(diag, NO_SPAN, DIAG_E1201,
                    "the file '%s' with an integration method cannot be read",
                    name);
        return NULL;
    }
    if (method_is_of_desk(name)) {
        diag_report(diag, NO_SPAN, DIAG_E1201,
                    "the method '%s' is for the desk only: how much work it "
                    "does is decided while it runs, and a step has constant "
                    "work",
                    name);
        diag_note(diag, NO_SPAN, "takt sim --method %s takes it", name);
        return NULL;
    }
    diag_report(diag, NO_SPAN, DIAG_E1201, "there is no method '%s'", name);
    const char **all = NEW_ARRAY(arena, const char *, method_nspec);
    for (int i = 0; i < method_nspec; i++)
        all[i] = method_spec[i].name;
    diag_suggest(diag, name, all, method_nspec);
    return NULL;
}

/* ---- asking ---- */

int method_back(const Method *m)
{
    int back = 1;
    if (m->kind == MK_MULTISTEP || m->kind == MK_ONELEG)
        back = m->nback;
    for (int i = 0; i < m->npart; i++)
        if (method_back(m->part[i]) > back)
            back = method_back(m->part[i]);
    return back;
}

static double worst(double a, double b)
{
    b = fabs(b);
    return b > a ? b : a;
}

/* Trees of up to five nodes; v2 = Ac, w2 = Ac^2, v3 = AAc, ... */
static double rk_order_defect(const Method *m, int upto, Arena *work)
{
    int s = m->nstage;
    enum {
        ONE,
        C,
        C2,
        C3,
        C4,
        AC,
        CAC,
        C2AC,
        AC_2,
        AC2,
        CAC2,
        AC3,
        AAC,
        CAAC,
        A_CAC,
        AAC2,
        AAAC,
        NVEC
    };
    double *v[NVEC];
    for (int i = 0; i < NVEC; i++)
        v[i] = NEW_ARRAY(work, double, s);
    for (int i = 0; i < s; i++) {
        double c = m->c[i];
        v[ONE][i] = 1;
        v[C][i] = c;
        v[C2][i] = c * c;
        v[C3][i] = c * c * c;
        v[C4][i] = c * c * c * c;
    }
    apply(m, v[C], v[AC]);
    apply(m, v[C2], v[AC2]);
    apply(m, v[C3], v[AC3]);
    apply(m, v[AC], v[AAC]);
    apply(m, v[AC2], v[AAC2]);
    apply(m, v[AAC], v[AAAC]);
    for (int i = 0; i < s; i++) {
        v[CAC][i] = v[C][i] * v[AC][i];
        v[C2AC][i] = v[C2][i] * v[AC][i];
        v[AC_2][i] = v[AC][i] * v[AC][i];
        v[CAC2][i] = v[C][i] * v[AC2][i];
        v[CAAC][i] = v[C][i] * v[AAC][i];
    }
    apply(m, v[CAC], v[A_CAC]);
    static const struct {
        int order, vec;
        double density;
    } tree[] = {{1, ONE, 1},   {2, C, 2},     {3, C2, 3},     {3, AC, 6},
                {4, C3, 4},    {4, CAC, 8},   {4, AC2, 12},   {4, AAC, 24},
                {5, C4, 5},    {5, C2AC, 10}, {5, AC_2, 20},  {5, CAC2, 15},
                {5, AC3, 20},  {5, CAAC, 30}, {5, A_CAC, 40}, {5, AAC2, 60},
                {5, AAAC, 120}};
    double defect = 0;
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++)
        if (tree[i].order <= upto)
            defect =
                worst(defect, weigh(m, v[tree[i].vec]) - 1 / tree[i].density);
    return defect;
}

double method_order_defect(const Method *m, int upto)
{
    double defect = 0;
    if (m->kind == MK_RK) {
        Arena *work = arena_new();
        defect = rk_order_defect(m, upto, work);
        arena_free(work);
    }
    if (m->kind == MK_ROSENBROCK)
        defect = rosenbrock_order_defect(m, upto, false);
    if (m->kind == MK_MULTISTEP || m->kind == MK_ONELEG)
        for (int q = 0; q <= upto; q++)
            defect = worst(defect, linear_defect(m, q));
    return defect;
}

int method_tested_order(const Method *m)
{
    int most = m->kind == MK_RK ? 5 : m->kind == MK_ROSENBROCK ? 4 : m->order;
    return m->order < most ? m->order : most;
}

void method_check(const Method *m)
{
    assert(m->name && m->title);
    for (int i = 0; i < m->npart; i++)
        method_check(m->part[i]);
    assert(method_order_defect(m, method_tested_order(m)) < 1e-12);
    if (m->kind == MK_RK) {
        assert(m->nstage > 0 && m->a && m->b && m->c);
        assert(!m->is_explicit || m->is_diagonal);
    }
    if (m->kind == MK_ROSENBROCK)
        assert(m->nstage > 0 && m->gamma > 0 && m->order_any > 0);
    if (m->kind == MK_MULTISTEP)
        assert(m->nback > 0 && (m->alpha[0] == 1 || m->alpha[1] == 1));
    if (m->start)
        method_check(m->start);
}
