/* search.c - local search for a cheaper pattern under the same tests.
 *
 * An entry has a weight: the worst over the samples of its weighted criterion,
 * the quantity that the source compares with 1. Moves are tried light ones
 * first, and a round of them is repeated while it finds something:
 *
 *   split   in each large diagonal block the lightest entries are taken away
 *           until it falls apart; those of them that tie the parts are the move
 *   line    all entries of a row, a column or both but the diagonal: a variable
 *           that becomes explicit, or is not needed for the others
 *   single  one entry
 *   trade   a dropped entry, heavy ones first, comes back; then the moves that
 *           failed before are tried again, and kept if all is cheaper
 *
 * A move must lower the cost, or leave it and lower the number of entries; then
 * it is tested in all samples, the one that last failed first. Every accepted
 * pattern has passed, so the result is as good as the start and not dearer.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/search.h"

#include <stdlib.h>

#include "graph/blt.h"
#include "num/static_lu.h"
#include "tune/tune_internal.h"

enum { SMALL_BLOCK = 2, TRADES = 12, RETRIES = 12, RATED = 5 };
#define PIVOT_THRESHOLD 1e-6

typedef struct Search {
    const PencilSet *p;
    const ChoiceOptions *o;
    const SearchOptions *options;
    const TuneProgress *progress;
    Arena *arena;
    int nsample;
    ChoiceSample *sample; /* those used, the last to fail first */
    bool *has_mass;       /* size nnz: L is not 0 there */
    bool *fixed;          /* size nnz: may not be dropped */
    double *weight;       /* size nnz */
    const double *frozen;
    bool *keep; /* the best so far */
    double cost;
    int count; /* places kept */
    int tests, budget;
} Search;

/* A set of entries that go together, and their weight. */
typedef struct Move {
    int n;
    const int *place;
    double weight;
} Move;

typedef struct Moves {
    int n, room;
    Move *move;
} Moves;

/* --- cost -------------------------------------------------------------------
 */
double search_flops(const PencilSet *p, double tau, const bool *keep)
{
    Arena *local = arena_new();
    size_t n = (size_t)p->n;
    int *row = NEW_ARRAY(local, int, p->nnz + 1);
    int *col = NEW_ARRAY(local, int, p->nnz + 1);
    double *entry =
        NEW_ARRAY(local, double, (size_t)p->nnz *(size_t)p->nsample + 1);
    int count = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t at = (size_t)p->row[e] + (size_t)j * n;
            bool is_there = !keep || keep[e];
            for (int s = 0; s < p->nsample && !is_there; s++)
                is_there = p->sample[s].l[at] != 0;
            row[count] = p->row[e];
            col[count] = j;
            count += is_there;
        }
    for (int s = 0; s < p->nsample; s++)
        for (int k = 0; k < count; k++) {
            size_t at = (size_t)row[k] + (size_t)col[k] * n;
            int e = pencil_place(p, row[k], col[k]);
            entry[(size_t)s * (size_t)count + (size_t)k] =
                p->sample[s].l[at] -
                (!keep || keep[e] ? tau * p->sample[s].df[at] : 0);
        }
    StaticLuCount figures;
    bool is_served = static_lu_count(p->n, count, row, col, entry, p->nsample,
                                     PIVOT_THRESHOLD, &figures);
    arena_free(local);
    return is_served ? (double)figures.flops : INFINITY;
}

static double cost_of(const Search *s, const bool *keep)
{
    return s->options && s->options->cost
               ? s->options->cost(s->options->context, keep)
               : search_flops(s->p, s->o->tau, keep);
}

/* --- tests ------------------------------------------------------------------
 */
static bool passes(Search *s, const bool *keep)
{
    s->tests++;
    tune_say(s->progress, "searching cheaper entries", s->tests, s->budget);
    for (int i = 0; i < s->nsample; i++) {
        ChoiceFigures f =
            choice_test(s->p, &s->sample[i], s->o, keep, s->frozen, NULL);
        if (f.test == CHOICE_PASSED)
            continue;
        ChoiceSample first = s->sample[i];
        memmove(s->sample + 1, s->sample, (size_t)i * sizeof *s->sample);
        s->sample[0] = first;
        return false;
    }
    return true;
}

static int count_kept(const Search *s, const bool *keep)
{
    int count = 0;
    for (int e = 0; e < s->p->nnz; e++)
        count += keep[e];
    return count;
}

/* Takes `keep` over if it is cheaper and passes. */
static bool take_if_better(Search *s, const bool *keep)
{
    if (s->tests >= s->budget)
        return false;
    int count = count_kept(s, keep);
    double cost = cost_of(s, keep);
    bool is_cheaper = cost < s->cost || (cost == s->cost && count < s->count);
    if (!is_cheaper || !passes(s, keep))
        return false;
    memcpy(s->keep, keep, (size_t)s->p->nnz);
    s->cost = cost;
    s->count = count;
    return true;
}

/* --- moves ------------------------------------------------------------------
 */
static void add_move(Moves *m, const int *place, int n, const Search *s,
                     Arena *arena)
{
    if (n == 0)
        return;
    if (m->n == m->room) {
        size_t old = (size_t)m->room * sizeof *m->move;
        m->room = m->room ? 2 * m->room : 64;
        m->move =
            arena_grow(arena, m->move, old, (size_t)m->room * sizeof *m->move);
    }
    int *copy = NEW_ARRAY(arena, int, n);
    memcpy(copy, place, (size_t)n * sizeof *copy);
    double weight = 0;
    for (int i = 0; i < n; i++)
        weight += s->weight[place[i]];
    m->move[m->n++] = (Move){n, copy, weight};
}

static int lighter_first(const void *a, const void *b)
{
    const Move *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->n != y->n ? y->n - x->n : x->place[0] - y->place[0];
}

static bool can_drop(const Search *s, int e)
{
    return s->keep[e] && !s->fixed[e];
}

static void single_moves(const Search *s, Moves *m, Arena *arena)
{
    for (int e = 0; e < s->p->nnz; e++)
        if (can_drop(s, e))
            add_move(m, &e, 1, s, arena);
}

/* Rows, columns and crosses of one variable, without the diagonal. */
static void line_moves(const Search *s, Moves *m, Arena *arena)
{
    const PencilSet *p = s->p;
    int *place = NEW_ARRAY(arena, int, p->nnz + 1);
    for (int v = 0; v < p->nx; v++)
        for (int kind = 1; kind <= 3; kind++) {
            int n = 0;
            for (int j = 0; j < p->n; j++)
                for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                    bool in_row = p->row[e] == v, in_col = j == v;
                    if (in_row != in_col && can_drop(s, e) &&
                        ((kind & 1 && in_row) || (kind & 2 && in_col)))
                        place[n++] = e;
                }
            if (n > 1)
                add_move(m, place, n, s, arena);
        }
}

/* The diagonal block of each row and column of the pattern without the entries
 * of the block `only` lighter than `limit`. False if it is singular. */
static bool find_blocks(const Search *s, const int *only_of, int only,
                        double limit, int *block_of_row, int *block_of_col,
                        int *largest)
{
    const PencilSet *p = s->p;
    Arena *local = arena_new();
    EdgeList edges = edges_begin(local);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            bool is_cut = only != NONE && only_of[i] == only &&
                          can_drop(s, e) && s->weight[e] < limit;
            if ((s->keep[e] && !is_cut) || s->has_mass[e])
                edges_add(&edges, i, j, EDGE_CONSTANT, 0);
        }
    const Blt *blt = blt_order(edges_end(&edges, p->n, p->n, local), local);
    if (blt) {
        *largest = blt_largest(blt);
        for (int b = 0; b < blt->nblock; b++)
            for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
                block_of_row[blt->eqn[k]] = b;
                block_of_col[blt->var[k]] = b;
            }
    }
    arena_free(local);
    return blt != NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of block b, were its entries below `limit` gone, fall into how many
 * blocks? 0 if the matrix is singular then. */
static int parts_of(const Search *s, const int *of_row, int b, double limit,
                    int *row, int *col)
{
    int largest, parts = 0;
    if (!find_blocks(s, of_row, b, limit, row, col, &largest))
        return 0;
    Arena *local = arena_new();
    bool *seen = NEW_ARRAY(local, bool, s->p->n + 1);
    for (int i = 0; i < s->p->n; i++)
        if (of_row[i] == b && !seen[row[i]]) {
            seen[row[i]] = true;
            parts++;
        }
    arena_free(local);
    return parts;
}

/* Takes the lightest entries out of block b until it falls apart. */
static void split_block(const Search *s, const int *of_row, const int *of_col,
                        int b, Moves *m, Arena *arena)
{
    const PencilSet *p = s->p;
    double *limit = NEW_ARRAY(arena, double, p->nnz + 1);
    int *place = NEW_ARRAY(arena, int, p->nnz + 1);
    int *row = NEW_ARRAY(arena, int, p->n + 1);
    int *col = NEW_ARRAY(arena, int, p->n + 1);
    int count = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            if (of_row[p->row[e]] == b && of_col[j] == b && can_drop(s, e))
                limit[count++] = s->weight[e];
    qsort(limit, (size_t)count, sizeof *limit, ascending);
    int low = 0, high = count; /* without high of them it is apart */
    while (low < high) {
        int mid = low + (high - low) / 2;
        int parts =
            parts_of(s, of_row, b, nextafter(limit[mid], INFINITY), row, col);
        if (parts != 1)
            high = mid;
        else
            low = mid + 1;
    }
    if (high == count ||
        parts_of(s, of_row, b, nextafter(limit[high], INFINITY), row, col) < 2)
        return;
    int n = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            if (of_row[p->row[e]] == b && of_col[j] == b && can_drop(s, e) &&
                s->weight[e] <= limit[high] && row[p->row[e]] != col[j])
                place[n++] = e;
    add_move(m, place, n, s, arena);
}

static void split_moves(const Search *s, Moves *m, Arena *arena)
{
    int n = s->p->n, largest;
    int *row = NEW_ARRAY(arena, int, n + 1);
    int *col = NEW_ARRAY(arena, int, n + 1);
    int *size = NEW_ARRAY(arena, int, n + 1);
    if (!find_blocks(s, NULL, NONE, 0, row, col, &largest))
        return;
    for (int i = 0; i < n; i++)
        size[row[i]]++;
    for (int b = 0; b < n; b++)
        if (size[b] >= SMALL_BLOCK)
            split_block(s, row, col, b, m, arena);
}

/* --- rounds -----------------------------------------------------------------
 */
/* `keep` without the entries of a move; false if it drops nothing. */
static bool without(const Search *s, const bool *from, const Move *m,
                    bool *keep)
{
    bool changes = false;
    memcpy(keep, from, (size_t)s->p->nnz);
    for (int i = 0; i < m->n; i++)
        if (keep[m->place[i]] && !s->fixed[m->place[i]]) {
            keep[m->place[i]] = false;
            changes = true;
        }
    return changes;
}

/* Tries the moves, light ones first. Returns how many were taken. */
static int try_moves(Search *s, Moves *m, bool *keep)
{
    int taken = 0;
    qsort(m->move, (size_t)m->n, sizeof *m->move, lighter_first);
    for (int i = 0; i < m->n && s->tests < s->budget; i++)
        if (without(s, s->keep, &m->move[i], keep))
            taken += take_if_better(s, keep);
    return taken;
}

typedef void MoveMaker(const Search *s, Moves *m, Arena *arena);

static int round_of(Search *s, MoveMaker *make)
{
    Arena *local = arena_new();
    Moves m = {0};
    bool *keep = NEW_ARRAY(local, bool, s->p->nnz + 1);
    make(s, &m, local);
    int taken = try_moves(s, &m, keep);
    arena_free(local);
    return taken;
}

/* A dropped entry comes back and makes room for the loss of others. */
static int trade(Search *s)
{
    Arena *local = arena_new();
    int nnz = s->p->nnz, taken = 0;
    bool *more = NEW_ARRAY(local, bool, nnz + 1);
    bool *keep = NEW_ARRAY(local, bool, nnz + 1);
    Moves back = {0}, away = {0};
    for (int e = 0; e < nnz; e++)
        if (!s->keep[e] && s->weight[e] > 0)
            add_move(&back, &e, 1, s, local);
    split_moves(s, &away, local);
    line_moves(s, &away, local);
    single_moves(s, &away, local);
    qsort(back.move, (size_t)back.n, sizeof *back.move, lighter_first);
    qsort(away.move, (size_t)away.n, sizeof *away.move, lighter_first);
    for (int i = back.n - 1; i >= 0 && i >= back.n - TRADES; i--)
        for (int k = 0; k < away.n && k < RETRIES; k++) {
            memcpy(more, s->keep, (size_t)nnz);
            more[back.move[i].place[0]] = true;
            if (without(s, more, &away.move[k], keep) &&
                take_if_better(s, keep)) {
                taken++;
                break;
            }
        }
    arena_free(local);
    return taken;
}

/* --- preparation ------------------------------------------------------------
 */
static void find_fixed(Search *s)
{
    const PencilSet *p = s->p;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t at = (size_t)p->row[e] + (size_t)j * (size_t)p->n;
            bool has_value = false;
            for (int i = 0; i < p->nsample; i++) {
                s->has_mass[e] = s->has_mass[e] || p->sample[i].l[at] != 0;
                has_value = has_value || p->sample[i].df[at] != 0;
            }
            bool is_algebraic = j >= p->nx && p->row[e] >= p->nx;
            s->fixed[e] = (s->o->force && s->o->force[e]) ||
                          (s->o->order > 1 && is_algebraic) ||
                          (s->has_mass[e] && !has_value) ||
                          (s->frozen && !isnan(s->frozen[e]));
        }
}

/* The weights, from a few of the samples. */
static void rate_entries(Search *s)
{
    for (int i = 0; i < s->nsample; i++) {
        ChoiceSample *at = &s->sample[i];
        if (at->criterion == NULL && i % ((s->nsample + RATED - 1) / RATED))
            continue;
        if (at->criterion == NULL)
            at->criterion = criterion_make(s->p, at->spectrum, s->arena);
        const Criterion *c = at->criterion;
        if (c->code != TUNE_FINE)
            continue;
        for (int e = 0; e < c->nnz; e++) {
            double sum = 0;
            for (int k = 0; k < c->ncluster; k++) {
                double r = s->o->rho > 0 ? s->o->rho : 0.1;
                if (k < at->spectrum->ncluster)
                    r = at->r[at->spectrum->cluster[k].mode[0]];
                sum += c->c[e + (size_t)k * (size_t)c->nnz] / r;
            }
            s->weight[e] = fmax(s->weight[e], sum);
        }
    }
}

/* The samples of the start, or new ones; false if one cannot be analysed. */
static bool take_samples(Search *s, const Choice *start)
{
    for (int i = 0; i < s->p->nsample; i++) {
        if (s->p->sample[i].kept_back)
            continue;
        ChoiceSample at = {0};
        if (start->sample)
            at = start->sample[i];
        if (at.spectrum == NULL)
            at = choice_sample(s->p, i, s->o, s->arena);
        if (at.spectrum->code != TUNE_FINE)
            return false;
        s->sample[s->nsample++] = at;
    }
    return s->nsample > 0;
}

static Choice result_of(const Search *s, const Choice *start)
{
    Choice out = *start;
    out.keep = s->keep;
    out.nnz = choice_nnz(s->p, s->keep);
    out.ndropped = s->p->nnz - count_kept(s, s->keep);
    out.tests += s->tests;
    out.worst_ratio = out.radius = 0;
    for (int i = 0; i < s->nsample; i++) {
        ChoiceFigures f =
            choice_test(s->p, &s->sample[i], s->o, s->keep, s->frozen, NULL);
        out.worst_ratio = fmax(out.worst_ratio, f.worst_ratio);
        out.radius = fmax(out.radius, f.radius);
    }
    return out;
}

Choice search_improve(const PencilSet *p, const ChoiceOptions *o,
                      const Choice *start, const SearchOptions *search,
                      const TuneProgress *progress, double *before,
                      double *after, Arena *arena)
{
    Search s = {.p = p,
                .o = o,
                .options = search,
                .progress = progress,
                .arena = arena,
                .sample = NEW_ARRAY(arena, ChoiceSample, p->nsample + 1),
                .has_mass = NEW_ARRAY(arena, bool, p->nnz + 1),
                .fixed = NEW_ARRAY(arena, bool, p->nnz + 1),
                .weight = NEW_ARRAY(arena, double, p->nnz + 1),
                .frozen = start->frozen,
                .keep = NEW_ARRAY(arena, bool, p->nnz + 1),
                .budget = search && search->tests > 0 ? search->tests : 400};
    memcpy(s.keep, start->keep, (size_t)p->nnz);
    s.count = count_kept(&s, s.keep);
    s.cost = cost_of(&s, s.keep);
    if (before)
        *before = s.cost;
    if (after)
        *after = s.cost;
    if (start->code != TUNE_FINE || !take_samples(&s, start))
        return *start;
    find_fixed(&s);
    rate_entries(&s);
    static MoveMaker *const makers[] = {split_moves, line_moves, single_moves};
    bool is_moving = true;
    while (is_moving && s.tests < s.budget) {
        is_moving = false;
        for (int i = 0; i < 3; i++)
            while (s.tests < s.budget && round_of(&s, makers[i]) > 0)
                is_moving = true;
        if (!is_moving)
            is_moving = trade(&s) > 0;
    }
    if (after)
        *after = s.cost;
    tune_say(progress, "searching cheaper entries", s.budget, s.budget);
    return result_of(&s, start);
}
