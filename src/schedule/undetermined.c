/* undetermined.c - does a mode leave a linear block undetermined?
 *
 * Two brakes that are stuck hold one shaft: what each of them holds is not
 * determined, the matrix is singular and the equations agree. Such a block
 * keeps its matrix, so that its rank can be looked at where it is solved; the
 * closed form of Cramer's rule would divide 0 by 0.
 *
 * The matrix is evaluated for combinations of the truths and integers that it
 * depends on: all of them where there are few, else some by chance, with truths
 * that are rare, even and frequent in turn. An integer takes the numbers that
 * it is compared with, or none of them. Where the matrix is singular the
 * residuals tell whether the equations agree, at a point around the start; two
 * ideal diodes that conduct against each other do not, and no run stays there.
 * Combinations that a run never comes to are among them: the answer yes costs
 * work, a no may be wrong where there are many modes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "schedule/schedule_internal.h"

enum {
    MOST_TRIES = 640,
    MOST_NUMBERS = 16,
    MOST_ENTRIES = 4000,  /* beyond, fewer tries */
    MOST_WORK = 20000000, /* n^3 of all tries */
    FEW = 7,              /* truths whose combinations are all tried */
};
static const double RANK = 1e-12;  /* of the largest entry of a row */
static const double AGREES = 1e-9; /* of what the equations have to balance */

typedef struct Modes {
    Maker *m;
    const SchedBlock *b;
    EdgesValues entry;
    Vec(int) leaf; /* entries of the Inlined table: truths and integers */
    double number[MOST_NUMBERS]; /* that integers are compared with */
    int nnumber, ntruth;
    double *point, *value, *a, *residual;
    unsigned long long random;
    Arena *work;
} Modes;

static unsigned draw(Modes *s)
{
    s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(s->random >> 33);
}

static bool is_mode(const InlinedVar *v)
{
    return v->type != ET_REAL && v->kind != IV_PARAMETER &&
           v->kind != IV_UNUSED;
}

static void add_number(Modes *s, double x)
{
    for (int i = 0; i < s->nnumber; i++)
        if (s->number[i] == x)
            return;
    if (s->nnumber < MOST_NUMBERS - 1)
        s->number[s->nnumber++] = x;
}

static void see_number(void *context, const Dag *d, Expr e)
{
    Modes *s = context;
    ExprOp op = expr_op(d, e);
    double x;
    if (op != EX_EQ && op != EX_NE && op != EX_LT && op != EX_LE &&
        op != EX_GT && op != EX_GE)
        return;
    for (int k = 0; k < 2; k++)
        if (expr_is_const(d, expr_arg(d, e, k), &x) && x == floor(x))
            add_number(s, x);
}

/* Truths and integers of the matrix, and the numbers these are compared with;
 * one more stands for all others. */
static void find_modes(Modes *s)
{
    const SchedJacobian *jac = &s->b->jac;
    bool *seen = NEW_ARRAY(s->work, bool, s->m->d->nvar + 1);
    double largest = 0;
    for (int k = 0; k < jac->nnz; k++) {
        Expr *leaf;
        int n = expr_leaves(s->m->dag, jac->value[k], &leaf, s->work);
        for (int i = 0; i < n; i++) {
            int var = NONE, order = 0;
            if (!expr_is_var(s->m->dag, leaf[i], &var, &order) || seen[var] ||
                !is_mode(&s->m->d->var[var]))
                continue;
            seen[var] = true;
            s->ntruth += s->m->d->var[var].type == ET_BOOLEAN;
            vec_push(s->work, &s->leaf, var);
        }
    }
    expr_walk(s->m->dag, jac->value, jac->nnz, see_number, s);
    for (int k = 0; k < s->nnumber; k++)
        largest = fmax(largest, s->number[k]);
    s->number[s->nnumber++] = largest + 1;
}

/* Integers in turn all have one of the numbers, the last of which stands for
 * none, or any; truths are those of `attempt`, or by chance never, rarely,
 * evenly or often true. */
static void set_modes(Modes *s, int attempt)
{
    static const unsigned share[] = {0, 1, 4, 7};
    int turn = attempt % (s->nnumber + 1), pattern = attempt / (s->nnumber + 1);
    for (int i = 0, truth = 0; i < s->leaf.n; i++) {
        unsigned chance = draw(s);
        int which =
            turn < s->nnumber ? turn : (int)(chance % (unsigned)s->nnumber);
        double *x = &s->point[s->leaf.at[i]];
        if (s->m->d->var[s->leaf.at[i]].type != ET_BOOLEAN)
            *x = s->number[s->nnumber - 1 - which];
        else if (s->ntruth <= FEW)
            *x = pattern >> truth++ & 1;
        else
            *x = chance % 8 < share[pattern % 4];
    }
}

static void exchange(double *a, double *b)
{
    double x = *a;
    *a = *b;
    *b = x;
}

/* The largest entry of what is left to the place (k, k); its size. */
static double raise_largest(double *a, double *r, int n, int k)
{
    int row = k, col = k;
    for (int i = k; i < n; i++)
        for (int j = k; j < n; j++)
            if (fabs(a[i * n + j]) > fabs(a[row * n + col])) {
                row = i;
                col = j;
            }
    exchange(&r[k], &r[row]);
    for (int j = 0; j < n; j++)
        exchange(&a[k * n + j], &a[row * n + j]);
    for (int i = 0; i < n; i++)
        exchange(&a[i * n + k], &a[i * n + col]);
    return fabs(a[k * n + k]);
}

/* Divides rows by their largest entry; the largest right-hand side. */
static double scale_rows(double *a, double *r, int n)
{
    double size = 1;
    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++)
            largest = fmax(largest, fabs(a[i * n + j]));
        if (!(largest > 0))
            continue;
        for (int j = 0; j < n; j++)
            a[i * n + j] /= largest;
        r[i] /= largest;
        size = fmax(size, fabs(r[i]));
    }
    return size;
}

/* Has a x = r many solutions? */
static bool has_many(double *a, double *r, int n)
{
    double size = scale_rows(a, r, n);
    for (int k = 0; k < n; k++) {
        if (raise_largest(a, r, n, k) <= RANK) {
            for (int i = k; i < n; i++)
                if (!(fabs(r[i]) <= AGREES * size))
                    return false;
            return true;
        }
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            r[i] -= f * r[k];
        }
    }
    return false;
}

static void find_residuals(Modes *s)
{
    const SchedBlock *b = s->b;
    for (int k = 0; k < b->nchain; k++)
        s->point[b->chain[k].var] =
            edges_value_at(s->m, b->chain[k].value, s->point);
    for (int i = 0; i < b->ntorn; i++)
        s->residual[i] = edges_value_at(s->m, b->residual[i], s->point);
}

/* In the modes as they are set; a matrix that is not finite tells nothing. */
static bool is_undetermined_here(Modes *s)
{
    const SchedJacobian *jac = &s->b->jac;
    int n = jac->n;
    size_t size = sizeof *s->a * (size_t)n * (size_t)n;
    edges_values_at(&s->entry, s->point, s->value);
    memset(s->a, 0, size);
    memset(s->residual, 0, sizeof *s->residual * (size_t)n);
    for (int j = 0; j < n; j++)
        for (int k = jac->start[j]; k < jac->start[j + 1]; k++) {
            if (!isfinite(s->value[k]))
                return false;
            s->a[jac->row[k] * n + j] += s->value[k];
        }
    double *copy = s->a + n * n;
    memcpy(copy, s->a, size);
    if (!has_many(copy, s->residual, n))
        return false;
    find_residuals(s);
    return has_many(s->a, s->residual, n);
}

static bool has_choice(const Maker *m, const SchedJacobian *jac)
{
    for (int k = 0; k < jac->nnz; k++)
        if (expr_has_op(m->dag, jac->value[k], EX_IF))
            return true;
    return false;
}

bool undetermined_by_modes(Maker *m, const SchedBlock *b)
{
    const SchedJacobian *jac = &b->jac;
    if (b->kind != SK_LINEAR || b->ninvariant > 0 || b->has_no_matrix ||
        b->ntorn > SCHED_UNDETERMINED_MOST || jac->nnz == 0 || !m->samples ||
        m->samples->nsample == 0 || !has_choice(m, jac))
        return false;
    Modes s = {.m = m, .b = b, .work = arena_new(), .random = 1};
    int n = jac->n;
    s.entry = edges_values(m, jac->value, jac->nnz, s.work);
    s.point = NEW_ARRAY(s.work, double, m->d->nvar + 1);
    s.value = NEW_ARRAY(s.work, double, jac->nnz + 1);
    s.a = NEW_ARRAY(s.work, double, 2 * n * n + 1);
    s.residual = NEW_ARRAY(s.work, double, n + 1);
    find_modes(&s);
    edges_shake(m, &s.random, s.point);
    bool found = false;
    int tries = s.entry.norder > MOST_ENTRIES ? MOST_TRIES / 4 : MOST_TRIES;
    tries = tries > MOST_WORK / (n * n * n) ? MOST_WORK / (n * n * n) : tries;
    for (int k = 0; k < tries && s.leaf.n > 0 && !found; k++) {
        set_modes(&s, k);
        found = is_undetermined_here(&s);
    }
    arena_free(s.work);
    return found;
}
