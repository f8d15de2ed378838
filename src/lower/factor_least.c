/* factor_least.c - elimination where modes may leave unknowns undetermined.
 *
 * Rows are exchanged at run time as in factor_dense(). Where a pivot is what
 * rounding has left of a difference, or 0, the solution is the one nearest to
 * where the iteration stands instead, by Tikhonov's regularisation, iterated
 * (Riley 1955; Hansen, "Rank-Deficient and Discrete Ill-Posed Problems", 1998,
 * section 5.1): with rows scaled to a largest entry of 1,
 *
 *     G = A A' + m I,    x := x + A' inv(G) (b - A x)    from x = 0
 *
 * G is positive definite, so that it needs no pivots; a direction with the
 * singular value s has m / (s^2 + m) left of it after each turn, and what A
 * does not see stays where it is. If the equations do not agree, no x makes the
 * rest small, and the pivots have the word, with their alarm. Both ways are
 * computed and one is selected: constant work.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/factor.h"

enum { TURNS = 4 };
static const double REGULAR = 1e-10, REGULAR_FLOAT = 1e-4;
static const double AGREES = 1e-8, AGREES_FLOAT = 1e-3;
static const double NOTHING = 1e-5; /* right-hand side that may be rounding */
static const double LARGEST = 1e30; /* of 1 / pivot */
/* Pivots are lost beyond the alarm of factor.c, a sum of squares, by so much:
 * 1e-13 of their terms, 3e-6 in single precision. */
static const double BEYOND = 1e6, BEYOND_FLOAT = 1e4;

typedef struct Nearest {
    Dag *d;
    int n;
    Expr *a, *b;    /* scaled matrix, by rows, and right-hand side */
    Expr *l, *down; /* G = L D L'; 1 / D */
    Expr *x, *left; /* solution, and what it leaves over */
    Expr *y;
    bool is_float;
} Nearest;

static Expr number(const Nearest *k, double x)
{
    return expr_real(k->d, x);
}

static Expr size_of(Dag *d, Expr a)
{
    return expr_unary(d, EX_ABS, a);
}

static Expr *row_of(const Nearest *k, int i)
{
    return k->a + (size_t)i * (size_t)k->n;
}

/* Entries of the block divided by the largest of their row. */
static void scale(Nearest *k, const SchedBlock *b)
{
    Dag *d = k->d;
    for (int i = 0; i < k->n * k->n; i++)
        k->a[i] = number(k, 0);
    for (int j = 0; j < b->jac.n; j++)
        for (int i = b->jac.start[j]; i < b->jac.start[j + 1]; i++)
            row_of(k, b->jac.row[i])[j] = b->jac.value[i];
    for (int i = 0; i < k->n; i++) {
        Expr largest = number(k, k->is_float ? 1e-30 : 1e-200);
        for (int j = 0; j < k->n; j++)
            if (!expr_is_zero(d, row_of(k, i)[j]))
                largest = expr_binary(d, EX_MAX, largest,
                                      size_of(d, row_of(k, i)[j]));
        Expr by =
            expr_unary(d, EX_NOEVENT, expr_div(d, expr_real(d, 1), largest));
        for (int j = 0; j < k->n; j++)
            row_of(k, i)[j] = expr_mul(d, row_of(k, i)[j], by);
        k->b[i] = expr_mul(d, k->b[i], by);
    }
}

static Expr dot(const Nearest *k, const Expr *a, const Expr *b)
{
    Expr sum = number(k, 0);
    for (int j = 0; j < k->n; j++)
        sum = expr_add(k->d, sum, expr_mul(k->d, a[j], b[j]));
    return sum;
}

/* G = A A' + m I = L D L' */
static void factor(Nearest *k)
{
    Dag *d = k->d;
    int n = k->n;
    double m = k->is_float ? REGULAR_FLOAT : REGULAR;
    Expr *diagonal = k->y; /* D, until there is a right-hand side */
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            Expr g = dot(k, row_of(k, i), row_of(k, j));
            if (i == j)
                g = expr_add(d, g, number(k, m));
            for (int p = 0; p < j; p++)
                g = expr_sub(
                    d, g,
                    expr_mul(d, k->l[i * n + p],
                             expr_mul(d, k->l[j * n + p], diagonal[p])));
            if (i == j) {
                /* rounding leaves no more than this of what is m */
                diagonal[j] = expr_binary(d, EX_MAX, g, number(k, m / 2));
                k->down[j] = expr_unary(d, EX_NOEVENT,
                                        expr_div(d, number(k, 1), diagonal[j]));
            } else {
                k->l[i * n + j] = expr_mul(d, g, k->down[j]);
            }
        }
}

/* y = inv(G) left */
static void solve(Nearest *k)
{
    Dag *d = k->d;
    int n = k->n;
    for (int i = 0; i < n; i++) {
        k->y[i] = k->left[i];
        for (int p = 0; p < i; p++)
            k->y[i] =
                expr_sub(d, k->y[i], expr_mul(d, k->l[i * n + p], k->y[p]));
    }
    for (int i = n - 1; i >= 0; i--) {
        k->y[i] = expr_mul(d, k->y[i], k->down[i]);
        for (int p = i + 1; p < n; p++)
            k->y[i] =
                expr_sub(d, k->y[i], expr_mul(d, k->l[p * n + i], k->y[p]));
    }
}

/* x += A' y; left = b - A x */
static void turn(Nearest *k)
{
    Dag *d = k->d;
    for (int j = 0; j < k->n; j++)
        for (int i = 0; i < k->n; i++)
            k->x[j] =
                expr_add(d, k->x[j], expr_mul(d, row_of(k, i)[j], k->y[i]));
    for (int i = 0; i < k->n; i++)
        k->left[i] = expr_sub(d, k->b[i], dot(k, row_of(k, i), k->x));
}

/* Do the equations agree there? */
static Expr agreement(const Nearest *k)
{
    Dag *d = k->d;
    double most = k->is_float ? AGREES_FLOAT : AGREES;
    Expr off = number(k, 0), size = number(k, NOTHING);
    for (int i = 0; i < k->n; i++) {
        off = expr_binary(d, EX_MAX, off, size_of(d, k->left[i]));
        size = expr_binary(d, EX_MAX, size, size_of(d, k->b[i]));
    }
    return expr_binary(d, EX_LE, off, expr_mul(d, number(k, most), size));
}

static Nearest begin(Dag *d, const SchedBlock *b, bool is_float, Arena *arena)
{
    size_t n = (size_t)b->ntorn;
    Nearest k = {.d = d, .n = b->ntorn, .is_float = is_float};
    Expr **list[] = {&k.b, &k.down, &k.x, &k.left, &k.y};
    for (int i = 0; i < 5; i++)
        *list[i] = NEW_ARRAY(arena, Expr, n + 1);
    k.a = NEW_ARRAY(arena, Expr, n * n + 1);
    k.l = NEW_ARRAY(arena, Expr, n * n + 1);
    return k;
}

/* All pivots are what they should be: no alarm, no quotient beyond bounds. What
 * is not a number compares as false. */
static Expr is_regular(const Nearest *k, const BlockFactor *f)
{
    Dag *d = k->d;
    Expr fine = expr_bool(d, true);
    if (f->is_watched)
        fine = expr_binary(d, EX_LE, f->alarm,
                           number(k, k->is_float ? BEYOND_FLOAT : BEYOND));
    for (int i = 0; i < k->n; i++)
        fine =
            expr_binary(d, EX_AND, fine,
                        expr_binary(d, EX_LE, size_of(d, f->parts->inverse[i]),
                                    expr_real(d, LARGEST)));
    return fine;
}

BlockFactor factor_least(Dag *dag, const SchedBlock *b,
                         const FactorOptions *options, Arena *arena)
{
    FactorOptions o = *options;
    o.watch = true;
    BlockFactor f = factor_dense(dag, b, &o, arena);
    Arena *work = arena_new();
    Nearest k = begin(dag, b, options->is_float, work);
    for (int i = 0; i < k.n; i++) {
        k.b[i] =
            b->residual_from_zero ? b->residual_from_zero[i] : b->residual[i];
        k.x[i] = expr_real(dag, 0);
    }
    scale(&k, b);
    factor(&k);
    for (int i = 0; i < k.n; i++)
        k.left[i] = k.b[i];
    for (int i = 0; i < TURNS; i++) {
        solve(&k);
        turn(&k);
    }
    Expr fine = is_regular(&k, &f);
    Expr nearest =
        expr_binary(dag, EX_AND, expr_unary(dag, EX_NOT, fine), agreement(&k));
    for (int i = 0; i < k.n; i++)
        f.delta[i] = expr_if(dag, nearest, k.x[i], f.delta[i]);
    if (f.is_watched)
        f.alarm = expr_if(dag, nearest, expr_real(dag, -1), f.alarm);
    arena_free(work);
    return f;
}
