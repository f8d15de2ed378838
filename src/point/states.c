/* states.c - which candidates are states: rechosen between steps.
 *
 * A set has n candidates, of which n - m are states; the others follow from m
 * constraints, so their part of the constraints' Jacobian (dae_set_matrix) must
 * be regular. It is looked at after each step: Gaussian elimination with
 * complete pivoting gives the best m columns. When the determinant of those in
 * use has fallen below half of the best, the choice changes: the matrix P of s
 * = P * candidates gets new unit rows, s and its derivative take the values of
 * the new states. The tape stays the same.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/columns.h"
#include "point/point_parts.h"

enum { HYSTERESIS = 2 }; /* how much better another choice must be */

struct SimSet {
    const DaeStateSet *set;
    int m;           /* candidates that are no states */
    const int *slot; /* of the entries of its matrix */
    double *entry;   /* and their values at the present point */
    double *value;   /* reduced to the candidates, m x ncandidate by rows */
    double *work;
    int *column; /* of it */
    bool *marks; /* four of each candidate */
    int *chosen; /* candidate behind each state, size nstate */
};

void sim_find_sets(Sim *s)
{
    const Dae *dae = s->low->inlined->dae;
    if (!dae || dae->nset == 0)
        return;
    s->nset = dae->nset;
    s->set = NEW_ARRAY(s->arena, SimSet, dae->nset);
    for (int k = 0; k < dae->nset; k++) {
        SimSet *out = &s->set[k];
        const DaeStateSet *set = out->set = &dae->set[k];
        out->m = set->ncandidate - set->nstate;
        int size = out->m * set->ncandidate;
        out->slot = s->low->set_entry[k];
        out->entry = NEW_ARRAY(s->arena, double, set->nentry);
        out->value = NEW_ARRAY(s->arena, double, size);
        out->work = NEW_ARRAY(s->arena, double, size);
        out->column = NEW_ARRAY(s->arena, int, set->ncandidate);
        out->marks = NEW_ARRAY(s->arena, bool, 4 * set->ncandidate);
        out->chosen = NEW_ARRAY(s->arena, int, set->nstate);
        memcpy(out->chosen, set->initial, (size_t)set->nstate * sizeof(int));
    }
}

/* The slot of a leaf of the Dae at the end of the step. */
static int leaf_slot(const Sim *s, Expr leaf)
{
    int var, order;
    if (!expr_is_var(s->low->inlined->dag, leaf, &var, &order))
        return NONE;
    int entry = inlined_find(s->low->inlined, var, order);
    return entry == NONE ? NONE : s->low->slot[entry];
}

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Sim *s = context;
    int slot = leaf_slot(s, e);
    if (slot != NONE)
        return s->exec->r[slot];
    return expr_op(d, e) == EX_TIME ? s->exec->r[s->low->tape->time] : 0;
}

/* The states of the set become those candidates that are not in `dependent`. */
static void choose(Sim *s, SimSet *out, const bool *dependent)
{
    const DaeStateSet *set = out->set;
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    int k = 0;
    for (int j = 0; j < set->ncandidate && k < set->nstate; j++) {
        if (dependent[j])
            continue;
        const DaeState *state = &d->dae->state[set->first_state + k];
        for (int i = 0; i < set->ncandidate; i++)
            r[s->low->slot[set->select[k * set->ncandidate + i]]] = i == j;
        r[leaf_slot(s, state->leaf)] = r[leaf_slot(s, set->candidate[j])];
        int der = leaf_slot(s, state->der);
        int from = leaf_slot(s, set->candidate_der[j]);
        if (der != NONE && from != NONE)
            r[der] = r[from];
        out->chosen[k++] = j;
    }
}

static bool look_at(Sim *s, SimSet *out, bool *work)
{
    const DaeStateSet *set = out->set;
    int n = set->ncandidate;
    bool *all = work, *current = work + n, *used = work + 2 * n,
         *best = work + 3 * n;
    for (int i = 0; i < set->nentry; i++)
        out->entry[i] = s->exec->r[out->slot[i]];
    if (!dae_set_matrix(set, out->entry, out->value))
        return false;
    for (int j = 0; j < n; j++) {
        all[j] = current[j] = true;
        used[j] = best[j] = false;
    }
    for (int k = 0; k < set->nstate; k++)
        current[out->chosen[k]] = false;
    Columns matrix = {out->m, set->ncandidate, out->value, out->work,
                      out->column};
    double now = columns_pivot(&matrix, current, used);
    double possible = columns_pivot(&matrix, all, best);
    if (!(now * HYSTERESIS < possible))
        return false;
    choose(s, out, best);
    return true;
}

int sim_chosen_slot(const Sim *s, int state)
{
    int k = s->low->inlined->dae->state[state].set;
    if (k == NONE)
        return NONE;
    const DaeStateSet *set = s->set[k].set;
    int j = s->set[k].chosen[state - set->first_state];
    return leaf_slot(s, set->candidate[j]);
}

int sim_state_slot(const Sim *s, int state)
{
    const DaeState *x = &s->low->inlined->dae->state[state];
    return x->set == NONE ? leaf_slot(s, x->leaf) : sim_chosen_slot(s, state);
}

/* What a state is that the model does not have (reduce/natural.c): the other
 * side of its equation; EXPR_NONE. */
static Expr meaning_of(const Dae *dae, const DaeState *x)
{
    if (dae->sys->var[x->var].flat != NONE)
        return EXPR_NONE;
    for (int i = 0; i < dae->neqn; i++)
        if (dae->eqn[i].lhs == x->leaf)
            return dae->eqn[i].rhs;
    return EXPR_NONE;
}

void sim_follow_states(Sim *s)
{
    const Dae *dae = s->low->inlined->dae;
    for (int k = 0; dae && k < dae->nstate; k++) {
        const DaeState *x = &dae->state[k];
        int slot = leaf_slot(s, x->leaf);
        Expr meaning = x->set == NONE ? meaning_of(dae, x) : EXPR_NONE;
        if (x->set != NONE)
            s->exec->r[slot] = s->exec->r[sim_chosen_slot(s, k)];
        else if (meaning != EXPR_NONE)
            s->exec->r[slot] = expr_eval(dae->dag, meaning, leaf_value, s);
    }
}

bool sim_choose_states(Sim *s)
{
    bool changed = false;
    Status code = s->exec->code;
    s->exec->code = STATUS_FINE;
    exec_run(s->exec, &s->low->sets);
    s->exec->code = code;
    for (int k = 0; k < s->nset; k++)
        changed |= look_at(s, &s->set[k], s->set[k].marks);
    return changed;
}

void sim_restore_sets(Sim *s)
{
    for (int k = 0; k < s->nset; k++) {
        const DaeStateSet *set = s->set[k].set;
        for (int i = 0; i < set->nstate; i++)
            for (int j = 0; j < set->ncandidate; j++)
                if (s->exec->r
                        [s->low->slot[set->select[i * set->ncandidate + j]]] ==
                    1)
                    s->set[k].chosen[i] = j;
    }
}
