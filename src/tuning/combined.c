/* combined.c - mixed mode, frozen and dropped entries and delays in one plan.
 *
 * The search starts from plans that are proven: the one given, the cheapest of
 * mixed mode, else the full step. Each has blocks of its own, and in them are
 * moves:
 *
 *   delay    equations use old values, so that the block falls apart; or an
 *            unknown is seen old by all equations of the block, by all but one
 *            or by one (combined_moves.c); or states are old where they make
 *            coefficients (coefficients.c), from the full step
 *   explicit the formula of a state takes the old derivative
 *   freeze   all varying entries of a block's matrix become their means
 *   drop     an entry leaves the matrix
 *
 * Cuts in a matrix need a plan that says which variables it has (`algebraic`),
 * so that delays come first, and then each way to say so is tried. Each move
 * is counted alone; those that save instructions are taken one after the
 * other, the largest saving first, if no eigenvalue of the plan with all taken
 * so far grows or rings. The plan is then proven and tried out like any other:
 * one proof for all kinds together (proof.h). If it fails or strays, moves that
 * were taken last go. Plans on the way are looked at in processes of their own,
 * on all cores.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "tuning/combined_internal.h"
#include "tuning/pool.h"

enum {
    MOST_BASES = 2,
    MOST_MOVES = 200,       /* counted at a time: so many, */
    FEW_MOVES = 30,         /* and in large models fewer: */
    MOST_EQUATIONS = 80000, /* of the steps that are made for it */
    MOST_TRIALS = 4,
};

#define NO_STEP                                                                \
    (1L << 60)            /* the cost of a plan that no step can be made of    \
                           */
#define WORTH        1.15 /* a view may cost this much more before its moves */
#define NEAR         1.05 /* costs as good as equal */
#define COEFFICIENTS "coefficients"

/* ---- plans ---- */

static void set_mode(Plan *p, const Move *m, Arena *arena)
{
    PlanStateMode *mode = NEW_ARRAY(arena, PlanStateMode, p->nmode + 2);
    int n = 0;
    for (int i = 0; i < p->nmode; i++)
        if (strcmp(p->mode[i].var, m->state))
            mode[n++] = p->mode[i];
    mode[n++] = (PlanStateMode){m->state, MODE_EXPLICIT, NO_SPAN};
    p->mode = mode;
    p->nmode = n;
    p->has[PLAN_MODES] = true;
}

Plan *combined_with(const Combiner *k, const Plan *from, const Move *m)
{
    Plan *p = NEW(k->t->c->arena, Plan);
    PlanCut *cut = NEW_ARRAY(k->t->c->arena, PlanCut, from->ncut + m->ncut + 1);
    *p = *from;
    for (int i = 0; i < from->ncut; i++)
        cut[i] = from->cut[i];
    for (int i = 0; i < m->ncut; i++)
        cut[from->ncut + i] = m->cut[i];
    p->cut = cut;
    p->ncut = from->ncut + m->ncut;
    p->has[PLAN_CUTS] = p->ncut > 0;
    if (m->state)
        set_mode(p, m, k->t->c->arena);
    return p;
}

/* ---- the search ---- */

/* The step of a plan, NULL if none can be made, and its instructions. */
static const Step *plan_step(const Combiner *k, const Plan *p, long *cost,
                             Arena *arena)
{
    const Compilation *c = k->t->c;
    Diag *unheard = diag_new(c->sources, arena);
    const Step *s = tuning_step(c, p, STEP_REALTIME, arena, unheard);
    long counted = s ? tuning_count(s) : 0;
    *cost = counted > 0 ? counted : NO_STEP;
    return s;
}

static long plan_cost(const Combiner *k, const Plan *p)
{
    Arena *work = arena_new();
    long cost;
    plan_step(k, p, &cost, work);
    arena_free(work);
    return cost;
}

static int by_saving(const void *a, const void *b)
{
    const Move *x = a, *y = b;
    return (x->saved < y->saved) - (x->saved > y->saved);
}

/* What is known of the base with one move more. */
typedef struct Look {
    long cost;
    bool holds; /* proven, and does not ring */
} Look;

/* Moves first .. first + n - 1 of a combiner are looked at. */
typedef struct Looking {
    Combiner *k;
    int first;
    bool prove;
} Looking;

/* Is it proven, and does it not ring? Products of steps are left to the proof
 * of the plan that comes out of it. With trials it has to stay near, too. */
static bool holds(Combiner *k, const Plan *p, const Step *s)
{
    Tuner *t = k->t;
    Proof proof = tuner_prove(t, p, s, false);
    if (proof.state != PROOF_PROVEN || proof_rings(&proof))
        return false;
    if (!k->has_trials)
        return true;
    const TrialRun *x = tuning_trial(t->c, p, t->r->spec, t->r->reference,
                                     t->r->watch, t->r->nwatch);
    return x->ran && x->deviation.percent <= tuner_limit(t);
}

static void look(void *context, int job, void *result)
{
    const Looking *l = context;
    Look *at = result;
    const Plan *p =
        combined_with(l->k, l->k->base, &l->k->move.at[l->first + job]);
    Arena *work = arena_new();
    const Step *s = plan_step(l->k, p, &at->cost, work);
    at->holds = l->prove && at->cost < l->k->cost && holds(l->k, p, s);
    arena_free(work);
}

static void look_failed(void *context, int job, int signal, int code,
                        void *result)
{
    (void)context, (void)job, (void)signal, (void)code;
    *(Look *)result = (Look){NO_STEP, false};
}

/* Each in a process of its own: what a plan takes to be looked at is large, and
 * nobody needs it again. */
static void look_at(Looking *l, int n, const char *what, Look *out)
{
    PoolJobs jobs = {.n = n,
                     .size = sizeof *out,
                     .work = look,
                     .crashed = look_failed,
                     .context = l,
                     .alone = true,
                     .what = what,
                     .progress = l->k->t->o->progress};
    pool_run(&jobs, out);
}

static int most_moves(const Combiner *k)
{
    int most = k->s->system->neqn > 0 ? MOST_EQUATIONS / k->s->system->neqn
                                      : MOST_MOVES;
    most = most < FEW_MOVES ? FEW_MOVES : most > MOST_MOVES ? MOST_MOVES : most;
    return k->move.n < most ? k->move.n : most;
}

/* Those that save something, the best first. */
static void count_moves(Combiner *k)
{
    int most = most_moves(k), n = 0;
    Look *at = NEW_ARRAY(k->t->c->arena, Look, most + 1);
    Looking l = {.k = k};
    look_at(&l, most, "moves", at);
    for (int i = 0; i < most; i++) {
        Move *m = &k->move.at[i];
        m->saved = k->cost - at[i].cost;
        if (m->saved > 0)
            k->move.at[n++] = *m;
    }
    k->move.n = n;
    if (n > 1)
        qsort(k->move.at, (size_t)n, sizeof *k->move.at, by_saving);
}

static void find_moves(Combiner *k, MoveKind kind)
{
    k->move.n = 0;
    k->step = tuner_structure(k->t, k->base, k->t->r->reference->samples);
    if (!k->step)
        return;
    k->s = k->step->schedule[k->step->inlined->cycle[0]];
    combined_find_moves(k, kind);
    count_moves(k);
}

/* Moves with a cut that the base has by now go. */
static void drop_known(Combiner *k, int from)
{
    int n = from;
    for (int i = from; i < k->move.n; i++) {
        const Move *m = &k->move.at[i];
        bool known = false;
        for (int j = 0; j < m->ncut; j++)
            known |= combined_has_cut(k->base, &m->cut[j]);
        if (!known)
            k->move.at[n++] = *m;
    }
    k->move.n = n;
}

static void take(Combiner *k, int move, long cost)
{
    Move *m = NEW(k->t->c->arena, Move);
    *m = k->move.at[move];
    k->taken[k->n] = m;
    k->plan[++k->n] = k->base = combined_with(k, k->base, m);
    k->cost = cost;
}

/* The plan with all moves that hold together. As many are looked at together as
 * there are cores; after one that is taken, the others are looked at again. */
static void take_moves(Combiner *k)
{
    int width = pool_width(0);
    Look *at = NEW_ARRAY(k->t->c->arena, Look, width + 1);
    for (int i = 0; i < k->move.n && k->n < COMBINED_MOST_TAKEN;) {
        int n = k->move.n - i < width ? k->move.n - i : width, good = 0;
        Looking l = {.k = k, .first = i, .prove = true};
        look_at(&l, n, "moves together", at);
        while (good < n && !at[good].holds)
            good++;
        if (good < n) {
            take(k, i + good, at[good].cost);
            drop_known(k, i + good + 1);
        }
        i += good + (good < n);
    }
}

/* Cuts in the matrix of each view; what is cheapest stays, if it is cheaper
 * than without. */
static void take_in_matrix(Combiner *k)
{
    static const PlanAlgebraic view[] = {PA_SOLVE, PA_KEEP_SMALL, PA_KEEP};
    Combiner best = *k;
    for (int i = 0; i < 3; i++) {
        Combiner other = *k;
        if (k->base->has[PLAN_ALGEBRAIC] && k->base->algebraic != PA_AUTO &&
            k->base->algebraic != view[i])
            continue;
        Plan *p = NEW(k->t->c->arena, Plan);
        *p = *k->base;
        p->algebraic = view[i];
        p->has[PLAN_ALGEBRAIC] = true;
        Plan whole = *p; /* what a cut in the matrix makes of it */
        whole.one_block = true;
        other.base = p;
        other.cost = plan_cost(k, p);
        if ((double)plan_cost(k, &whole) > WORTH * (double)k->cost)
            continue;
        find_moves(&other, MOVE_MATRIX);
        take_moves(&other);
        if (other.cost < best.cost)
            best = other;
    }
    *k = best;
}

static const char *modes_text(const Combiner *k)
{
    int freeze = 0, drop = 0, delay = 0, explicit = k->nexplicit;
    for (int i = 0; i < k->n; i++) {
        const Move *m = k->taken[i];
        freeze += strcmp(m->what, "freeze") ? 0 : m->ncut;
        drop += strcmp(m->what, "drop") ? 0 : m->ncut;
        delay += strcmp(m->what, "delay") ? 0 : m->ncut;
        explicit += m->state != NULL;
    }
    return arena_printf(k->t->c->arena,
                        "%d explicit, %d entries frozen, %d dropped, %d "
                        "delays",
                        explicit, freeze, drop, delay);
}

/* The cheapest proven candidate of a group that is not used yet. */
static int find_base(const Tuner *t, TuneGroup group, const int *used, int n)
{
    int best = NONE;
    for (int i = 0; i < t->r->candidate.n; i++) {
        const TuneCandidate *k = &t->r->candidate.at[i];
        bool known = false;
        for (int j = 0; j < n; j++)
            known |= used[j] == i;
        if (known || k->group != group || !k->is_safe || !k->trial->ran ||
            proof_rings(&k->proof) || strcmp(k->plan->method, "lie") ||
            !(k->trial->deviation.percent <= tuner_limit(t)))
            continue;
        if (best == NONE || k->trial->instructions <
                                t->r->candidate.at[best].trial->instructions)
            best = i;
    }
    return best;
}

/* The candidates from which a search starts. */
static int find_bases(const Tuner *t, int *used)
{
    static const TuneGroup group[] = {TUNE_MIXED, TUNE_BASE};
    int n = 0, found = NONE;
    const TuneCandidate *given =
        t->r->given == NONE ? NULL : &t->r->candidate.at[t->r->given];
    if (given && given->is_safe && given->trial->ran)
        used[n++] = t->r->given;
    for (int i = 0; i < 2 && found == NONE; i++)
        found = find_base(t, group[i], used, n);
    if (found != NONE)
        used[n++] = found;
    return n;
}

static Combiner begin(Tuner *t, int base)
{
    const TuneCandidate *from = &t->r->candidate.at[base];
    Combiner k = {.t = t,
                  .base = from->plan,
                  .cost = from->trial->instructions,
                  .nexplicit = from->plan->nmode};
    k.plan[0] = k.base;
    return k;
}

static void search(Combiner *k)
{
    find_moves(k, MOVE_DELAYS);
    take_moves(k);
    take_in_matrix(k);
}

/* From the full step: coefficients of the point where the step begins
 * (coefficients.c); if not those of all states, those of some, where that is
 * worth it. What they leave is searched like the others if it is cheaper than
 * what these have come to. */
static void search_coefficients(Combiner *k, long others)
{
    find_moves(k, MOVE_COEFFICIENTS);
    long least = k->move.n > 0 ? k->cost - k->move.at[0].saved : NO_STEP;
    k->has_trials = true;
    take_moves(k);
    if (k->n == 0 && (double)least < NEAR * (double)others) {
        find_moves(k, MOVE_COEFFICIENTS_IN_PARTS);
        take_moves(k);
    }
    k->has_trials = false;
    if (k->n > 0 && k->cost < others)
        search(k);
}

/* A search, where it comes from and what its candidate is called. */
typedef struct Search {
    Combiner k;
    const char *from, *name;
} Search;

/* All searches; what another process has found is read. */
static int search_all(Tuner *t, CombinedText *found, Search *out)
{
    int base[MOST_BASES], n = find_bases(t, base);
    int full = find_base(t, TUNE_BASE, NULL, 0);
    long cheapest = NO_STEP;
    for (int i = 0; i < n; i++) {
        out[i] =
            (Search){begin(t, base[i]), t->r->candidate.at[base[i]].name,
                     base[i] == t->r->given ? "given, combined" : "combined"};
        if (!found || !combined_get(found, out[i].from, &out[i].k))
            search(&out[i].k);
        if (out[i].k.cost < cheapest)
            cheapest = out[i].k.cost;
    }
    if (full == NONE)
        return n;
    out[n] = (Search){begin(t, full), COEFFICIENTS, COEFFICIENTS};
    if (!found || !combined_get(found, out[n].from, &out[n].k))
        search_coefficients(&out[n].k, cheapest);
    return n + 1;
}

void tuner_combined_find(Tuner *t, char *to, size_t size)
{
    Search all[MOST_BASES + 1];
    int n = search_all(t, NULL, all);
    CombinedText text = combined_write(to, size);
    for (int i = 0; i < n; i++)
        combined_put(&text, all[i].from, &all[i].k);
    combined_finish(&text);
}

/* The plan with all moves becomes a candidate; if it fails or strays, with half
 * of them. */
static void try_out(Tuner *t, Combiner *k, const char *name)
{
    for (int trial = 0; k->n > 0 && trial < MOST_TRIALS; trial++) {
        Plan *p = NEW(t->c->arena, Plan);
        *p = *k->plan[k->n];
        TuneCandidate *c = tuner_add(t, name, TUNE_COMBINED, p);
        c->modes = modes_text(k);
        if (c->is_safe && !proof_rings(&c->proof) && c->trial->ran &&
            c->trial->deviation.percent <= tuner_limit(t))
            return;
        t->r->candidate.n--;
        k->n /= 2;
    }
}

void tuner_combined(Tuner *t, const char *found, size_t size)
{
    Search all[MOST_BASES + 1];
    CombinedText text = combined_read(found, size);
    int n = search_all(t, &text, all);
    for (int i = 0; i < n; i++)
        try_out(t, &all[i].k, all[i].name);
}
