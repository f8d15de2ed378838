/* prop_lut.c - tables against their definition in long double.
 *
 * Random tables, arguments inside, outside and at the points, for every
 * smoothness and extrapolation: values to 1e-13, derivatives to 1e-11, of the
 * largest number around. The numbers of a table are constants or variables.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "lut/lut.h"
#include "support/random.h"

enum { MOST = 12, SMOOTHNESSES = 6, EXTRAPOLATIONS = 3 };

typedef long double Real;

static int failures;

static void compare(const char *what, int smoothness, int extrapolation,
                    int order, double u, double got, Real want, Real scale)
{
    Real tolerance = (order ? 1e-11L : 1e-13L) * (scale + fabsl(want));
    if (fabsl((Real)got - want) <= tolerance)
        return;
    if (failures++ < 10)
        printf("%s, smoothness %d, extrapolation %d, derivative %d at %.17g: "
               "%.17g, not %.17Lg\n",
               what, smoothness, extrapolation, order, u, got, want);
}

static double random_real(Random *r, double least, double most)
{
    return least +
           (most - least) * (double)(random_bits(r) >> 11) / 9007199254740992.0;
}

/* ---- the definition ---- */

static Real akima_slope(const Real *m, bool modified)
{
    Real p = fabsl(m[3] - m[2]), q = fabsl(m[1] - m[0]);
    if (modified) {
        p += fabsl(m[3] + m[2]) / 2;
        q += fabsl(m[1] + m[0]) / 2;
    }
    if (p + q > 0)
        return (p * m[1] + q * m[2]) / (p + q);
    return modified ? 0 : (m[1] + m[2]) / 2;
}

static Real monotone_slope(Real a, Real b, Real ha, Real hb, bool steffen)
{
    if (a * b <= 0)
        return 0;
    if (!steffen)
        return 3 * (ha + hb) / ((ha + 2 * hb) / a + (hb + 2 * ha) / b);
    Real mid = (a * hb + b * ha) / (ha + hb);
    Real most = 2 * fminl(fabsl(a), fabsl(b));
    return fabsl(mid) > most ? copysignl(most, a) : mid;
}

static void find_slopes(const Real *x, const Real *y, int n, int smoothness,
                        Real *slope)
{
    Real line[MOST + 4] = {0}, *m = line + 2;
    for (int i = 0; i < n - 1; i++)
        m[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    if (n == 2) {
        slope[0] = slope[1] = m[0];
        return;
    }
    m[-1] = 2 * m[0] - m[1];
    m[-2] = 2 * m[-1] - m[0];
    m[n - 1] = 2 * m[n - 2] - m[n - 3];
    m[n] = 2 * m[n - 1] - m[n - 2];
    for (int i = 0; i < n; i++) {
        if (smoothness == LUT_AKIMA || smoothness == LUT_MODIFIED_AKIMA)
            slope[i] = akima_slope(m + i - 2, smoothness == LUT_MODIFIED_AKIMA);
        else if (i == 0 || i == n - 1)
            slope[i] = m[i ? n - 2 : 0];
        else
            slope[i] =
                monotone_slope(m[i - 1], m[i], x[i] - x[i - 1], x[i + 1] - x[i],
                               smoothness == LUT_STEFFEN);
    }
}

/* Of a cubic over h with ordinates y and slopes d at its ends. */
static Real cubic(Real h, Real s, const Real *y, const Real *d, int order)
{
    Real m = (y[1] - y[0]) / h, t = s - h;
    /* y0 + m s + s t (a s + b t) / h^2, a and b from the slopes */
    Real a = d[1] - m, b = d[0] - m;
    switch (order) {
    case 0: return y[0] + m * s + s * t * (a * s + b * t) / (h * h);
    case 1: return m + ((s + t) * (a * s + b * t) + s * t * (a + b)) / (h * h);
    case 2: return (2 * (a * s + b * t) + 2 * (s + t) * (a + b)) / (h * h);
    default: return 6 * (a + b) / (h * h);
    }
}

static Real wrap(Real u, Real least, Real most)
{
    while (u < least)
        u += most - least;
    while (u > most)
        u -= most - least;
    return u;
}

static int find(const Real *x, int n, Real u)
{
    int i = 0;
    while (i < n - 2 && x[i + 1] <= u)
        i++;
    return i;
}

/* Inside the table. */
static Real inside(const Real *x, const Real *y, const Real *d, int n,
                   int smoothness, int order, Real u)
{
    int i = find(x, n, u);
    Real h = x[i + 1] - x[i];
    if (smoothness == LUT_CONSTANT)
        return order ? 0 : y[u >= x[i + 1] ? i + 1 : i];
    if (smoothness == LUT_LINEAR)
        return order == 0   ? y[i] + (y[i + 1] - y[i]) * (u - x[i]) / h
               : order == 1 ? (y[i + 1] - y[i]) / h
                            : 0;
    return cubic(h, u - x[i], y + i, d + i, order);
}

static Real defined(const Real *x, const Real *y, const Real *d, int n,
                    int smoothness, int extrapolation, int order, Real u)
{
    Real least = x[0], most = x[n - 1];
    if (extrapolation == LUT_PERIODIC)
        u = wrap(u, least, most);
    if (u >= least && u <= most)
        return inside(x, y, d, n, smoothness, order, u);
    int end = u < least ? 0 : n - 1;
    if (extrapolation == LUT_HOLD)
        return order ? 0 : y[end];
    int i = end ? n - 2 : 0;
    Real slope = smoothness == LUT_LINEAR || smoothness == LUT_CONSTANT
                     ? (y[i + 1] - y[i]) / (x[i + 1] - x[i])
                     : d[end];
    return order == 0 ? y[end] + slope * (u - x[end]) : order == 1 ? slope : 0;
}

/* ---- one direction ---- */

typedef struct Points {
    int n;
    double x[MOST], y[MOST];
    Real xl[MOST], yl[MOST], d[MOST];
    Expr xe[MOST], ye[MOST]; /* constants */
    Expr xv[MOST], yv[MOST]; /* variables 2 i, 2 i + 1 */
} Points;

static void make_points(Points *p, Dag *dag, Random *r)
{
    p->n = 2 + random_below(r, MOST - 1);
    double at = random_real(r, -2, 2);
    for (int i = 0; i < p->n; i++) {
        p->x[i] = at;
        at += random_real(r, 0.05, 1);
        bool repeats = i > 0 && random_below(r, 4) == 0;
        p->y[i] = repeats ? p->y[i - 1] : random_real(r, -1, 1);
        p->xl[i] = p->x[i];
        p->yl[i] = p->y[i];
        p->xe[i] = expr_real(dag, p->x[i]);
        p->ye[i] = expr_real(dag, p->y[i]);
        p->xv[i] = expr_var(dag, 2 * i, 0, ET_REAL);
        p->yv[i] = expr_var(dag, 2 * i + 1, 0, ET_REAL);
    }
}

static double leaf(void *context, const Dag *d, Expr e)
{
    const Points *p = context;
    int var, order;
    expr_is_var(d, e, &var, &order);
    return var % 2 ? p->y[var / 2] : p->x[var / 2];
}

static double random_argument(const Points *p, Random *r)
{
    double length = p->x[p->n - 1] - p->x[0];
    if (random_below(r, 4) == 0)
        return p->x[random_below(r, p->n)];
    return random_real(r, p->x[0] - 2 * length, p->x[p->n - 1] + 2 * length);
}

/* Where a step is so close that rounding decides. */
static bool is_at_a_jump(const Points *p, int extrapolation, double u)
{
    Real v = extrapolation == LUT_PERIODIC ? wrap(u, p->xl[0], p->xl[p->n - 1])
                                           : (Real)u;
    for (int i = 0; i < p->n; i++)
        if (v != p->xl[i] && fabsl(v - p->xl[i]) < 1e-12L)
            return true;
    return extrapolation == LUT_PERIODIC && v != (Real)u &&
           (v == p->xl[0] || v == p->xl[p->n - 1]);
}

static void check_points(Points *p, int smoothness, int extrapolation, Dag *dag,
                         Random *r, Arena *arena)
{
    const Lut *t = lut_new(dag, p->xe, p->ye, p->n, (LutSmoothness)smoothness,
                           (LutExtrapolation)extrapolation, arena);
    const Lut *tv = lut_new(dag, p->xv, p->yv, p->n, (LutSmoothness)smoothness,
                            (LutExtrapolation)extrapolation, arena);
    int used =
        p->n == 2 && smoothness != LUT_CONSTANT ? LUT_LINEAR : smoothness;
    find_slopes(p->xl, p->yl, p->n, used, p->d);
    for (int k = 0; k < 5; k++) {
        double u = random_argument(p, r);
        if (is_at_a_jump(p, extrapolation, u))
            continue;
        for (int order = 0; order < 4; order++) {
            Expr e = lut_value(dag, t, order, expr_real(dag, u));
            Expr ev = lut_value(dag, tv, order, expr_real(dag, u));
            double got = expr_eval(dag, e, leaf, p);
            double same = expr_eval(dag, ev, leaf, p);
            Real scale = powl(20, order);
            Real want = defined(p->xl, p->yl, p->d, p->n, used, extrapolation,
                                order, u);
            compare("one direction", smoothness, extrapolation, order, u, got,
                    want, scale);
            compare("of variables", smoothness, extrapolation, order, u, same,
                    want, scale);
        }
    }
}

/* ---- two directions ---- */

typedef struct Grid {
    Points x, y; /* their abscissae */
    double z[MOST * MOST];
    Expr ze[MOST * MOST];
} Grid;

typedef struct Slopes2 {
    Real zx[MOST * MOST], zy[MOST * MOST], zxy[MOST * MOST];
} Slopes2;

/* Continued by two on both sides, as Akima 1974 does. */
static void continue_line(Real *x, int n)
{
    if (n == 2) {
        Real h = x[1] - x[0];
        x[-1] = x[0] - h;
        x[-2] = x[0] - 2 * h;
        x[2] = x[1] + h;
        x[3] = x[1] + 2 * h;
        return;
    }
    x[-1] = x[0] - (x[2] - x[1]);
    x[-2] = x[0] - (x[2] - x[0]);
    x[n] = x[n - 1] + (x[n - 2] - x[n - 3]);
    x[n + 1] = x[n - 1] + (x[n - 1] - x[n - 3]);
}

static void continue_values(const Real *x, int n, Real *z, int stride)
{
    Real at[MOST] = {0};
    for (int i = 0; i < n - 1; i++)
        at[i] = (z[(i + 1) * stride] - z[i * stride]) / (x[i + 1] - x[i]);
    Real left = n > 2 ? at[0] - at[1] : 0;
    Real right = n > 2 ? at[n - 2] - at[n - 3] : 0;
    for (int k = 1; k <= 2; k++) {
        z[-k * stride] =
            z[(1 - k) * stride] + (at[0] + k * left) * (x[-k] - x[1 - k]);
        z[(n - 1 + k) * stride] =
            z[(n - 2 + k) * stride] +
            (at[n - 2] + k * right) * (x[n - 1 + k] - x[n - 2 + k]);
    }
}

enum { WIDE = MOST + 4 };

static void find_slopes2(const Grid *g, Slopes2 *s)
{
    static Real ext[WIDE * WIDE];
    Real xs[WIDE], ys[WIDE], *x = xs + 2, *y = ys + 2;
    int n = g->x.n, m = g->y.n;
    Real *z = ext + 2 * WIDE + 2;
    for (int i = 0; i < n; i++)
        x[i] = g->x.x[i];
    for (int j = 0; j < m; j++)
        y[j] = g->y.x[j];
    continue_line(x, n);
    continue_line(y, m);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            z[i * WIDE + j] = g->z[i * m + j];
        continue_values(y, m, z + i * WIDE, 1);
    }
    for (int j = -2; j < m + 2; j++)
        continue_values(x, n, z + j, WIDE);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            Real a[4], b[4], e[2][2];
            for (int k = 0; k < 4; k++) {
                int r = i - 2 + k, c = j - 2 + k;
                a[k] = (z[(r + 1) * WIDE + j] - z[r * WIDE + j]) /
                       (x[r + 1] - x[r]);
                b[k] =
                    (z[i * WIDE + c + 1] - z[i * WIDE + c]) / (y[c + 1] - y[c]);
            }
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++) {
                    const Real *at = z + (i - 1 + r) * WIDE + j - 1 + c;
                    e[r][c] = (at[WIDE + 1] - at[WIDE] - at[1] + at[0]) /
                              (x[i + r] - x[i - 1 + r]) /
                              (y[j + c] - y[j - 1 + c]);
                }
            Real p = fabsl(a[3] - a[2]), q = fabsl(a[1] - a[0]);
            Real v = fabsl(b[3] - b[2]), w = fabsl(b[1] - b[0]);
            if (p + q == 0)
                p = q = 1;
            if (v + w == 0)
                v = w = 1;
            int at = i * m + j;
            s->zx[at] = (p * a[1] + q * a[2]) / (p + q);
            s->zy[at] = (v * b[1] + w * b[2]) / (v + w);
            s->zxy[at] = (p * (v * e[0][0] + w * e[0][1]) +
                          q * (v * e[1][0] + w * e[1][1])) /
                         (p + q) / (v + w);
        }
}

/* One direction of a surface at u: from ordinates and slopes at the ends of the
 * interval. */
static Real in_direction(const Real *x, int n, Real u, int smoothness,
                         int extrapolation, int order, const Real *y,
                         const Real *d)
{
    Real least = x[0], most = x[n - 1], c = fminl(fmaxl(u, least), most);
    int i = find(x, n, u);
    Real h = x[i + 1] - x[i], s = c - x[i], line[2];
    line[0] = line[1] = (y[1] - y[0]) / h;
    const Real *slope = smoothness == LUT_AKIMA ? d : line;
    Real at = cubic(h, s, y, slope, order), on = cubic(h, s, y, slope, 1);
    if (u == c)
        return at;
    if (extrapolation == LUT_HOLD)
        return order ? 0 : at;
    return order == 0 ? at + on * (u - c) : order == 1 ? on : 0;
}

static Real defined2(const Grid *g, const Slopes2 *s, int smoothness,
                     int extrapolation, int i, int j, Real u, Real v)
{
    int n = g->x.n, m = g->y.n;
    const Real *x = g->x.xl, *y = g->y.xl;
    if (extrapolation == LUT_PERIODIC) {
        u = wrap(u, x[0], x[n - 1]);
        v = wrap(v, y[0], y[m - 1]);
    }
    int a = find(x, n, u), b = find(y, m, v);
    bool is_out = u < x[0] || u > x[n - 1] || v < y[0] || v > y[m - 1];
    if (smoothness == LUT_CONSTANT &&
        !(is_out && extrapolation == LUT_LAST_TWO_POINTS)) {
        if (u >= x[a + 1])
            a++;
        if (v >= y[b + 1])
            b++;
        return i + j > 0 ? 0 : (Real)g->z[a * m + b];
    }
    Real f[2], fx[2];
    for (int k = 0; k < 2; k++) {
        int at = (a + k) * m + b;
        Real z[2] = {g->z[at], g->z[at + 1]};
        Real zx[2] = {s->zx[at], s->zx[at + 1]};
        f[k] =
            in_direction(y, m, v, smoothness, extrapolation, j, z, s->zy + at);
        fx[k] = in_direction(y, m, v, smoothness, extrapolation, j, zx,
                             s->zxy + at);
    }
    return in_direction(x, n, u, smoothness, extrapolation, i, f, fx);
}

static void make_grid(Grid *g, Dag *dag, Random *r)
{
    make_points(&g->x, dag, r);
    make_points(&g->y, dag, r);
    for (int k = 0; k < g->x.n * g->y.n; k++) {
        bool repeats = k > 0 && random_below(r, 4) == 0;
        g->z[k] = repeats ? g->z[k - 1] : random_real(r, -1, 1);
        g->ze[k] = expr_real(dag, g->z[k]);
    }
}

static void check_grid(Grid *g, int smoothness, int extrapolation, Dag *dag,
                       Random *r, Arena *arena)
{
    static Slopes2 s;
    const Lut *t = lut_new2(dag, g->x.xe, g->x.n, g->y.xe, g->y.n, g->ze,
                            (LutSmoothness)smoothness,
                            (LutExtrapolation)extrapolation, arena);
    int used = g->x.n == 2 && g->y.n == 2 && smoothness == LUT_AKIMA
                   ? LUT_LINEAR
                   : smoothness;
    find_slopes2(g, &s);
    for (int k = 0; k < 5; k++) {
        double u = random_argument(&g->x, r), v = random_argument(&g->y, r);
        if (is_at_a_jump(&g->x, extrapolation, u) ||
            is_at_a_jump(&g->y, extrapolation, v))
            continue;
        for (int i = 0; i < 3; i++)
            for (int j = 0; i + j < 3; j++) {
                Expr e = lut_value2(dag, t, i, j, expr_real(dag, u),
                                    expr_real(dag, v));
                compare("two directions", smoothness, extrapolation, i + j, u,
                        expr_eval(dag, e, leaf, &g->x),
                        defined2(g, &s, used, extrapolation, i, j, u, v),
                        powl(40, i + j) * (used == LUT_AKIMA ? 400 : 1));
            }
    }
}

int main(void)
{
    Random r = random_start("prop_lut");
    int cases = random_cases(200, 2000);
    for (int s = 1; s <= SMOOTHNESSES; s++)
        for (int o = 1; o <= EXTRAPOLATIONS; o++)
            for (int k = 0; k < cases; k++) {
                Arena *arena = arena_new();
                Dag *dag = dag_new(arena);
                Points p;
                static Grid g;
                make_points(&p, dag, &r);
                check_points(&p, s, o, dag, &r, arena);
                make_grid(&g, dag, &r);
                if (s <= LUT_CONSTANT)
                    check_grid(&g, s, o, dag, &r, arena);
                arena_free(arena);
            }
    printf("%d failures\n", failures);
    return failures > 0;
}
