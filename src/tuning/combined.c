/* combined.c - mixed mode, frozen and dropped entries and delays in one plan.
 *
 * The search starts from plans that are proven: the one given, the cheapest of
 * mixed mode, else the full step. Each has blocks of its own, and in them are
 * moves:
 *
 *   delay    equations use old values, so that the block falls apart; or a
 *            state that is implicit is seen old by all equations of the block,
 *            or by all but one
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
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/pool.h"
#include "tuning/tuning_internal.h"

enum {
    MOST_BASES = 2,
    MOST_MOVES = 60, /* counted at a time */
    MOST_SEEN = 8,   /* equations of a block that see a state */
    MOST_TAKEN = 40,
    DELAY_FROM = 2, /* equations of a block that is worth a delay */
    DELAY_TO = 60,
    MOST_DELAYS = 2, /* of a block */
    MOST_TRIALS = 4,
};

#define NO_STEP (1L << 60) /* the cost of a plan that no step can be made of   \
                            */
#define WORTH 1.15         /* a view may cost this much more before its moves */

typedef struct Move {
    const char *what; /* "freeze", "drop", "delay" */
    const PlanCut *cut;
    int ncut;
    long saved; /* instructions, alone */
} Move;

typedef struct Combiner {
    Tuner *t;
    const Plan *base; /* what moves are added to, */
    long cost;        /* its instructions */
    Vec(Move) move;   /* for it */
    const Step *step;
    const Schedule *s;
    /* plan[i] has i moves; the base is plan[0] */
    int n;
    const Plan *plan[MOST_TAKEN + 1];
    const Move *taken[MOST_TAKEN + 1];
    int nexplicit; /* states */
} Combiner;

/* ---- plans ---- */

static Plan *with_cuts(const Combiner *k, const Plan *from, const Move *m)
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
    p->has[PLAN_CUTS] = true;
    return p;
}

static bool has_cut(const Plan *p, const PlanCut *c)
{
    for (int i = 0; i < p->ncut; i++)
        if (!strcmp(p->cut[i].eqn, c->eqn) && !strcmp(p->cut[i].var, c->var))
            return true;
    return false;
}

/* ---- entries of a block ---- */

/* The constant of a frozen entry: its mean over the samples for choosing, as a
 * plan writes it (schedule/jacobian.c). NaN if there is none. */
static double mean_of(const Combiner *k, const SchedBlock *b, int row, int col,
                      Expr value)
{
    const Inlined *d = k->step->inlined;
    const Samples *samples = k->t->r->reference->samples;
    const InlinedEqn *e = &k->s->system->eqn[b->residual_eqn[row]];
    bool is_state = e->kind == IE_INTEGRATION && e->state != NONE;
    const InlinedVar *v = &d->var[b->torn[col]];
    bool has_mass = is_state && d->dae->state[e->state].var == v->sys_var &&
                    d->dae->state[e->state].order == v->order;
    double sum = 0;
    int n = 0;
    for (int i = 0; i < k->step->samples->nsample; i++) {
        const SamplePoint *at = &samples->point.at[i];
        if (at->kept_back)
            continue;
        InlinedPoint p = {k->step->samples->value[i], at->time};
        sum += expr_eval(d->dag, value, inlined_leaf_value, &p);
        n++;
    }
    double mean = n > 0 ? sum / n : NAN;
    return is_state ? ((has_mass ? 1 : 0) - mean) / k->t->c->size : mean;
}

static PlanCut cut_of(const Combiner *k, const SchedBlock *b, int row, int col,
                      PlanCutKind kind, Expr value)
{
    const Inlined *d = k->step->inlined;
    InlinedEqn e = k->s->system->eqn[b->residual_eqn[row]];
    e.stage = DIFF_END;
    return (PlanCut){
        .kind = kind,
        .eqn = inlined_eqn_name(d, &e, k->t->c->arena),
        .var = d->var[b->torn[col]].name,
        .value = kind == CUT_FROZEN ? mean_of(k, b, row, col, value) : NAN,
        .span = NO_SPAN};
}

static void add_move(Combiner *k, const char *what, const PlanCut *cut, int n)
{
    for (int i = 0; i < n; i++)
        if (has_cut(k->base, &cut[i]) ||
            (cut[i].kind == CUT_FROZEN && !isfinite(cut[i].value)))
            return;
    if (n > 0)
        vec_push(k->t->c->arena, &k->move, ((Move){what, cut, n, 0}));
}

/* All varying entries of a block become constants. */
static void add_freeze(Combiner *k, const SchedBlock *b)
{
    const SchedJacobian *jac = &b->jac;
    PlanCut *all = NEW_ARRAY(k->t->c->arena, PlanCut, jac->nnz + 1);
    int n = 0;
    for (int j = 0; j < jac->n; j++)
        for (int e = jac->start[j]; e < jac->start[j + 1]; e++)
            if (jac->variance[e] > SV_PARAMETER && jac->value[e] != EXPR_NONE)
                all[n++] =
                    cut_of(k, b, jac->row[e], j, CUT_FROZEN, jac->value[e]);
    add_move(k, "freeze", all, n);
}

static void add_drops(Combiner *k, const SchedBlock *b)
{
    const SchedJacobian *jac = &b->jac;
    for (int j = 0; j < jac->n && jac->n > 1; j++)
        for (int e = jac->start[j]; e < jac->start[j + 1]; e++) {
            PlanCut *one = NEW(k->t->c->arena, PlanCut);
            *one = cut_of(k, b, jac->row[e], j, CUT_SPARSED, EXPR_NONE);
            add_move(k, "drop", one, 1);
        }
}

static void add_delays(Combiner *k, int block)
{
    Tuner *t = k->t;
    const SchedSamples *v = k->step->samples;
    const Samples *samples = t->r->reference->samples;
    Arena *a = t->c->arena;
    bool *kept_back = NEW_ARRAY(a, bool, v->nsample + 1);
    double *time = NEW_ARRAY(a, double, v->nsample + 1);
    for (int i = 0; i < v->nsample; i++) {
        kept_back[i] = samples->point.at[i].kept_back;
        time[i] = samples->point.at[i].time;
    }
    LagOptions o = lag_defaults();
    o.most_cuts = MOST_DELAYS;
    o.work = 1000000;
    const LagBlock *b = lag_from_schedule(k->s, block, v, time, kept_back, a);
    const LagList *list = b ? lag_find(b, &o, a) : NULL;
    for (int i = 0; list && i < list->n && i < o.most_cuts; i++) {
        const LagCut *l = &list->cut[i];
        PlanCut *cut = NEW_ARRAY(a, PlanCut, l->nedge + 1);
        for (int e = 0; e < l->nedge; e++)
            cut[e] = (PlanCut){CUT_STEP, l->eqn[e], l->var[e], NAN, NO_SPAN};
        if (l->step_sound)
            add_move(k, "delay", cut, l->nedge);
    }
}

/* Does the equation of the model have the variable? */
static bool sees(const Combiner *k, int eqn, int entry)
{
    const Inlined *d = k->step->inlined;
    const InlinedEqn *e = &k->s->system->eqn[eqn];
    return e->kind == IE_MODEL &&
           (expr_contains(d->dag, e->lhs, d->var[entry].leaf) ||
            expr_contains(d->dag, e->rhs, d->var[entry].leaf));
}

/* The cuts that let the equations of a block see the old value of a state. */
static int cuts_of_state(const Combiner *k, const SchedBlock *b, int entry,
                         PlanCut *cut)
{
    const Inlined *d = k->step->inlined;
    int n = 0;
    for (int i = 0; i < b->nchain + b->ntorn; i++) {
        int eqn =
            i < b->nchain ? b->chain[i].eqn : b->residual_eqn[i - b->nchain];
        if (!sees(k, eqn, entry))
            continue;
        if (n == MOST_SEEN)
            return 0;
        InlinedEqn e = k->s->system->eqn[eqn];
        e.stage = DIFF_END;
        cut[n++] = (PlanCut){.kind = CUT_STEP,
                             .eqn = inlined_eqn_name(d, &e, k->t->c->arena),
                             .var = d->var[entry].name,
                             .value = NAN,
                             .span = NO_SPAN};
    }
    return n;
}

static void add_old_states(Combiner *k, const SchedBlock *b)
{
    const Inlined *d = k->step->inlined;
    Arena *a = k->t->c->arena;
    for (int i = 0; i < b->nchain + b->ntorn; i++) {
        int entry = i < b->nchain ? b->chain[i].var : b->torn[i - b->nchain];
        if (!d->var[entry].is_state || d->var[entry].stage != DIFF_END)
            continue;
        PlanCut *all = NEW_ARRAY(a, PlanCut, MOST_SEEN + 1);
        int n = cuts_of_state(k, b, entry, all);
        add_move(k, "delay", all, n);
        for (int out = 0; out < n && n > 1; out++) {
            PlanCut *some = NEW_ARRAY(a, PlanCut, n + 1);
            for (int j = 0, at = 0; j < n; j++)
                if (j != out)
                    some[at++] = all[j];
            add_move(k, "delay", some, n - 1);
        }
    }
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
 * of the plan that comes out of it. */
static bool holds(Combiner *k, const Plan *p, const Step *s)
{
    Proof proof = tuner_prove(k->t, p, s, false);
    return proof.state == PROOF_PROVEN && !proof_rings(&proof);
}

static void look(void *context, int job, void *result)
{
    const Looking *l = context;
    Look *at = result;
    const Plan *p = with_cuts(l->k, l->k->base, &l->k->move.at[l->first + job]);
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

/* Those that save something, the best first. */
static void count_moves(Combiner *k)
{
    int most = k->move.n < MOST_MOVES ? k->move.n : MOST_MOVES, n = 0;
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

/* The blocks that are not solved once and for all, the dearest first. */
static int list_blocks(const Combiner *k, int *list)
{
    int n = 0;
    for (int b = 0; b < k->s->nblock; b++) {
        const SchedBlock *at = &k->s->block[b];
        if (at->ntorn == 0 || at->solution || at->kind == SK_CONSTANT)
            continue;
        int place = n++;
        for (; place > 0 && k->s->block[list[place - 1]].jac.nnz < at->jac.nnz;
             place--)
            list[place] = list[place - 1];
        list[place] = b;
    }
    return n;
}

/* Delays, or cuts in matrices: whole blocks first. */
static void find_moves(Combiner *k, bool in_matrix)
{
    k->move.n = 0;
    k->step = tuner_structure(k->t, k->base, k->t->r->reference->samples);
    if (!k->step)
        return;
    k->s = k->step->schedule[k->step->inlined->cycle[0]];
    int *block = NEW_ARRAY(k->t->c->arena, int, k->s->nblock + 1);
    int n = list_blocks(k, block);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < n; i++) {
            const SchedBlock *at = &k->s->block[block[i]];
            bool is_middle = at->size >= DELAY_FROM && at->size <= DELAY_TO;
            if (!in_matrix && turn == 0 && is_middle)
                add_delays(k, block[i]);
            if (!in_matrix && turn == 1)
                add_old_states(k, at);
            if (in_matrix && turn == 0)
                add_freeze(k, at);
            if (in_matrix && turn == 1)
                add_drops(k, at);
        }
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
            known |= has_cut(k->base, &m->cut[j]);
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
    k->plan[++k->n] = k->base = with_cuts(k, k->base, m);
    k->cost = cost;
}

/* The plan with all moves that hold together. As many are looked at together as
 * there are cores; after one that is taken, the others are looked at again. */
static void take_moves(Combiner *k)
{
    int width = pool_width(0);
    Look *at = NEW_ARRAY(k->t->c->arena, Look, width + 1);
    for (int i = 0; i < k->move.n && k->n < MOST_TAKEN;) {
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
        find_moves(&other, true);
        take_moves(&other);
        if (other.cost < best.cost)
            best = other;
    }
    *k = best;
}

static const char *modes_text(const Combiner *k)
{
    int freeze = 0, drop = 0, delay = 0;
    for (int i = 0; i < k->n; i++) {
        const Move *m = k->taken[i];
        freeze += strcmp(m->what, "freeze") ? 0 : m->ncut;
        drop += strcmp(m->what, "drop") ? 0 : m->ncut;
        delay += strcmp(m->what, "delay") ? 0 : m->ncut;
    }
    return arena_printf(k->t->c->arena,
                        "%d explicit, %d entries frozen, %d dropped, %d "
                        "delays",
                        k->nexplicit, freeze, drop, delay);
}

static void combine(Tuner *t, int base, const char *name)
{
    const TuneCandidate *from = &t->r->candidate.at[base];
    Combiner k = {.t = t,
                  .base = from->plan,
                  .cost = from->trial->instructions,
                  .nexplicit = from->plan->nmode};
    k.plan[0] = k.base;
    find_moves(&k, false);
    take_moves(&k);
    take_in_matrix(&k);
    for (int trial = 0; k.n > 0 && trial < MOST_TRIALS; trial++) {
        Plan *p = NEW(t->c->arena, Plan);
        *p = *k.plan[k.n];
        TuneCandidate *c = tuner_add(t, name, TUNE_COMBINED, p);
        c->modes = modes_text(&k);
        if (c->is_safe && !proof_rings(&c->proof) && c->trial->ran &&
            c->trial->deviation.percent <= tuner_limit(t))
            return;
        t->r->candidate.n--;
        k.n /= 2;
    }
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

void tuner_combined(Tuner *t)
{
    static const TuneGroup group[] = {TUNE_MIXED, TUNE_BASE};
    int used[MOST_BASES], n = 0;
    const TuneCandidate *given =
        t->r->given == NONE ? NULL : &t->r->candidate.at[t->r->given];
    if (given && given->is_safe && given->trial->ran)
        used[n++] = t->r->given;
    int found = NONE;
    for (int i = 0; i < 2 && found == NONE; i++)
        found = find_base(t, group[i], used, n);
    if (found != NONE)
        used[n++] = found;
    for (int i = 0; i < n; i++)
        combine(t, used[i],
                used[i] == t->r->given ? "given, combined" : "combined");
}
