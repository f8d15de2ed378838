/* split.c - slots of their own for scaled values and for iterates.
 *
 * One walk forward through each segment: `now` says where the present value of
 * a slot stands. A block first looks at what its code writes: a slot that is
 * not read there before it is written, and is not read afterwards before it is
 * written again, belongs to the block alone for as long as that lasts.
 *
 * A slot without a name that is written again gets another number, as far as
 * its old and its new value do not meet: what one part of a long function
 * writes and reads need not be kept for the others then.
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
    bool *inside; /* instruction i of the segment: in a block or a loop */
    int base;     /* first instruction of the segment */
    Vec(int) set; /* slots with an `own` */
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
        tie(s, b->residual, b->nrow);
        tie(s, b->delta, b->n);
        tie(s, tape_full(b), b->n);
        tie(s, &b->monitor, 1);
    }
    for (int i = 0; i < t->system.n; i++)
        tie(s, t->system.at[i].rhs, t->system.at[i].nrow);
    for (int i = 0; i < t->code.n; i++) {
        int first = 0, n = tape_list(t, &t->code.at[i], &first);
        for (int k = first; k < first + n; k++)
            s->tied[k] = true;
        n = tape_row(t, &t->code.at[i], &first);
        for (int k = first; k < first + n; k++)
            s->tied[k] = true;
    }
    for (int i = 0; i < t->delay.n; i++)
        tie(s, &t->delay.at[i].count, 1);
}

/* Can a value of the slot move to another one? Unknowns of a block cannot while
 * it runs (begin_block). */
static bool is_free(const Split *s, int slot)
{
    return slot < s->n && s->t->slot_name[slot] && !s->tied[slot];
}

/* Lists of slots that an instruction stands for. */
static void add_list(Split *s, const int *slot, int n, Access a, int *fill)
{
    for (int k = 0; k < n; k++) {
        if (s->access)
            s->access[fill[slot[k]]] = a;
        fill[slot[k]]++;
    }
}

static void add_access(Split *s, const TapeInstr *in, int at, int *fill)
{
    if (in->op == TAPE_BLOCK)
        add_list(s, s->t->block.at[in->a].x, s->t->block.at[in->a].n,
                 (Access){at, true, true}, fill);
    if (in->op == TAPE_FACTOR)
        add_list(s, s->t->system.at[in->a].entry, s->t->system.at[in->a].nnz,
                 (Access){at, true, false}, fill);
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
    s->inside = NEW_ARRAY(s->local, bool, g->count + 1);
    s->access = NULL;
    for (int i = 0; i < g->count; i++)
        for (int k = 1; k <= tape_body(s->t, g->first + i); k++)
            s->inside[i + k] = true;
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

/* The code of a segment, or in it the body of a REPEAT. */
typedef struct Range {
    int first, end;
    const struct Range *outer; /* NULL: the segment */
} Range;

/* Is the slot written before it is read, from instruction `at` on? */
static bool is_dead(const Split *s, int slot, int at, const Range *r)
{
    int k = first_access(s, slot, at);
    if (k < s->start[slot + 1] && s->access[k].at < r->end)
        return !s->access[k].reads &&
               s->nleave[s->access[k].at - s->base] == s->nleave[at - s->base];
    if (!r->outer)
        return !s->kept[slot];
    k = first_access(s, slot, r->first); /* once more, or on after the loop */
    return !s->access[k].reads && is_dead(s, slot, r->end, r->outer);
}

/* ---- the walk ---- */

static int new_slot(Split *s, int slot, int form, int factor)
{
    Tape *t = s->t;
    TapeMeaning m = t->meaning[slot];
    const char *old = t->slot_name[slot];
    if (m.form & TF_NEW)
        old += strlen("new "); /* (step/fuse.c) */
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
static void begin_block(Split *s, int at, int end, const Range *r)
{
    const TapeBlock *b = &s->t->block.at[s->t->code.at[at].a];
    for (int k = 0; k < b->n; k++) {
        s->own[b->x[k]] = b->x[k];
        vec_push(s->local, &s->set, b->x[k]);
    }
    for (int i = at + 1; i < end; i++) {
        int dst = tape_writes(&s->t->code.at[i]);
        if (dst == NONE || !is_free(s, dst) || s->own[dst] != NONE ||
            s->access[first_access(s, dst, at + 1)].reads ||
            !is_dead(s, dst, end, r))
            continue;
        s->own[dst] = new_slot(s, dst, TF_ITERATE, NONE);
        vec_push(s->local, &s->set, dst);
    }
}

/* The block ends: its values stand where the tape says, again. One that was
 * scaled may be read later. */
static void end_block(Split *s)
{
    while (s->set.n > 0) {
        int slot = vec_pop(&s->set);
        s->now[slot] = slot;
        s->own[slot] = NONE;
    }
}

/* Does the value that instruction `at` gives its slot meet no other of them? */
static bool is_apart(const Split *s, const TapeInstr *in, int at)
{
    int slot = in->dst;
    if (slot >= s->n || s->t->slot_name[slot] || s->tied[slot] ||
        s->kept[slot] || s->t->region[slot] < TR_VALUE ||
        tape_op_kind(in->op) != TI_PLAIN || in->op == TAPE_CALL ||
        s->inside[at - s->base] || first_access(s, slot, at) == s->start[slot])
        return false;
    int k = first_access(s, slot, at);
    if (s->access[k].reads)
        return false;
    for (k++; k < s->start[slot + 1]; k++)
        if (s->access[k].writes)
            return !s->access[k].reads && !s->inside[s->access[k].at - s->base];
    return true;
}

static void rename_slots(Split *s, TapeInstr *in, int at)
{
    int *const operand[3] = {&in->a, &in->b, &in->c};
    unsigned reads = tape_op_reads(in->op);
    for (int k = 0; k < 3; k++)
        if (reads >> k & 1 && *operand[k] != NONE && *operand[k] < s->n)
            *operand[k] = s->now[*operand[k]];
    int dst = tape_writes(in);
    if (dst != NONE && is_apart(s, in, at))
        in->dst = s->now[dst] = tape_slot(s->t, TR_TEMP, NULL, 0);
    else if (dst != NONE && dst < s->n && !s->t->slot_name[dst])
        s->now[dst] = dst;
    if (dst == NONE || !is_free(s, dst))
        return;
    int to = s->own[dst] == NONE ? dst : s->own[dst];
    if (in->scaled != 0)
        to = new_slot(s, to, TF_SCALED, in->scaled);
    s->now[dst] = to;
    in->dst = to;
}

/* A matrix with pivots is read where its entries stand. */
static void rename_entries(Split *s, const TapeSystem *k)
{
    for (int i = 0; !k->table && i < k->nnz; i++)
        if (k->entry[i] < s->n)
            k->entry[i] = s->now[k->entry[i]];
}

static void walk(Split *s, const Range *r)
{
    for (int i = r->first; i < r->end; i++) {
        TapeInstr *in = &s->t->code.at[i];
        int body = tape_body(s->t, i);
        bool is_block = in->op == TAPE_BLOCK;
        if (is_block)
            begin_block(s, i, i + 1 + body, r);
        if (body > 0) {
            Range inner = {i + 1, i + 1 + body, is_block ? r->outer : r};
            walk(s, &inner);
            if (is_block)
                end_block(s);
            i += body;
        } else if (in->op == TAPE_FACTOR) {
            rename_entries(s, &s->t->system.at[in->a]);
        } else if (in->op != TAPE_SOLVE) {
            rename_slots(s, in, i);
        }
    }
}

/* A copy whose matrices can be read elsewhere. */
static Tape *copy_of(const Tape *t, Arena *arena)
{
    Tape *c = tape_copy(t, arena);
    for (int i = 0; i < c->system.n; i++) {
        TapeSystem *s = &c->system.at[i];
        const int *entry = s->entry;
        s->entry = NEW_ARRAY(arena, int, s->nnz + 1);
        for (int k = 0; k < s->nnz; k++)
            s->entry[k] = entry[k];
    }
    return c;
}

const Tape *tape_split(const Tape *t, const bool *kept, Arena *arena)
{
    Split s = {.t = copy_of(t, arena),
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
        walk(&s, &(Range){g->first, g->first + g->count, NULL});
        for (int k = 0; k < s.n; k++)
            s.now[k] = k;
    }
    arena_free(s.local);
    return s.t;
}
