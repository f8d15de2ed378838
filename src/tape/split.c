/* split.c - slots of their own for scaled values and for iterates.
 *
 * One walk forward through each segment: `now` says where the present value of
 * a slot stands. A block first looks at what its code writes: a slot that is
 * not read there before it is written, and is not read afterwards before it is
 * written again, belongs to the block alone for as long as that lasts.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/split.h"

#include <string.h>

typedef struct Access {
    int at; /* instruction */
    bool reads, writes;
} Access;

typedef struct Split {
    Tape *t;
    Arena *local;
    const bool *kept;
    int n;      /* slots at the begin */
    int *now;   /* of each slot: where its value stands */
    int *own;   /* of each slot: that of the present block; NONE: itself */
    bool *tied; /* slot that a block or a system names: stays where it is */
    int *start; /* accesses of slot s are start[s] .. start[s+1]-1 */
    Access *access;
    int *nleave;  /* LEAVEs before instruction i of the segment */
    int base;     /* first instruction of the segment */
    Vec(int) set; /* slots with `own` or `now` to be put back */
} Split;

/* ---- who looks at what ---- */

static void tie(Split *s, const int *slot, int n)
{
    for (int i = 0; i < n; i++)
        if (slot[i] != NONE)
            s->tied[slot[i]] = true;
}

static void tie_all(Split *s)
{
    const Tape *t = s->t;
    for (int i = 0; i < t->block.n; i++) {
        const TapeBlock *b = &t->block.at[i];
        tie(s, b->x, b->n);
        tie(s, b->residual, b->n);
        tie(s, b->delta, b->n);
        tie(s, &b->monitor, 1);
    }
    for (int i = 0; i < t->system.n; i++) {
        tie(s, t->system.at[i].entry, t->system.at[i].nnz);
        tie(s, t->system.at[i].rhs, t->system.at[i].n);
    }
    for (int i = 0; i < t->delay.n; i++)
        tie(s, &t->delay.at[i].count, 1);
}

/* Can a value of the slot move to another one? */
static bool is_free(const Split *s, int slot)
{
    return slot < s->n && s->t->slot_name[slot] && !s->tied[slot];
}

static void add_access(Split *s, const TapeInstr *in, int at, int *fill)
{
    int arg[3], n = tape_reads(in, arg), dst = tape_writes(in);
    for (int k = 0; k < n; k++) {
        if (arg[k] == NONE)
            continue;
        if (s->access)
            s->access[fill[arg[k]]] = (Access){at, true, arg[k] == dst};
        fill[arg[k]]++;
    }
    if (dst == NONE || (n > 0 && arg[0] == dst) || (n > 1 && arg[1] == dst) ||
        (n > 2 && arg[2] == dst))
        return;
    if (s->access)
        s->access[fill[dst]] = (Access){at, false, true};
    fill[dst]++;
}

/* Accesses of each slot in their order, by counting first. */
static void find_accesses(Split *s, const TapeSegment *g)
{
    int *fill = NEW_ARRAY(s->local, int, s->n + 1);
    s->start = NEW_ARRAY(s->local, int, s->n + 1);
    s->nleave = NEW_ARRAY(s->local, int, g->count + 1);
    s->access = NULL;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < g->count; i++) {
            const TapeInstr *in = &s->t->code.at[g->first + i];
            s->nleave[i + 1] = s->nleave[i] + (in->op == TAPE_LEAVE);
            add_access(s, in, g->first + i, fill);
        }
        if (pass == 1)
            return;
        int sum = 0;
        for (int k = 0; k < s->n; k++) {
            s->start[k] = sum;
            sum += fill[k];
            fill[k] = s->start[k];
        }
        s->start[s->n] = sum;
        s->access = NEW_ARRAY(s->local, Access, sum + 1);
    }
}

/* The number of the first access of the slot from instruction `at` on. */
static int first_access(const Split *s, int slot, int at)
{
    int low = s->start[slot], high = s->start[slot + 1];
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->access[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Are the values of the slot that the instructions first .. end-1 make read by
 * them alone? What follows ends at `last`, in a loop if `loops`. */
static bool is_alone(const Split *s, int slot, int first, int end, int last,
                     bool loops)
{
    int k = first_access(s, slot, first);
    if (s->access[k].reads)
        return false;
    k = first_access(s, slot, end);
    if (k == s->start[slot + 1] || s->access[k].at >= last)
        return !loops && !s->kept[slot];
    int at = s->access[k].at;
    return !s->access[k].reads &&
           s->nleave[at - s->base] == s->nleave[end - s->base];
}

/* ---- the walk ---- */

static int new_slot(Split *s, int slot, int form, int factor)
{
    Tape *t = s->t;
    TapeMeaning m = t->meaning[slot];
    const char *old = t->slot_name[slot];
    if (m.form & TF_NEW)
        old += strlen("new "); /* (lower/fuse.c) */
    const char *name = arena_printf(t->arena, "%s %s", old,
                                    form == TF_SCALED ? "scaled" : "iterate");
    m.form = (m.form & ~TF_NEW) | form;
    if (form == TF_SCALED)
        m.factor = factor;
    int out = tape_slot(t, TR_TEMP, name, 0);
    t->meaning[out] = m;
    return out;
}

/* The slots that block `at` has for itself. */
static void begin_block(Split *s, int at, int end, int last, bool loops)
{
    for (int i = at + 1; i < end; i++) {
        int dst = tape_writes(&s->t->code.at[i]);
        if (dst == NONE || !is_free(s, dst) || s->own[dst] != NONE ||
            !is_alone(s, dst, at + 1, end, last, loops))
            continue;
        s->own[dst] = new_slot(s, dst, TF_ITERATE, NONE);
        vec_push(s->local, &s->set, dst);
    }
}

/* A loop ends: values stand where the tape says, again. */
static void put_back(Split *s, int from)
{
    while (s->set.n > from) {
        int slot = vec_pop(&s->set);
        s->now[slot] = slot;
        s->own[slot] = NONE;
    }
}

static void rename_slots(Split *s, TapeInstr *in)
{
    int *const operand[3] = {&in->a, &in->b, &in->c};
    unsigned reads = tape_op_reads(in->op);
    for (int k = 0; k < 3; k++)
        if (reads >> k & 1 && *operand[k] != NONE && *operand[k] < s->n)
            *operand[k] = s->now[*operand[k]];
    int dst = tape_writes(in);
    if (dst == NONE || !is_free(s, dst))
        return;
    int to = s->own[dst] == NONE ? dst : s->own[dst];
    if (in->scaled != 0)
        to = new_slot(s, to, TF_SCALED, in->scaled);
    if (to != dst && s->own[dst] == NONE)
        vec_push(s->local, &s->set, dst);
    s->now[dst] = to;
    in->dst = to;
}

static void walk(Split *s, int first, int end, bool loops)
{
    for (int i = first; i < end; i++) {
        TapeInstr *in = &s->t->code.at[i];
        int body = tape_body(s->t, i), from = s->set.n;
        if (in->op == TAPE_BLOCK)
            begin_block(s, i, i + 1 + body, end, loops);
        if (body > 0) {
            walk(s, i + 1, i + 1 + body, loops || in->op == TAPE_REPEAT);
            put_back(s, from);
            i += body;
        } else if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE) {
            rename_slots(s, in);
        }
    }
}

static Tape *copy_tape(const Tape *t, Arena *arena)
{
    Tape *c = NEW(arena, Tape);
    *c = *t;
    c->arena = arena;
    size_t n = (size_t)t->nslot;
    c->slot_capacity = t->nslot;
    c->region = memcpy(arena_alloc(arena, n), t->region, n);
    c->initial = memcpy(NEW_ARRAY(arena, double, t->nslot), t->initial,
                        n * sizeof *t->initial);
    c->slot_name = memcpy(NEW_ARRAY(arena, const char *, t->nslot),
                          t->slot_name, n * sizeof *t->slot_name);
    c->meaning = memcpy(NEW_ARRAY(arena, TapeMeaning, t->nslot), t->meaning,
                        n * sizeof *t->meaning);
    c->code.at = NEW_ARRAY(arena, TapeInstr, t->code.n + 1);
    c->code.cap = t->code.n + 1;
    if (t->code.n > 0)
        memcpy(c->code.at, t->code.at, (size_t)t->code.n * sizeof *t->code.at);
    return c;
}

const Tape *tape_split(const Tape *t, const bool *kept, Arena *arena)
{
    Split s = {.t = copy_tape(t, arena),
               .local = arena_new(),
               .kept = kept,
               .n = t->nslot};
    s.now = NEW_ARRAY(s.local, int, s.n + 1);
    s.own = NEW_ARRAY(s.local, int, s.n + 1);
    s.tied = NEW_ARRAY(s.local, bool, s.n + 1);
    tie_all(&s);
    for (int i = 0; i < s.n; i++) {
        s.now[i] = i;
        s.own[i] = NONE;
    }
    for (int i = 0; i < t->segment.n; i++) {
        const TapeSegment *g = &t->segment.at[i];
        s.base = g->first;
        find_accesses(&s, g);
        walk(&s, g->first, g->first + g->count, false);
        put_back(&s, 0);
    }
    arena_free(s.local);
    return s.t;
}
