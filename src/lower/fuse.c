/* fuse.c - the segments of a step, one behind the other.
 *
 * The order is that of sim/sim.c and sim/events.c. Segments are copied with new
 * temporaries, so that a temporary keeps being written once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/fuse.h"

#include <string.h>

typedef struct Fuse {
    const Lowered *low;
    const Diff *d;
    const FuseOptions *options;
    Tape *t;
    Arena *arena, *local;
    Fused *out;
    int zero, one;
} Fuse;

/* --- copies of segments
 * ----------------------------------------------------------------- */

static int mapped(const int *map, int nmap, int slot)
{
    return slot == NONE || slot >= nmap ? slot : map[slot];
}

static int *mapped_list(Fuse *f, const int *map, int nmap, const int *list,
                        int n)
{
    int *out = NEW_ARRAY(f->t->arena, int, n + 1);
    for (int i = 0; i < n; i++)
        out[i] = mapped(map, nmap, list[i]);
    return out;
}

static int copy_block(Fuse *f, int number, const int *map, int nmap)
{
    TapeBlock b = f->t->block.at[number];
    b.residual = mapped_list(f, map, nmap, b.residual, b.n);
    b.delta = mapped_list(f, map, nmap, b.delta, b.n);
    vec_push(f->t->arena, &f->t->block, b);
    return f->t->block.n - 1;
}

static int copy_system(Fuse *f, int number, const int *map, int nmap)
{
    TapeSystem s = f->t->system.at[number];
    s.entry = mapped_list(f, map, nmap, s.entry, s.nnz);
    s.rhs = mapped_list(f, map, nmap, s.rhs, s.n);
    vec_push(f->t->arena, &f->t->system, s);
    return f->t->system.n - 1;
}

static void copy_segment(Fuse *f, const TapeSegment *s)
{
    Tape *t = f->t;
    int nmap = t->nslot;
    int *map = NEW_ARRAY(f->local, int, nmap);
    int *system = NEW_ARRAY(f->local, int, t->system.n + 1);
    memset(system, 0xff, (size_t)(t->system.n + 1) * sizeof(int));
    for (int i = 0; i < nmap; i++)
        map[i] = i;
    for (int i = s->first; i < s->first + s->count; i++) {
        TapeInstr in = t->code.at[i];
        if (in.op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in.a];
            for (int k = 0; k < b->n; k++) {
                map[b->residual[k]] = tape_slot(t, TR_TEMP, NULL, 0);
                map[b->delta[k]] = tape_slot(t, TR_TEMP, NULL, 0);
                b = &t->block.at[in.a];
            }
            tape_emit(t, in.op, 0, copy_block(f, in.a, map, nmap), NONE, NONE);
            continue;
        }
        if (in.op == TAPE_FACTOR || in.op == TAPE_SOLVE) {
            if (system[in.a] == NONE)
                system[in.a] = copy_system(f, in.a, map, nmap);
            tape_emit(t, in.op, 0, system[in.a], NONE, NONE);
            continue;
        }
        int a = mapped(map, nmap, in.a), b = mapped(map, nmap, in.b);
        int c = mapped(map, nmap, in.c);
        if (t->region[in.dst] == TR_TEMP && map[in.dst] == in.dst)
            map[in.dst] = tape_slot(t, TR_TEMP, NULL, 0);
        tape_emit(t, in.op, map[in.dst], a, b, c);
    }
}

static void copy(Fuse *f, int to, int from)
{
    tape_emit(f->t, TAPE_COPY, to, from, NONE, NONE);
}

/* --- between steps
 * ---------------------------------------------------------------------- */

/* sim_set_pre: the slots it writes and what they get. */
static void set_pre(Fuse *f)
{
    const Lowered *low = f->low;
    for (int i = 0; i < f->d->nvar; i++) {
        const DiffVar *v = &f->d->var[i];
        if (low->pre[i] != NONE)
            copy(f, low->pre[i], low->slot[i]);
        if (v->kind != DV_OLD || v->back != 1 || low->slot[i] == NONE)
            continue;
        int new = diff_find(f->d, v->sys_var, v->order);
        if (new != NONE && f->d->var[new].kind == DV_VALUE)
            copy(f, low->slot[i], low->slot[new]);
    }
}

static void set_left(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++)
        if (f->low->pre[i] != NONE && !f->d->var[i].is_discrete)
            copy(f, f->low->pre[i], f->low->slot[i]);
}

static void end_sampling(Fuse *f)
{
    if (!f->low->has_sample || f->d->event == NONE)
        return;
    copy(f, f->low->sampling, f->zero);
    copy_segment(f, &f->low->system[f->d->event].run);
    set_pre(f);
    copy(f, f->low->sampling, f->one);
}

/* --- events
 * ------------------------------------------------------------------------- */

static bool has_events(const Fuse *f)
{
    if (f->d->event == NONE)
        return false;
    bool any = f->d->nrelation > 0 || f->d->sys->naction > 0;
    for (int i = 0; i < f->d->nvar; i++)
        any |= f->low->pre[i] != NONE && f->d->var[i].is_discrete;
    return any;
}

static void or_into(Fuse *f, int *flag, int slot)
{
    *flag =
        *flag == NONE ? slot : tape_emit(f->t, EX_OR, NONE, *flag, slot, NONE);
}

/* Actions, relations and discrete variables at the present point. Returns the
 * slot that tells whether anything changed. */
static int look(Fuse *f)
{
    const Lowered *low = f->low;
    const Sys *sys = f->d->sys;
    Tape *t = f->t;
    int changed = NONE;
    if (sys->naction > 0)
        copy_segment(f, &low->actions);
    for (int i = 0; i < sys->naction; i++) {
        const LoweredAction *a = &low->action[i];
        if (sys->action[i].kind != FA_REINIT || a->target == NONE)
            continue;
        int differs = tape_emit(t, EX_NE, NONE, a->target, a->value, NONE);
        int acts = tape_emit(t, EX_AND, NONE, a->active, differs, NONE);
        acts = tape_emit(t, EX_NE, NONE, acts, f->zero, NONE);
        tape_emit(t, EX_IF, a->target, acts, a->value, a->target);
        or_into(f, &changed, acts);
    }
    copy_segment(f, &low->relations);
    for (int i = 0; i < f->d->nrelation; i++) {
        int frozen = low->slot[f->d->relation[i].var];
        or_into(f, &changed,
                tape_emit(t, EX_NE, NONE, frozen, low->relation_now[i], NONE));
        copy(f, frozen, low->relation_now[i]);
    }
    for (int i = 0; i < f->d->nvar; i++)
        if (low->pre[i] != NONE && f->d->var[i].is_discrete)
            or_into(f, &changed,
                    tape_emit(t, EX_NE, NONE, low->pre[i], low->slot[i], NONE));
    if (changed != NONE && f->out->broken != NONE)
        tape_emit(t, EX_OR, f->out->broken, f->out->broken, changed, NONE);
    return changed == NONE ? f->zero : changed;
}

/* Marks the slots that code from `first` on writes, temporaries apart. */
static void mark_written(const Fuse *f, int first, bool *written)
{
    const Tape *t = f->t;
    for (int i = first; i < t->code.n; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            for (int k = 0; k < b->n; k++)
                written[b->x[k]] = true;
        } else if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE &&
                   in->op != TAPE_REPEAT && t->region[in->dst] != TR_TEMP) {
            written[in->dst] = true;
        }
    }
}

/* The model once more with new pre values, if `changed`; else nothing. What
 * would be overwritten is saved before. */
static void evaluate_if(Fuse *f, int changed)
{
    Tape *t = f->t;
    int n = t->nslot, first = t->code.n;
    bool *written = NEW_ARRAY(f->local, bool, n);
    set_pre(f);
    copy_segment(f, &f->low->system[f->d->event].run);
    mark_written(f, first, written);
    t->code.n = first; /* now with the saves in front */
    int *saved = NEW_ARRAY(f->local, int, n);
    for (int i = 0; i < n; i++)
        if (written[i])
            saved[i] = tape_emit(t, TAPE_COPY, NONE, i, NONE, NONE);
    set_pre(f);
    copy_segment(f, &f->low->system[f->d->event].run);
    for (int i = 0; i < n; i++)
        if (written[i])
            tape_emit(t, EX_IF, i, changed, i, saved[i]);
}

static void settle(Fuse *f)
{
    Tape *t = f->t;
    if (!has_events(f))
        return;
    int head = t->code.n;
    tape_emit(t, TAPE_REPEAT, 0, f->options->events_max, NONE, NONE);
    evaluate_if(f, look(f));
    t->code.at[head].b = t->code.n - head - 1;
    tape_emit(t, TAPE_COPY, f->out->unsettled, look(f), NONE, NONE);
}

/* Inputs are held during a step: stages see the value the caller has set. */
static void hold_inputs(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++) {
        const DiffVar *v = &f->d->var[i];
        int slot = f->low->slot[i];
        if (v->kind != DV_INPUT || slot == NONE || i == v->sys_var)
            continue;
        int from = f->low->slot[v->sys_var];
        copy(f, slot, v->order > 0 || from == NONE ? f->zero : from);
    }
}

/* --- the step
 * ------------------------------------------------------------------------------
 */

static void fuse_step(Fuse *f, int system)
{
    Tape *t = f->t;
    const LoweredSystem *s = &f->low->system[system];
    end_sampling(f);
    if (f->out->broken != NONE)
        copy(f, f->out->broken, f->zero);
    tape_emit(t, EX_ADD, f->out->count, f->out->count, f->one, NONE);
    int passed = tape_emit(t, EX_MUL, NONE, f->out->count, t->step, NONE);
    tape_emit(t, EX_ADD, t->time, tape_const(t, f->options->start), passed,
              NONE);
    hold_inputs(f);
    copy_segment(f, &s->run);
    copy_segment(f, &s->carry);
    set_left(f);
    settle(f);
    if (f->d->event != NONE)
        set_pre(f);
    copy_segment(f, &f->low->output);
}

static void add_system(Fuse *f, int system)
{
    for (int i = 0; i < f->out->nstep; i++)
        if (f->out->system[i] == system)
            return;
    f->out->system[f->out->nstep++] = system;
}

static void mark_wanted(Fuse *f)
{
    Tape *t = f->t;
    f->out->wanted = NEW_ARRAY(f->arena, bool, t->nslot);
    for (int i = 0; i < t->symbol.n; i++)
        if (f->options->wanted[i] &&
            t->region[t->symbol.at[i].slot] != TR_CONST)
            f->out->wanted[t->symbol.at[i].slot] = true;
    f->out->wanted[t->time] = true;
    if (f->out->broken != NONE)
        f->out->wanted[f->out->broken] = true;
    if (f->out->unsettled != NONE)
        f->out->wanted[f->out->unsettled] = true;
}

Fused *fuse(const Lowered *low, const FuseOptions *options, Arena *arena)
{
    const Diff *d = low->diff;
    Fuse f = {.low = low,
              .d = d,
              .options = options,
              .t = low->tape,
              .arena = arena,
              .local = arena_new(),
              .out = NEW(arena, Fused)};
    Fused *out = f.out;
    out->low = low;
    out->system = NEW_ARRAY(arena, int, d->nstart + d->ncycle + 1);
    for (int i = 0; i < d->nstart; i++)
        add_system(&f, d->start[i]);
    for (int i = 0; i < d->ncycle; i++)
        add_system(&f, d->cycle[i]);
    f.zero = tape_const(f.t, 0);
    f.one = tape_const(f.t, 1);
    out->count = tape_slot(f.t, TR_CARRY, "steps done", 0);
    out->broken = d->nstart > 0 && has_events(&f)
                      ? tape_slot(f.t, TR_CARRY, "history broken", 0)
                      : NONE;
    out->unsettled =
        has_events(&f) ? tape_slot(f.t, TR_CARRY, "events left", 0) : NONE;
    TapeSegment *segment = NEW_ARRAY(f.local, TapeSegment, out->nstep + 1);
    const TapeSegment *param = tape_find_segment(f.t, "param");
    segment[0] = *param;
    for (int i = 0; i < out->nstep; i++) {
        tape_begin(f.t, arena_printf(arena, "fused.%s",
                                     d->system[out->system[i]].name));
        fuse_step(&f, out->system[i]);
        tape_end(f.t);
        segment[i + 1] = vec_last(&f.t->segment);
    }
    mark_wanted(&f);
    Pruned *p = tape_prune(f.t, segment, out->nstep + 1, out->wanted, arena);
    out->tape = p->tape;
    out->carried = p->carried;
    arena_free(f.local);
    return out;
}
