/* index.c - ranks at a consistent point and around it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/index.h"

#include <math.h>
#include <string.h>

#include "array/blocks.h"

typedef struct Search {
    Array *a;
    ArrayIndex *x;
    double *jacobian;
    double *z;   /* a point around */
    double keep; /* rank_find() */
    unsigned seed;
} Search;

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    unsigned x = *seed ^ (*seed >> 15);
    x *= 2246822519u;
    x ^= x >> 13;
    return 2 * ((double)(x & 0xffffff) / 0xffffff) - 1;
}

/* The Jacobian of F_k at z with rows and columns in the scale of the model, and
 * by their largest entries if `own`. */
static void scaled_jacobian(Search *s, int k, double t, const double *z,
                            bool own)
{
    Array *a = s->a;
    int nrow = (k + 1) * a->n, ncol = (k + 2) * a->n;
    array_jacobian(a, k, t, z, NULL, s->jacobian);
    array_scale(a, k, s->jacobian);
    if (own)
        rank_scale(nrow, ncol, s->jacobian);
}

typedef struct Ranks {
    Rank all, higher, full;
} Ranks;

static Ranks find_ranks(Search *s, int k, double t, const double *z)
{
    int n = s->a->n, nrow = (k + 1) * n, ncol = (k + 2) * n;
    scaled_jacobian(s, k, t, z, true);
    return (Ranks){rank_find(nrow, n, ncol, s->jacobian, s->keep),
                   rank_find(nrow, 2 * n, ncol, s->jacobian, s->keep),
                   rank_find(nrow, 0, ncol, s->jacobian, s->keep)};
}

static bool is_one_full(const Search *s, const Ranks *r)
{
    return r->all.rank != NONE && r->all.rank == s->a->n + r->higher.rank;
}

void index_move_point(const Array *a, const ArrayIndex *x, bool moves_x,
                      double part, unsigned *seed, double *out)
{
    int ncol = (x->k + 2) * a->n;
    for (int j = 0; j < ncol; j++) {
        double z = x->z[j];
        double scale = a->col[j % a->n].nominal;
        for (int q = 1; q <= j / a->n; q++)
            scale *= q / a->span;
        /* derivatives that are 0 at rest move by their own scale */
        double by = j < a->n ? 0.05 * fmax(fabs(z), 0.2 * scale)
                             : part * fmax(fabs(z), scale);
        out[j] = z + (j >= a->n || moves_x ? by * noise(seed) : 0);
    }
}

static void move_point(Search *s, bool moves_x, double part)
{
    index_move_point(s->a, s->x, moves_x, part, &s->seed, s->z);
}

/* (A3), (A4) at the point and around. */
static void look_around(Search *s, IndexLevel *l)
{
    ArrayIndex *x = s->x;
    int nrow = (l->k + 1) * s->a->n;
    l->is_constant = true;
    l->has_a4 = l->full.rank == nrow;
    l->is_uniform = l->is_full && l->has_a4;
    for (int p = 0; p < INDEX_POINTS; p++) {
        move_point(s, p > 0, 0.3);
        Ranks r = find_ranks(s, l->k, x->time, s->z);
        if (r.all.rank == NONE)
            continue; /* outside of the domain of a function */
        l->is_constant &= r.all.rank == l->all.rank;
        l->has_a4 &= r.full.rank == nrow;
        l->is_uniform &= is_one_full(s, &r) && l->is_constant && l->has_a4;
    }
}

static void look_at(Search *s, int k)
{
    ArrayIndex *x = s->x;
    IndexLevel *l = &x->level[k];
    Ranks r = find_ranks(s, k, x->time, x->z);
    *l = (IndexLevel){.k = k,
                      .all = r.all,
                      .higher = r.higher,
                      .full = r.full,
                      .is_full = is_one_full(s, &r)};
    look_around(s, l);
}

/* ---- (A5) ---- */

/* Does the range of [G_x' G_w] stay where only x' and w move, at one x beside
 * the point? */
static bool find_a5(Search *s, int k, Arena *arena)
{
    int n = s->a->n, nrow = (k + 1) * n, ncol = (k + 1) * n;
    size_t size = (size_t)nrow * (size_t)ncol;
    double *both = NEW_ARRAY(arena, double, 2 * size);
    double *x = NEW_ARRAY(arena, double, n);
    move_point(s, true, 1);
    memcpy(x, s->z, (size_t)n * sizeof *x);
    for (int p = 0; p < 2; p++) {
        move_point(s, false, 1);
        memcpy(s->z, x, (size_t)n * sizeof *x);
        scaled_jacobian(s, k, s->x->time, s->z, false);
        memcpy(both + (size_t)p * size, s->jacobian + (size_t)n * (size_t)nrow,
               size * sizeof(double));
    }
    rank_scale(nrow, 2 * ncol, both);
    Rank r = rank_find(nrow, 0, 2 * ncol, both, 1e-9);
    return r.rank == NONE || r.rank == s->x->level[k].all.rank;
}

/* ---- what is wrong ---- */

/* A row that depends on others, and a column that stays open: those of the
 * smallest k at which J has no full row rank. */
static void name_dependent(Search *s, int k)
{
    Array *a = s->a;
    int nrow = (k + 1) * a->n, ncol = (k + 2) * a->n;
    scaled_jacobian(s, k, s->x->time, s->x->z, true);
    int rank = rank_find(nrow, 0, ncol, s->jacobian, s->keep).rank;
    for (int r = a->n - 1; r >= 0 && s->x->free_row == NONE; r--) {
        /* without this row and its derivatives the rank is the same */
        Arena *arena = arena_new();
        size_t size = (size_t)nrow * (size_t)ncol;
        double *copy = NEW_ARRAY(arena, double, size);
        memcpy(copy, s->jacobian, size * sizeof *copy);
        for (int i = k * a->n + r; i < nrow; i += nrow)
            for (int j = 0; j < ncol; j++)
                copy[(size_t)j * (size_t)nrow + (size_t)i] = 0;
        if (rank_find(nrow, 0, ncol, copy, s->keep).rank == rank)
            s->x->free_row = r;
        arena_free(arena);
    }
    for (int j = a->n - 1; j >= 0 && s->x->free_column == NONE; j--) {
        Arena *arena = arena_new();
        size_t size = (size_t)nrow * (size_t)ncol;
        double *copy = NEW_ARRAY(arena, double, size);
        memcpy(copy, s->jacobian, size * sizeof *copy);
        for (int q = 0; q <= k + 1; q++)
            memset(copy + (size_t)(q * a->n + j) * (size_t)nrow, 0,
                   (size_t)nrow * sizeof *copy);
        if (rank_find(nrow, 0, ncol, copy, s->keep).rank >= rank - k)
            s->x->free_column = j;
        arena_free(arena);
    }
}

/* ---- the search ---- */

/* How far x of the consistent point is from the start values. */
static void tell_moved(const Array *a, ArrayIndex *x, Arena *local)
{
    double *start = NEW_ARRAY(local, double, 2 * a->n);
    array_start(a, 0, x->time, start);
    x->start.moved = 0;
    x->start.moved_column = NONE;
    for (int j = 0; j < a->n; j++) {
        double by =
            fabs(x->z[j] - start[j]) / fmax(a->col[j].nominal, fabs(start[j]));
        if (a->col[j].order > 0 || !(by > x->start.moved))
            continue;
        x->start.moved = by;
        x->start.moved_column = j;
    }
}

static void find_structure(ArrayIndex *x, const Array *a)
{
    x->structural_index = a->offsets ? a->offsets->index : NONE;
    x->structural_states = a->offsets ? (int)a->offsets->value : NONE;
}

/* Both indices among the levels 0 .. k; 1-fullness must stay at k + 1. */
static void find_indices(ArrayIndex *x, int k)
{
    for (int i = 0; i < k && x->differentiation_index == NONE; i++)
        if (x->level[i].is_full && x->level[i + 1].is_full)
            x->differentiation_index = i;
    for (int i = 0; i <= k && x->uniform_index == NONE; i++)
        if (x->level[i].is_uniform)
            x->uniform_index = i;
}

static void finish(Search *s, Arena *arena)
{
    ArrayIndex *x = s->x;
    int nu =
        x->uniform_index != NONE ? x->uniform_index : x->differentiation_index;
    if (nu != NONE) {
        const IndexLevel *l = &x->level[nu];
        x->states = s->a->n - (l->full.rank - l->all.rank);
        x->undecided =
            l->all.undecided || l->higher.undecided || l->full.undecided;
    }
    if (x->uniform_index != NONE)
        x->has_a5 = find_a5(s, x->uniform_index, arena);
    if (x->differentiation_index == NONE)
        for (int k = 0; k < x->nlevel && x->free_row == NONE; k++)
            if (x->level[k].full.rank < (k + 1) * s->a->n &&
                !x->level[k].full.undecided)
                name_dependent(s, k);
}

/* Rows of a part that depend on each other do so for all larger k. */
static bool is_lost(const Array *a, const ArrayIndex *x)
{
    const IndexLevel *l = &x->level[x->nlevel - 1];
    return a->is_own && x->differentiation_index == NONE && !l->has_a4 &&
           !l->full.undecided && l->full.rank < (l->k + 1) * a->n;
}

/* With the time scale of the array as it is, from the start values or `from`.
 */
static ArrayIndex *search(Array *a, double t, const double *from, double keep,
                          Arena *arena)
{
    ArrayIndex *x = NEW(arena, ArrayIndex);
    Arena *local = arena_new();
    size_t most = (size_t)(a->most + 2) * (size_t)a->n;
    Search s = {.a = a, .x = x, .seed = 1, .keep = keep};
    s.z = NEW_ARRAY(local, double, most);
    x->z = NEW_ARRAY(arena, double, most);
    x->time = t;
    x->states = x->free_row = x->free_column = x->index_without = NONE;
    find_structure(x, a);
    array_start(a, 1, t, x->z);
    if (from)
        memcpy(x->z, from, (size_t)a->n * sizeof *from);
    for (int k = 1, done = 0; k <= a->most && !done; k++) {
        Arena *level = arena_new();
        s.jacobian = NEW_ARRAY(level, double,
                               (size_t)(k + 1) * (size_t)a->n *
                                   (size_t)(k + 2) * (size_t)a->n);
        x->k = k;
        int stage = x->start.stage;
        x->start = array_make_consistent(a, k, t, x->z);
        x->start.stage = stage > x->start.stage ? stage : x->start.stage;
        for (int i = 0; i <= k; i++)
            look_at(&s, i);
        x->nlevel = k + 1;
        x->differentiation_index = x->uniform_index = NONE;
        find_indices(x, k);
        done = !x->start.found || is_lost(a, x) ||
               (x->differentiation_index != NONE && x->uniform_index != NONE);
        if (done || k == a->most)
            finish(&s, local);
        arena_free(level);
    }
    tell_moved(a, x, local);
    arena_free(local);
    return x;
}

/* How clear is it? Larger is clearer. */
static double clarity(const ArrayIndex *x)
{
    if (!x->start.found)
        return -3;
    if (x->differentiation_index == NONE)
        return -2;
    if (x->uniform_index == NONE || x->undecided)
        return -1;
    const IndexLevel *l = &x->level[x->uniform_index];
    return fmin(l->all.kept, fmin(l->full.kept, l->higher.kept));
}

/* Small singular values are there, not zero: is there an index then that agrees
 * with what the leading Jacobian says? */
static ArrayIndex *as_meant(Array *a, ArrayIndex *x, Arena *arena)
{
    const ArrayBlocks *b = array_blocks(a, x->time, arena);
    ArrayIndex *y = search(a, x->time, NULL, RANK_DROP, arena);
    bool regular = b && b->nsingular == 0 && b->skipped == 0;
    if (!regular || y->differentiation_index == NONE ||
        y->differentiation_index > y->structural_index)
        return x;
    y->index_without = x->differentiation_index;
    y->undecided = true;
    return y;
}

ArrayIndex *array_index(Array *a, double t, double length, Arena *arena)
{
    double span[] = {
        a->span, length / 10, length, length / 100, sqrt(a->span * length), 1};
    ArrayIndex *best = NULL;
    double most = -INFINITY, best_span = a->span;
    for (int i = 0; i < 6 && !(most > 0) && !(best && is_lost(a, best)); i++) {
        if (!(span[i] > 0) || !isfinite(span[i]))
            continue;
        a->span = span[i];
        ArrayIndex *x = search(a, t, NULL, RANK_KEEP, arena);
        double c = clarity(x);
        if (c > most) {
            most = c;
            best = x;
            best_span = a->span;
        }
    }
    a->span = best_span;
    return best && best->undecided ? as_meant(a, best, arena) : best;
}

ArrayIndex *array_index_from(Array *a, double t, const double *x, Arena *arena)
{
    return search(a, t, x, RANK_KEEP, arena);
}

bool index_still_holds(const ArrayIndex *x, Array *a, double t, const double *z)
{
    int k = x->uniform_index;
    size_t n = (size_t)a->n, size = (size_t)((k + 1) * (k + 2)) * n * n;
    Arena *local = arena_new();
    Search s = {
        .a = a, .keep = RANK_KEEP, .jacobian = NEW_ARRAY(local, double, size)};
    Ranks r = find_ranks(&s, k, t, z);
    arena_free(local);
    return is_one_full(&s, &r) && r.all.rank == x->level[k].all.rank &&
           r.full.rank == (k + 1) * a->n;
}

/* With this parameter, and those that follow from it, as they would be. */
static bool holds_with(const ArrayIndex *x, Array *a, SysSet *set, int nset,
                       double *z, Arena *local)
{
    const Sys *s = a->sys;
    int k = x->uniform_index;
    double *value = NEW_ARRAY(local, double, s->nvar);
    if (!sys_start_values(s, set, nset, value, NULL))
        return true; /* no such value */
    for (int v = 0; v < s->nvar; v++)
        if (s->var[v].role == SR_PARAMETER)
            a->value[v] = value[v];
    memcpy(z, x->z, (size_t)(k + 2) * (size_t)a->n * sizeof *z);
    Consistent c = array_make_consistent(a, k, x->time, z);
    return c.found && index_still_holds(x, a, x->time, z);
}

bool index_holds_beside(const ArrayIndex *x, Array *a, int v)
{
    static const double by[] = {1.03, 0.98};
    const Sys *s = a->sys;
    int nvar = s->nvar;
    Arena *local = arena_new();
    double *kept = NEW_ARRAY(local, double, nvar);
    double *z = NEW_ARRAY(local, double, (x->uniform_index + 2) * a->n);
    SysSet *set = NEW_ARRAY(local, SysSet, s->nset + 1);
    int n = 0;
    bool holds = true;
    memcpy(kept, a->value, (size_t)nvar * sizeof *kept);
    for (int i = 0; i < s->nset; i++)
        if (s->set[i].var != v)
            set[n++] = s->set[i];
    for (int i = 0; i < 2 && holds; i++) {
        double x0 = kept[v];
        set[n] = (SysSet){v, x0 == 0 ? (i ? 0.01 : -0.01) : x0 * by[i]};
        holds = holds_with(x, a, set, n + 1, z, local);
    }
    memcpy(a->value, kept, (size_t)nvar * sizeof *kept);
    arena_free(local);
    return holds;
}

bool index_agrees(const ArrayIndex *x)
{
    return x->structural_index == x->differentiation_index &&
           x->structural_states == x->states;
}
