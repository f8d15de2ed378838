/* share.c - values by number, forward through a segment.
 *
 * Every slot has the number of the value it holds; a write gives it another. An
 * operation on the same numbers gives the same number. What a loop changes has
 * new numbers at its begin, since it may come from its end, and after it; the
 * same holds for what a guard may leave out.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/share.h"

#include <string.h>

#include "tape/share_internal.h"
#include "tape/touch.h"

static void renew(void *context, int slot)
{
    Share *s = context;
    if (slot != NONE)
        s->number[slot] = s->nvalue++;
}

/* Everything that the instruction at `at` and its body write. */
static void renew_all(Share *s, int at, int body)
{
    for (int i = at; i <= at + body; i++)
        tape_touch_writes(s->t, &s->t->code.at[i], renew, s);
}

bool share_is_operation(const TapeInstr *in)
{
    return in->op < EX_NOP && tape_op_kind(in->op) == TI_PLAIN &&
           in->scaled == 0;
}

static unsigned hash_of(const Known *k)
{
    unsigned h = (unsigned)k->op * 31u + (unsigned)k->a;
    h = (h * 1000003u + (unsigned)k->b) * 1000003u + (unsigned)k->c;
    return (h ^ h >> 13) % NBUCKET;
}

/* Sums and products have their operands in order. */
static Known key_of(int op, int a, int b, int c)
{
    bool swaps = (op == EX_ADD || op == EX_MUL) && a > b;
    return (Known){.op = op, .a = swaps ? b : a, .b = swaps ? a : b, .c = c};
}

static Known key_at(const Share *s, const TapeInstr *in)
{
    unsigned reads = tape_op_reads(in->op);
    return key_of(in->op, reads & 1 ? s->number[in->a] : NONE,
                  reads & 2 ? s->number[in->b] : NONE,
                  reads & 4 ? s->number[in->c] : NONE);
}

static Known *find(const Share *s, const Known *k, unsigned bucket)
{
    for (int i = s->bucket[bucket]; i != NONE; i = s->known.at[i].next) {
        Known *x = &s->known.at[i];
        if (x->op == k->op && x->a == k->a && x->b == k->b && x->c == k->c)
            return x;
    }
    return NULL;
}

const Known *share_find(const Share *s, int op, int a, int b, int c)
{
    Known k = key_of(op, a, b, c);
    return find(s, &k, hash_of(&k));
}

/* What the instruction gives: the number of a value, and the slot that has it.
 */
static int known_value(Share *s, const TapeInstr *in, bool rewrites, int *slot)
{
    if (in->op == EX_IF && s->number[in->b] == s->number[in->c]) {
        *slot = in->b; /* either way */
        return s->number[in->b];
    }
    Known k = key_at(s, in);
    unsigned bucket = hash_of(&k);
    Known *x = find(s, &k, bucket);
    if (x) {
        bool is_lost = s->number[x->slot] != x->value;
        *slot = is_lost ? in->dst : x->slot;
        if (rewrites)
            x->slot = *slot;
        return x->value;
    }
    k.value = s->nvalue++;
    *slot = k.slot = in->dst;
    k.next = s->bucket[bucket];
    s->bucket[bucket] = s->known.n;
    vec_push(s->local, &s->known, k);
    return k.value;
}

/* A write of what is there already is a copy of the slot to itself. */
static void look_at(Share *s, TapeInstr *in, bool rewrites)
{
    int slot, value = known_value(s, in, rewrites, &slot);
    if (s->number[in->dst] == value)
        slot = in->dst;
    else if (slot == in->dst)
        rewrites = false;
    s->number[in->dst] = value;
    if (!rewrites)
        return;
    in->op = TAPE_COPY;
    in->a = slot;
    in->b = in->c = NONE;
}

static void plain(Share *s, int at, bool rewrites)
{
    TapeInstr *in = &s->t->code.at[at];
    if (share_is_operation(in)) {
        look_at(s, in, rewrites);
    } else if (in->op == TAPE_COPY) {
        if (rewrites && s->number[in->dst] == s->number[in->a])
            in->a = in->dst;
        s->number[in->dst] = s->number[in->a];
    } else {
        renew_all(s, at, 0);
    }
    if (s->made && tape_writes(in) != NONE)
        s->made[at] = s->number[in->dst];
}

/* ---- loops ---- */

/* Numbers as they were. */
typedef struct Saved {
    int *number, bucket[NBUCKET], nknown;
} Saved;

static void save(const Share *s, Saved *to)
{
    size_t size = (size_t)s->t->nslot * sizeof(int);
    to->nknown = s->known.n;
    memcpy(to->number, s->number, size);
    memcpy(to->bucket, s->bucket, sizeof s->bucket);
}

static void restore(Share *s, const Saved *from)
{
    size_t size = (size_t)s->t->nslot * sizeof(int);
    s->known.n = from->nknown;
    memcpy(s->number, from->number, size);
    memcpy(s->bucket, from->bucket, sizeof s->bucket);
}

static void walk(Share *s, int first, int count, bool rewrites);

/* Of each slot: does the body write it, and is another value in it then? */
typedef struct Changes {
    bool *written, *changes;
} Changes;

static void note_written(void *context, int slot)
{
    Changes *c = context;
    if (slot != NONE)
        c->written[slot] = true;
}

static void renew_changed(Share *s, const Changes *c)
{
    for (int i = 0; i < s->t->nslot; i++)
        if (c->changes[i])
            renew(s, i);
}

/* A slot that every pass leaves as it was keeps its number: at first that is
 * hoped of all, and those that disappoint are taken out. */
static void pass_loop(Share *s, int at, int body, bool rewrites)
{
    Arena *local = arena_new();
    int n = s->t->nslot;
    Changes c = {NEW_ARRAY(local, bool, n + 1), NEW_ARRAY(local, bool, n + 1)};
    Saved *saved = NEW(local, Saved);
    saved->number = NEW_ARRAY(local, int, n + 1);
    for (int i = at + 1; i <= at + body; i++)
        tape_touch_writes(s->t, &s->t->code.at[i], note_written, &c);
    for (bool again = true; again;) {
        again = false;
        save(s, saved);
        renew_changed(s, &c);
        walk(s, at + 1, body, false);
        for (int i = 0; i < n; i++)
            if (c.written[i] && !c.changes[i] &&
                s->number[i] != saved->number[i])
                again = c.changes[i] = true;
        restore(s, saved);
    }
    renew_changed(s, &c);
    walk(s, at + 1, body, rewrites);
    renew_changed(s, &c);
    arena_free(local);
}

bool share_runs_once(const Tape *t, int at)
{
    const TapeInstr *in = &t->code.at[at];
    if (in->op != TAPE_BLOCK)
        return false;
    const TapeBlock *b = &t->block.at[in->a];
    return b->iterations == 1 && !b->is_damped;
}

static void walk(Share *s, int first, int count, bool rewrites)
{
    for (int i = first; i < first + count; i++) {
        int op = s->t->code.at[i].op, body = tape_body(s->t, i);
        TapeKind kind = tape_op_kind(op);
        if (op == TAPE_REPEAT) {
            pass_loop(s, i, body, rewrites);
        } else if (share_runs_once(s->t, i)) {
            walk(s, i + 1, body, rewrites);
            renew_all(s, i, 0);
        } else if (kind == TI_BLOCK || kind == TI_LOOP) {
            renew_all(s, i, body);
            walk(s, i + 1, body, rewrites);
            renew_all(s, i, body);
        } else {
            plain(s, i, rewrites);
        }
        i += body;
    }
}

Share *share_new(Tape *t, Arena *local)
{
    Share *s = NEW(local, Share);
    s->t = t;
    s->local = local;
    s->number = NEW_ARRAY(local, int, t->nslot + 1);
    for (int i = 0; i < t->nslot; i++)
        s->number[i] = s->nvalue++;
    for (int i = 0; i < NBUCKET; i++)
        s->bucket[i] = NONE;
    return s;
}

void share_walk(Share *s, const TapeSegment *segment, bool rewrites)
{
    walk(s, segment->first, segment->count, rewrites);
}

void tape_share(Tape *t, const TapeSegment *segment)
{
    Arena *local = arena_new();
    share_walk(share_new(t, local), segment, true);
    arena_free(local);
}
