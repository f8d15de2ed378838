/* factor.c - elimination on expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/factor.h"

#include "base/vec.h"
#include "num/table.h"

typedef struct Factor {
    Dag *d;
    const SchedBlock *b;
    BlockFactor out;
    const FactorOptions *o;
    int n;
    Arena *local;
    Arena *arena;      /* of the block */
    Vec(Expr) partial; /* sums of the alarm, in the order of the pivots */
    bool many;         /* solutions with the same factors */
    /* sparse: */
    const StaticLu *f;
    Expr *entry, *inverse;
    /* dense: */
    Expr *a;    /* by rows; below the diagonal the factors of L */
    Expr *swap; /* condition of each exchange, in their order */
    int nswap;
} Factor;

static Expr less(Dag *d, Expr b, Expr a, Expr x)
{
    return expr_sub(d, b, expr_mul(d, a, x));
}

static Expr size_of(Dag *d, Expr a)
{
    return expr_unary(d, EX_ABS, a);
}

static Expr sum_of(Dag *d, Expr a, Expr b)
{
    return a == EXPR_NONE ? b : expr_add(d, a, b);
}

/* ---- the alarm ---- */

/* Both sums are of squares: a square is one operation where an absolute value
 * and its addition are two, and the root of the sum is no less than the largest
 * term and no more than the sum of all. */
typedef struct Alarm {
    Expr lost, grown; /* sums; EXPR_NONE: nothing yet */
    bool squares;     /* false: factors whose squares might overflow */
} Alarm;

static Expr measure(const Factor *k, bool squares, Expr x)
{
    return squares ? expr_mul(k->d, x, x) : size_of(k->d, x);
}

/* The sums as they are after each pivot: evaluated in this order, what goes
 * into them need not be kept. */
static void note_partial(Factor *k, Expr sum)
{
    if (sum != EXPR_NONE)
        vec_push(k->local, &k->partial, sum);
}

static Alarm begin_alarm(const Factor *k, double largest)
{
    return (Alarm){EXPR_NONE, EXPR_NONE,
                   largest < (k->o->is_float ? 1e12 : 1e100)};
}

/* Pivot 1/inverse is what is left of `terms` (EXPR_NONE: it is an entry). */
static void watch_pivot(Factor *k, Alarm *a, Expr terms, Expr inverse)
{
    if (terms == EXPR_NONE)
        return;
    Expr part = expr_mul(k->d, terms, inverse);
    a->lost = sum_of(k->d, a->lost, measure(k, true, part));
    note_partial(k, a->lost);
}

static void watch_factor(Factor *k, Alarm *a, Expr l)
{
    a->grown = sum_of(k->d, a->grown, measure(k, a->squares, l));
    note_partial(k, a->grown);
}

static Expr scaled(Factor *k, Expr sum, bool squares, double limit)
{
    return expr_mul(k->d, sum,
                    expr_real(k->d, squares ? limit * limit : limit));
}

static void end_alarm(Factor *k, const Alarm *a, double largest)
{
    if (a->lost == EXPR_NONE && a->grown == EXPR_NONE)
        return;
    Dag *d = k->d;
    double lost = table_cancelled(k->o->is_float);
    double grown = table_growth(largest, k->o->is_float);
    Expr sum = expr_real(d, -1);
    if (a->lost != EXPR_NONE)
        sum = expr_add(d, sum, scaled(k, a->lost, true, lost));
    if (a->grown != EXPR_NONE)
        sum = expr_add(d, sum, scaled(k, a->grown, a->squares, grown));
    BlockFactor *b = &k->out;
    b->alarm = sum;
    b->is_watched = true;
    b->npartial = k->partial.n;
    b->partial = NEW_ARRAY(k->arena, Expr, k->partial.n + 1);
    for (int i = 0; i < k->partial.n; i++)
        b->partial[i] = k->partial.at[i];
}

/* One term of a pivot needs no absolute value of its own. */
static void add_term(Dag *d, Expr *sum, bool *single, Expr term)
{
    if (*sum == EXPR_NONE) {
        *sum = term;
        *single = true;
        return;
    }
    Expr first = *single ? size_of(d, *sum) : *sum;
    *sum = expr_add(d, first, size_of(d, term));
    *single = false;
}

/* 1 / pivot. Products with it become quotients again (expr/), which saves an
 * operation where there is one solution with these factors. Where there are
 * many, NOEVENT keeps the inverse: no division on the way from one unknown to
 * the next. */
static Expr inverse_of(const Factor *k, Expr pivot)
{
    Expr inverse = expr_div(k->d, expr_real(k->d, 1), pivot);
    return k->many ? expr_unary(k->d, EX_NOEVENT, inverse) : inverse;
}

/* ---- sparse ---- */

/* The loops of num/static_lu.c, on handles. */
static void eliminate(Factor *k)
{
    const StaticLu *f = k->f;
    Dag *d = k->d;
    const int *target = f->target;
    Expr *terms = NEW_ARRAY(k->local, Expr, f->nentry + 1);
    bool *single = NEW_ARRAY(k->local, bool, f->nentry + 1);
    bool *is_pivot = NEW_ARRAY(k->local, bool, f->nentry + 1);
    for (int i = 0; i < f->nentry; i++)
        terms[i] = EXPR_NONE;
    for (int i = 0; i < f->n; i++)
        is_pivot[f->pivot[i]] = true;
    for (int p = 0; p < f->n; p++) {
        k->inverse[p] = inverse_of(k, k->entry[f->pivot[p]]);
        for (int i = f->lstart[p]; i < f->lstart[p + 1]; i++) {
            Expr m = k->entry[f->l[i]] =
                expr_mul(d, k->entry[f->l[i]], k->inverse[p]);
            for (int j = f->ustart[p]; j < f->ustart[p + 1]; j++, target++) {
                Expr change = expr_mul(d, m, k->entry[f->u[j]]);
                k->entry[*target] = expr_sub(d, k->entry[*target], change);
                if (k->o->watch && is_pivot[*target])
                    add_term(d, &terms[*target], &single[*target], change);
            }
        }
    }
    if (!k->o->watch)
        return;
    Alarm a = begin_alarm(k, f->largest);
    for (int p = 0; p < f->n; p++) {
        watch_pivot(k, &a, terms[f->pivot[p]], k->inverse[p]);
        for (int i = f->lstart[p]; i < f->lstart[p + 1]; i++)
            watch_factor(k, &a, k->entry[f->l[i]]);
    }
    end_alarm(k, &a, f->largest);
}

static void substitute_block(Factor *k, int block, Expr *rhs, Expr *x)
{
    const StaticLu *f = k->f;
    Dag *d = k->d;
    int begin = f->start[block], end = f->start[block + 1];
    for (int p = begin; p < end; p++)
        for (int i = f->ostart[p]; i < f->ostart[p + 1]; i++)
            rhs[f->row[p]] =
                less(d, rhs[f->row[p]], k->entry[f->o[i]], x[f->ocol[i]]);
    for (int p = begin; p < end; p++)
        for (int i = f->lstart[p]; i < f->lstart[p + 1]; i++)
            rhs[f->lrow[i]] =
                less(d, rhs[f->lrow[i]], k->entry[f->l[i]], rhs[f->row[p]]);
    for (int p = end - 1; p >= begin; p--) {
        Expr b = rhs[f->row[p]];
        for (int j = f->ustart[p]; j < f->ustart[p + 1]; j++)
            b = less(d, b, k->entry[f->u[j]], x[f->ucol[j]]);
        x[f->col[p]] = expr_mul(d, b, k->inverse[p]);
    }
}

/* ---- dense ---- */

/* *a and *b change places where the condition holds. */
static void exchange(Dag *d, Expr condition, Expr *a, Expr *b)
{
    Expr new = expr_if(d, condition, *b, *a);
    *b = expr_if(d, condition, *a, *b);
    *a = new;
}

/* The largest entry of column p rises to the diagonal. */
static void raise_largest(Factor *k, int p)
{
    Dag *d = k->d;
    int n = k->n;
    for (int i = p + 1; i < n; i++) {
        Expr larger = expr_binary(d, EX_GT, size_of(d, k->a[i * n + p]),
                                  size_of(d, k->a[p * n + p]));
        k->swap[k->nswap++] = larger;
        for (int j = 0; j < n; j++)
            exchange(d, larger, &k->a[p * n + j], &k->a[i * n + j]);
    }
}

static void eliminate_dense(Factor *k)
{
    Dag *d = k->d;
    int n = k->n;
    Expr *terms = NEW_ARRAY(k->local, Expr, n);
    for (int p = 0; p < n; p++) {
        raise_largest(k, p);
        k->inverse[p] = inverse_of(k, k->a[p * n + p]);
        for (int i = p + 1; i < n; i++) {
            Expr m = k->a[i * n + p] =
                expr_mul(d, k->a[i * n + p], k->inverse[p]);
            for (int j = p + 1; j < n; j++)
                k->a[i * n + j] = less(d, k->a[i * n + j], m, k->a[p * n + j]);
        }
    }
    for (int p = 0; p < n; p++) {
        terms[p] = EXPR_NONE;
        bool single = false;
        for (int i = 0; k->o->watch && i < p; i++)
            add_term(d, &terms[p], &single,
                     expr_mul(d, k->a[p * n + i], k->a[i * n + p]));
    }
    if (!k->o->watch)
        return;
    Alarm a = begin_alarm(k, 1);
    for (int p = 0; p < n; p++)
        watch_pivot(k, &a, terms[p], k->inverse[p]);
    end_alarm(k, &a, 1);
}

static void substitute_dense(Factor *k, Expr *rhs, Expr *x)
{
    Dag *d = k->d;
    int n = k->n, swap = 0;
    for (int p = 0; p < n; p++)
        for (int i = p + 1; i < n; i++)
            exchange(d, k->swap[swap++], &rhs[p], &rhs[i]);
    for (int p = 0; p < n; p++)
        for (int i = 0; i < p; i++)
            rhs[p] = less(d, rhs[p], k->a[p * n + i], rhs[i]);
    for (int p = n - 1; p >= 0; p--) {
        for (int j = p + 1; j < n; j++)
            rhs[p] = less(d, rhs[p], k->a[p * n + j], x[j]);
        x[p] = expr_mul(d, rhs[p], k->inverse[p]);
    }
}

/* ---- both ---- */

static void substitute(Factor *k, Expr *rhs, Expr *x)
{
    for (int i = 0; k->f && i < k->f->nblock; i++)
        substitute_block(k, i, rhs, x);
    if (!k->f)
        substitute_dense(k, rhs, x);
}

/* Where one solution is all there is, it begins at 0. */
static Expr residual_of(const Factor *k, int i)
{
    return k->b->residual_from_zero ? k->b->residual_from_zero[i]
                                    : k->b->residual[i];
}

/* x += J^-1 (r - J x) */
static void refine(Factor *k, Expr *rhs, Expr *x)
{
    const SchedJacobian *jac = &k->b->jac;
    Expr *more = NEW_ARRAY(k->local, Expr, k->n + 1);
    for (int i = 0; i < k->n; i++)
        rhs[i] = residual_of(k, i);
    for (int j = 0; j < jac->n; j++)
        for (int i = jac->start[j]; i < jac->start[j + 1]; i++)
            rhs[jac->row[i]] =
                less(k->d, rhs[jac->row[i]], jac->value[i], x[j]);
    substitute(k, rhs, more);
    for (int i = 0; i < k->n; i++)
        x[i] = expr_add(k->d, x[i], more[i]);
}

static bool is_constant(const SchedJacobian *jac)
{
    for (int i = 0; i < jac->nnz; i++)
        if (!jac->variance || jac->variance[i] > SV_PARAMETER)
            return false;
    return true;
}

static Factor begin(Dag *dag, const SchedBlock *b, const FactorOptions *options,
                    Arena *arena)
{
    Factor k = {.d = dag,
                .b = b,
                .o = options,
                .n = b->ntorn,
                .arena = arena,
                .local = arena_new()};
    k.many = options->shared || is_constant(&b->jac);
    k.inverse = NEW_ARRAY(k.local, Expr, k.n + 1);
    return k;
}

static const Expr *copy_list(const Factor *k, const Expr *list, int n)
{
    Expr *out = NEW_ARRAY(k->arena, Expr, n + 1);
    for (int i = 0; i < n; i++)
        out[i] = list[i];
    return out;
}

/* The factors live on; those of a StaticLu stand among its entries. */
static FactorParts *keep_parts(const Factor *k)
{
    FactorParts *p = NEW(k->arena, FactorParts);
    Expr *pivot = NEW_ARRAY(k->arena, Expr, k->n + 1);
    for (int i = 0; i < k->n; i++)
        pivot[i] = k->f ? k->entry[k->f->pivot[i]] : k->a[i * k->n + i];
    *p = (FactorParts){.lu = k->f,
                       .inverse = copy_list(k, k->inverse, k->n),
                       .pivot = pivot,
                       .nswap = k->nswap,
                       .by_inverse = k->many};
    p->entry = k->f ? copy_list(k, k->entry, k->f->nentry)
                    : copy_list(k, k->a, k->n * k->n);
    p->swap = copy_list(k, k->swap, k->nswap);
    return p;
}

static BlockFactor finish(Factor *k)
{
    Expr *rhs = NEW_ARRAY(k->local, Expr, k->n + 1);
    for (int i = 0; i < k->n; i++)
        rhs[i] = residual_of(k, i);
    k->out.delta = NEW_ARRAY(k->arena, Expr, k->n + 1);
    substitute(k, rhs, k->out.delta);
    if (k->o->refine)
        refine(k, rhs, k->out.delta);
    k->out.parts = keep_parts(k);
    arena_free(k->local);
    return k->out;
}

BlockFactor factor_unroll(Dag *dag, const SchedBlock *b, const StaticLu *lu,
                          const FactorOptions *options, Arena *arena)
{
    Factor k = begin(dag, b, options, arena);
    k.f = lu;
    k.entry = NEW_ARRAY(k.local, Expr, lu->nentry + 1);
    Expr zero = expr_real(dag, 0);
    for (int i = 0; i < lu->nentry; i++)
        k.entry[i] = i < lu->nnz ? b->jac.value[i] : zero;
    eliminate(&k);
    return finish(&k);
}

BlockFactor factor_dense(Dag *dag, const SchedBlock *b,
                         const FactorOptions *options, Arena *arena)
{
    Factor k = begin(dag, b, options, arena);
    Expr zero = expr_real(dag, 0);
    k.a = NEW_ARRAY(k.local, Expr, k.n * k.n + 1);
    k.swap = NEW_ARRAY(k.local, Expr, k.n * k.n + 1);
    for (int i = 0; i < k.n * k.n; i++)
        k.a[i] = zero;
    for (int j = 0; j < b->jac.n; j++)
        for (int i = b->jac.start[j]; i < b->jac.start[j + 1]; i++)
            k.a[b->jac.row[i] * k.n + j] = b->jac.value[i];
    eliminate_dense(&k);
    return finish(&k);
}
