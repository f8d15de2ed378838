/* maps.c - a plan's step, run with its derivatives in every sample. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/maps.h"

#include <math.h>
#include <string.h>

#include "tape/tangent.h"
#include "tuning/trial.h"

enum { MOST_DIRECTIONS = 64 }; /* at once */

typedef struct Maps {
    const Step *step;
    const Lowered *low;
    const Inlined *d;
    const Samples *samples;
    const SchedSamples *value;
    Tangent *tangent;
    int n;
    int count[3]; /* states, derivatives, algebraic ones */
    int *slot;    /* size n: what is remembered, in this order */
    Arena *arena, *work;
    const char *why;
} Maps;

/* ---- what a step remembers ---- */

typedef struct Use {
    bool *read;    /* of each slot: before it was written */
    bool *written; /* at all */
} Use;

static void read_slot(Use *u, int slot)
{
    if (slot != NONE && !u->written[slot])
        u->read[slot] = true;
}

static void use_instr(const Tape *t, int at, Use *u)
{
    const TapeInstr *in = &t->code.at[at];
    int slot[3], n = tape_reads(in, slot);
    for (int i = 0; i < n; i++)
        read_slot(u, slot[i]);
    if (tape_op_kind(in->op) == TI_SYSTEM) {
        const TapeSystem *s = &t->system.at[in->a];
        for (int i = 0; i < s->nnz; i++)
            read_slot(u, s->entry[i]);
        for (int i = 0; i < s->n; i++)
            u->written[s->rhs[i]] = true;
    }
    if (tape_op_kind(in->op) == TI_BLOCK) {
        const TapeBlock *b = &t->block.at[in->a];
        for (int i = 0; i < b->n; i++) {
            read_slot(u, b->x[i]);
            u->written[b->x[i]] = true;
        }
    }
    if (tape_writes(in) != NONE)
        u->written[tape_writes(in)] = true;
}

static void use_segment(const Tape *t, const TapeSegment *s, Use *u)
{
    for (int i = s->first; i < s->first + s->count; i++)
        use_instr(t, i, u);
}

/* 0: a state; 1: a derivative; 2: neither. */
static int kind_of(const Maps *m, int slot)
{
    int entry = m->low->tape->meaning[slot].entry;
    const InlinedVar *v = entry == NONE ? NULL : &m->d->var[entry];
    for (int i = 0; v && m->d->dae && i < m->d->dae->nstate; i++)
        if (m->d->dae->state[i].var == v->sys_var &&
            m->d->dae->state[i].order == v->order)
            return 0;
    return v && v->order > 0 ? 1 : 2;
}

/* Does it hold a number that can move? */
static bool can_move(const Maps *m, int slot)
{
    const Tape *t = m->low->tape;
    int entry = t->meaning[slot].entry;
    return t->region[slot] == TR_CARRY && entry != NONE &&
           m->d->var[entry].type == ET_REAL && !m->d->var[entry].is_discrete &&
           m->d->var[entry].kind != IV_RELATION &&
           m->d->var[entry].kind != IV_PARAMETER;
}

/* The systems of a cycle and what they hand on. */
static void find_remembered(Maps *m)
{
    const Tape *t = m->low->tape;
    Use u = {NEW_ARRAY(m->work, bool, t->nslot + 1),
             NEW_ARRAY(m->work, bool, t->nslot + 1)};
    for (int i = 0; i < m->d->ncycle; i++) {
        const LoweredSystem *s = &m->low->system[m->d->cycle[i]];
        use_segment(t, &s->run, &u);
        use_segment(t, &s->carry, &u);
    }
    m->slot = NEW_ARRAY(m->arena, int, t->nslot + 1);
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < t->nslot; i++)
            if (u.read[i] && u.written[i] && can_move(m, i) &&
                kind_of(m, i) == part) {
                m->slot[m->n++] = i;
                m->count[part]++;
            }
}

/* ---- one sample ---- */

static void set_values(Maps *m, int sample)
{
    double *r = m->tangent->r;
    const double *value = m->value->value[sample];
    for (int i = 0; i < m->d->nvar; i++) {
        if (m->low->slot[i] != NONE)
            r[m->low->slot[i]] = value[i];
        if (m->low->pre[i] != NONE)
            r[m->low->pre[i]] = value[i];
    }
    r[m->low->tape->time] = m->samples->point.at[sample].time;
    r[m->low->tape->step] = m->step->input.size;
    if (m->low->lambda != NONE)
        r[m->low->lambda] = 1;
}

/* Columns first .. first + count of the map. */
static bool run_columns(Maps *m, int sample, int first, int count, double *map)
{
    Tangent *t = m->tangent;
    tangent_rest(t);
    t->failed = false;
    set_values(m, sample);
    if (!tangent_run(t, tape_find_segment(m->low->tape, "param")))
        return false;
    for (int k = 0; k < count; k++)
        tangent_seed(t, m->slot[first + k], k);
    for (int i = 0; i < m->d->ncycle; i++) {
        const LoweredSystem *s = &m->low->system[m->d->cycle[i]];
        if (!tangent_run(t, &s->run) || !tangent_run(t, &s->carry))
            return false;
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m->n; i++)
            map[i + (size_t)(first + k) * (size_t)m->n] =
                tangent_of(t, m->slot[i], k);
    return true;
}

static double *map_of(Maps *m, int sample)
{
    size_t size = (size_t)m->n * (size_t)m->n;
    double *map = NEW_ARRAY(m->work, double, size + 1);
    for (int at = 0; at < m->n; at += MOST_DIRECTIONS) {
        int count = m->n - at < MOST_DIRECTIONS ? m->n - at : MOST_DIRECTIONS;
        if (!run_columns(m, sample, at, count, map)) {
            m->why = arena_strdup(m->arena, m->tangent->why);
            return NULL;
        }
    }
    for (size_t i = 0; i < size; i++)
        if (!isfinite(map[i])) {
            m->why = "the derivative of a step is not finite";
            return NULL;
        }
    return map;
}

/* ---- all of them ---- */

/* Leaves out what has no effect: a column of zeros adds an eigenvalue 0. */
static bool drop_column(Maps *m, double **map, int nsample)
{
    size_t n = (size_t)m->n;
    int kept = 0, gone[3] = {0};
    bool *keep = NEW_ARRAY(m->work, bool, m->n + 1);
    for (int j = 0; j < m->n; j++) {
        for (int s = 0; s < nsample && !keep[j]; s++)
            for (size_t i = 0; map[s] && i < n && !keep[j]; i++)
                keep[j] = map[s][i + (size_t)j * n] != 0;
        kept += keep[j];
        if (!keep[j])
            gone[kind_of(m, m->slot[j])]++;
    }
    if (kept == m->n)
        return false;
    for (int s = 0; s < nsample; s++) {
        size_t at = 0;
        for (size_t j = 0; map[s] && j < n; j++)
            for (size_t i = 0; i < n && keep[j]; i++)
                if (keep[i])
                    map[s][at++] = map[s][i + j * n];
    }
    int at = 0;
    for (int j = 0; j < m->n; j++)
        if (keep[j])
            m->slot[at++] = m->slot[j];
    m->n = kept;
    for (int i = 0; i < 3; i++)
        m->count[i] -= gone[i];
    return true;
}

/* Nominal values of states; the others in what those make of them. */
static const double *units_of(const Maps *m, double *const *map, int nsample)
{
    double *unit = NEW_ARRAY(m->arena, double, m->n + 1);
    int nx = m->count[0];
    for (int i = 0; i < m->n; i++) {
        const InlinedVar *v =
            &m->d->var[m->low->tape->meaning[m->slot[i]].entry];
        double value = 1;
        Expr e = v->sys_var == NONE || v->order > 0
                     ? EXPR_NONE
                     : m->d->sys->var[v->sys_var].nominal;
        bool given =
            e != EXPR_NONE && expr_is_const(m->d->dag, e, &value) && value != 0;
        unit[i] = given ? fabs(value) : 1;
        for (int s = 0; i >= nx && s < nsample; s++) {
            double sum = 0;
            for (int j = 0; map[s] && j < nx; j++)
                sum += fabs(map[s][i + (size_t)j * (size_t)m->n]) * unit[j];
            unit[i] = s == 0 && sum > 0 ? sum : fmax(unit[i], sum);
        }
    }
    return unit;
}

static void fill(Maps *m, StepMaps *out)
{
    int nsample = m->samples->point.n;
    double **map = NEW_ARRAY(m->work, double *, nsample + 1);
    StepMap *list = NEW_ARRAY(m->arena, StepMap, nsample + 1);
    m->tangent = tangent_new(m->low->tape, MOST_DIRECTIONS);
    for (int s = 0; s < nsample; s++)
        map[s] = map_of(m, s);
    tangent_free(m->tangent);
    while (drop_column(m, map, nsample))
        ;
    size_t size = (size_t)m->n * (size_t)m->n;
    for (int s = 0; s < nsample; s++) {
        const SamplePoint *at = &m->samples->point.at[s];
        list[s] = (StepMap){NULL, at->time, at->scenario, at->kept_back};
        if (!map[s])
            continue;
        double *copy = NEW_ARRAY(m->arena, double, size + 1);
        memcpy(copy, map[s], size * sizeof *copy);
        list[s].m = copy;
    }
    const char **name = NEW_ARRAY(m->arena, const char *, m->n + 1);
    for (int i = 0; i < m->n; i++)
        name[i] = arena_strdup(m->arena, m->low->tape->slot_name[m->slot[i]]);
    *out = (StepMaps){.n = m->n,
                      .nx = m->count[0],
                      .nd = m->count[1],
                      .name = name,
                      .unit = units_of(m, map, nsample),
                      .nsample = nsample,
                      .sample = list,
                      .why = m->why};
}

const StepMaps *tuning_step_maps(const Step *step, const Samples *samples,
                                 Arena *arena)
{
    StepMaps *out = NEW(arena, StepMaps);
    Arena *work = arena_new();
    Maps m = {.step = step,
              .low = step->host,
              .d = step->inlined,
              .samples = samples,
              .arena = arena,
              .work = work};
    m.value = samples_values(samples, m.d, step->input.size, work);
    find_remembered(&m);
    fill(&m, out);
    arena_free(work);
    return out;
}

const StepMaps *tuning_maps(const Compilation *c, const Plan *plan,
                            const Samples *samples, Arena *arena)
{
    Arena *work = arena_new();
    Diag *unheard = diag_new(c->sources, work);
    const Step *step = tuning_step(c, plan, STEP_HOST, work, unheard);
    const StepMaps *out = step ? tuning_step_maps(step, samples, arena) : NULL;
    if (!out) {
        StepMaps *none = NEW(arena, StepMaps);
        none->why = "no step could be made";
        out = none;
    }
    arena_free(work);
    return out;
}
