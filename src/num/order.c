/* order.c - elimination of many samples side by side.
 *
 * Nothing is searched for that can be kept: columns stand in one set of bits
 * per count, the largest values of a column are computed once per change of the
 * column, and the place of an entry is found in a table (square for small
 * blocks, hashed for others).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/order.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "num/order_internal.h"

/* Columns looked at after the first that has a pivot; rows and columns of a
 * block up to which its places are kept in a square table. */
enum { SEARCH = 24, SQUARE = 512 };
/* Columns looked at in any case: thousands of a long chain are alike. */
enum { MOST_LOOKED = 400 };
/* Rows and columns up to which fill is counted, in a table of bits. */
enum { MOST_BITS = 8192 };

typedef struct Elim {
    const OrderMatrix *m;
    OrderMeasure measure;
    uint64_t seed;
    Order *out;
    Arena *arena, *local;
    Vec(double *) value;  /* nsample values of each entry */
    IntList *rows, *cols; /* active entries of each row and column */
    uint64_t **of_count;  /* of_count[c]: the columns of c entries, as bits */
    int *ncolumn;         /* how many they are */
    int nactive;          /* columns that wait for their pivot */
    double **most;        /* of each column: largest value in each sample */
    bool *is_kept;        /* most[j] is up to date */
    int *place;           /* entry at (i, j), NONE: none; NULL: hashed */
    int *slot, nslot;     /* hashed: entry or NONE */
    uint64_t *pattern;    /* rows of nword bits, or NULL */
    int nword;
    uint64_t *bits; /* size nword: a row, in fill_of() */
    int *word;      /* its words that are not 0 */
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

/* ---- places ---- */

static unsigned first_slot(const Elim *e, int row, int col)
{
    uint64_t key = (uint64_t)row * (uint64_t)e->m->n + (uint64_t)col;
    key *= 0x9e3779b97f4a7c15u;
    return (unsigned)(key >> 32) & (unsigned)(e->nslot - 1);
}

static void put_slot(Elim *e, int id)
{
    unsigned at = first_slot(e, e->out->erow.at[id], e->out->ecol.at[id]);
    while (e->slot[at] != NONE)
        at = (at + 1) & (unsigned)(e->nslot - 1);
    e->slot[at] = id;
}

/* At most half of the slots are taken. */
static void grow_slots(Elim *e)
{
    int nentry = e->out->erow.n;
    if (2 * nentry < e->nslot) {
        put_slot(e, nentry - 1);
        return;
    }
    while (e->nslot <= 2 * nentry)
        e->nslot = e->nslot ? 2 * e->nslot : 1024;
    e->slot = NEW_ARRAY(e->local, int, e->nslot);
    memset(e->slot, 0xff, (size_t)e->nslot * sizeof(int));
    for (int i = 0; i < nentry; i++)
        put_slot(e, i);
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
    else
        grow_slots(e);
    if (e->pattern)
        e->pattern[(long)row * e->nword + col / 64] |= (uint64_t)1
                                                       << (col % 64);
    return id;
}

static int find_entry(const Elim *e, int row, int col)
{
    if (e->place)
        return e->place[row * e->m->n + col];
    unsigned at = first_slot(e, row, col);
    for (; e->slot[at] != NONE; at = (at + 1) & (unsigned)(e->nslot - 1))
        if (e->out->erow.at[e->slot[at]] == row &&
            e->out->ecol.at[e->slot[at]] == col)
            return e->slot[at];
    return NONE;
}

/* ---- columns by count ---- */

static void put_column(Elim *e, int col)
{
    int count = e->cols[col].n;
    if (!e->of_count[count])
        e->of_count[count] =
            NEW_ARRAY(e->local, uint64_t, (size_t)e->m->n / 64 + 1);
    e->of_count[count][col / 64] |= (uint64_t)1 << (col % 64);
    e->ncolumn[count]++;
    e->nactive++;
}

static void take_column(Elim *e, int col)
{
    int count = e->cols[col].n;
    e->of_count[count][col / 64] &= ~((uint64_t)1 << (col % 64));
    e->ncolumn[count]--;
    e->nactive--;
}

/* The next column of `count` entries from `from` on, or NONE. */
static int next_column(Elim *e, int count, int from)
{
    const uint64_t *set = e->of_count[count];
    int nword = e->m->n / 64 + 1, word = from / 64;
    uint64_t bits = set[word] & (~(uint64_t)0 << (from % 64));
    int first = word;
    while (bits == 0 && ++word < nword)
        bits = set[word];
    e->work += word - first + 1;
    if (bits == 0)
        return NONE;
    int bit = 0;
    for (; !(bits & 1); bits >>= 1)
        bit++;
    return 64 * word + bit;
}

/* ---- choosing ---- */

/* Largest values of a column in the samples; kept until the column changes. */
static const double *column_most(Elim *e, int col)
{
    const IntList *c = &e->cols[col];
    int nsample = e->m->nsample;
    if (!e->most[col])
        e->most[col] = NEW_ARRAY(e->local, double, nsample + 1);
    double *most = e->most[col];
    if (e->is_kept[col])
        return most;
    e->is_kept[col] = true;
    memset(most, 0, (size_t)nsample * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const double *value = e->value.at[c->at[i]];
        for (int s = 0; s < nsample; s++) {
            double x = fabs(value[s]);
            most[s] = x > most[s] ? x : most[s];
        }
    }
    e->work += (long)c->n * nsample;
    return most;
}

/* Smallest ratio of entry `id` to the largest of its column over the samples.
 */
static double quality_of(Elim *e, int id)
{
    int col = e->out->ecol.at[id], nsample = e->m->nsample;
    const double *value = e->value.at[id];
    double worst = 1;
    e->work += nsample;
    for (int s = 1; e->m->keep_sign && e->cols[col].n > 1 && s < nsample; s++)
        if (signbit(value[s]) != signbit(value[0]))
            return 0;
    const double *most = column_most(e, col);
    for (int s = 0; s < nsample; s++) {
        double ratio = fabs(value[s]) / most[s];
        if (!(most[s] > 0 && ratio <= 1))
            return 0;
        worst = ratio < worst ? ratio : worst;
    }
    return worst;
}

/* Bits of the pattern of a row that is to be pivot: the words that are not 0.
 */
static int words_of(Elim *e, const IntList *r)
{
    int n = 0;
    for (int j = 0; j < r->n; j++) {
        int col = e->out->ecol.at[r->at[j]], word = col / 64;
        if (e->bits[word] == 0)
            e->word[n++] = word;
        e->bits[word] |= (uint64_t)1 << (col % 64);
    }
    return n;
}

static int ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(x * 0x0101010101010101u >> 56);
}

/* Entries that the pivot would make, counted up to `most`. */
static long fill_of(Elim *e, int id, long most)
{
    const int *erow = e->out->erow.at;
    const IntList *r = &e->rows[erow[id]], *c = &e->cols[e->out->ecol.at[id]];
    int nword = words_of(e, r), i = 0;
    long fill = 0;
    for (; i < c->n && fill <= most; i++) {
        const uint64_t *in = e->pattern + (long)erow[c->at[i]] * e->nword;
        for (int k = 0; k < nword; k++) {
            uint64_t new = e->bits[e->word[k]] & ~in[e->word[k]];
            fill += new ? ones(new) : 0;
        }
    }
    for (int k = 0; k < nword; k++)
        e->bits[e->word[k]] = 0;
    e->work += (long)r->n * i;
    return fill;
}

/* What `id` costs, as far as it matters beside the best so far. */
static void measure(Elim *e, int id, const Candidate *best, Candidate *c)
{
    long count = (long)(e->cols[e->out->ecol.at[id]].n - 1) *
                 (e->rows[e->out->erow.at[id]].n - 1);
    bool fill_first = e->measure == ORDER_FILL && e->pattern;
    bool is_first = best->entry == NONE;
    long most = fill_first && !is_first ? best->cost[0] : LONG_MAX - 1;
    bool with_fill = e->pattern && e->measure != ORDER_MARKOWITZ &&
                     (fill_first || is_first || count <= best->cost[0]);
    long fill = with_fill ? fill_of(e, id, most) : 0;
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
        measure(e, c->at[i], best, &new);
        if (!is_better(&new, best))
            continue;
        new.quality = quality_of(e, c->at[i]);
        if (new.quality >= e->m->threshold &&new.quality > 0 &&
            is_better(&new, best))
            *best = new;
    }
}

/* Have so many columns been looked at that the best so far will do? */
static bool is_enough(const Elim *e, int looked)
{
    return looked > MOST_LOOKED ||
           (looked > SEARCH && e->measure == ORDER_MARKOWITZ && !e->seed);
}

/* The best of the columns whose `late` is as asked for, or of all. */
static Candidate search_pivot(Elim *e, const bool *late)
{
    int n = e->m->n, looked = 0, left = e->nactive;
    Candidate best = {.entry = NONE};
    for (int count = 1; count <= n && left > 0; count++) {
        if (best.entry != NONE && e->measure != ORDER_FILL &&
            (long)(count - 1) * (count - 1) > best.cost[0])
            break;
        e->work++;
        if (e->ncolumn[count] == 0)
            continue;
        left -= e->ncolumn[count];
        for (int j = next_column(e, count, 0); j != NONE;
             j = j + 1 < n ? next_column(e, count, j + 1) : NONE) {
            if (late && late[j])
                continue;
            try_column(e, j, &best);
            looked += best.entry != NONE;
            if (is_enough(e, looked))
                return best;
        }
        if (looked > 4 * SEARCH && n > 150)
            break;
    }
    return best;
}

static Candidate choose_pivot(Elim *e)
{
    Candidate best = search_pivot(e, e->m->late);
    return best.entry == NONE && e->m->late ? search_pivot(e, NULL) : best;
}

/* The pivot of column col, if it passes. */
static Candidate given_pivot(Elim *e, int row, int col)
{
    Candidate c = {.entry = find_entry(e, row, col)};
    if (c.entry == NONE)
        return c;
    c.quality = quality_of(e, c.entry);
    if (c.quality < e->m->threshold || c.quality <= 0)
        c.entry = NONE;
    return c;
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
        double x = fabs(e->value.at[l][s]);
        most = x > most ? x : most;
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
    int first = o->u.n;
    for (int i = 0; i < e->rows[prow].n; i++) {
        int id = e->rows[prow].at[i], col = o->ecol.at[id];
        take_column(e, col);
        e->is_kept[col] = false;
        e->work += e->cols[col].n;
        drop(&e->cols[col], id);
        if (id != pivot)
            vec_push(e->arena, &o->u, id);
    }
    for (int i = 0; i < e->cols[pcol].n; i++) {
        int l = e->cols[pcol].at[i];
        drop(&e->rows[o->erow.at[l]], l);
        vec_push(e->arena, &o->l, l);
        update_row(e, l, pivot, first);
    }
    for (int i = first; i < o->u.n; i++)
        put_column(e, o->ecol.at[o->u.at[i]]);
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
    e->of_count = NEW_ARRAY(local, uint64_t *, m->n + 1);
    e->ncolumn = NEW_ARRAY(local, int, m->n + 1);
    e->most = NEW_ARRAY(local, double *, m->n);
    e->is_kept = NEW_ARRAY(local, bool, m->n);
    if (m->n <= SQUARE) {
        e->place = NEW_ARRAY(local, int, m->n * m->n);
        memset(e->place, 0xff, (size_t)(m->n * m->n) * sizeof(int));
    }
    if (m->n <= MOST_BITS && measure != ORDER_MARKOWITZ &&
        measure != ORDER_AMD) {
        e->nword = m->n / 64 + 1;
        e->pattern =
            NEW_ARRAY(local, uint64_t, (size_t)m->n * (size_t)e->nword);
        e->bits = NEW_ARRAY(local, uint64_t, e->nword);
        e->word = NEW_ARRAY(local, int, e->nword);
    }
    vec_push(arena, &e->out->lstart, 0);
    vec_push(arena, &e->out->ustart, 0);
    for (int k = 0; k < m->nnz; k++) {
        int id = add_entry(e, m->row[k], m->col[k]);
        for (int s = 0; s < m->nsample; s++)
            e->value.at[id][s] = m->value[(long)k * m->nsample + s];
    }
    for (int j = 0; j < m->n; j++)
        put_column(e, j);
    return e;
}

static long flops_of(const Order *o, int n)
{
    return 2L * o->target.n + 3L * o->l.n + 2L * o->u.n + 2L * n;
}

const Order *order_find(const OrderMatrix *m, OrderTrial t, long *work,
                        Arena *arena)
{
    Elim *e = begin(m, t.measure, t.seed, arena);
    Order *o = e->out;
    int *row = NULL, *col = NULL, k = 0;
    bool is_given = t.measure == ORDER_AMD;
    bool is_left =
        !is_given || (!m->late && order_amd(m, &row, &col, e->local));
    for (; is_left && k < m->n; k++) {
        Candidate pivot =
            is_given ? given_pivot(e, row[k], col[k]) : choose_pivot(e);
        if (pivot.entry == NONE)
            break;
        o->weakest = fmin(o->weakest, pivot.quality);
        eliminate(e, k, pivot.entry);
        if ((t.limit > 0 && flops_of(o, m->n) >= t.limit) ||
            (t.effort > 0 && e->work > t.effort))
            break;
    }
    o->flops = flops_of(o, m->n);
    *work += e->work;
    arena_free(e->local);
    return k == m->n && (t.limit == 0 || o->flops < t.limit) ? o : NULL;
}

/* ---- trials ---- */

/* Blocks of more unknowns begin with the order that is found without
 * searching. */
enum { LARGE = 200, PATIENCE = 40 /* trials without a success */ };

static OrderTrial trial_of(int n, int t)
{
    static const OrderMeasure small[] = {ORDER_MARKOWITZ, ORDER_LOOKAHEAD,
                                         ORDER_FILL, ORDER_AMD};
    static const OrderMeasure large[] = {ORDER_AMD, ORDER_MARKOWITZ,
                                         ORDER_LOOKAHEAD, ORDER_FILL};
    if (t < ORDER_NMEASURE)
        return (OrderTrial){.measure = (n > LARGE ? large : small)[t]};
    return (OrderTrial){.measure = small[t % 3],
                        .seed = 88172645463325252u * (uint64_t)(2 * t + 1)};
}

static void copy_list(Arena *arena, IntList *list)
{
    int *copy = NEW_ARRAY(arena, int, list->n + 1);
    if (list->n > 0)
        memcpy(copy, list->at, (size_t)list->n * sizeof(int));
    list->at = copy;
}

static const Order *copy_order(const Order *from, int n, Arena *arena)
{
    Order *o = NEW(arena, Order);
    *o = *from;
    IntList *list[] = {&o->erow, &o->ecol,   &o->lstart, &o->l,
                       &o->u,    &o->ustart, &o->target};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        copy_list(arena, list[i]);
    o->pivot = NEW_ARRAY(arena, int, n);
    memcpy(o->pivot, from->pivot, (size_t)n * sizeof(int));
    o->lmost.at = NEW_ARRAY(arena, double, o->lmost.n + 1);
    if (o->lmost.n > 0)
        memcpy(o->lmost.at, from->lmost.at,
               (size_t)o->lmost.n * sizeof(double));
    return o;
}

const Order *order_best(const OrderMatrix *m, long effort, Arena *arena)
{
    const Order *best = NULL;
    Arena *kept = arena_new();
    long spent = 0;
    for (int t = 0, last = 0; t <= last + PATIENCE; t++) {
        OrderTrial trial = trial_of(m->n, t);
        trial.limit = best ? best->flops : 0;
        trial.effort = best && effort > 0 ? effort - spent : 0;
        Arena *arena_of_trial = arena_new();
        const Order *o = order_find(m, trial, &spent, arena_of_trial);
        if (o) {
            arena_free(kept);
            kept = arena_of_trial;
            best = o;
            last = t;
        } else {
            arena_free(arena_of_trial);
        }
        bool no_fill = best && best->erow.n == m->nnz;
        if (no_fill || (best && (m->n <= 2 || spent >= effort)) ||
            (!best && t >= ORDER_NMEASURE))
            break;
    }
    best = best ? copy_order(best, m->n, arena) : NULL;
    arena_free(kept);
    return best;
}
