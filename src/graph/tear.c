/* tear.c - tries the ways to tear a block and chooses one.
 *
 * Each method is run as it is. If its growth is within the bound it can be
 * taken; otherwise it is refused, run again with the bound in force, and its
 * refused form is repaired; the better of the two stands beside it. Of all
 * accepted choices the one with the fewest torn unknowns wins, where a
 * penalised pivot counts as penalty_cost more; among equals the one with fewer
 * penalties, then preferred unknowns, then less growth.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/tear.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "graph/tear_internal.h"

TearOptions tear_defaults(void)
{
    return (TearOptions){
        .methods = (1u << TEAR_NMETHOD) - 1,
        .least = EDGE_CONSTANT,
        .bound = 1e3,
        .penalty_cost = 1,
        .work = 0,
        .exact_limit = 150,
    };
}

const char *tear_method_name(TearMethod m)
{
    static const char *const name[] = {"cellier", "modified", "front", "exact"};
    return m < TEAR_NMETHOD ? name[m] : "?";
}

typedef Vec(TearPick) PickList;

typedef struct Contest {
    const TearProblem *p;
    const TearOptions *o;
    Engine *e, *loose;
    PickList list;
    long share; /* of the work, for one run */
    Arena *arena;
} Contest;

static bool is_large(const Contest *t)
{
    return t->e->n > 1000;
}

static Rules rules_of(const Contest *t, bool penalties, bool bounded)
{
    return (Rules){t->o->least, penalties, bounded ? t->o->bound : INFINITY};
}

/* Each run may use its share, whatever the others left. */
static void new_share(Contest *t)
{
    t->e->limit = t->e->work + t->share;
}

static void improve(Contest *t, Rules r)
{
    if (!is_large(t))
        tear_improve(t->e, t->loose, r);
}

/* The choice in the engine, with its growth. */
static TearPick judge(Contest *t, TearMethod m, Rules r)
{
    TearPick c = choice_new(t->e, t->arena);
    int ncausal = t->e->n - c.is.ntorn;
    TearGrowth g = tear_growth(t->p, c.eqn, c.var, ncausal);
    c.is.method = m;
    c.is.penalties = r.penalties;
    c.is.repaired = r.bound < INFINITY;
    c.is.growth = g.value;
    c.is.growth_is_bound = g.is_bound;
    c.growth_var = g.var;
    c.is.accepted = t->p->nsample == 0 || g.value <= t->o->bound;
    return c;
}

static double cost(const Contest *t, const TearPick *c)
{
    return c->is.ntorn + t->o->penalty_cost * c->is.npenalty;
}

static int preferred(const Contest *t, const TearPick *c)
{
    int sum = 0;
    for (int k = 0; k < c->is.ntorn; k++)
        sum += engine_preference(t->e, c->torn[k]);
    return sum;
}

/* Among accepted ones, is a to be taken rather than b? */
static bool beats(const Contest *t, const TearPick *a, const TearPick *b)
{
    if (a->is.accepted != b->is.accepted)
        return a->is.accepted;
    if (cost(t, a) != cost(t, b))
        return cost(t, a) < cost(t, b);
    if (a->is.npenalty != b->is.npenalty)
        return a->is.npenalty < b->is.npenalty;
    if (preferred(t, a) != preferred(t, b))
        return preferred(t, a) > preferred(t, b);
    return a->is.growth < 0.5 * b->is.growth; /* a clear difference */
}

static void keep(Contest *t, TearPick c)
{
    vec_push(t->arena, &t->list, c);
}

/* Runs a heuristic; paired and free, the better one. */
static TearPick run_heuristic(Contest *t, TearMethod m, Rules r)
{
    TearPick best;
    for (int paired = 0; paired < 2; paired++) {
        new_share(t);
        if (m == TEAR_FRONT)
            search_front(t->e, r);
        else
            search_cellier(t->e, r, m == TEAR_MODIFIED, paired);
        improve(t, r);
        TearPick c = judge(t, m, r);
        if (paired == 0 || beats(t, &c, &best))
            best = c;
        if (m == TEAR_FRONT || is_large(t))
            break;
    }
    return best;
}

/* Follows a refused choice as far as the bound allows. */
static TearPick run_repair(Contest *t, TearMethod m, const TearPick *c, Rules r)
{
    new_share(t);
    search_repair(t->e, r, c->torn, c->is.ntorn);
    improve(t, r);
    return judge(t, m, r);
}

static void try_heuristic(Contest *t, TearMethod m, bool penalties)
{
    TearPick c = run_heuristic(t, m, rules_of(t, penalties, false));
    keep(t, c);
    if (c.is.accepted)
        return;
    Rules bounded = rules_of(t, penalties, true);
    TearPick again = run_heuristic(t, m, bounded);
    TearPick repaired = run_repair(t, m, &c, bounded);
    keep(t, beats(t, &repaired, &again) ? repaired : again);
}

/* The fewest torn unknowns found so far without regard to growth. */
static const TearPick *fewest(const Contest *t, bool penalties)
{
    const TearPick *best = NULL;
    for (int k = 0; k < t->list.n; k++) {
        const TearPick *c = &t->list.at[k];
        if (c->is.penalties == penalties &&
            (!best || c->is.ntorn < best->is.ntorn))
            best = c;
    }
    return best;
}

static void try_exact(Contest *t, bool penalties)
{
    Rules r = rules_of(t, penalties, false);
    const TearPick *known = fewest(t, penalties);
    if (t->e->n > t->o->exact_limit)
        return;
    new_share(t);
    t->e->limit += t->share; /* it needs more than the others */
    int least, ntorn = known ? known->is.ntorn : t->e->n + 1;
    TearPick c = known ? *known : (TearPick){0};
    if (search_exact(t->e, r, ntorn, &least))
        c = judge(t, TEAR_EXACT, r);
    c.is.method = TEAR_EXACT;
    c.is.least = least;
    c.is.proven = least >= c.is.ntorn;
    keep(t, c);
    if (!c.is.accepted)
        keep(t, run_repair(t, TEAR_EXACT, &c, rules_of(t, penalties, true)));
}

static bool has_penalties(const TearProblem *p)
{
    for (int k = 0; k < p->inc->nedge; k++)
        if (p->inc->weight[k] > 0)
            return true;
    return false;
}

/* In smaller blocks choices with penalties are looked at to be shown. */
enum { SHOWN = 150 };

/* May a choice with penalties be the best? Not if one counts for more than all
 * unknowns and there is a choice without. */
static bool may_pay(const Contest *t)
{
    bool is_dear = t->e->n > SHOWN && t->o->penalty_cost > t->e->n;
    for (int k = 0; k < t->list.n && is_dear; k++)
        if (t->list.at[k].is.accepted)
            return false;
    return has_penalties(t->p) && !is_large(t);
}

static int try_all(Contest *t)
{
    for (int penalties = 0; penalties < 2; penalties++) {
        if (penalties && !may_pay(t))
            break;
        for (int m = 0; m < TEAR_EXACT; m++)
            if (t->o->methods >> m & 1)
                try_heuristic(t, (TearMethod)m, penalties);
        if (t->o->methods >> TEAR_EXACT & 1)
            try_exact(t, penalties);
    }
    if (t->list.n == 0) /* too large for what was asked for */
        try_heuristic(t, TEAR_MODIFIED, false);
    int best = 0;
    for (int k = 1; k < t->list.n; k++)
        if (beats(t, &t->list.at[k], &t->list.at[best]))
            best = k;
    t->list.at[best].is.chosen = true;
    return best;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static const int *copy(const int *from, int n, Arena *out)
{
    int *to = NEW_ARRAY(out, int, n);
    for (int k = 0; k < n; k++)
        to[k] = from[k];
    return to;
}

static const int *unused(const TearPick *c, int n, Arena *out)
{
    Arena *local = arena_new();
    bool *used = NEW_ARRAY(local, bool, n);
    int *residual = NEW_ARRAY(out, int, c->is.ntorn);
    int count = 0;
    for (int k = 0; k < n - c->is.ntorn; k++)
        used[c->eqn[k]] = true;
    for (int i = 0; i < n; i++)
        if (!used[i])
            residual[count++] = i;
    assert(count == c->is.ntorn);
    arena_free(local);
    return residual;
}

static const Tear *result(const Contest *t, int chosen, Arena *out)
{
    const TearPick *c = &t->list.at[chosen];
    Tear *r = NEW(out, Tear);
    r->n = t->e->n;
    r->ntorn = c->is.ntorn;
    r->ncausal = r->n - r->ntorn;
    r->eqn = copy(c->eqn, r->ncausal, out);
    r->var = copy(c->var, r->ncausal, out);
    qsort(c->torn, (size_t)r->ntorn, sizeof *c->torn, by_number);
    r->torn = copy(c->torn, r->ntorn, out);
    r->residual = unused(c, r->n, out);
    r->npenalty = c->is.npenalty;
    for (int k = 0; k < r->ntorn; k++)
        r->nforbidden += engine_preference(t->e, r->torn[k]) == TEAR_NEVER;
    r->growth = c->is.growth;
    r->growth_is_bound = c->is.growth_is_bound;
    r->growth_var = c->growth_var;
    r->method = c->is.method;
    r->nalternative = t->list.n;
    TearAlternative *alt = NEW_ARRAY(out, TearAlternative, t->list.n);
    for (int k = 0; k < t->list.n; k++)
        alt[k] = t->list.at[k].is;
    r->alternative = alt;
    return r;
}

/* Larger blocks have more to gain, up to a limit; the largest that are improved
 * at all get less, so that time grows with size. */
static long work_for(int n)
{
    double part = n > 600 ? 600.0 / n : 1;
    return n < 300 ? 200000L * n : (long)(60000000 * part * part);
}

static Contest begin(const TearProblem *p, const TearOptions *o, Arena *local)
{
    assert(p->inc->neqn == p->inc->nvar);
    Contest t = {.p = p, .o = o, .arena = local};
    t.share = (o->work > 0 ? o->work : work_for(p->inc->neqn)) / 16;
    t.e = engine_new(p, t.share, local);
    t.loose = engine_new(p, t.share, local);
    return t;
}

const Tear *tear_block(const TearProblem *p, const TearOptions *o, Arena *out)
{
    Arena *local = arena_new();
    Contest t = begin(p, o, local);
    const Tear *r = result(&t, try_all(&t), out);
    arena_free(local);
    return r;
}

const Tear *tear_given(const TearProblem *p, const TearOptions *o,
                       const int *torn, int ntorn, Arena *out)
{
    Arena *local = arena_new();
    Contest t = begin(p, o, local);
    Rules r = rules_of(&t, true, false);
    search_repair(t.e, r, torn, ntorn);
    TearPick c = judge(&t, TEAR_FRONT, r);
    c.is.chosen = true;
    keep(&t, c);
    const Tear *result_ = result(&t, 0, out);
    arena_free(local);
    return result_;
}

const Tear *tear_followed(const TearProblem *p, const TearOptions *o,
                          const int *torn, int ntorn, Arena *out)
{
    Arena *local = arena_new();
    Contest t = begin(p, o, local);
    Rules r = rules_of(&t, o->penalty_cost < 1, true);
    search_repair(t.e, r, torn, ntorn);
    TearPick c = judge(&t, TEAR_FRONT, r);
    c.is.chosen = true;
    keep(&t, c);
    const Tear *result_ = result(&t, 0, out);
    arena_free(local);
    return result_;
}

void tear_check(const TearProblem *p, const Tear *t)
{
    Arena *local = arena_new();
    bool *known = NEW_ARRAY(local, bool, t->n);
    bool *used = NEW_ARRAY(local, bool, t->n);
    assert(t->n == p->inc->neqn && t->ncausal + t->ntorn == t->n);
    for (int k = 0; k < t->ntorn; k++) {
        assert(!known[t->torn[k]]);
        known[t->torn[k]] = true;
    }
    for (int k = 0; k < t->ncausal; k++) {
        int i = t->eqn[k];
        assert(!used[i] && !known[t->var[k]]);
        used[i] = known[t->var[k]] = true;
        int edge = incidence_find(p->inc, i, t->var[k]);
        assert(edge != NONE && p->inc->cls[edge] > EDGE_NONLINEAR);
        for (int q = p->inc->start[i]; q < p->inc->start[i + 1]; q++)
            assert(known[p->inc->var[q]]);
    }
    for (int k = 0; k < t->ntorn; k++) {
        assert(!used[t->residual[k]]);
        used[t->residual[k]] = true;
    }
    arena_free(local);
}
