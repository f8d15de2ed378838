/* fuse_parts.c - the rates of a step as parts that somebody else schedules.
 *
 *   advance   time goes on by a step: all that waits for no tick
 *   ticks     of each rate: what happens when it ticks, as GUARDs
 *   settle    what waits for ticks: events come to rest, outputs, bounds
 *
 * One after the other they do what the step does, with the same results to the
 * last bit: instructions change places only where none reads or writes what the
 * other writes. An instruction without a rate belongs to `settle` if it has to
 * come after one that has a rate, or after one of `settle`. Rates come in an
 * order that keeps all such pairs, shorter intervals first where there is a
 * choice; without one (two rates that wait for each other at one moment, or a
 * rate that waits for events) there are no parts.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/table.h"
#include "step/fuse_internal.h"
#include "tape/touch.h"

/* Parts as numbers: 0 .. nrate-1 are rates, then these two. */
enum { MOST_RATES = 60 };

typedef struct Parts {
    const Tape *t;
    Arena *local;
    int nrate, advance, settle;
    uint64_t *readers, *writers; /* of each slot: parts so far, as bits */
    uint64_t after;              /* what the unit has to come after */
    int now;                     /* part of the unit */
    uint64_t *waits;             /* of each part: those before it */
    int *of;                     /* of each instruction that begins a unit */
    int *due;                    /* of each rate */
} Parts;

typedef void Look(Parts *p, const TapeInstr *in);

static void for_unit(Parts *p, int at, Look *look)
{
    int n = tape_body(p->t, at);
    for (int i = at; i <= at + n; i++)
        look(p, &p->t->code.at[i]);
}

static uint64_t bit(int part)
{
    return UINT64_C(1) << part;
}

static void see_read(void *parts, int slot)
{
    Parts *p = parts;
    p->after |= p->writers[slot];
}

static void see_write(void *parts, int slot)
{
    Parts *p = parts;
    p->after |= p->writers[slot] | p->readers[slot];
}

static void see(Parts *p, const TapeInstr *in)
{
    tape_touch_reads(p->t, in, see_read, p);
    tape_touch_writes(p->t, in, see_write, p);
}

static void note_read(void *parts, int slot)
{
    Parts *p = parts;
    p->readers[slot] |= bit(p->now);
}

static void note_write(void *parts, int slot)
{
    Parts *p = parts;
    p->writers[slot] |= bit(p->now);
}

static void note(Parts *p, const TapeInstr *in)
{
    tape_touch_reads(p->t, in, note_read, p);
    tape_touch_writes(p->t, in, note_write, p);
}

/* Which part each unit of the segment belongs to. */
static void divide(Parts *p, const TapeSegment *s)
{
    int end = s->first + s->count;
    for (int i = s->first; i < end; i += 1 + tape_body(p->t, i)) {
        const TapeInstr *in = &p->t->code.at[i];
        p->after = 0;
        for_unit(p, i, see);
        if (in->op == TAPE_GUARD) {
            p->now = in->c;
            if (p->due[in->c] == NONE)
                p->due[in->c] = in->a;
        } else {
            p->now = p->after & ~bit(p->advance) ? p->settle : p->advance;
        }
        p->of[i - s->first] = p->now;
        p->waits[p->now] |= p->after & ~bit(p->now);
        for_unit(p, i, note);
    }
}

/* rank[r]: the place of rate r. False: there is no order. */
static bool order_rates(const Parts *p, int *rank)
{
    uint64_t done = bit(p->advance);
    for (int k = 0; k < p->nrate; k++) {
        int next = NONE;
        for (int r = 0; r < p->nrate; r++) {
            if (done & bit(r) || p->waits[r] & ~done)
                continue;
            if (next == NONE ||
                p->t->rate.at[r].interval < p->t->rate.at[next].interval)
                next = r;
        }
        if (next == NONE)
            return false;
        rank[next] = k;
        done |= bit(next);
    }
    return true;
}

static void add_part(const Parts *p, Tape *t, const TapeSegment *s, int part,
                     const char *name)
{
    int end = s->first + s->count;
    tape_begin(t, name);
    for (int i = s->first; i < end;) {
        int next = i + 1 + tape_body(p->t, i);
        for (int k = i; p->of[i - s->first] == part && k < next; k++)
            vec_push(t->arena, &t->code, p->t->code.at[k]);
        i = next;
    }
    tape_end(t);
}

static bool any_temporary(const Tape *t, const bool *carried, int first, int n)
{
    for (int i = first; i < first + n; i++)
        if (carried[i] && t->region[i] == TR_TEMP)
            return true;
    return false;
}

/* Do parts share a row of slots that belongs together: a matrix, the results
 * of a call? */
static bool shares_rows(const Tape *t, const bool *carried)
{
    bool any = false;
    for (int i = 0; i < t->system.n; i++) {
        const TapeSystem *s = &t->system.at[i];
        if (s->table)
            any |= any_temporary(t, carried, s->factors, s->table->nfactor) ||
                   any_temporary(t, carried, s->vector, s->table->nvector);
    }
    for (int i = 0; i < t->call.n; i++)
        if (t->call.at[i].row != NONE)
            any |= any_temporary(t, carried, t->call.at[i].row,
                                 t->call.at[i].fn->nout);
    return any;
}

/* Temporaries that one part leaves for another are variables by now. */
static void promote(Tape *t, const bool *carried)
{
    for (int i = 0; i < t->nslot; i++)
        if (carried[i] && t->region[i] == TR_TEMP)
            t->region[i] = TR_VALUE;
}

/* What is kept for other parts alone has the value that they need, which events
 * may change afterwards: nobody is to ask for it by its name. */
static void hide(Tape *t, const Pruned *from, const Pruned *now,
                 const bool *wanted)
{
    TapeSymbol *symbol = NEW_ARRAY(t->arena, TapeSymbol, t->symbol.n + 1);
    int n = 0;
    for (int i = 0; i < t->symbol.n; i++) {
        int slot = t->symbol.at[i].slot;
        if (!now->carried[slot] || from->carried[slot] || wanted[slot])
            symbol[n++] = t->symbol.at[i];
    }
    t->symbol.at = symbol;
    t->symbol.n = n;
}

static const FusedParts *name_parts(const Parts *p, Tape *t,
                                    const TapeSegment *s, Arena *arena)
{
    FusedParts *out = NEW(arena, FusedParts);
    out->nrate = p->nrate;
    out->tick = NEW_ARRAY(arena, int, p->nrate + 1);
    out->rank = NEW_ARRAY(arena, int, p->nrate + 1);
    out->due = p->due;
    if (!order_rates(p, out->rank))
        return NULL;
    out->advance = t->segment.n;
    add_part(p, t, s, p->advance, "advance");
    for (int r = 0; r < p->nrate; r++) {
        out->tick[r] = t->segment.n;
        add_part(p, t, s, r, arena_printf(t->arena, "tick %d", r + 1));
    }
    out->settle = t->segment.n;
    add_part(p, t, s, p->settle, "settle");
    return out;
}

/* The same tape with segments for the parts; NULL: it has none. */
static Tape *with_parts(const Tape *from, const FusedParts **parts,
                        Arena *local, Arena *arena)
{
    const TapeSegment s = from->segment.at[1];
    int nrate = from->rate.n;
    Parts p = {.t = from,
               .local = local,
               .nrate = nrate,
               .advance = nrate,
               .settle = nrate + 1,
               .readers = NEW_ARRAY(local, uint64_t, from->nslot + 1),
               .writers = NEW_ARRAY(local, uint64_t, from->nslot + 1),
               .waits = NEW_ARRAY(local, uint64_t, nrate + 2),
               .of = NEW_ARRAY(local, int, s.count + 1),
               .due = NEW_ARRAY(arena, int, nrate + 1)};
    for (int r = 0; r < nrate; r++)
        p.due[r] = NONE;
    divide(&p, &s);
    for (int r = 0; r < nrate; r++)
        if (p.due[r] == NONE)
            return NULL; /* nothing happens at its ticks alone */
    Tape *t = tape_copy(from, arena);
    *parts = name_parts(&p, t, &s, arena);
    return *parts ? t : NULL;
}

static bool can_part(const Tape *t, int nstep)
{
    return nstep == 1 && t->rate.n > 0 && t->rate.n <= MOST_RATES &&
           t->delay.n == 0 && t->set.n == 0;
}

Pruned *fuse_parts(Fuse *f, Pruned *from)
{
    if (!f->options->parts || !can_part(from->tape, f->out->nstep))
        return from;
    Arena *local = arena_new();
    const FusedParts *parts = NULL;
    Tape *t = with_parts(from->tape, &parts, local, f->arena);
    arena_free(local);
    if (!t)
        return from;
    Pruned *p = tape_prune(t, t->segment.at, t->segment.n, f->wanted, f->arena);
    if (shares_rows(p->tape, p->carried))
        return from;
    promote(p->tape, p->carried);
    hide(p->tape, from, p, f->wanted);
    f->out->parts = parts;
    return p;
}
