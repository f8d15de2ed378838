/* fuse_passes.c - the passes of an event, with no more work than they need.
 *
 * A pass looks at the relations and evaluates the model again; the loop has as
 * many passes as an event may take. States and time are the same in all of
 * them, so what follows from these alone is computed once, before the loop.
 * Values that no pass reads are computed once too, after it, from those that
 * the last pass that counted has left. In the loop stays what relations and
 * discrete variables reach. Instructions are moved, not changed: results are
 * the same to the last bit.
 *
 *     before the loop   instructions whose operands no pass writes
 *     in the loop       the look, what it reads, blocks and what they read
 *     after the loop    v := if any pass counted then its new value else v
 *
 * What is computed after the loop may read a slot that the look writes (a
 * relation, a state that reinit set): the look leaves it alone in a pass that
 * does not count.
 *
 * What only the first pass can find, and columns that a mode switches on, are
 * seen besides (fuse_passes_modes.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "step/fuse_passes_internal.h"
#include "tape/touch.h"

/* ---- what an instruction touches ---- */

static void for_reads(Passes *p, int at, TapeTouch *touch)
{
    tape_touch_reads(p->t, &p->code[at], touch, p);
}

static void for_writes(Passes *p, int at, TapeTouch *touch)
{
    tape_touch_writes(p->t, &p->code[at], touch, p);
}

static void count_read(void *passes, int slot)
{
    Passes *p = passes;
    p->nread[slot]++;
}

static void uncount_read(void *passes, int slot)
{
    Passes *p = passes;
    p->nread[slot]--;
}

static void note_read(void *passes, int slot)
{
    Passes *p = passes;
    if (p->read_at[slot] == NONE)
        p->read_at[slot] = p->now;
}

static void count_made(void *passes, int slot)
{
    Passes *p = passes;
    p->nmade[slot]++;
    p->varies[slot] = true;
}

bool passes_is_movable(const Passes *p, int at)
{
    const TapeInstr *in = &p->code[at];
    return tape_op_kind(in->op) == TI_PLAIN && in->op != TAPE_CALL &&
           in->op != TAPE_PICK && p->t->region[in->dst] == TR_TEMP &&
           p->nmade[in->dst] == 1;
}

/* ---- before the loop ---- */

/* The same for a value that nobody reads in the pass before it is made. */
static bool is_movable_before(const Passes *p, int at)
{
    const TapeInstr *in = &p->code[at];
    int slot = in->dst;
    return passes_is_movable(p, at) ||
           (tape_op_kind(in->op) == TI_PLAIN && in->op != TAPE_CALL &&
            in->op != TAPE_PICK && p->t->region[slot] == TR_VALUE &&
            p->nmade[slot] == 1 && p->read_at[slot] > at);
}

static bool reads_varying(const Passes *p, const TapeInstr *in)
{
    int arg[3], n = tape_reads(in, arg);
    bool varies = false;
    for (int k = 0; k < n; k++)
        varies |= p->varies[arg[k]];
    return varies;
}

static void place_before(Passes *p)
{
    for (int i = p->first; i < p->end; i++) {
        const TapeInstr *in = &p->code[i];
        if (!is_movable_before(p, i) || reads_varying(p, in))
            continue;
        p->of[i] = BEFORE;
        p->varies[in->dst] = false;
    }
}

/* ---- after the loop ---- */

/* v := if changed then new else v, and no pass reads v otherwise. */
static bool may_select_after(const Passes *p, int at)
{
    const TapeInstr *in = &p->code[at];
    return in->op == EX_IF && in->a == p->changed && in->c == in->dst &&
           p->nread[in->dst] == 1;
}

/* Can it be read after the loop as it was in the last pass that counted? */
static bool is_left(const Passes *p, const bool *later, int slot)
{
    if (!p->varies[slot] || later[slot])
        return true;
    if (slot >= p->nold)
        return false;
    if (p->t->region[slot] == TR_TEMP)
        return p->final[slot] != NONE;
    return p->final[slot] == NONE; /* else the pass has read the one before */
}

/* One look at all that may go after; returns whether one of them must not. */
static bool keep_some(Passes *p, bool *later)
{
    bool kept = false;
    memset(later, 0, (size_t)p->t->nslot * sizeof(bool));
    for (int i = p->run; i < p->end; i++) {
        if (p->of[i] != AFTER)
            continue;
        const TapeInstr *in = &p->code[i];
        bool selects = i >= p->select;
        int arg[3], n = tape_reads(in, arg);
        bool fine = selects || p->nread[in->dst] == 0;
        for (int k = 0; k < n; k++)
            fine &= selects ? k != 1 || !p->varies[arg[1]] || later[arg[1]]
                            : is_left(p, later, arg[k]);
        if (fine) {
            later[in->dst] = !selects;
            continue;
        }
        p->of[i] = AGAIN;
        for_reads(p, i, count_read);
        if (selects)
            p->final[in->b] = in->dst;
        kept = true;
    }
    return kept;
}

/* nread counts, from here on, what is read by that which stays. */
static int place_after(Passes *p)
{
    int nselect = 0;
    for (int i = p->select; i < p->end; i++) {
        const TapeInstr *in = &p->code[i];
        p->final[in->dst] = in->dst;
        if (may_select_after(p, i))
            p->of[i] = AFTER;
        else
            p->final[in->b] = in->dst;
    }
    for (int i = p->end - 1; i >= p->run; i--) {
        bool selects = i >= p->select;
        if (!selects && p->of[i] == AGAIN && !p->in_block[i] &&
            passes_is_movable(p, i) && p->nread[p->code[i].dst] == 0)
            p->of[i] = AFTER;
        if (p->of[i] == AFTER)
            for_reads(p, i, uncount_read);
    }
    bool *later = NEW_ARRAY(p->local, bool, p->t->nslot);
    while (keep_some(p, later)) {
    }
    for (int i = p->select; i < p->end; i++)
        nselect += p->of[i] == AFTER;
    return nselect;
}

/* ---- the new order ---- */

static void shrink_blocks(Passes *p)
{
    for (int i = p->first; i < p->end; i++) {
        if (p->code[i].op != TAPE_BLOCK)
            continue;
        TapeBlock *b = &p->t->block.at[p->code[i].a];
        int *count[3] = {&b->neval, &b->njac, &b->nsolve};
        int at = i + 1;
        for (int k = 0; k < 3; k++)
            for (int end = at + *count[k]; at < end; at++)
                *count[k] -= p->of[at] == BEFORE;
    }
}

static void put(Passes *p, TapeInstr in)
{
    vec_push(p->t->arena, &p->t->code, in);
}

static void put_all(Passes *p, When when)
{
    for (int i = p->first; i < p->end; i++)
        if (p->of[i] == when)
            put(p, p->code[i]);
}

static int left(const Passes *p, int slot)
{
    bool stays = slot != NONE && p->varies[slot] &&
                 p->t->region[slot] == TR_TEMP && p->final[slot] != NONE;
    return stays ? p->final[slot] : slot;
}

static void put_after(Passes *p, int any)
{
    for (int i = p->run; i < p->end; i++) {
        if (p->of[i] != AFTER)
            continue;
        TapeInstr in = p->code[i];
        unsigned reads = tape_op_reads(in.op);
        in.a = reads & 1 ? left(p, in.a) : in.a;
        in.b = reads & 2 ? left(p, in.b) : in.b;
        in.c = reads & 4 ? left(p, in.c) : in.c;
        if (i >= p->select)
            in.a = any;
        put(p, in);
    }
}

static void reorder(Passes *p, bool has_after)
{
    Tape *t = p->t;
    TapeInstr in = p->code[p->head];
    int any = NONE;
    shrink_blocks(p);
    put_all(p, BEFORE);
    for (int i = 0; i < p->more.n; i++)
        put(p, p->more.at[i]);
    if (has_after) {
        any = tape_slot(t, TR_VALUE, NULL, 0);
        t->here = in.origin;
        tape_emit(t, TAPE_COPY, any, tape_const(t, 0), NONE, NONE);
    }
    int head = t->code.n;
    put(p, in);
    put_all(p, AGAIN);
    for (int i = 0; i < p->nold; i++)
        if (p->once[i] != NONE && p->once[i] != i)
            tape_emit(t, TAPE_COPY, p->once[i], tape_const(t, 0), NONE, NONE);
    if (has_after)
        tape_emit(t, EX_OR, any, any, p->changed, NONE);
    t->code.at[head].b = t->code.n - head - 1;
    put_after(p, any);
}

/* ---- a loop ---- */

static void mark_blocks(Passes *p)
{
    for (int i = p->first; i < p->end; i++) {
        int n = tape_body(p->from, i);
        for (int k = i + 1; k <= i + n; k++)
            p->in_block[k] = true;
    }
}

/* The loop ends with selections by one temporary; what makes it comes before
 * the equations. */
static void find_parts(Passes *p)
{
    p->run = p->select = p->end;
    p->changed = NONE;
    const TapeInstr *last = &p->code[p->end - 1];
    if (last->op != EX_IF || p->t->region[last->a] != TR_TEMP)
        return;
    int changed = last->a, made = NONE;
    while (p->select > p->first) {
        const TapeInstr *in = &p->code[p->select - 1];
        if (in->op != EX_IF || in->a != changed || in->c != in->dst)
            break;
        p->select--;
    }
    for (int i = p->first; i < p->select; i++)
        if (tape_writes(&p->code[i]) == changed)
            made = i;
    p->run = made == NONE || p->in_block[made] ? p->end : made + 1;
    p->changed = made == NONE || p->nmade[changed] != 1 ? NONE : changed;
}

static void split(Passes *p)
{
    int nslot = p->t->nslot + 2 * (p->end - p->first) + 8; /* with new ones */
    p->nold = p->t->nslot;
    p->of = NEW_ARRAY(p->local, unsigned char, p->end + 1);
    p->in_block = NEW_ARRAY(p->local, bool, p->end + 1);
    p->varies = NEW_ARRAY(p->local, bool, nslot);
    p->nread = NEW_ARRAY(p->local, int, nslot);
    p->nmade = NEW_ARRAY(p->local, int, nslot);
    p->final = NEW_ARRAY(p->local, int, nslot);
    p->read_at = NEW_ARRAY(p->local, int, nslot);
    p->scale = NEW_ARRAY(p->local, int, nslot);
    p->base = NEW_ARRAY(p->local, int, nslot);
    p->once = NEW_ARRAY(p->local, int, nslot);
    for (int i = 0; i < nslot; i++)
        p->final[i] = p->read_at[i] = p->scale[i] = p->base[i] = p->once[i] =
            NONE;
    mark_blocks(p);
    for (p->now = p->first; p->now < p->end; p->now++) {
        for_reads(p, p->now, note_read);
        for_writes(p, p->now, count_made);
    }
    find_parts(p);
    place_before(p);
    if (p->code[p->head].a > 1) {
        passes_place_first(p);
        passes_scale_columns(p);
    }
    for (int i = p->first; i < p->end; i++)
        if (p->of[i] != BEFORE)
            for_reads(p, i, count_read);
    reorder(p, p->changed != NONE && p->run < p->select && place_after(p) > 0);
}

static bool has_leave(const Tape *t, int first, int n)
{
    bool leaves = false;
    for (int i = first; i < first + n; i++)
        leaves |= t->code.at[i].op == TAPE_LEAVE;
    return leaves;
}

static void split_segment(const Tape *from, const TapeSegment *s, Tape *t,
                          Arena *local)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &from->code.at[i];
        if (in->op != TAPE_REPEAT || in->b == 0 ||
            has_leave(from, i + 1, in->b)) {
            vec_push(t->arena, &t->code, *in);
            continue;
        }
        TapeInstr *code = NEW_ARRAY(local, TapeInstr, from->code.n);
        memcpy(code, from->code.at, (size_t)from->code.n * sizeof *code);
        Passes p = {.from = from,
                    .t = t,
                    .code = code,
                    .head = i,
                    .first = i + 1,
                    .end = i + 1 + in->b,
                    .local = local};
        split(&p);
        i += in->b;
    }
}

const Tape *fuse_split_passes(const Tape *from, Arena *arena)
{
    Tape *t = tape_copy(from, arena);
    Arena *local = arena_new();
    int outer = t->here;
    memset(&t->code, 0, sizeof t->code);
    memset(&t->segment, 0, sizeof t->segment);
    for (int i = 0; i < from->segment.n; i++) {
        tape_begin(t, from->segment.at[i].name);
        split_segment(from, &from->segment.at[i], t, local);
        tape_end(t);
    }
    t->here = outer;
    arena_free(local);
    return t;
}
