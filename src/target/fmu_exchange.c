/* fmu_exchange.c - what integrators of others need of generated code. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "target/fmu.h"

/* ---- rows ---- */

/* Of what stands beside the variables, by slot. */
static int find_own(const TargetInput *in, int slot)
{
    for (int i = 0; i < in->out->nvar; i++)
        if (in->out->row[i].use == EU_EXCHANGE && in->out->row[i].slot == slot)
            return i;
    return NONE;
}

/* The variable of VAR(var, order). */
static int find_variable(const TargetInput *in, const int *of_row, int var,
                         int order)
{
    for (int i = 0; i < in->out->nvar; i++)
        if (in->out->row[i].var == var && in->out->row[i].order == order &&
            of_row[i] != NONE)
            return of_row[i];
    return NONE;
}

static double nominal_of(const FmuVar *v)
{
    return isfinite(v->nominal) && v->nominal > 0 ? v->nominal : 1;
}

static void list_states(FmuExchange *e, const TargetInput *in, FmuVar *var,
                        const int *of_row, Arena *arena)
{
    const Dae *d = in->step->dae;
    e->state = NEW_ARRAY(arena, int, d->nstate + 1);
    e->slope = NEW_ARRAY(arena, int, d->nstate + 1);
    e->nominal = NEW_ARRAY(arena, double, d->nstate + 1);
    for (int i = 0; i < d->nstate; i++) {
        const DaeState *x = &d->state[i];
        int state = find_variable(in, of_row, x->var, x->order);
        int slope = find_variable(in, of_row, x->var, x->order + 1);
        e->state[e->nx] = state;
        e->slope[e->nx] = slope;
        e->nominal[e->nx++] = nominal_of(&var[state]);
        var[state].is_state = true;
    }
}

/* ---- what moves ---- */

static int by_reference(const void *a, const void *b)
{
    return ((const FmuMove *)a)->reference - ((const FmuMove *)b)->reference;
}

/* A row that is a number has the slot of something else. */
static bool moves(const EmitRow *r)
{
    return r->sign != 0;
}

/* References of variables that stand in one of these slots, with the row of
 * what moves it; each once. With `constants_too` those that never move. */
static int list_moves(const TargetInput *in, const FmuVar *var, int nvar,
                      const int *slot, const int *by, int n, bool constants_too,
                      FmuMove **list, Arena *arena)
{
    FmuMove *at = *list = NEW_ARRAY(arena, FmuMove, nvar + 1);
    int count = 0;
    for (int i = 0; i < nvar; i++) {
        if (var[i].row == NONE || var[i].alias != NONE ||
            var[i].type != FT_REAL)
            continue;
        const EmitRow *r = &in->out->row[var[i].row];
        for (int k = 0; moves(r) && k < n; k++)
            if (slot[k] == r->slot)
                at[count++] = (FmuMove){.reference = var[i].reference,
                                        .row = find_own(in, by[k]),
                                        .sign = r->sign};
    }
    for (int i = 0; constants_too && i < nvar; i++)
        if (var[i].row != NONE && var[i].alias == NONE &&
            var[i].type == FT_REAL && !moves(&in->out->row[var[i].row]))
            at[count++] = (FmuMove){.reference = var[i].reference};
    qsort(at, (size_t)count, sizeof *at, by_reference);
    return count;
}

static bool has_row(const TargetInput *in, int var, int order)
{
    for (int i = 0; i < in->out->nvar; i++)
        if (in->out->row[i].var == var && in->out->row[i].order == order)
            return true;
    return false;
}

bool fmu_can_exchange(const TargetInput *in)
{
    const Dae *d = in->step->dae;
    bool can = in->step->fused->exchange && in->interface < TARGET_COSIM;
    for (int i = 0; can && i < d->nstate; i++)
        can = has_row(in, d->state[i].var, d->state[i].order) &&
              has_row(in, d->state[i].var, d->state[i].order + 1);
    return can;
}

const FmuExchange *fmu_exchange(const TargetInput *in, FmuVar *var, int nvar,
                                const int *of_row, Arena *arena)
{
    const FusedExchange *x = in->step->fused->exchange;
    FmuExchange *e = NEW(arena, FmuExchange);
    list_states(e, in, var, of_row, arena);
    e->nz = x->nz;
    e->indicator = NEW_ARRAY(arena, int, x->nz + 1);
    for (int i = 0; i < x->nz; i++)
        e->indicator[i] = find_own(in, x->indicator[i]);
    e->next = find_own(in, x->next);
    e->asks = find_own(in, x->asks);
    e->moves = x->moves;
    if (x->moves) {
        e->nknown = list_moves(in, var, nvar, x->known, x->seed, x->nknown,
                               false, &e->known, arena);
        e->nunknown = list_moves(in, var, nvar, x->unknown, x->tangent,
                                 x->nunknown, true, &e->unknown, arena);
    }
    return e;
}

/* ---- dependencies ---- */

/* The variable behind known quantity k. */
static int known_variable(const FmuModel *m, const FusedExchange *x, int k)
{
    if (k < m->exchange->nx)
        return m->exchange->state[k];
    for (int i = 0; i < m->nvar; i++)
        if ((m->var[i].causality == FMU_INPUT ||
             m->var[i].causality == FMU_INDEPENDENT) &&
            m->in->out->row[m->var[i].row].slot == x->known[k])
            return i;
    return NONE;
}

int fmu_dependencies(const FmuModel *m, const FmuVar *v, const int **list,
                     Arena *arena)
{
    const FusedExchange *x = m->in->step->fused->exchange;
    int unknown = NONE, n = 0;
    if (v->row == NONE || v->type != FT_REAL)
        return -1;
    if (!moves(&m->in->out->row[v->row])) {
        *list = NULL;
        return 0;
    }
    for (int i = 0; i < x->nunknown; i++)
        if (x->unknown[i] == m->in->out->row[v->row].slot)
            unknown = i;
    if (unknown == NONE)
        return -1;
    int *out = NEW_ARRAY(arena, int, x->nknown + 1);
    for (int k = 0; k < x->nknown; k++) {
        int of = x->depends[(size_t)unknown * (size_t)x->nknown + (size_t)k]
                     ? known_variable(m, x, k)
                     : NONE;
        if (of != NONE)
            out[n++] = of;
    }
    *list = out;
    return n;
}
