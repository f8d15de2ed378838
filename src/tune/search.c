/* search.c - local search for a cheaper pattern under the same tests.
 *
 * An entry has a weight: the worst over the samples of its weighted criterion,
 * the quantity that Schiela compares with 1. First other rules of choice are
 * tried (search_start.c); then the moves of search_moves.c, those first that
 * the criterion finds harmless, and none that it finds hopeless. A round of
 * them is repeated while it finds something, and when it does not, trades are
 * tried: a dropped entry, heavy ones first, comes back, and makes room for
 * other moves.
 *
 * A move must lower the cost, or leave it and lower the number of entries; then
 * it is tested in all samples, the one that last failed first. Every accepted
 * pattern has passed, so the result is as good as the start and not dearer.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/search.h"

#include <stdlib.h>

#include "num/static_lu.h"
#include "tune/search_internal.h"
#include "tune/tune_internal.h"

enum { TRADES = 12, RETRIES = 12, RATED = 5 };

/* Against a test of one sample, in large models. */
static const double STRAY_EFFORT = 0.2, COST_EFFORT = 0.05,
                    HOPELESS_EFFORT = 0.1;
#define PIVOT_THRESHOLD 1e-6
#define HOPELESS        3 /* predicted quotient of a move not worth a test */

/* ---- cost ---- */
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

/* ---- tests ---- */
bool search_is_over(const Search *s)
{
    return s->tests >= s->budget || s->effort >= s->most_effort;
}

bool search_passes(Search *s, const bool *keep)
{
    s->effort += STRAY_EFFORT;
    if (choice_strays(s->p, s->o, keep, s->frozen))
        return false; /* soon found, so it is not counted as a test */
    s->tests++;
    tune_say(s->progress, "searching cheaper entries", s->tests, s->budget);
    for (int i = 0; i < s->nsample; i++) {
        bool is_hopeless =
            choice_is_hopeless(s->p, &s->sample[i], s->o, keep, s->frozen);
        s->effort += is_hopeless ? HOPELESS_EFFORT : 1;
        if (!is_hopeless &&
            choice_test(s->p, &s->sample[i], s->o, keep, s->frozen, NULL)
                    .test == CHOICE_PASSED)
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

bool search_take_if_better(Search *s, const bool *keep)
{
    if (search_is_over(s))
        return false;
    s->effort += COST_EFFORT;
    int count = count_kept(s, keep);
    double cost = cost_of(s, keep);
    bool is_cheaper = cost < s->cost || (cost == s->cost && count < s->count);
    if (!is_cheaper || !search_passes(s, keep))
        return false;
    memcpy(s->keep, keep, (size_t)s->p->nnz);
    s->cost = cost;
    s->count = count;
    return true;
}

void search_predict(Search *s)
{
    for (int i = 0; i < s->nrated; i++) {
        const Rated *r = &s->rated[i];
        const Criterion *c = r->criterion;
        for (int k = 0; k < c->ncluster; k++) {
            r->sum[k] = 0;
            for (int e = 0; e < c->nnz; e++)
                if (!s->keep[e])
                    r->sum[k] += c->sum[e + (size_t)k * (size_t)c->nnz];
        }
    }
}

/* ---- rounds ---- */
static int harmless_first(const void *a, const void *b)
{
    const Move *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->n != y->n ? y->n - x->n : x->place[0] - y->place[0];
}

static void sort_moves(Moves *m)
{
    if (m->n > 0)
        qsort(m->move, (size_t)m->n, sizeof *m->move, harmless_first);
}

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

/* Tries the moves, harmless ones first. Returns how many were taken. */
static int try_moves(Search *s, Moves *m, bool *keep)
{
    int taken = 0;
    sort_moves(m);
    for (int i = 0; i < m->n && !search_is_over(s); i++)
        if (m->move[i].rank < HOPELESS &&
            without(s, s->keep, &m->move[i], keep))
            taken += search_take_if_better(s, keep);
    return taken;
}

static int round_of(Search *s, MoveMaker *make)
{
    Arena *local = arena_new();
    Moves m = {0};
    bool *keep = NEW_ARRAY(local, bool, s->p->nnz + 1);
    search_predict(s);
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
            search_add_move(&back, &e, 1, s, local);
    search_predict(s);
    search_split_moves(s, &away, local);
    search_line_moves(s, &away, local);
    search_single_moves(s, &away, local);
    sort_moves(&back);
    sort_moves(&away);
    for (int i = back.n - 1; i >= 0 && i >= back.n - TRADES; i--)
        for (int k = 0; k < away.n && k < RETRIES; k++) {
            memcpy(more, s->keep, (size_t)nnz);
            more[back.move[i].place[0]] = true;
            if (without(s, more, &away.move[k], keep) &&
                search_take_if_better(s, keep)) {
                taken++;
                break;
            }
        }
    arena_free(local);
    return taken;
}

/* ---- preparation ---- */
static void find_fixed(Search *s, const double *held)
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
                          (held && held[e] > 0) ||
                          (s->o->order > 1 && is_algebraic) ||
                          (s->has_mass[e] && !has_value) ||
                          (s->frozen && !isnan(s->frozen[e]));
        }
}

/* How far the eigenvalues of cluster k may move, in all. */
static double room_of(const Search *s, const ChoiceSample *at, int k)
{
    if (k >= at->spectrum->ncluster)
        return (s->o->rho > 0 ? s->o->rho : 0.1) * (s->p->n - s->p->nx);
    const ModeCluster *c = &at->spectrum->cluster[k];
    double room = 0;
    for (int l = 0; l < c->size; l++)
        room += at->r[c->mode[l]];
    return room;
}

/* The weights, from a few of the samples. */
static void rate_entries(Search *s)
{
    s->rated = NEW_ARRAY(s->arena, Rated, s->nsample + 1);
    for (int i = 0; i < s->nsample; i++) {
        ChoiceSample *at = &s->sample[i];
        if (at->criterion == NULL && i % ((s->nsample + RATED - 1) / RATED))
            continue;
        const Criterion *c = choice_criterion(s->p, s->o, at, s->arena);
        if (c->code != TUNE_FINE)
            continue;
        Rated r = {c, NEW_ARRAY(s->arena, double, c->ncluster + 1),
                   NEW_ARRAY(s->arena, double, c->ncluster + 1)};
        for (int k = 0; k < c->ncluster; k++)
            r.room[k] = room_of(s, at, k);
        s->rated[s->nrated++] = r;
        for (int e = 0; e < c->nnz; e++) {
            double sum = 0;
            for (int k = 0; k < c->ncluster; k++)
                sum += c->c[e + (size_t)k * (size_t)c->nnz] / r.room[k];
            s->weight[e] = fmax(s->weight[e], sum);
        }
    }
}

/* The samples of the start, or new ones; false if one cannot be analysed. */
static bool take_samples(Search *s, const Choice *start)
{
    for (int i = 0; i < s->p->nsample; i++) {
        if (s->p->sample[i].kept_back || pencil_is_repeated(s->p, i))
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
    if (s->o->path)
        out.drift = drift_estimate(s->o->path, s->p, s->o->tau, s->keep,
                                   s->frozen, NULL);
    return out;
}

/* A test costs the cube of the size. */
static int default_budget(const PencilSet *p)
{
    return p->n <= 100 ? 400 : p->n <= 200 ? 120 : 60;
}

/* Of small models every test is made. */
static double default_effort(const PencilSet *p)
{
    return p->n <= 100 ? INFINITY : default_budget(p);
}

Choice search_improve(const PencilSet *p, const ChoiceOptions *o,
                      const Choice *start, const SearchOptions *search,
                      const TuneProgress *progress, double *before,
                      double *after, Arena *arena)
{
    ChoiceOptions strict = *o;
    strict.use = o->use > 0 ? o->use : CHOICE_USE;
    Search s = {.p = p,
                .o = &strict,
                .options = search,
                .progress = progress,
                .arena = arena,
                .sample = NEW_ARRAY(arena, ChoiceSample, p->nsample + 1),
                .has_mass = NEW_ARRAY(arena, bool, p->nnz + 1),
                .fixed = NEW_ARRAY(arena, bool, p->nnz + 1),
                .weight = NEW_ARRAY(arena, double, p->nnz + 1),
                .frozen = start->frozen,
                .keep = NEW_ARRAY(arena, bool, p->nnz + 1),
                .budget = search && search->tests > 0 ? search->tests
                                                      : default_budget(p),
                .most_effort = default_effort(p)};
    memcpy(s.keep, start->keep, (size_t)p->nnz);
    s.count = count_kept(&s, s.keep);
    s.cost = cost_of(&s, s.keep);
    if (before)
        *before = s.cost;
    if (after)
        *after = s.cost;
    if (start->code != TUNE_FINE || !take_samples(&s, start))
        return *start;
    find_fixed(&s, start->held);
    rate_entries(&s);
    search_try_starts(&s);
    static MoveMaker *const makers[] = {search_split_moves, search_line_moves,
                                        search_single_moves};
    bool is_moving = true;
    while (is_moving && !search_is_over(&s)) {
        is_moving = false;
        for (int i = 0; i < 3; i++)
            while (!search_is_over(&s) && round_of(&s, makers[i]) > 0)
                is_moving = true;
        if (!is_moving)
            is_moving = trade(&s) > 0;
    }
    if (after)
        *after = s.cost;
    tune_say(progress, "searching cheaper entries", s.budget, s.budget);
    return result_of(&s, start);
}
