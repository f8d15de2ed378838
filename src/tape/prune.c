/* prune.c - backward liveness over segments, blocks and loops.
 *
 * A range is walked from its end; `live` says which slots are read later. A
 * loop is walked until nothing is added: what its end hands to its begin.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/prune.h"

#include <string.h>

#include "base/status.h"
#include "num/table.h"
#include "tape/touch.h"

typedef struct Changed {
    int slot;
    bool was;
} Changed;

typedef struct Prune {
    const Tape *t;
    Arena *arena, *local;
    bool *live;
    const bool *after; /* `live` after the innermost REPEAT */
    bool *keep;        /* of each instruction */
    bool *carried;     /* of each slot */
    bool *lives;       /* of each block */
    bool notes;        /* those of living blocks count by now */
    Vec(Changed) log;  /* in a loop: what changed in `live` */
    int depth;         /* of loops */
    int *seen, nseen;  /* of each slot: in which search it was seen last */
} Prune;

static void set_live(Prune *p, int slot, bool live)
{
    if (p->live[slot] == live)
        return;
    if (p->depth > 0) {
        Changed c = {slot, p->live[slot]};
        vec_push(p->local, &p->log, c);
    }
    p->live[slot] = live;
}

static void read_slot(Prune *p, int slot)
{
    if (slot != NONE)
        set_live(p, slot, true);
}

static void walk(Prune *p, int first, int count);

/* What was live at the end of the body stays so; returns whether more is at its
 * begin. `from` is where the log of this turn begins. */
static bool hand_over(Prune *p, int from)
{
    bool grown = false;
    int search = ++p->nseen, n = p->log.n;
    for (int i = from; i < n; i++) {
        Changed c = p->log.at[i];
        if (p->seen[c.slot] == search)
            continue; /* what it was first is what counts */
        p->seen[c.slot] = search;
        grown |= p->live[c.slot] && !c.was;
        if (c.was)
            set_live(p, c.slot, true);
    }
    return grown;
}

/* Walks a loop body until `live` at its begin is what its end hands over. */
static void walk_loop(Prune *p, int first, int count)
{
    p->depth++;
    int from;
    do {
        from = p->log.n;
        walk(p, first, count);
    } while (hand_over(p, from));
    if (--p->depth == 0)
        vec_clear(&p->log);
}

static void note_written(void *prune, int slot)
{
    Prune *p = prune;
    p->seen[slot] = p->nseen;
}

/* Corrections that a loop writes are written before they are
 * read: no turn reads those of the last one. One that the loop does not write
 * (its equation has no unknown left in some mode) was computed before it. */
static void end_in_loop(Prune *p, const TapeBlock *b, int first, int count)
{
    int search = ++p->nseen;
    for (int i = first; i < first + count; i++)
        tape_touch_writes(p->t, &p->t->code.at[i], note_written, p);
    for (int i = 0; i < b->n; i++)
        if (p->seen[b->delta[i]] == search)
            set_live(p, b->delta[i], false);
}

/* Is the slot written in instructions [first, first+count)? */
static bool writes(Prune *p, int first, int count, int slot)
{
    int search = ++p->nseen;
    for (int i = first; i < first + count; i++)
        tape_touch_writes(p->t, &p->t->code.at[i], note_written, p);
    return p->seen[slot] == search;
}

static void walk_block(Prune *p, int at)
{
    const TapeBlock *b = &p->t->block.at[p->t->code.at[at].a];
    bool lives = false;
    for (int i = 0; i < b->n; i++)
        lives |= p->live[b->x[i]] || p->live[b->delta[i]];
    p->keep[at] = lives;
    p->lives[p->t->code.at[at].a] |= lives;
    if (!lives)
        return;
    for (int i = 0; i < b->n; i++) {
        read_slot(p, b->x[i]);
        read_slot(p, b->delta[i]);
    }
    if (b->monitor != 0)
        read_slot(p, b->monitor);
    int count = b->neval + b->njac + b->nsolve;
    if (b->iterations == 1 && !b->is_damped) {
        walk(p, at + 1, count);
    } else {
        walk_loop(p, at + 1, count);
        end_in_loop(p, b, at + 1, count);
    }
    /* the alarm is written before it is read, if it has not been moved out */
    if (b->monitor != 0 && p->t->region[b->monitor] == TR_TEMP &&
        writes(p, at + 1, count, b->monitor))
        set_live(p, b->monitor, false);
}

static void walk_repeat(Prune *p, int at)
{
    const bool *outer = p->after;
    bool *after = NEW_ARRAY(p->local, bool, p->t->nslot);
    memcpy(after, p->live, (size_t)p->t->nslot * sizeof(bool));
    p->after = after;
    p->keep[at] = true;
    walk_loop(p, at + 1, p->t->code.at[at].b);
    p->after = outer;
}

/* What is written where it is not certain is not dead before. */
static void walk_guard(Prune *p, int at)
{
    const TapeInstr *in = &p->t->code.at[at];
    bool *after = NEW_ARRAY(p->local, bool, p->t->nslot);
    memcpy(after, p->live, (size_t)p->t->nslot * sizeof(bool));
    walk(p, at + 1, in->b);
    p->keep[at] = false;
    for (int i = at + 1; i <= at + in->b; i++)
        p->keep[at] |= p->keep[i];
    for (int i = 0; i < p->t->nslot; i++)
        if (after[i])
            set_live(p, i, true);
    if (p->keep[at])
        read_slot(p, in->a);
}

static void set_all(Prune *p, int first, int n, bool live)
{
    for (int i = first; i < first + n; i++)
        set_live(p, i, live);
}

/* Tables: FACTOR turns entries into factors where they stand, SOLVE reads them
 * and turns the right-hand side into the solution. */
static void walk_table(Prune *p, int at)
{
    const TapeInstr *in = &p->t->code.at[at];
    const TapeSystem *s = &p->t->system.at[in->a];
    int nfactor = s->table->nfactor;
    p->keep[at] = false;
    for (int i = 0; in->op == TAPE_SOLVE && i < s->table->nvector; i++)
        p->keep[at] |= p->live[s->vector + i];
    if (in->op == TAPE_SOLVE && !p->keep[at])
        return;
    if (in->op == TAPE_SOLVE) {
        set_all(p, s->vector, s->table->nvector, false);
        set_all(p, s->vector, s->nrow, true);
        set_all(p, s->factors, nfactor, true);
        return;
    }
    for (int i = s->factors; i < s->factors + nfactor; i++)
        p->keep[at] |= p->live[i];
    set_all(p, s->factors, nfactor, false);
    for (int k = 0; p->keep[at] && k < s->nnz; k++)
        set_live(p, s->entry[k], true);
}

static void walk_system(Prune *p, const TapeInstr *in)
{
    const TapeSystem *s = &p->t->system.at[in->a];
    for (int k = 0; in->op == TAPE_FACTOR && k < s->nnz; k++)
        read_slot(p, s->entry[k]);
    for (int i = 0; in->op == TAPE_SOLVE && i < s->nrow; i++)
        read_slot(p, s->rhs[i]);
}

static void walk_plain(Prune *p, int at)
{
    const TapeInstr *in = &p->t->code.at[at];
    int dst = tape_writes(in);
    bool is_idle = in->op == TAPE_COPY && in->a == dst;
    p->keep[at] = (dst == NONE || p->live[dst]) && !is_idle;
    if (!p->keep[at])
        return;
    if (dst != NONE)
        set_live(p, dst, false);
    int arg[3], n = tape_reads(in, arg);
    for (int i = 0; i < n; i++)
        read_slot(p, arg[i]);
    int first, nlist = tape_list(p->t, in, &first);
    for (int i = 0; i < nlist; i++)
        read_slot(p, first + i);
}

/* What is said of a block that nobody reads is not said. */
static void walk_note(Prune *p, int at)
{
    const TapeInstr *in = &p->t->code.at[at];
    bool of_block = status_row[in->a].of == OF_BLOCK && in->c != NONE;
    p->keep[at] = p->notes && (!of_block || p->lives[in->c]);
    if (p->keep[at])
        read_slot(p, in->b);
}

static void walk_memory(Prune *p, int at)
{
    if (p->t->code.at[at].op == TAPE_NOTE)
        walk_note(p, at);
    else
        walk_plain(p, at);
}

static void walk(Prune *p, int first, int count)
{
    Vec(int) heads = {0};
    for (int i = first; i < first + count; i += 1 + tape_body(p->t, i))
        vec_push(p->local, &heads, i);
    for (int k = heads.n - 1; k >= 0; k--) {
        int at = heads.at[k];
        const TapeInstr *in = &p->t->code.at[at];
        switch (tape_op_kind(in->op)) {
        case TI_BLOCK: walk_block(p, at); break;
        case TI_LOOP:
            if (in->op == TAPE_GUARD)
                walk_guard(p, at);
            else
                walk_repeat(p, at);
            break;
        case TI_SYSTEM:
            if (p->t->system.at[in->a].kind != TS_PIVOT) {
                walk_table(p, at);
                break;
            }
            p->keep[at] = true;
            walk_system(p, in);
            break;
        case TI_LEAVE:
            for (int i = 0; p->after && i < p->t->nslot; i++)
                if (p->after[i])
                    set_live(p, i, true);
            walk_plain(p, at);
            break;
        default: walk_memory(p, at);
        }
    }
}

/* One pass over all segments; returns whether `carried` grew. */
static bool pass(Prune *p, const TapeSegment *segment, int n,
                 const bool *wanted)
{
    const Tape *t = p->t;
    bool grown = false;
    for (int i = 0; i < n; i++) {
        for (int s = 0; s < t->nslot; s++)
            p->live[s] = wanted[s] || p->carried[s];
        walk(p, segment[i].first, segment[i].count);
        for (int s = 0; s < t->nslot; s++) {
            /* live at the begin because it is read, not because it is wanted
             * and nobody writes it */
            if (!p->live[s] || p->carried[s])
                continue;
            p->carried[s] = true;
            grown = true;
        }
    }
    return grown;
}

/* ---- the new tape ---- */

static int count_kept(const Prune *p, int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++)
        n += p->keep[i];
    return n;
}

/* number[b]: what block b becomes. */
static void copy_instr(const Prune *p, Tape *out, int at, int *number)
{
    TapeInstr in = p->t->code.at[at];
    if (in.op == TAPE_NOTE && status_row[in.a].of == OF_BLOCK && in.c != NONE)
        in.c = number[in.c];
    if (tape_op_kind(in.op) == TI_LOOP)
        in.b = count_kept(p, at + 1, in.b);
    if (in.op == TAPE_BLOCK) {
        TapeBlock b = p->t->block.at[in.a];
        int eval = b.neval, jac = b.njac;
        b.neval = count_kept(p, at + 1, eval);
        b.njac = count_kept(p, at + 1 + eval, jac);
        b.nsolve = count_kept(p, at + 1 + eval + jac, b.nsolve);
        number[in.a] = out->block.n;
        in.a = out->block.n;
        vec_push(out->arena, &out->block, b);
    }
    vec_push(out->arena, &out->code, in);
}

static Tape *rebuild(const Prune *p, const TapeSegment *segment, int n)
{
    Tape *out = NEW(p->arena, Tape);
    *out = *p->t;
    out->arena = p->arena;
    memset(&out->code, 0, sizeof out->code);
    memset(&out->segment, 0, sizeof out->segment);
    memset(&out->block, 0, sizeof out->block);
    int *number = NEW_ARRAY(p->local, int, p->t->block.n + 1);
    for (int i = 0; i < n; i++) {
        tape_begin(out, segment[i].name);
        for (int k = 0; k < segment[i].count; k++)
            if (p->keep[segment[i].first + k])
                copy_instr(p, out, segment[i].first + k, number);
        tape_end(out);
    }
    return out;
}

Pruned *tape_prune(const Tape *t, const TapeSegment *segment, int nsegment,
                   const bool *wanted, Arena *arena)
{
    Prune p = {.t = t, .arena = arena, .local = arena_new()};
    p.live = NEW_ARRAY(p.local, bool, t->nslot);
    p.seen = NEW_ARRAY(p.local, int, t->nslot + 1);
    p.keep = NEW_ARRAY(p.local, bool, t->code.n + 1);
    p.carried = NEW_ARRAY(arena, bool, t->nslot);
    p.lives = NEW_ARRAY(p.local, bool, t->block.n + 1);
    while (pass(&p, segment, nsegment, wanted)) {
    }
    p.notes = true;
    while (pass(&p, segment, nsegment, wanted)) {
    }
    Pruned *out = NEW(arena, Pruned);
    out->carried = p.carried;
    out->tape = rebuild(&p, segment, nsegment);
    arena_free(p.local);
    return out;
}
