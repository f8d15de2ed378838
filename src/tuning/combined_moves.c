/* combined_moves.c - what can be taken off a plan: the moves of combined.c.
 *
 * A delay lets equations of a block see an old value. Which ones is the
 * question: minimum cuts (tune/lag.h) take a block apart with the fewest;
 * columns, a state seen old by all equations of the block or by all but one,
 * take it out of the block; and an algebraic unknown of an iteration seen old
 * by all but one equation, or by one alone, is often the link between two
 * halves that no minimum cut of the equations shows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tuning/combined_internal.h"

enum {
    MOST_SEEN = 8,  /* equations of a block that see an unknown */
    DELAY_FROM = 2, /* equations of a block that is worth a delay */
    DELAY_TO = 60,
    MOST_DELAYS = 2, /* of a block */
};

bool combined_has_cut(const Plan *p, const PlanCut *c)
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

void combined_add_move(Combiner *k, const char *what, const PlanCut *cut, int n)
{
    for (int i = 0; i < n; i++)
        if (combined_has_cut(k->base, &cut[i]) ||
            (cut[i].kind == CUT_FROZEN && !isfinite(cut[i].value)))
            return;
    if (n > 0)
        vec_push(k->t->c->arena, &k->move,
                 ((Move){.what = what, .cut = cut, .ncut = n}));
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
    combined_add_move(k, "freeze", all, n);
}

static void add_drops(Combiner *k, const SchedBlock *b)
{
    const SchedJacobian *jac = &b->jac;
    for (int j = 0; j < jac->n && jac->n > 1; j++)
        for (int e = jac->start[j]; e < jac->start[j + 1]; e++) {
            PlanCut *one = NEW(k->t->c->arena, PlanCut);
            *one = cut_of(k, b, jac->row[e], j, CUT_SPARSED, EXPR_NONE);
            combined_add_move(k, "drop", one, 1);
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
            combined_add_move(k, "delay", cut, l->nedge);
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

/* The cuts that let the equations of a block see the old value of an unknown;
 * 0 if they are many. */
static int cuts_of(const Combiner *k, const SchedBlock *b, int entry,
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

/* All of the cuts but one, for each of them. */
static void add_all_but_one(Combiner *k, const PlanCut *all, int n)
{
    for (int out = 0; out < n && n > 1; out++) {
        PlanCut *some = NEW_ARRAY(k->t->c->arena, PlanCut, n + 1);
        for (int j = 0, at = 0; j < n; j++)
            if (j != out)
                some[at++] = all[j];
        combined_add_move(k, "delay", some, n - 1);
    }
}

static void add_old_states(Combiner *k, const SchedBlock *b)
{
    const Inlined *d = k->step->inlined;
    for (int i = 0; i < b->nchain + b->ntorn; i++) {
        int entry = i < b->nchain ? b->chain[i].var : b->torn[i - b->nchain];
        if (!d->var[entry].is_state || d->var[entry].stage != DIFF_END)
            continue;
        PlanCut *all = NEW_ARRAY(k->t->c->arena, PlanCut, MOST_SEEN + 1);
        int n = cuts_of(k, b, entry, all);
        combined_add_move(k, "delay", all, n);
        add_all_but_one(k, all, n);
    }
}

/* States of a block whose formulas take the old derivative. */
static void add_explicit(Combiner *k, const SchedBlock *b)
{
    const Inlined *d = k->step->inlined;
    for (int i = 0; i < b->nchain + b->ntorn; i++) {
        int entry = i < b->nchain ? b->chain[i].var : b->torn[i - b->nchain];
        const InlinedVar *v = &d->var[entry];
        if (!v->is_state || v->stage != DIFF_END || v->order != 0)
            continue;
        if (plan_mode(k->base, v->name) != MODE_IMPLICIT)
            continue;
        vec_push(k->t->c->arena, &k->move,
                 ((Move){.what = "explicit", .state = v->name}));
    }
}

/* Unknowns of an iteration that are no states: seen old by all equations of the
 * block but one, or by one. */
static void add_old_unknowns(Combiner *k, const SchedBlock *b)
{
    const Inlined *d = k->step->inlined;
    for (int i = 0; i < b->ntorn && b->ntorn > 1; i++) {
        int entry = b->torn[i];
        if (d->var[entry].is_state || d->var[entry].stage != DIFF_END)
            continue;
        PlanCut *all = NEW_ARRAY(k->t->c->arena, PlanCut, MOST_SEEN + 1);
        int n = cuts_of(k, b, entry, all);
        add_all_but_one(k, all, n);
        for (int one = 0; one < n && n > 2; one++)
            combined_add_move(k, "delay", &all[one], 1);
    }
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

/* Moves that leave matrices as they are. */
static void add_delays_of(Combiner *k, int block, int turn)
{
    const SchedBlock *at = &k->s->block[block];
    bool is_middle = at->size >= DELAY_FROM && at->size <= DELAY_TO;
    if (turn == 0 && is_middle)
        add_delays(k, block);
    if (turn == 1) {
        add_old_states(k, at);
        add_explicit(k, at);
        add_old_unknowns(k, at);
    }
}

void combined_find_moves(Combiner *k, MoveKind kind)
{
    int *block = NEW_ARRAY(k->t->c->arena, int, k->s->nblock + 1);
    int n = list_blocks(k, block);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < n; i++) {
            const SchedBlock *at = &k->s->block[block[i]];
            if (kind == MOVE_DELAYS)
                add_delays_of(k, block[i], turn);
            else if (kind <= MOVE_COEFFICIENTS_IN_PARTS && turn == 0)
                combined_find_coefficients(k, at,
                                           kind == MOVE_COEFFICIENTS_IN_PARTS);
            else if (kind == MOVE_MATRIX && turn == 0)
                add_freeze(k, at);
            else if (kind == MOVE_MATRIX)
                add_drops(k, at);
        }
}
