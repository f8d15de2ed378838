/* parts.c - singular blocks as systems of their own. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/parts.h"

#include <math.h>
#include <stdlib.h>

#include "array/known.h"

enum {
    MOST_ORDER = 7,
    MOST_RINGS = 6,
    MOST_UNSELECTED = 1,
    MOST_ASKED = 3, /* derivatives that parts need of each other */
};

typedef struct Work {
    const Array *whole;
    const ArrayBlocks *blocks;
    double t, length;
    int *owner;        /* block of each unknown (Array.unknown) */
    double *start;     /* 2 n: of the whole */
    int *part_of;      /* block: the part that has it; NONE */
    bool *is_singular; /* block */
    KnownFunctions *known;
    ArrayParts *out;
    Arena *arena;
    Diag *diag;
} Work;

typedef Vec(int) Ints;

/* ---- what is given ---- */

typedef struct Given {
    const double *value;
    const Sys *sys;
    double length;
    KnownFunctions *known;
} Given;

/* Functions of time are what they are. Other unknowns move a little around
 * their start values, all in another way: ranks that depend on them show
 * themselves. */
static void given_series(void *context, int var, double t, int degree,
                         double *coef)
{
    const Given *g = context;
    if (known_series(g->known, var, t, degree, coef))
        return;
    bool moves = g->sys->var[var].role == SR_UNKNOWN;
    double by = 0.05 * fmax(fabs(g->value[var]), 0.2), factorial = 1;
    double omega = 6.28 / g->length * (1 + (var * 7 % 5) / 3.0), power = 1;
    for (int q = 0; q <= degree; q++) {
        factorial *= q > 0 ? q : 1;
        coef[q] = q == 0 ? g->value[var] : 0;
        if (moves)
            coef[q] += by * power / factorial *
                       sin(omega * t + 1.3 * var + 1.5707963267948966 * q);
        power *= omega;
    }
}

static void give_unknowns(const Work *w, Array *a)
{
    Given *g = NEW(w->arena, Given);
    *g = (Given){a->value, a->sys, w->length, w->known};
    for (int j = 0; j < w->whole->n; j++) {
        const ArrayColumn *c = &w->whole->col[j];
        if (c->order == 0 && isfinite(w->start[j]))
            a->value[c->var] = w->start[j];
    }
    a->input = given_series;
    a->input_context = g;
    double *z = NEW_ARRAY(w->arena, double, 2 * a->n);
    array_start(a, 0, w->t, z);
    array_find_span(a, w->t, z);
}

/* ---- sets of blocks ---- */

static bool has_block(const Ints *set, int b)
{
    for (int i = 0; i < set->n; i++)
        if (set->at[i] == b)
            return true;
    return false;
}

/* A block, and all of the part that has it already. */
static void add_block(Work *w, Ints *set, int b)
{
    if (has_block(set, b))
        return;
    vec_push(w->arena, set, b);
    int part = w->part_of[b];
    for (int i = 0; part != NONE && i < w->blocks->n; i++)
        if (w->part_of[i] == part && !has_block(set, i))
            vec_push(w->arena, set, i);
}

static int size_of(const Work *w, const Ints *set)
{
    const Blt *blt = w->blocks->blt;
    int n = 0;
    for (int i = 0; i < set->n; i++)
        n += blt->start[set->at[i] + 1] - blt->start[set->at[i]];
    return n;
}

/* The blocks that determine the unknowns of its equations. Returns whether
 * there were any that it did not have. */
static bool add_ring(Work *w, Ints *set)
{
    const Blt *blt = w->blocks->blt;
    const Incidence *inc = w->whole->sigma;
    int before = set->n;
    for (int i = 0; i < before; i++) {
        int b = set->at[i];
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
            int row = blt->eqn[k];
            for (int e = inc->start[row]; e < inc->start[row + 1]; e++)
                add_block(w, set, w->owner[inc->var[e]]);
        }
    }
    return set->n > before;
}

/* Singular blocks with so many rings around each: those that touch belong
 * together. */
static void add_rings(Work *w, Ints *set, int rings)
{
    for (int done = 0; done < set->n && size_of(w, set) <= PART_MOST;) {
        Ints one = {0};
        int b = set->at[done++];
        if (!w->is_singular[b])
            continue;
        vec_push(w->arena, &one, b);
        for (int ring = 0; ring < rings; ring++)
            add_ring(w, &one);
        for (int i = 0; i < one.n; i++)
            add_block(w, set, one.at[i]);
    }
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static ArrayPart part_of(const Work *w, const Ints *set)
{
    const Blt *blt = w->blocks->blt;
    int n = size_of(w, set), at = 0;
    ArrayPart p = {n, NEW_ARRAY(w->arena, int, n), NEW_ARRAY(w->arena, int, n)};
    for (int i = 0; i < set->n; i++) {
        int b = set->at[i];
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++, at++) {
            p.eqn[at] = w->whole->row[blt->eqn[k]].eqn;
            p.var[at] = w->whole->unknown[blt->var[k]];
        }
    }
    qsort(p.eqn, (size_t)n, sizeof *p.eqn, compare);
    qsort(p.var, (size_t)n, sizeof *p.var, compare);
    return p;
}

/* ---- one part ---- */

/* Has the set a selection? */
static bool try_part(Work *w, const Ints *set, WrongPart *p)
{
    p->part = part_of(w, set);
    p->s = NULL;
    diag_mute(w->diag);
    p->a = array_new_part(w->whole->sys, &p->part, w->t, MOST_ORDER, w->arena,
                          w->diag);
    p->why = p->a ? "no index was found" : diag_first(w->diag, w->arena);
    diag_unmute(w->diag);
    if (!p->a)
        return false;
    give_unknowns(w, p->a);
    p->x = array_index(p->a, w->t, w->length, w->arena);
    if (p->x->free_row != NONE)
        p->why = arena_printf(
            w->arena, "'%s' says what others say%s",
            array_row_text(p->a, p->x->free_row, w->arena),
            p->x->free_column == NONE
                ? ""
                : arena_printf(
                      w->arena, ", and '%s' stays undetermined",
                      array_name(p->a, p->x->free_column, 0, w->arena)));
    if (!p->x->start.found || p->x->uniform_index == NONE || p->x->undecided)
        return false;
    p->s = array_select(p->a, p->x, w->length, 0, w->arena, &p->why);
    return p->s != NULL;
}

static void keep_part(Work *w, const Ints *set, WrongPart p)
{
    for (int i = 0; i < set->n; i++) {
        int old = w->part_of[set->at[i]];
        if (old != NONE)
            w->out->at[old].part.n = 0; /* it is in this one now */
        w->part_of[set->at[i]] = w->out->n;
    }
    w->out->at[w->out->n++] = p;
}

/* From a singular block on. */
static void find_part(Work *w, const ArrayBlock *block, int rings)
{
    Ints set = {0};
    add_block(w, &set, block->block);
    WrongPart p = {.block = block};
    int unselected = 0;
    add_rings(w, &set, rings);
    for (int ring = rings; ring <= MOST_RINGS; ring++) {
        if (size_of(w, &set) > PART_MOST) {
            if (!p.why)
                p.why = arena_printf(w->arena,
                                     "more than %d equations belong together",
                                     PART_MOST);
            break;
        }
        if (try_part(w, &set, &p) || !add_ring(w, &set))
            break;
        /* it has an index, but no rows and columns: others help little */
        bool has_index = p.x && p.x->uniform_index != NONE;
        if (has_index && ++unselected > MOST_UNSELECTED)
            break;
    }
    if (!p.s) { /* what it took in may serve elsewhere */
        vec_clear(&set);
        vec_push(w->arena, &set, block->block);
        p.part = part_of(w, &set);
    }
    keep_part(w, &set, p);
}

/* ---- what parts need of each other ---- */

/* The highest derivative of its unknowns that other parts feel, of each. */
static void find_asked(const Work *w, int *asked)
{
    ArrayParts *out = w->out;
    int *part_with = NEW_ARRAY(w->arena, int, w->whole->nvar);
    for (int v = 0; v < w->whole->nvar; v++)
        part_with[v] = NONE;
    for (int p = 0; p < out->n; p++)
        for (int i = 0; i < out->at[p].part.n && out->at[p].s; i++)
            part_with[out->at[p].part.var[i]] = p;
    for (int p = 0; p < out->n; p++) {
        const Selection *s = out->at[p].s;
        for (int i = 0; out->at[p].part.n && s && i < s->ngiven; i++) {
            int owner = part_with[s->given[i]], order = 0;
            for (unsigned bits = s->feels[i] >> 1; bits; bits >>= 1)
                order++;
            if (owner != NONE && order > asked[owner])
                asked[owner] = order;
        }
    }
}

/* Selects anew those that must say more than they do. Returns false if one of
 * them cannot; *changed: one of them says more now. */
static bool ask_once(Work *w, bool *changed)
{
    ArrayParts *out = w->out;
    int *asked = NEW_ARRAY(w->arena, int, out->n + 1);
    find_asked(w, asked);
    for (int i = 0; i < out->n; i++) {
        WrongPart *p = &out->at[i];
        const char *why;
        if (!p->s || asked[i] <= p->s->order)
            continue;
        if (asked[i] > MOST_ASKED)
            return false;
        const Selection *s =
            array_select(p->a, p->x, w->length, asked[i], w->arena, &why);
        if (!s)
            return false;
        p->s = s;
        *changed = true;
    }
    return true;
}

/* Parts give each other the derivatives that they feel. Where that does not end
 * all stay as they were: index reduction finds these derivatives, or the parts
 * belong together. */
static void close_parts(Work *w)
{
    ArrayParts *out = w->out;
    const Selection **before = NEW_ARRAY(w->arena, const Selection *, out->n);
    for (int i = 0; i < out->n; i++)
        before[i] = out->at[i].s;
    bool fine = true, changed = true;
    while (fine && changed) {
        changed = false;
        fine = ask_once(w, &changed);
    }
    for (int i = 0; i < out->n && !fine; i++)
        out->at[i].s = before[i];
}

/* Parts that others have swallowed are gone. */
static void compact(ArrayParts *out)
{
    int n = 0;
    for (int i = 0; i < out->n; i++) {
        if (out->at[i].part.n == 0)
            continue;
        out->nfound += out->at[i].s != NULL;
        out->at[n++] = out->at[i];
    }
    out->n = n;
}

ArrayParts *array_parts(const Array *whole, const ArrayBlocks *blocks, double t,
                        double length, int rings, Arena *arena, Diag *diag)
{
    Work w = {.whole = whole,
              .blocks = blocks,
              .t = t,
              .length = length,
              .owner = NEW_ARRAY(arena, int, whole->neqn),
              .part_of = NEW_ARRAY(arena, int, blocks->n),
              .is_singular = NEW_ARRAY(arena, bool, blocks->n),
              .start = NEW_ARRAY(arena, double, 2 * whole->n),
              .out = NEW(arena, ArrayParts),
              .arena = arena,
              .diag = diag};
    for (int b = 0; b < blocks->n; b++) {
        w.part_of[b] = NONE;
        for (int k = blocks->blt->start[b]; k < blocks->blt->start[b + 1]; k++)
            w.owner[blocks->blt->var[k]] = b;
    }
    array_start(whole, 0, t, w.start);
    w.known = known_find(whole, MOST_ORDER + 2, arena);
    for (int i = 0; i < blocks->nsingular; i++)
        w.is_singular[blocks->singular[i].block] = true;
    w.out->at = NEW_ARRAY(arena, WrongPart, blocks->nsingular + 1);
    /* those that others depend on come last: they are in a part by then */
    for (int i = blocks->nsingular - 1; i >= 0; i--)
        if (w.part_of[blocks->singular[i].block] == NONE)
            find_part(&w, &blocks->singular[i], rings);
    compact(w.out);
    close_parts(&w);
    return w.out;
}
