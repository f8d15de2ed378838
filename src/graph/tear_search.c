/* tear_search.c - heuristics for tearing: Cellier's, its modified form, the
 * front; repair of a choice that grows too much; improvement of one.
 *
 * Equations wait in a heap by their number of open unknowns. An entry is out
 * of date when that number has changed since; changed equations are entered
 * again after each decision, so a decision costs no more than what it changes.
 * What a decision would bring is found by trying: tear, run, count, undo. In
 * large blocks only the first few candidates of equal rank are tried.
 *
 * Cellier and Kofman pair a torn unknown with the equation it was found in,
 * which is then not used to solve anything. Their tool can run into a corner
 * there: an equation is left with nothing to solve. Here such candidates are
 * avoided, and where there is no other the reserved equations are released.
 * Without pairing
 * ("free") the residuals are what is left over in the end.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <limits.h>
#include <math.h>

#include "graph/heap.h"
#include "graph/tear_internal.h"

typedef struct Front {
    Engine *e;
    Heap heap;
    int sign;       /* -1: most open unknowns first, +1: fewest */
    int *stamp;     /* size n: equations collected in this decision */
    int decision;   /* its number */
    int cap;        /* candidates that are tried */
    Vec(int) found; /* the equations of equal rank */
    int told;       /* length of the trail known to the heap */
    int *degree;    /* size n: free equations that an unknown occurs in */
} Front;

/* Equation i is no longer free (-1), or free again (+1). */
static void change_degrees(Front *f, int i, int by)
{
    for (int k = f->e->inc->start[i]; k < f->e->inc->start[i + 1]; k++)
        f->degree[f->e->inc->var[k]] += by;
}

static void enter_eqn(Front *f, int i)
{
    if (f->e->use[i] == USE_FREE && f->e->nopen[i] > 0)
        heap_push(&f->heap, (long)f->sign * f->e->nopen[i], i);
}

/* Enters the equations of what became known since the last call. */
static void enter_changes(Front *f)
{
    for (; f->told < f->e->ntrail; f->told++) {
        int var = f->e->trail[f->told];
        if (f->e->by[var] >= 0)
            change_degrees(f, f->e->by[var], -1);
        for (int q = f->e->t->start[var]; q < f->e->t->start[var + 1]; q++)
            enter_eqn(f, f->e->t->eqn[q]);
    }
}

/* Up to 400 equations, all candidates are tried; then fewer and fewer. */
static int candidate_cap(const Engine *e)
{
    if (e->work > e->limit)
        return 1;
    if (e->n <= 400)
        return INT_MAX;
    return e->n < 20000 ? 160000 / e->n : 8;
}

static Front front_begin(Engine *e, Rules r, int sign, Arena *local)
{
    Front f = {.e = e, .heap = {.arena = local}, .sign = sign};
    engine_reset(e, r);
    for (int j = 0; j < e->n; j++)
        if (engine_preference(e, j) == TEAR_MUST)
            engine_tear(e, j);
    engine_run(e);
    f.stamp = NEW_ARRAY(local, int, e->n);
    f.degree = NEW_ARRAY(local, int, e->n);
    for (int i = 0; i < e->n; i++) {
        enter_eqn(&f, i);
        if (e->use[i] == USE_FREE)
            change_degrees(&f, i, +1);
    }
    f.told = e->ntrail;
    return f;
}

/* The best equations of equal rank, at most f->cap, in source order. With
 * fewest first, equations with a single open unknown (not solvable for it) are
 * of no use and dropped. */
static void collect(Front *f)
{
    Engine *e = f->e;
    long key = 0;
    f->decision++;
    f->cap = candidate_cap(e);
    vec_clear(&f->found);
    while (f->heap.item.n > 0 && f->found.n < f->cap) {
        HeapItem top = f->heap.item.at[0];
        int i = top.id;
        bool stale = e->use[i] != USE_FREE || e->nopen[i] == 0 ||
                     top.key != (long)f->sign * e->nopen[i] ||
                     f->stamp[i] == f->decision ||
                     (f->sign > 0 && e->nopen[i] == 1);
        if (!stale && f->found.n > 0 && top.key != key)
            break;
        heap_pop(&f->heap);
        if (stale)
            continue;
        key = top.key;
        f->stamp[i] = f->decision;
        vec_push(f->heap.arena, &f->found, i);
    }
    for (int q = 0; q < f->found.n; q++)
        enter_eqn(f, f->found.at[q]);
}

/* A decision and what speaks for it. */
typedef struct Pick {
    int eqn, var;
    int gain;   /* unknowns that follow */
    int prefer; /* preference of the torn unknowns */
    bool never; /* tears what should never be torn */
} Pick;

static bool is_better(Pick a, Pick b)
{
    if (b.var == NONE || a.never != b.never)
        return b.var == NONE || b.never;
    if (a.gain != b.gain)
        return a.gain > b.gain;
    return a.prefer > b.prefer;
}

static int largest_degree(const Front *f, int i)
{
    int most = 0;
    for (int k = f->e->inc->start[i]; k < f->e->inc->start[i + 1]; k++) {
        int var = f->e->inc->var[k];
        if (f->e->by[var] == OPEN && f->degree[var] > most)
            most = f->degree[var];
    }
    return most;
}

/* What tearing `var` would bring, with equation i (or NONE) reserved. False if
 * an equation would be left with nothing to solve. */
static bool try_var(Engine *e, int i, int var, Pick *pick)
{
    EngineMark mark = engine_mark(e);
    int surplus = e->nsurplus;
    if (i != NONE)
        e->use[i] = USE_RESERVED;
    engine_tear(e, var);
    engine_run(e);
    bool corner = i != NONE && e->nsurplus > surplus;
    pick->gain = e->ntrail - mark.ntrail - 1;
    engine_undo(e, mark);
    if (i != NONE)
        e->use[i] = USE_FREE;
    pick->eqn = i;
    pick->var = var;
    pick->prefer = engine_preference(e, var);
    pick->never = pick->prefer == TEAR_NEVER;
    return !corner;
}

/* The best unknown of the collected equations. */
static Pick pick_var(Front *f, bool modified, bool paired)
{
    Engine *e = f->e;
    Pick best = {.var = NONE};
    int tried = 0;
    for (int q = 0; q < f->found.n; q++) {
        int i = f->found.at[q];
        int least = modified ? 0 : largest_degree(f, i);
        for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++) {
            int var = e->inc->var[k];
            Pick pick;
            if (e->by[var] != OPEN)
                continue;
            if (best.var != NONE && (tried >= f->cap || e->work > e->limit))
                return best;
            if (!modified && f->degree[var] < least)
                continue;
            tried++;
            if (try_var(e, paired ? i : NONE, var, &pick) &&
                is_better(pick, best))
                best = pick;
        }
    }
    return best;
}

/* Gives reserved equations back; returns their number. */
static int release(Front *f)
{
    Engine *e = f->e;
    int released = 0;
    for (int i = 0; i < e->n; i++) {
        if (e->use[i] != USE_RESERVED)
            continue;
        released++;
        e->use[i] = USE_FREE;
        change_degrees(f, i, +1);
        e->nsurplus += e->nopen[i] == 0;
        if (e->nopen[i] == 1)
            vec_push(e->arena, &e->ready, i);
        enter_eqn(f, i);
    }
    engine_run(e);
    return released;
}

static int any_open(const Engine *e, int *from)
{
    int spare = NONE;
    for (int j = *from; j < e->n; j++) {
        if (e->by[j] != OPEN)
            continue;
        if (spare == NONE)
            *from = j;
        spare = j;
        if (engine_preference(e, j) != TEAR_NEVER)
            break;
    }
    return spare;
}

void search_cellier(Engine *e, Rules r, bool modified, bool paired)
{
    Arena *local = arena_new();
    Front f = front_begin(e, r, -1, local);
    int from = 0;
    while (e->ntrail < e->n) {
        collect(&f);
        Pick pick = pick_var(&f, modified, paired);
        if (pick.var == NONE && paired) {
            paired = false;
            release(&f);
        } else {
            if (pick.var == NONE)
                pick.var = any_open(e, &from);
            if (paired) {
                e->use[pick.eqn] = USE_RESERVED;
                change_degrees(&f, pick.eqn, -1);
            }
            engine_tear(e, pick.var);
            engine_run(e);
        }
        enter_changes(&f);
    }
    arena_free(local);
}

/* The open unknown of equation i to be solved for when all others are torn:
 * not penalised, not preferred for tearing, of large factor. */
static int edge_to_solve(const Engine *e, int i)
{
    int best = NONE;
    double rank = 0;
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++) {
        if (e->by[e->inc->var[k]] != OPEN || !engine_may_solve(e, k))
            continue;
        double mine = 1 / (1 + engine_row_ratio(e, i, k)) -
                      2.0 * engine_preference(e, e->inc->var[k]) -
                      1e3 * (e->inc->weight[k] > 0);
        if (best == NONE || mine > rank) {
            best = k;
            rank = mine;
        }
    }
    return best;
}

static void tear_others(Engine *e, int i, int edge)
{
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
        if (k != edge && e->by[e->inc->var[k]] == OPEN)
            engine_tear(e, e->inc->var[k]);
    engine_run(e);
}

static Pick try_eqn(Engine *e, int i, int edge)
{
    EngineMark mark = engine_mark(e);
    Pick pick = {.eqn = i, .var = edge};
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++) {
        int var = e->inc->var[k];
        if (k == edge || e->by[var] != OPEN)
            continue;
        pick.prefer += engine_preference(e, var);
        pick.never |= engine_preference(e, var) == TEAR_NEVER;
    }
    tear_others(e, i, edge);
    pick.gain = e->ntrail - mark.ntrail;
    engine_undo(e, mark);
    return pick;
}

void search_front(Engine *e, Rules r)
{
    Arena *local = arena_new();
    Front f = front_begin(e, r, +1, local);
    int from = 0;
    while (e->ntrail < e->n) {
        Pick best = {.var = NONE};
        collect(&f);
        for (int q = 0; q < f.found.n; q++) {
            int i = f.found.at[q], edge = edge_to_solve(e, i);
            if (edge == NONE || (best.var != NONE && e->work > e->limit))
                continue;
            Pick pick = try_eqn(e, i, edge);
            if (is_better(pick, best))
                best = pick;
        }
        if (best.var != NONE) {
            tear_others(e, best.eqn, best.var);
        } else if (f.found.n > 0) {
            /* none of these can be solved for anything */
            for (int q = 0; q < f.found.n; q++)
                e->use[f.found.at[q]] = USE_RESERVED;
        } else {
            engine_tear(e, any_open(e, &from));
            engine_run(e);
        }
        enter_changes(&f);
    }
    arena_free(local);
}

/* Of the unknowns that were refused, the first that is still open. */
static int next_refused(const Engine *e, int *from)
{
    for (; *from < e->refused.n; (*from)++)
        if (e->by[e->refused.at[*from]] == OPEN)
            return e->refused.at[*from];
    return NONE;
}

void search_repair(Engine *e, Rules r, const int *torn, int ntorn)
{
    engine_reset(e, r);
    for (int k = 0; k < ntorn; k++)
        if (e->by[torn[k]] == OPEN)
            engine_tear(e, torn[k]);
    engine_run(e);
    int refused = 0, open = 0;
    while (e->ntrail < e->n) {
        int var = next_refused(e, &refused);
        if (var == NONE)
            var = any_open(e, &open);
        engine_tear(e, var);
        engine_run(e);
    }
}

/* Improvement. A set of torn unknowns that does not suffice without regard to
 * growth does not suffice with it either, and is much quicker to try: `loose`
 * sorts out, `e` confirms. */
typedef struct Improve {
    Engine *e, *loose;
    Rules rules;
    int *torn; /* size n: the best so far */
    int ntorn;
    int *next; /* size n: what is tried */
    int nnext;
} Improve;

static bool suffices(Engine *e, Rules r, const int *torn, int ntorn)
{
    engine_reset(e, r);
    e->work += e->inc->nedge;
    for (int k = 0; k < ntorn; k++)
        engine_tear(e, torn[k]);
    engine_run(e);
    return e->ntrail == e->n;
}

/* The best so far without its members k and l. */
static void leave_out(Improve *m, int k, int l)
{
    m->nnext = 0;
    for (int q = 0; q < m->ntorn; q++)
        if (q != k && q != l)
            m->next[m->nnext++] = m->torn[q];
}

static bool try_loosely(Improve *m)
{
    Rules loose = m->rules;
    loose.bound = INFINITY;
    return suffices(m->loose, loose, m->next, m->nnext);
}

/* Takes what is tried if it suffices under the rules. */
static bool confirm(Improve *m)
{
    if (!suffices(m->e, m->rules, m->next, m->nnext))
        return false;
    memcpy(m->torn, m->next, (size_t)m->nnext * sizeof *m->torn);
    m->ntorn = m->nnext;
    return true;
}

static bool has_time(const Improve *m)
{
    return m->e->work + m->loose->work < m->e->limit;
}

static bool may_drop(const Improve *m, int k)
{
    return engine_preference(m->e, m->torn[k]) != TEAR_MUST;
}

static bool drop_one(Improve *m)
{
    for (int k = m->ntorn - 1; k >= 0 && has_time(m); k--) {
        leave_out(m, k, NONE);
        if (may_drop(m, k) && try_loosely(m) && confirm(m))
            return true;
    }
    return false;
}

/* After try_loosely() failed: does one unknown more help? */
static bool add_one(Improve *m)
{
    Engine *e = m->loose;
    m->nnext++;
    for (int j = 0; j < e->n && has_time(m); j++) {
        if (e->by[j] != OPEN || engine_preference(e, j) == TEAR_NEVER)
            continue;
        EngineMark mark = engine_mark(e);
        engine_tear(e, j);
        engine_run(e);
        bool all = e->ntrail == e->n;
        engine_undo(e, mark);
        m->next[m->nnext - 1] = j;
        if (all && confirm(m))
            return true;
    }
    return false;
}

static bool two_for_one(Improve *m)
{
    for (int k = 0; k < m->ntorn; k++)
        for (int l = k + 1; l < m->ntorn && has_time(m); l++) {
            if (!may_drop(m, k) || !may_drop(m, l))
                continue;
            leave_out(m, k, l);
            if (try_loosely(m) ? confirm(m) : add_one(m))
                return true;
        }
    return false;
}

void tear_improve(Engine *e, Engine *loose, Rules r)
{
    Arena *local = arena_new();
    Improve m = {.e = e, .loose = loose, .rules = r};
    m.torn = NEW_ARRAY(local, int, e->n);
    m.next = NEW_ARRAY(local, int, e->n);
    for (int k = 0; k < e->n; k++)
        if (e->by[e->trail[k]] == TORN)
            m.torn[m.ntorn++] = e->trail[k];
    loose->work = 0;
    while (drop_one(&m) || two_for_one(&m))
        continue;
    e->work += loose->work;
    search_repair(e, r, m.torn, m.ntorn);
    arena_free(local);
}
