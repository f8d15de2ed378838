/* fuse_rates.c - several rates in one step.
 *
 * A variable with a periodic clock changes at its ticks only (clocks/rates.c),
 * and a step has one place where clocks tick: there its equation stands in a
 * GUARD, everywhere else it is left out. When guards are passed is a matter of
 * counters, not of data: a cyclic schedule that is known before the run, in
 * which each rate does the same work at each of its ticks.
 *
 * Afterwards a guard takes in what only it reads, and guards of a rate become
 * one where nothing between them minds: instructions are put off as long as
 * they can be,
 *
 *     pending[rate]   instructions of the rate, in their order
 *     an instruction that touches what one of these writes, or writes what one
 *     of these reads, comes after all of them: GUARD { pending }
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "step/fuse_internal.h"
#include "tape/touch.h"

/* ---- whose rate ---- */

/* The rate of each variable of Sys: that of the flat variables it stands for.
 */
static int *variable_rates(Fuse *f)
{
    const Sys *sys = f->d->sys;
    const Flat *flat = sys->flat;
    int *rate = NEW_ARRAY(f->local, int, sys->nvar + 1);
    bool *differs = NEW_ARRAY(f->local, bool, sys->nvar + 1);
    memset(rate, 0xff, (size_t)(sys->nvar + 1) * sizeof(int));
    for (int i = 0; i < flat->nvar; i++) {
        int sign, v = sys_resolve(sys, i, &sign), r = flat->rate_of[i];
        if (r == NONE)
            continue;
        differs[v] |= rate[v] != NONE && rate[v] != r;
        rate[v] = r;
    }
    for (int v = 0; v < sys->nvar; v++)
        if (differs[v])
            rate[v] = NONE;
    return rate;
}

/* The slot that says that the rate ticks; NONE: there is none. */
static int tick_slot(const Fuse *f, int rate)
{
    const Sys *sys = f->d->sys;
    int sign, v = sys_resolve(sys, sys->flat->rate[rate].tick, &sign);
    bool is_there = sign > 0 && sys->var[v].role == SR_DISCRETE;
    return is_there ? f->low->slot[v] : NONE;
}

static int block_rate(const Fuse *f, const TapeBlock *b)
{
    int rate = b->n > 0 ? f->rate[b->x[0]] : NONE;
    for (int k = 0; k < b->n; k++)
        if (f->rate[b->x[k]] != rate)
            return NONE;
    return rate;
}

/* Solved together with what has no rate or another: it has none either. */
static bool untie_blocks(Fuse *f)
{
    const Tape *t = f->low->tape;
    bool changed = false;
    for (int i = 0; i < t->code.n; i++) {
        if (t->code.at[i].op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &t->block.at[t->code.at[i].a];
        int rate = block_rate(f, b);
        for (int k = 0; rate == NONE && k < b->n; k++) {
            changed |= f->rate[b->x[k]] != NONE;
            f->rate[b->x[k]] = NONE;
        }
        bool same = true;
        for (int k = i + 1; k <= i + tape_body(t, i); k++) {
            int dst = tape_writes(&t->code.at[k]);
            if (dst != NONE && t->region[dst] != TR_TEMP)
                same &= f->rate[dst] == rate;
        }
        for (int k = i + 1; !same && k <= i + tape_body(t, i); k++) {
            int dst = tape_writes(&t->code.at[k]);
            if (dst != NONE)
                f->rate[dst] = NONE;
        }
        for (int k = 0; !same && k < b->n; k++)
            f->rate[b->x[k]] = NONE;
        changed |= !same && rate != NONE;
    }
    return changed;
}

int fuse_rate(const Fuse *f, const TapeInstr *in)
{
    if (f->rates == RATES_RUN)
        return NONE;
    int n = f->low->tape->nslot, dst = tape_writes(in);
    if (dst != NONE)
        return dst < n ? f->rate[dst] : NONE;
    if (in->op == TAPE_BLOCK)
        return block_rate(f, &f->t->block.at[in->a]);
    bool of_block = in->op == TAPE_NOTE && status_row[in->a].of == OF_BLOCK &&
                    in->c != NONE;
    return of_block ? block_rate(f, &f->t->block.at[in->c]) : NONE;
}

/* ---- guards together ---- */

enum { MIXED = -2 };

typedef struct Pending {
    Vec(int) unit; /* instructions, with their bodies */
    int tick;      /* slot, once there is a guard among them; NONE */
    int *reads;    /* of each slot: `round` if one of them reads it */
    int *writes;
    int round;
    bool notes; /* one of them leaves a status */
} Pending;

typedef struct Gather {
    const Tape *from;
    const Fuse *of; /* looks at the tape that this comes from; else NULL: */
    Tape *t;
    Arena *local;
    const TapeSegment *s;
    int *wanted; /* of a slot: the rate that alone reads it; NONE: nobody, MIXED
                  */
    int *nwrite; /* of each slot */
    int *rate;   /* of each instruction that begins a unit: NONE */
    int now;     /* rate of the unit that is looked at; MIXED: none */
    Pending *pending;
    bool clashes; /* with `against` */
    const Pending *against;
} Gather;

typedef void Look(Gather *g, const TapeInstr *in);

/* A unit is an instruction with its body. */
static void for_unit(Gather *g, int at, Look *look)
{
    int n = tape_body(g->from, at);
    for (int i = at; i <= at + n; i++)
        look(g, &g->from->code.at[i]);
}

static void count_write(void *gather, int slot)
{
    ((Gather *)gather)->nwrite[slot]++;
}

static void count_writes(Gather *g, const TapeInstr *in)
{
    tape_touch_writes(g->from, in, count_write, g);
}

static void want(void *gather, int slot)
{
    Gather *g = gather;
    int *w = &g->wanted[slot];
    *w = *w == NONE || *w == g->now ? g->now : MIXED;
}

static void want_reads(Gather *g, const TapeInstr *in)
{
    int rate = g->now;
    if (in->op == TAPE_GUARD)
        g->now = MIXED; /* its tick is asked for outside */
    tape_touch_reads(g->from, in, want, g);
    g->now = rate;
}

/* An instruction that makes a temporary for one rate alone. */
static int rate_of_unit(const Gather *g, int at)
{
    const TapeInstr *in = &g->from->code.at[at];
    if (g->of && fuse_rate(g->of, in) != NONE)
        return 0;
    if (in->op == TAPE_GUARD)
        return in->c;
    if (tape_op_kind(in->op) != TI_PLAIN || tape_writes(in) == NONE ||
        g->from->region[in->dst] != TR_TEMP || g->nwrite[in->dst] != 1)
        return MIXED;
    return g->wanted[in->dst] == NONE ? MIXED : g->wanted[in->dst];
}

static void find_rates(Gather *g)
{
    Vec(int) heads = {0};
    int end = g->s->first + g->s->count;
    for (int i = g->s->first; i < end; i += 1 + tape_body(g->from, i)) {
        vec_push(g->local, &heads, i);
        for_unit(g, i, count_writes);
    }
    for (int k = heads.n - 1; k >= 0; k--) {
        int at = heads.at[k];
        g->now = rate_of_unit(g, at);
        g->rate[at - g->s->first] = g->now;
        for_unit(g, at, want_reads);
    }
}

static void begin_gather(Gather *g)
{
    int n = g->from->nslot + 1, nrate = g->from->rate.n;
    g->wanted = NEW_ARRAY(g->local, int, n);
    memset(g->wanted, 0xff, (size_t)n * sizeof(int)); /* NONE */
    g->nwrite = NEW_ARRAY(g->local, int, n);
    g->rate = NEW_ARRAY(g->local, int, g->s->count + 1);
    g->pending = NEW_ARRAY(g->local, Pending, nrate + 1);
    for (int r = 0; r < nrate; r++)
        g->pending[r] = (Pending){.tick = NONE,
                                  .reads = NEW_ARRAY(g->local, int, n),
                                  .writes = NEW_ARRAY(g->local, int, n),
                                  .round = 1};
}

/* ---- what variables were before a tick ---- */

/* A variable with a rate whose pre value some segment reads for something that
 * has none is not its own. */
static void see_segment(Fuse *f, const TapeSegment *s)
{
    Gather g = {.from = f->low->tape, .of = f, .local = arena_new(), .s = s};
    begin_gather(&g);
    find_rates(&g);
    for (int i = 0; i < f->d->sys->nvar; i++)
        if (f->own[i] && (g.wanted[f->low->pre[i]] == MIXED ||
                          (f->old[i] != NONE && g.wanted[f->old[i]] == MIXED)))
            f->own[i] = false;
    arena_free(g.local);
}

static void find_own(Fuse *f)
{
    const Inlined *d = f->d;
    const Tape *t = f->low->tape;
    f->own = NEW_ARRAY(f->local, bool, d->sys->nvar + 1);
    f->old = NEW_ARRAY(f->local, int, d->sys->nvar + 1);
    for (int i = 0; i < d->sys->nvar; i++) {
        f->own[i] = f->low->slot[i] != NONE && f->low->pre[i] != NONE &&
                    f->rate[f->low->slot[i]] != NONE;
        int old = inlined_find_old(d, i, 0, 1);
        f->old[i] = old == NONE ? NONE : f->low->slot[old];
    }
    f->rates = RATES_KEEP;
    const TapeSegment *init =
        d->init == NONE ? NULL : &f->low->system[d->init].run;
    for (int i = 0; i < t->segment.n; i++)
        if (!init || t->segment.at[i].first != init->first)
            see_segment(f, &t->segment.at[i]);
    f->rates = RATES_RUN;
    for (int i = 0; i < d->sys->nvar; i++) /* what carries it on is left out */
        if (f->own[i] && f->old[i] != NONE)
            f->rate[f->old[i]] = f->rate[f->low->slot[i]];
}

bool fuse_is_own(const Fuse *f, int var)
{
    return f->rates != RATES_RUN && var < f->d->sys->nvar && f->own[var];
}

void fuse_end_ticks(Fuse *f)
{
    Tape *t = f->t;
    if (f->rates == RATES_RUN)
        return;
    fuse_copy(f, f->ticked, f->zero);
    for (int r = 0; f->ticked_of && r < f->d->sys->flat->nrate; r++)
        fuse_copy(f, f->ticked_of[r], f->zero);
    for (int i = 0; i < f->d->sys->nvar; i++) {
        if (!f->own[i])
            continue;
        int now = f->low->slot[i];
        int before = f->old[i] != NONE ? f->old[i] : f->low->pre[i];
        int rate = f->rate[now], guard = t->code.n;
        int ticked = f->ticked_of ? f->ticked_of[rate] : f->ticked;
        tape_emit(t, TAPE_GUARD, 0, f->tick[rate], 0, rate);
        int differs = tape_emit(t, EX_NE, NONE, before, now, NONE);
        tape_emit(t, EX_OR, ticked, ticked, differs, NONE);
        fuse_copy(f, before, now);
        if (before != f->low->pre[i])
            fuse_copy(f, f->low->pre[i], now);
        t->code.at[guard].b = t->code.n - guard - 1;
    }
    for (int r = 0; f->ticked_of && r < f->d->sys->flat->nrate; r++)
        tape_emit(t, EX_OR, f->ticked, f->ticked, f->ticked_of[r], NONE);
}

/* Rates that others schedule do not wait for each other where they say that
 * something has changed. */
static void place_ticked(Fuse *f, int nrate)
{
    f->ticked = tape_slot(f->t, TR_VALUE, NULL, 0);
    if (!f->options->parts)
        return;
    f->ticked_of = NEW_ARRAY(f->local, int, nrate + 1);
    for (int r = 0; r < nrate; r++)
        f->ticked_of[r] = tape_slot(f->t, TR_VALUE, NULL, 0);
}

void fuse_place_rates(Fuse *f)
{
    const Flat *flat = f->d->sys->flat;
    if (!flat || !flat->rate_of || flat->nrate == 0 || f->d->event == NONE)
        return;
    const int *of = variable_rates(f);
    f->rate = NEW_ARRAY(f->local, int, f->low->tape->nslot + 1);
    f->tick = NEW_ARRAY(f->local, int, flat->nrate + 1);
    memset(f->rate, 0xff, (size_t)(f->low->tape->nslot + 1) * sizeof(int));
    for (int r = 0; r < flat->nrate; r++) {
        f->tick[r] = tick_slot(f, r);
        vec_push(f->t->arena, &f->t->rate,
                 ((TapeRate){flat->rate[r].interval, flat->rate[r].first}));
    }
    for (int v = 0; v < f->d->sys->nvar; v++)
        if (of[v] != NONE && f->tick[of[v]] != NONE &&
            f->d->sys->var[v].role == SR_DISCRETE && f->low->slot[v] != NONE)
            f->rate[f->low->slot[v]] = of[v];
    while (untie_blocks(f)) {
    }
    find_own(f);
    place_ticked(f, flat->nrate);
}

/* ---- the new order ---- */

static void put_unit(Gather *g, int at)
{
    int n = tape_body(g->from, at);
    for (int i = at; i <= at + n; i++)
        vec_push(g->t->arena, &g->t->code, g->from->code.at[i]);
}

static void put_pending(Gather *g, int rate)
{
    Pending *p = &g->pending[rate];
    int head = g->t->code.n;
    if (p->tick != NONE) {
        TapeInstr guard = {.op = TAPE_GUARD, .a = p->tick, .c = rate};
        vec_push(g->t->arena, &g->t->code, guard);
    }
    for (int i = 0; i < p->unit.n; i++) {
        int at = p->unit.at[i];
        if (g->from->code.at[at].op != TAPE_GUARD) {
            put_unit(g, at);
            continue;
        }
        for (int k = at + 1, end = at + tape_body(g->from, at); k <= end;) {
            put_unit(g, k);
            k += 1 + tape_body(g->from, k);
        }
    }
    if (p->tick != NONE)
        g->t->code.at[head].b = g->t->code.n - head - 1;
    p->unit.n = 0;
    p->tick = NONE;
    p->notes = false;
    p->round++;
}

static void note_read(void *gather, int slot)
{
    Gather *g = gather;
    Pending *p = &g->pending[g->now];
    p->reads[slot] = p->round;
}

static void note_write(void *gather, int slot)
{
    Gather *g = gather;
    Pending *p = &g->pending[g->now];
    p->writes[slot] = p->round;
}

static bool leaves_status(const TapeInstr *in)
{
    return in->op == TAPE_BLOCK || (tape_op_kind(in->op) != TI_PLAIN &&
                                    tape_op_kind(in->op) != TI_LOOP);
}

static void note_unit(Gather *g, const TapeInstr *in)
{
    tape_touch_reads(g->from, in, note_read, g);
    tape_touch_writes(g->from, in, note_write, g);
    g->pending[g->now].notes |= leaves_status(in);
}

static void clash_read(void *gather, int slot)
{
    Gather *g = gather;
    g->clashes |= g->against->writes[slot] == g->against->round;
}

static void clash_write(void *gather, int slot)
{
    Gather *g = gather;
    const Pending *p = g->against;
    g->clashes |= p->writes[slot] == p->round || p->reads[slot] == p->round;
}

static void clash(Gather *g, const TapeInstr *in)
{
    tape_touch_reads(g->from, in, clash_read, g);
    tape_touch_writes(g->from, in, clash_write, g);
    g->clashes |= g->against->notes && leaves_status(in);
}

/* What has to come before the unit. */
static void settle(Gather *g, int at, int rate)
{
    for (int r = 0; r < g->from->rate.n; r++) {
        const Pending *p = g->against = &g->pending[r];
        if (p->unit.n == 0)
            continue;
        const TapeInstr *in = &g->from->code.at[at];
        bool other =
            in->op == TAPE_GUARD && p->tick != NONE && p->tick != in->a;
        g->clashes = r == rate && other;
        if (r != rate)
            for_unit(g, at, clash);
        if (g->clashes)
            put_pending(g, r);
    }
}

static void gather_segment(Gather *g)
{
    int end = g->s->first + g->s->count;
    find_rates(g);
    for (int i = g->s->first; i < end; i += 1 + tape_body(g->from, i)) {
        int rate = g->rate[i - g->s->first];
        settle(g, i, rate);
        if (rate == MIXED) {
            put_unit(g, i);
            continue;
        }
        g->now = rate;
        for_unit(g, i, note_unit);
        vec_push(g->local, &g->pending[rate].unit, i);
        if (g->from->code.at[i].op == TAPE_GUARD)
            g->pending[rate].tick = g->from->code.at[i].a;
    }
    for (int r = 0; r < g->from->rate.n; r++)
        put_pending(g, r);
}

static bool has_guards(const Tape *t, const TapeSegment *s)
{
    bool any = false;
    for (int i = s->first; i < s->first + s->count; i++)
        any |= t->code.at[i].op == TAPE_GUARD;
    return any;
}

Tape *fuse_gather_guards(Tape *from, Arena *arena)
{
    if (from->rate.n == 0)
        return from;
    Tape *t = tape_copy(from, arena);
    memset(&t->code, 0, sizeof t->code);
    memset(&t->segment, 0, sizeof t->segment);
    for (int i = 0; i < from->segment.n; i++) {
        const TapeSegment *s = &from->segment.at[i];
        tape_begin(t, s->name);
        if (has_guards(from, s)) {
            Gather g = {.from = from, .t = t, .local = arena_new(), .s = s};
            begin_gather(&g);
            gather_segment(&g);
            arena_free(g.local);
        } else {
            for (int k = s->first; k < s->first + s->count; k++)
                vec_push(t->arena, &t->code, from->code.at[k]);
        }
        tape_end(t);
    }
    return t;
}
