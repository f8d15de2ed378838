/* slopes.c - slopes of cubics at the points of a table.
 *
 * m[i] is the slope of the line from point i to the next. At both ends Akima's
 * methods go on with two lines more, whose slopes continue the last two
 * linearly. In two directions the surface is continued by two points beyond
 * each edge: abscissae mirror the last intervals, ordinates continue the last
 * two lines (Akima 1974, equations 9 to 12); with two points only they are a
 * line.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lut/slopes.h"

#define ADD(a, b)      expr_add(d, a, b)
#define SUB(a, b)      expr_sub(d, a, b)
#define MUL(a, b)      expr_mul(d, a, b)
#define DIV(a, b)      expr_div(d, a, b)
#define REAL(v)        expr_real(d, v)
#define TIMES(v, a)    expr_mul(d, expr_real(d, v), a)
#define ABS(a)         expr_unary(d, EX_ABS, a)
#define MIN(a, b)      expr_binary(d, EX_MIN, a, b)
#define SIGN(a)        expr_unary(d, EX_SIGN, a)
#define IF(c, a, b)    choose(d, c, a, b)
#define TEST(op, a, b) expr_binary(d, EX_##op, a, b)
#define SLOPE(x, y, i) DIV(SUB(y[(i) + 1], y[i]), SUB(x[(i) + 1], x[i]))

/* No events: all of this is known before a run. */
static Expr choose(Dag *d, Expr condition, Expr yes, Expr no)
{
    return expr_if(d, expr_unary(d, EX_NOEVENT, condition), yes, no);
}

/* (p a + q b) / (p + q), or `other` if both weights are 0. */
static Expr mean(Dag *d, Expr p, Expr a, Expr q, Expr b, Expr other)
{
    Expr sum = ADD(p, q);
    return IF(TEST(GT, sum, REAL(0)), DIV(ADD(MUL(p, a), MUL(q, b)), sum),
              other);
}

/* Slope between lines m[1] and m[2] of four. */
static Expr akima(Dag *d, const Expr *m)
{
    return mean(d, ABS(SUB(m[3], m[2])), m[1], ABS(SUB(m[1], m[0])), m[2],
                TIMES(0.5, ADD(m[1], m[2])));
}

static Expr modified_akima(Dag *d, const Expr *m)
{
    Expr p = ADD(ABS(SUB(m[3], m[2])), TIMES(0.5, ABS(ADD(m[3], m[2]))));
    Expr q = ADD(ABS(SUB(m[1], m[0])), TIMES(0.5, ABS(ADD(m[1], m[0]))));
    return mean(d, p, m[1], q, m[2], REAL(0));
}

/* Between lines of slopes m[0], m[1] over lengths h[0], h[1]; 0 where they do
 * not rise or fall both. */
static Expr fritsch_butland(Dag *d, const Expr *m, const Expr *h)
{
    Expr p = ADD(h[0], TIMES(2, h[1])), q = ADD(h[1], TIMES(2, h[0]));
    Expr sum = ADD(DIV(p, m[0]), DIV(q, m[1]));
    return IF(TEST(GT, MUL(SIGN(m[0]), SIGN(m[1])), REAL(0)),
              DIV(TIMES(3, ADD(h[0], h[1])), sum), REAL(0));
}

static Expr steffen(Dag *d, const Expr *m, const Expr *h)
{
    Expr mid = DIV(ADD(MUL(m[0], h[1]), MUL(m[1], h[0])), ADD(h[0], h[1]));
    Expr least = MIN(TIMES(2, MIN(ABS(m[0]), ABS(m[1]))), ABS(mid));
    return IF(TEST(GT, MUL(SIGN(m[0]), SIGN(m[1])), REAL(0)),
              MUL(SIGN(m[0]), least), REAL(0));
}

static void find_by_four(Dag *d, const Expr *line, int n,
                         Expr rule(Dag *, const Expr *), Expr *slope,
                         Arena *arena)
{
    Expr *m = NEW_ARRAY(arena, Expr, n + 3);
    for (int i = 0; i < n - 1; i++)
        m[i + 2] = line[i];
    Expr a = m[2], b = m[3], y = m[n - 1], z = m[n];
    m[0] = SUB(TIMES(3, a), TIMES(2, b));
    m[1] = SUB(TIMES(2, a), b);
    m[n + 1] = SUB(TIMES(2, z), y);
    m[n + 2] = SUB(TIMES(3, z), TIMES(2, y));
    for (int i = 0; i < n; i++)
        slope[i] = rule(d, m + i);
}

void slopes_find(Dag *d, const Expr *x, const Expr *y, int n,
                 LutSmoothness smoothness, Expr *slope, Arena *arena)
{
    Expr *line = NEW_ARRAY(arena, Expr, n), *h = NEW_ARRAY(arena, Expr, n);
    for (int i = 0; i < n - 1; i++) {
        h[i] = SUB(x[i + 1], x[i]);
        line[i] = SLOPE(x, y, i);
    }
    if (smoothness == LUT_AKIMA || smoothness == LUT_MODIFIED_AKIMA) {
        find_by_four(d, line, n,
                     smoothness == LUT_AKIMA ? akima : modified_akima, slope,
                     arena);
        return;
    }
    slope[0] = line[0];
    slope[n - 1] = line[n - 2];
    for (int i = 1; i < n - 1; i++)
        slope[i] = smoothness == LUT_STEFFEN
                       ? steffen(d, line + i - 1, h + i - 1)
                       : fritsch_butland(d, line + i - 1, h + i - 1);
}

/* ---- two directions ---- */

/* n abscissae in the middle of n + 4. */
static Expr *continue_abscissae(Dag *d, const Expr *x, int n, Arena *arena)
{
    Expr *e = NEW_ARRAY(arena, Expr, n + 4), *at = e + 2;
    for (int i = 0; i < n; i++)
        at[i] = x[i];
    int k = n > 2 ? 2 : 1; /* back by the length of the last k intervals */
    for (int side = 0; side < 2; side++) {
        int end = side ? n - 1 : 0, in = side ? -1 : 1;
        Expr first = SUB(at[end], at[end + in]);
        Expr both = k == 2 ? SUB(at[end], at[end + 2 * in])
                           : TIMES(2, SUB(at[end], at[end + in]));
        if (k == 2)
            first = SUB(both, first); /* that of the second interval */
        at[end - in] = ADD(at[end], first);
        at[end - 2 * in] = ADD(at[end], both);
    }
    return e;
}

/* Two ordinates beyond both ends of n + 4, each `stride` apart. */
static void continue_ordinates(Dag *d, const Expr *x, int n, Expr *z,
                               int stride)
{
    for (int side = 0; side < 2; side++) {
        int end = side ? n + 1 : 2, in = side ? -1 : 1;
        const Expr *at = x + end;
        Expr *y = z + (long)end * stride;
        Expr last = DIV(SUB(y[in * stride], y[0]), SUB(at[in], at[0]));
        Expr bend = REAL(0); /* change of the slope from line to line */
        if (n > 2)
            bend = SUB(last, DIV(SUB(y[2 * in * stride], y[in * stride]),
                                 SUB(at[2 * in], at[in])));
        Expr one = ADD(last, bend), two = ADD(one, bend);
        y[-in * stride] = ADD(y[0], MUL(one, SUB(at[-in], at[0])));
        y[-2 * in * stride] =
            ADD(y[-in * stride], MUL(two, SUB(at[-2 * in], at[-in])));
    }
}

/* Weights of the lines before and after a point, from four of them; both 1 if
 * both are 0. */
static void weigh(Dag *d, const Expr *m, Expr *before, Expr *after)
{
    Expr p = ABS(SUB(m[3], m[2])), q = ABS(SUB(m[1], m[0]));
    Expr none = TEST(EQ, ADD(p, q), REAL(0));
    *before = IF(none, REAL(1), p);
    *after = IF(none, REAL(1), q);
}

typedef struct Surface {
    Dag *d;
    const Expr *x, *y, *z; /* continued by two on each side */
    int stride;            /* of z */
} Surface;

/* The slope of z from (i, j) to the next point in the first direction, or in
 * the second. */
static Expr line_down(const Surface *s, int i, int j)
{
    Dag *d = s->d;
    const Expr *z = s->z + i * s->stride + j;
    return DIV(SUB(z[s->stride], z[0]), SUB(s->x[i + 1], s->x[i]));
}

static Expr line_right(const Surface *s, int i, int j)
{
    Dag *d = s->d;
    const Expr *z = s->z + i * s->stride + j;
    return DIV(SUB(z[1], z[0]), SUB(s->y[j + 1], s->y[j]));
}

/* How line_right at (i, j) changes towards (i + 1, j). */
static Expr twist(const Surface *s, int i, int j)
{
    Dag *d = s->d;
    return DIV(SUB(line_right(s, i + 1, j), line_right(s, i, j)),
               SUB(s->x[i + 1], s->x[i]));
}

/* The derivatives zx, zy, zxy at (i, j). */
static void find_at(const Surface *s, int i, int j, Expr *zx, Expr *zy,
                    Expr *zxy)
{
    Dag *d = s->d;
    Expr m[4], l[4], px, qx, py, qy;
    for (int k = 0; k < 4; k++) {
        m[k] = line_down(s, i - 2 + k, j);
        l[k] = line_right(s, i, j - 2 + k);
    }
    weigh(d, m, &px, &qx);
    weigh(d, l, &py, &qy);
    Expr sx = ADD(px, qx), sy = ADD(py, qy);
    *zx = DIV(ADD(MUL(px, m[1]), MUL(qx, m[2])), sx);
    *zy = DIV(ADD(MUL(py, l[1]), MUL(qy, l[2])), sy);
    Expr before =
        ADD(MUL(py, twist(s, i - 1, j - 1)), MUL(qy, twist(s, i - 1, j)));
    Expr after = ADD(MUL(py, twist(s, i, j - 1)), MUL(qy, twist(s, i, j)));
    *zxy = DIV(ADD(MUL(px, before), MUL(qx, after)), MUL(sx, sy));
}

void slopes_find2(Dag *d, const Expr *x, int n, const Expr *y, int m,
                  const Expr *z, Expr *zx, Expr *zy, Expr *zxy, Arena *arena)
{
    int stride = m + 4;
    Expr *e = NEW_ARRAY(arena, Expr, (long)(n + 4) * stride);
    Surface s = {d, continue_abscissae(d, x, n, arena),
                 continue_abscissae(d, y, m, arena), e, stride};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            e[(i + 2) * stride + j + 2] = z[i * m + j];
        continue_ordinates(d, s.y, m, e + (long)(i + 2) * stride, 1);
    }
    for (int j = 0; j < stride; j++)
        continue_ordinates(d, s.x, n, e + j, stride);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int k = i * m + j;
            find_at(&s, i + 2, j + 2, &zx[k], &zy[k], &zxy[k]);
        }
}
