/* fmu_exchange.c - what integrators of others need of generated code. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "target/fmu.h"

/* ---- rows ---- */

/* Rows by what they show: sorted by variable and order; of what stands beside
 * the variables, by slot. */
typedef struct Rows {
    const TargetInput *in;
    const EmitRow **by_var;
    int *own; /* by slot: row, or NONE */
} Rows;

/* Those of the step, and those that the C has besides. */
static int count_slots(const TargetInput *in)
{
    int n = in->step->fused->tape->nslot;
    for (int i = 0; i < in->out->nvar; i++)
        n = in->out->row[i].slot >= n ? in->out->row[i].slot + 1 : n;
    return n;
}

static int var_order(const void *a, const void *b)
{
    const EmitRow *x = *(const EmitRow *const *)a,
                  *y = *(const EmitRow *const *)b;
    int by_var = (x->var > y->var) - (x->var < y->var);
    int by_order = (x->order > y->order) - (x->order < y->order);
    int by_place = (x > y) - (x < y);
    return by_var ? by_var : by_order ? by_order : by_place;
}

static Rows sort_rows(const TargetInput *in, Arena *arena)
{
    int n = in->out->nvar, nslot = count_slots(in);
    Rows r = {in, NEW_ARRAY(arena, const EmitRow *, n + 1),
              NEW_ARRAY(arena, int, nslot + 1)};
    for (int i = 0; i < nslot; i++)
        r.own[i] = NONE;
    for (int i = n - 1; i >= 0; i--) {
        const EmitRow *row = &in->out->row[i];
        r.by_var[i] = row;
        if (row->use == EU_EXCHANGE)
            r.own[row->slot] = i;
    }
    qsort(r.by_var, (size_t)n, sizeof *r.by_var, var_order);
    return r;
}

/* The first row of VAR(var, order) in the order of by_var, or their number. */
static int first_row(const Rows *r, int var, int order)
{
    int low = 0, high = r->in->out->nvar;
    while (low < high) {
        int at = (low + high) / 2;
        const EmitRow *row = r->by_var[at];
        if (row->var < var || (row->var == var && row->order < order))
            low = at + 1;
        else
            high = at;
    }
    return low;
}

/* The variable of VAR(var, order). With of_row NULL: is there a row? */
static int find_variable(const Rows *r, const int *of_row, int var, int order)
{
    for (int i = first_row(r, var, order); i < r->in->out->nvar; i++) {
        const EmitRow *row = r->by_var[i];
        if (row->var != var || row->order != order)
            break;
        if (!of_row)
            return 1;
        if (of_row[row - r->in->out->row] != NONE)
            return of_row[row - r->in->out->row];
    }
    return NONE;
}

static double nominal_of(const FmuVar *v)
{
    return isfinite(v->nominal) && v->nominal > 0 ? v->nominal : 1;
}

static void list_states(FmuExchange *e, const Rows *r, FmuVar *var,
                        const int *of_row, Arena *arena)
{
    const Dae *d = r->in->step->dae;
    e->state = NEW_ARRAY(arena, int, d->nstate + 1);
    e->slope = NEW_ARRAY(arena, int, d->nstate + 1);
    e->nominal = NEW_ARRAY(arena, double, d->nstate + 1);
    for (int i = 0; i < d->nstate; i++) {
        const DaeState *x = &d->state[i];
        int state = find_variable(r, of_row, x->var, x->order);
        int slope = find_variable(r, of_row, x->var, x->order + 1);
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

/* By slot: its number in a list of n slots, NONE: it is not in it. */
static int *places(const TargetInput *in, const int *slot, int n, Arena *arena)
{
    int nslot = count_slots(in);
    int *place = NEW_ARRAY(arena, int, nslot + 1);
    for (int i = 0; i < nslot; i++)
        place[i] = NONE;
    for (int i = 0; i < n; i++)
        place[slot[i]] = i;
    return place;
}

/* References of variables that stand in one of these places, with the row of
 * what moves it; each once. With `constants_too` those that never move. */
static int list_moves(const Rows *rows, const FmuVar *var, int nvar,
                      const int *place, const int *by, bool constants_too,
                      FmuMove **list, Arena *arena)
{
    const TargetInput *in = rows->in;
    FmuMove *at = *list = NEW_ARRAY(arena, FmuMove, nvar + 1);
    int count = 0;
    for (int i = 0; i < nvar; i++) {
        if (var[i].row == NONE || var[i].alias != NONE ||
            var[i].type != FT_REAL)
            continue;
        const EmitRow *r = &in->out->row[var[i].row];
        if (moves(r) && place[r->slot] != NONE)
            at[count++] = (FmuMove){.reference = var[i].reference,
                                    .row = rows->own[by[place[r->slot]]],
                                    .sign = r->sign};
    }
    for (int i = 0; constants_too && i < nvar; i++)
        if (var[i].row != NONE && var[i].alias == NONE &&
            var[i].type == FT_REAL && !moves(&in->out->row[var[i].row]))
            at[count++] = (FmuMove){.reference = var[i].reference};
    qsort(at, (size_t)count, sizeof *at, by_reference);
    return count;
}

bool fmu_can_exchange(const TargetInput *in)
{
    const Dae *d = in->step->dae;
    bool can = in->step->fused->exchange && in->interface < TARGET_COSIM;
    if (!can)
        return false;
    Arena *local = arena_new();
    Rows r = sort_rows(in, local);
    for (int i = 0; can && i < d->nstate; i++)
        for (int k = 0; k < 2; k++)
            can &= find_variable(&r, NULL, d->state[i].var,
                                 d->state[i].order + k) != NONE;
    arena_free(local);
    return can;
}

/* The variables behind what is known: states first, then inputs and time. */
static int *list_known(const FmuExchange *e, const TargetInput *in,
                       const FmuVar *var, int nvar, const int *place,
                       Arena *arena)
{
    const FusedExchange *x = in->step->fused->exchange;
    int *of = NEW_ARRAY(arena, int, x->nknown + 1);
    for (int k = 0; k < x->nknown; k++)
        of[k] = k < e->nx ? e->state[k] : NONE;
    for (int i = nvar - 1; i >= 0; i--) {
        bool is = var[i].causality == FMU_INPUT ||
                  var[i].causality == FMU_INDEPENDENT;
        int k = is ? place[in->out->row[var[i].row].slot] : NONE;
        if (k >= e->nx)
            of[k] = i;
    }
    return of;
}

const FmuExchange *fmu_exchange(const TargetInput *in, FmuVar *var, int nvar,
                                const int *of_row, Arena *arena)
{
    const FusedExchange *x = in->step->fused->exchange;
    FmuExchange *e = NEW(arena, FmuExchange);
    Rows r = sort_rows(in, arena);
    list_states(e, &r, var, of_row, arena);
    e->nz = x->nz;
    e->indicator = NEW_ARRAY(arena, int, x->nz + 1);
    for (int i = 0; i < x->nz; i++)
        e->indicator[i] = r.own[x->indicator[i]];
    e->next = r.own[x->next];
    e->asks = r.own[x->asks];
    e->moves = x->moves;
    const int *known = places(in, x->known, x->nknown, arena);
    e->unknown_of = places(in, x->unknown, x->nunknown, arena);
    e->of_known = list_known(e, in, var, nvar, known, arena);
    if (x->moves) {
        e->nknown =
            list_moves(&r, var, nvar, known, x->seed, false, &e->known, arena);
        e->nunknown = list_moves(&r, var, nvar, e->unknown_of, x->tangent, true,
                                 &e->unknown, arena);
    }
    return e;
}

/* ---- dependencies ---- */

int fmu_dependencies(const FmuModel *m, const FmuVar *v, const int **list,
                     Arena *arena)
{
    const FusedExchange *x = m->in->step->fused->exchange;
    int n = 0;
    if (v->row == NONE || v->type != FT_REAL)
        return -1;
    if (!moves(&m->in->out->row[v->row])) {
        *list = NULL;
        return 0;
    }
    int unknown = m->exchange->unknown_of[m->in->out->row[v->row].slot];
    if (unknown == NONE)
        return -1;
    int *out = NEW_ARRAY(arena, int, x->nknown + 1);
    for (int k = 0; k < x->nknown; k++) {
        int of = x->depends[(size_t)unknown * (size_t)x->nknown + (size_t)k]
                     ? m->exchange->of_known[k]
                     : NONE;
        if (of != NONE)
            out[n++] = of;
    }
    *list = out;
    return n;
}
