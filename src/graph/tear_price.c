/* tear_price.c - counts the operations of a tearing, and makes them fewer. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/tear_price.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "graph/tear_internal.h"

/* Instructions of a product or a sum: itself, and often an operand to fetch or
 * a result to put away. */
#define OPERATION 1.6
/* Entries looked at in a search; some 0.2 s. */
enum { WORK = 45000000 };
/* In larger blocks a search of bounded length finds less: it may take less, so
 * that those that are not searched take no less time than others. */
enum { LARGE = 400 };

static long work_for(int n)
{
    double part = n > LARGE ? (double)LARGE / n : 1;
    return (long)(WORK * part * part * part);
}
/* Larger matrices are priced as if they filled. */
enum { MOST_TORN = 600 };

typedef struct Entry {
    int col;
    unsigned char kind;
} Entry;

typedef struct Pricer {
    const Incidence *inc;
    const TearPrices *is;
    int n;
    int *at, *len;      /* size n: row of each known unknown */
    Vec(Entry) entry;   /* rows, one after the other */
    unsigned char *sum; /* size n: the row being made, by column */
    Vec(int) cols;
    unsigned char *a;         /* ntorn x ntorn: the matrix, by rows */
    int *row, *col;           /* open entries of a row and of a column */
    int *open_row, *open_col; /* those not eliminated yet, */
    int nopen;                /* so many */
    int *u;                   /* columns of the row being eliminated */
    bool *need;               /* size n */
    long work;
    Arena *arena;
} Pricer;

static Pricer pricer_new(const Incidence *inc, const TearPrices *is,
                         Arena *arena)
{
    int n = inc->neqn, m = n < MOST_TORN ? n : MOST_TORN;
    Pricer p = {.inc = inc, .is = is, .n = n, .arena = arena};
    p.at = NEW_ARRAY(arena, int, n + 1);
    p.len = NEW_ARRAY(arena, int, n + 1);
    p.sum = NEW_ARRAY(arena, unsigned char, n + 1);
    p.a = NEW_ARRAY(arena, unsigned char, (size_t)m *(size_t)m + 1);
    p.row = NEW_ARRAY(arena, int, m + 1);
    p.col = NEW_ARRAY(arena, int, m + 1);
    p.open_row = NEW_ARRAY(arena, int, m + 1);
    p.open_col = NEW_ARRAY(arena, int, m + 1);
    p.u = NEW_ARRAY(arena, int, m + 1);
    p.need = NEW_ARRAY(arena, bool, n + 1);
    return p;
}

/* ---- products and sums ---- */

static PriceKind product(PriceKind a, PriceKind b, double *price)
{
    if (a == PRICE_ONE || b == PRICE_ONE)
        return a == PRICE_ONE ? b : a;
    if (a == PRICE_CONSTANT && b == PRICE_CONSTANT)
        return PRICE_CONSTANT;
    *price += OPERATION;
    return PRICE_VARYING;
}

static PriceKind sum(PriceKind a, PriceKind b, double *price)
{
    if (a == PRICE_NONE)
        return b;
    if (a != PRICE_VARYING && b != PRICE_VARYING)
        return PRICE_CONSTANT;
    *price += OPERATION;
    return PRICE_VARYING;
}

static PriceKind quotient(PriceKind a, PriceKind b, double *price)
{
    if (b == PRICE_ONE)
        return a;
    if (a != PRICE_VARYING && b != PRICE_VARYING)
        return PRICE_CONSTANT;
    *price += OPERATION;
    return PRICE_VARYING;
}

/* ---- rows through the chain ---- */

/* Adds up the row of equation i; edge `pivot` (or NONE) is solved for. */
static double make_row(Pricer *p, int i, int pivot)
{
    double price = 0;
    PriceKind by = pivot == NONE ? PRICE_ONE : p->is->edge[pivot];
    if (by == PRICE_VARYING)
        price += OPERATION;
    vec_clear(&p->cols);
    for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++) {
        int v = p->inc->var[k];
        if (k == pivot)
            continue;
        PriceKind a = quotient(p->is->edge[k], by, &price);
        for (int q = p->at[v]; q < p->at[v] + p->len[v]; q++) {
            Entry x = p->entry.at[q];
            PriceKind w = product(a, x.kind, &price);
            if (p->sum[x.col] == PRICE_NONE)
                vec_push(p->arena, &p->cols, x.col);
            p->sum[x.col] = (unsigned char)sum(p->sum[x.col], w, &price);
        }
        p->work += p->len[v] + 1;
    }
    return price;
}

static void keep_row(Pricer *p, int var)
{
    p->at[var] = p->entry.n;
    p->len[var] = p->cols.n;
    for (int q = 0; q < p->cols.n; q++) {
        int c = p->cols.at[q];
        vec_push(p->arena, &p->entry, ((Entry){c, p->sum[c]}));
        p->sum[c] = PRICE_NONE;
    }
}

static void keep_residual(Pricer *p, int row, int n)
{
    for (int q = 0; q < p->cols.n; q++) {
        int c = p->cols.at[q];
        p->a[row * n + c] = p->sum[c];
        p->row[row]++;
        p->col[c]++;
        p->sum[c] = PRICE_NONE;
    }
}

/* ---- the matrix ---- */

/* Where the open row or column with fewest entries stands in its list. */
static int fewest(const int *count, const int *open, int n)
{
    int best = 0;
    for (int k = 1; k < n; k++)
        if (count[open[k]] < count[open[best]])
            best = k;
    return best;
}

/* A pivot of small Markowitz count: in the shortest row or column, where the
 * other one is shortest; as places of the lists. False if there is none. */
static bool find_pivot(const Pricer *p, int n, int *r, int *c)
{
    int i = fewest(p->row, p->open_row, p->nopen);
    int j = fewest(p->col, p->open_col, p->nopen), best = NONE;
    int in_row = p->open_row[i], in_col = p->open_col[j];
    bool by_row = p->row[in_row] <= p->col[in_col];
    const int *count = by_row ? p->col : p->row;
    const int *open = by_row ? p->open_col : p->open_row;
    for (int k = 0; k < p->nopen; k++) {
        int at = by_row ? in_row * n + open[k] : open[k] * n + in_col;
        if (p->a[at] && (best == NONE || count[open[k]] < count[open[best]]))
            best = k;
    }
    *r = by_row ? i : best;
    *c = by_row ? best : j;
    return best != NONE;
}

/* Subtracts a multiple of the pivot's row from row i. */
static double update(Pricer *p, int n, int i, PriceKind l, int r, int nu)
{
    double price = l == PRICE_VARYING ? p->is->watch : 0;
    for (int k = 0; k < nu; k++) {
        int j = p->u[k];
        unsigned char *x = &p->a[i * n + j];
        PriceKind w = product(l, p->a[r * n + j], &price);
        if (*x == PRICE_NONE) {
            p->row[i]++;
            p->col[j]++;
        }
        *x = (unsigned char)sum(*x, w, &price);
    }
    return price;
}

/* Eliminates one unknown, forward and backward substitution included. */
static double eliminate(Pricer *p, int n, int at_row, int at_col)
{
    int r = p->open_row[at_row], c = p->open_col[at_col], nu = 0;
    PriceKind pivot = p->a[r * n + c];
    double price = pivot == PRICE_VARYING ? 2 * OPERATION : OPERATION;
    p->work += 5 * p->nopen;
    p->nopen--;
    p->open_row[at_row] = p->open_row[p->nopen];
    p->open_col[at_col] = p->open_col[p->nopen];
    for (int k = 0; k < p->nopen; k++) {
        int j = p->open_col[k];
        if (!p->a[r * n + j])
            continue;
        p->u[nu++] = j;
        p->col[j]--;
    }
    price += 2 * OPERATION * nu;
    for (int k = 0; k < p->nopen; k++) {
        int i = p->open_row[k];
        if (!p->a[i * n + c])
            continue;
        price += 2 * OPERATION;
        p->row[i]--;
        p->work += nu;
        if (nu == 0)
            continue;
        PriceKind l = product(p->a[i * n + c], pivot, &price);
        price += update(p, n, i, l, r, nu);
    }
    return price;
}

static double price_matrix(Pricer *p, int n, double limit)
{
    double price = 0;
    int r, c;
    if (n > MOST_TORN)
        return pow(n, 3) * 2 / 3;
    while (p->nopen > 0 && price < limit && find_pivot(p, n, &r, &c))
        price += eliminate(p, n, r, c);
    return price;
}

/* ---- the whole ---- */

/* Equations behind what is needed after the iteration. */
static double price_again(Pricer *p, const int *eqn, const int *var,
                          int ncausal)
{
    double price = 0;
    for (int j = 0; j < p->n; j++)
        p->need[j] = p->is->needed[j];
    for (int k = ncausal - 1; k >= 0; k--) {
        if (!p->need[var[k]])
            continue;
        int i = eqn[k];
        price += p->is->eqn[i];
        for (int q = p->inc->start[i]; q < p->inc->start[i + 1]; q++)
            p->need[p->inc->var[q]] = true;
    }
    return price;
}

/* Beyond `limit` it is not looked at to the end. */
static double price_of(Pricer *p, const int *eqn, const int *var, int ncausal,
                       const int *torn, int ntorn, const int *residual,
                       double limit)
{
    int n = ntorn;
    double price = p->is->torn * n;
    double again = price_again(p, eqn, var, ncausal);
    limit = (limit - again) / p->is->iterations;
    vec_clear(&p->entry);
    for (int k = 0; k < n; k++) {
        p->at[torn[k]] = p->entry.n;
        p->len[torn[k]] = 1;
        vec_push(p->arena, &p->entry, ((Entry){k, PRICE_ONE}));
    }
    for (int k = 0; k < ncausal && price < limit; k++) {
        price += make_row(p, eqn[k], incidence_find(p->inc, eqn[k], var[k]));
        keep_row(p, var[k]);
    }
    if (price >= limit)
        return INFINITY;
    if (n > 0 && n <= MOST_TORN) {
        memset(p->a, 0, (size_t)n * (size_t)n);
        memset(p->row, 0, sizeof(int) * (size_t)n);
        memset(p->col, 0, sizeof(int) * (size_t)n);
        for (int k = 0; k < n; k++)
            p->open_row[k] = p->open_col[k] = k;
        p->nopen = n;
        for (int k = 0; k < n; k++) {
            price += make_row(p, residual[k], NONE);
            keep_residual(p, k, n);
        }
    }
    price += price_matrix(p, n, limit - price);
    return price * p->is->iterations + again;
}

double tear_price(const TearProblem *p, const TearPrices *prices, const Tear *t)
{
    Arena *local = arena_new();
    Pricer pricer = pricer_new(p->inc, prices, local);
    double price = price_of(&pricer, t->eqn, t->var, t->ncausal, t->torn,
                            t->ntorn, t->residual, INFINITY);
    arena_free(local);
    return price;
}

/* ---- search ---- */

typedef struct Search {
    Engine *e;
    Rules rules;
    Pricer pricer;
    int *best, nbest; /* torn unknowns */
    double price;
    int *width;       /* size n: torn unknowns that an unknown depends on */
    int *next, nnext; /* what is tried */
    int *eqn, *var, *torn, *residual; /* as the engine has them */
    long limit;
} Search;

/* Follows what is tried; its price. */
static double look(Search *s)
{
    Engine *e = s->e;
    int ncausal = 0, ntorn = 0, nresidual = 0;
    search_repair(e, s->rules, s->next, s->nnext);
    e->work += e->inc->nedge;
    for (int k = 0; k < e->n; k++) {
        int j = e->trail[k];
        if (e->by[j] == TORN) {
            s->torn[ntorn++] = j;
        } else {
            s->eqn[ncausal] = e->by[j];
            s->var[ncausal++] = j;
        }
    }
    for (int i = 0; i < e->n; i++)
        if (e->use[i] != USE_SOLVED)
            s->residual[nresidual++] = i;
    return price_of(&s->pricer, s->eqn, s->var, ncausal, s->torn, ntorn,
                    s->residual, s->price);
}

static bool has_time(const Search *s)
{
    return s->e->work + s->pricer.work < s->limit;
}

/* Takes what is tried if it is cheaper. */
static bool take_if_cheaper(Search *s)
{
    double price = look(s);
    if (!(price < s->price))
        return false;
    s->price = price;
    s->nbest = s->e->ntorn;
    memcpy(s->width, s->pricer.len, sizeof(int) * (size_t)s->e->n);
    memcpy(s->best, s->torn, sizeof(int) * (size_t)s->nbest);
    return true;
}

static void leave_out(Search *s, int k)
{
    s->nnext = 0;
    for (int q = 0; q < s->nbest; q++)
        if (q != k)
            s->next[s->nnext++] = s->best[q];
}

static bool may_tear(const Search *s, int var)
{
    return engine_preference(s->e, var) != TEAR_NEVER;
}

static bool is_torn(const Search *s, int var)
{
    for (int k = 0; k < s->nbest; k++)
        if (s->best[k] == var)
            return true;
    return false;
}

static bool may_drop(const Search *s, int k)
{
    return engine_preference(s->e, s->best[k]) != TEAR_MUST;
}

static bool drop(Search *s, int k)
{
    leave_out(s, k);
    return may_drop(s, k) && take_if_cheaper(s);
}

/* Tearing an unknown makes the rows of those after it shorter, if its own is
 * long. */
static bool tear_one(Search *s, int var)
{
    if (s->width[var] < 3 || is_torn(s, var) || !may_tear(s, var))
        return false;
    leave_out(s, NONE);
    s->next[s->nnext++] = var;
    return take_if_cheaper(s);
}

/* Is another unknown that stands in an equation with torn one k cheaper? */
static bool exchange(Search *s, int k)
{
    const Engine *e = s->e;
    int old = s->best[k];
    for (int q = e->t->start[old]; q < e->t->start[old + 1]; q++) {
        int i = e->t->eqn[q];
        for (int m = e->inc->start[i]; m < e->inc->start[i + 1]; m++) {
            int v = e->inc->var[m];
            if (!has_time(s))
                return false;
            if (v == old || is_torn(s, v) || !may_tear(s, v))
                continue;
            leave_out(s, k);
            s->next[s->nnext++] = v;
            if (take_if_cheaper(s))
                return true;
        }
    }
    return false;
}

static bool drop_and_tear(Search *s)
{
    bool better = false;
    for (int k = 0; k < s->nbest && has_time(s); k++)
        better |= drop(s, k);
    for (int j = 0; j < s->e->n && has_time(s); j++)
        better |= tear_one(s, j);
    return better;
}

static bool exchange_all(Search *s)
{
    bool better = false;
    for (int k = 0; k < s->nbest && has_time(s); k++)
        if (may_drop(s, k))
            better |= exchange(s, k);
    return better;
}

const Tear *tear_cheapest(const TearProblem *p, const TearOptions *o,
                          const TearPrices *prices, const int *torn, int ntorn,
                          Arena *out)
{
    Arena *local = arena_new();
    int n = p->inc->neqn;
    Search s = {.e = engine_new(p, LONG_MAX, local),
                .rules = {o->least, o->penalty_cost < 1, o->bound},
                .pricer = pricer_new(p->inc, prices, local),
                .price = INFINITY,
                .limit = o->work > 0 ? o->work : work_for(n)};
    s.best = NEW_ARRAY(local, int, n + 1);
    s.width = NEW_ARRAY(local, int, n + 1);
    s.next = NEW_ARRAY(local, int, n + 1);
    s.eqn = NEW_ARRAY(local, int, n + 1);
    s.var = NEW_ARRAY(local, int, n + 1);
    s.torn = NEW_ARRAY(local, int, n + 1);
    s.residual = NEW_ARRAY(local, int, n + 1);
    for (int k = 0; k < ntorn; k++)
        if (engine_preference(s.e, torn[k]) != TEAR_MUST)
            s.next[s.nnext++] = torn[k];
    for (int j = 0; j < n; j++)
        if (engine_preference(s.e, j) == TEAR_MUST)
            s.next[s.nnext++] = j;
    take_if_cheaper(&s);
    while (drop_and_tear(&s) || exchange_all(&s))
        continue;
    const Tear *t = tear_followed(p, o, s.best, s.nbest, out);
    arena_free(local);
    return t;
}
