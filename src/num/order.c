/* order.c - elimination of many samples side by side. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/order.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Columns looked at after the first that has a pivot; rows and columns of a
 * block up to which its places are kept in a square table. */
enum { SEARCH = 24, SQUARE = 2000 };

typedef struct Elim {
    const OrderMatrix *m;
    OrderMeasure measure;
    uint64_t seed;
    Order *out;
    Arena *arena, *local;
    Vec(double *) value;  /* nsample values of each entry */
    IntList *rows, *cols; /* active entries of each row and column */
    bool *col_done;
    int *place; /* entry at (i, j), NONE: none; NULL: too large */
    long work;
} Elim;

typedef struct Candidate {
    int entry;
    long cost[2];
    double quality;
    uint64_t random;
} Candidate;

static uint64_t next_random(Elim *e)
{
    if (e->seed == 0)
        return 0;
    e->seed ^= e->seed << 13;
    e->seed ^= e->seed >> 7;
    e->seed ^= e->seed << 17;
    return e->seed >> 8;
}

static int add_entry(Elim *e, int row, int col)
{
    int id = e->out->erow.n;
    vec_push(e->arena, &e->out->erow, row);
    vec_push(e->arena, &e->out->ecol, col);
    vec_push(e->local, &e->value,
             NEW_ARRAY(e->local, double, e->m->nsample + 1));
    vec_push(e->local, &e->rows[row], id);
    vec_push(e->local, &e->cols[col], id);
    if (e->place)
        e->place[row * e->m->n + col] = id;
    return id;
}

static int find_entry(const Elim *e, int row, int col)
{
    if (e->place)
        return e->place[row * e->m->n + col];
    const IntList *r = &e->rows[row];
    for (int i = 0; i < r->n; i++)
        if (e->out->ecol.at[r->at[i]] == col)
            return r->at[i];
    return NONE;
}

/* ---- choosing ---- */

/* Smallest ratio of entry `id` to the largest of its column over the samples.
 */
static double quality_of(Elim *e, int id)
{
    const IntList *c = &e->cols[e->out->ecol.at[id]];
    const double *value = e->value.at[id];
    double worst = 1;
    e->work += (long)c->n * e->m->nsample;
    for (int s = 1; e->m->keep_sign && c->n > 1 && s < e->m->nsample; s++)
        if (signbit(value[s]) != signbit(value[0]))
            return 0;
    for (int s = 0; s < e->m->nsample; s++) {
        double most = 0;
        for (int i = 0; i < c->n; i++)
            most = fmax(most, fabs(e->value.at[c->at[i]][s]));
        double ratio = fabs(value[s]) / most;
        if (!(most > 0 && ratio <= 1))
            return 0;
        worst = fmin(worst, ratio);
    }
    return worst;
}

static long fill_of(Elim *e, int id)
{
    int row = e->out->erow.at[id], col = e->out->ecol.at[id];
    const IntList *r = &e->rows[row], *c = &e->cols[col];
    long fill = 0;
    e->work += (long)r->n * c->n;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < r->n; j++)
            fill += find_entry(e, e->out->erow.at[c->at[i]],
                               e->out->ecol.at[r->at[j]]) == NONE;
    return fill;
}

static void measure(Elim *e, int id, Candidate *c)
{
    long count = (long)(e->cols[e->out->ecol.at[id]].n - 1) *
                 (e->rows[e->out->erow.at[id]].n - 1);
    bool with_fill = e->measure != ORDER_MARKOWITZ && e->place;
    long fill = with_fill ? fill_of(e, id) : 0;
    bool fill_first = e->measure == ORDER_FILL && with_fill;
    c->entry = id;
    c->cost[0] = fill_first ? fill : count;
    c->cost[1] = fill_first ? count : fill;
    c->random = next_random(e);
    e->work += 4;
}

/* Cheaper; of equals that which is larger in its column or, with a seed, that
 * which fate prefers. */
static bool is_better(const Candidate *a, const Candidate *b)
{
    if (b->entry == NONE)
        return true;
    for (int i = 0; i < 2; i++)
        if (a->cost[i] != b->cost[i])
            return a->cost[i] < b->cost[i];
    if (a->random != b->random)
        return a->random > b->random;
    return a->quality > b->quality;
}

static void try_column(Elim *e, int col, Candidate *best)
{
    const IntList *c = &e->cols[col];
    for (int i = 0; i < c->n; i++) {
        Candidate new = {.quality = 2};
        measure(e, c->at[i], &new);
        if (!is_better(&new, best))
            continue;
        new.quality = quality_of(e, c->at[i]);
        if (new.quality >= e->m->threshold &&new.quality > 0 &&
            is_better(&new, best))
            *best = new;
    }
}

static Candidate choose_pivot(Elim *e)
{
    int n = e->m->n, looked = 0;
    Candidate best = {.entry = NONE};
    for (int count = 1; count <= n; count++) {
        if (best.entry != NONE && e->measure != ORDER_FILL &&
            (long)(count - 1) * (count - 1) > best.cost[0])
            break;
        bool any_larger = false;
        e->work += n;
        for (int j = 0; j < n; j++) {
            if (e->col_done[j])
                continue;
            any_larger |= e->cols[j].n > count;
            if (e->cols[j].n != count)
                continue;
            try_column(e, j, &best);
            looked += best.entry != NONE;
            if (looked > SEARCH && e->measure == ORDER_MARKOWITZ && !e->seed)
                return best;
        }
        if (!any_larger || (looked > 4 * SEARCH && n > 150))
            break;
    }
    return best;
}

/* ---- eliminating ---- */

static void drop(IntList *list, int id)
{
    for (int i = 0; i < list->n; i++)
        if (list->at[i] == id) {
            list->at[i] = list->at[--list->n];
            return;
        }
}

/* Row of `l` minus l times the pivot row, whose entries are u[first ..]. */
static void update_row(Elim *e, int l, int pivot, int first)
{
    Order *o = e->out;
    int row = o->erow.at[l], nsample = e->m->nsample;
    double most = 0;
    for (int s = 0; s < nsample; s++) {
        e->value.at[l][s] /= e->value.at[pivot][s];
        most = fmax(most, fabs(e->value.at[l][s]));
    }
    vec_push(e->arena, &o->lmost, most);
    for (int i = first; i < o->u.n; i++) {
        int u = o->u.at[i];
        int t = find_entry(e, row, o->ecol.at[u]);
        if (t == NONE)
            t = add_entry(e, row, o->ecol.at[u]);
        vec_push(e->arena, &o->target, t);
        double *to = e->value.at[t];
        const double *a = e->value.at[l], *b = e->value.at[u];
        for (int s = 0; s < nsample; s++)
            to[s] -= a[s] * b[s];
    }
    e->work += (long)(o->u.n - first + 1) * (nsample + 4);
}

/* Takes the pivot row and column out and updates what is left. */
static void eliminate(Elim *e, int k, int pivot)
{
    Order *o = e->out;
    int prow = o->erow.at[pivot], pcol = o->ecol.at[pivot];
    o->pivot[k] = pivot;
    e->col_done[pcol] = true;
    int first = o->u.n;
    for (int i = 0; i < e->rows[prow].n; i++) {
        int id = e->rows[prow].at[i];
        drop(&e->cols[o->ecol.at[id]], id);
        if (id != pivot)
            vec_push(e->arena, &o->u, id);
    }
    for (int i = 0; i < e->cols[pcol].n; i++) {
        int l = e->cols[pcol].at[i];
        drop(&e->rows[o->erow.at[l]], l);
        vec_push(e->arena, &o->l, l);
        update_row(e, l, pivot, first);
    }
    vec_push(e->arena, &o->lstart, o->l.n);
    vec_push(e->arena, &o->ustart, o->u.n);
}

static Elim *begin(const OrderMatrix *m, OrderMeasure measure, uint64_t seed,
                   Arena *arena)
{
    Arena *local = arena_new();
    Elim *e = NEW(local, Elim);
    e->m = m;
    e->measure = measure;
    e->seed = seed;
    e->arena = arena;
    e->local = local;
    e->out = NEW(arena, Order);
    e->out->pivot = NEW_ARRAY(arena, int, m->n);
    e->out->weakest = 1;
    e->rows = NEW_ARRAY(local, IntList, m->n);
    e->cols = NEW_ARRAY(local, IntList, m->n);
    e->col_done = NEW_ARRAY(local, bool, m->n);
    if (m->n <= SQUARE) {
        e->place = NEW_ARRAY(local, int, m->n * m->n);
        memset(e->place, 0xff, (size_t)(m->n * m->n) * sizeof(int));
    }
    vec_push(arena, &e->out->lstart, 0);
    vec_push(arena, &e->out->ustart, 0);
    for (int k = 0; k < m->nnz; k++) {
        int id = add_entry(e, m->row[k], m->col[k]);
        for (int s = 0; s < m->nsample; s++)
            e->value.at[id][s] = m->value[(long)k * m->nsample + s];
    }
    return e;
}

static long flops_of(const Order *o, int n)
{
    return 2L * o->target.n + 3L * o->l.n + 2L * o->u.n + 2L * n;
}

const Order *order_find(const OrderMatrix *m, OrderMeasure measure,
                        uint64_t seed, long limit, long *work, Arena *arena)
{
    Elim *e = begin(m, measure, seed, arena);
    Order *o = e->out;
    int k = 0;
    for (; k < m->n; k++) {
        Candidate pivot = choose_pivot(e);
        if (pivot.entry == NONE)
            break;
        o->weakest = fmin(o->weakest, pivot.quality);
        eliminate(e, k, pivot.entry);
        if (limit > 0 && flops_of(o, m->n) >= limit)
            break;
    }
    o->flops = flops_of(o, m->n);
    *work += e->work;
    arena_free(e->local);
    return k == m->n && (limit == 0 || o->flops < limit) ? o : NULL;
}

const Order *order_best(const OrderMatrix *m, long effort, Arena *arena)
{
    enum { PATIENCE = 40 }; /* trials without a success */
    OrderMeasure best = ORDER_MARKOWITZ;
    uint64_t best_seed = 0;
    long least = 0, spent = 0;
    for (int t = 0, last = 0; t <= last + PATIENCE && m->n > 2; t++) {
        OrderMeasure measure = (OrderMeasure)(t % ORDER_NMEASURE);
        uint64_t seed =
            t < ORDER_NMEASURE ? 0 : 88172645463325252u * (uint64_t)(2 * t + 1);
        Arena *trial = arena_new();
        const Order *o = order_find(m, measure, seed, least, &spent, trial);
        bool no_fill = o && o->erow.n == m->nnz;
        if (o) {
            least = o->flops;
            best = measure;
            best_seed = seed;
            last = t;
        }
        arena_free(trial);
        if (no_fill || spent >= effort || (least == 0 && t >= ORDER_NMEASURE))
            break;
    }
    return order_find(m, best, best_seed, 0, &spent, arena);
}
