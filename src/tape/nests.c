/* nests.c - inner selections are looked for behind the operands of outer ones.
 *
 * A segment is walked forward. `written` has the place at which a slot was last
 * written: what the inner selection has read must not have changed since. What
 * a loop writes counts as written where the loop begins.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/nests.h"

#include <string.h>

#include "tape/masks.h"
#include "tape/touch.h"

/* Logic that goes in front of an instruction: at most a negation and a pair. */
typedef struct Front {
    TapeInstr at[2];
    int n;
} Front;

typedef struct Nests {
    const Tape *t; /* as it was */
    Tape *out;
    Arena *local;
    TapeInstr *now; /* of each instruction: what it has become */
    Front *front;
    int *written; /* of each slot: place of the last write; NONE */
    int *def;     /* of each slot: the selection that makes it; NONE */
    int *nread;   /* of each slot */
    int *ndef;
    bool *is_truth; /* of each slot: logic reads or makes it */
    int n;          /* slots of `t` */
    int place;
} Nests;

static void count_read(void *nests, int slot)
{
    Nests *s = nests;
    s->nread[slot]++;
}

static void count_write(void *nests, int slot)
{
    Nests *s = nests;
    s->ndef[slot]++;
}

static void write(void *nests, int slot)
{
    Nests *s = nests;
    s->written[slot] = s->place;
    s->def[slot] = NONE;
}

static void survey(Nests *s)
{
    const Tape *t = s->t;
    for (int i = 0; i < t->code.n; i++) {
        const TapeInstr *in = &t->code.at[i];
        tape_touch_reads(t, in, count_read, s);
        tape_touch_writes(t, in, count_write, s);
        if (tape_is_comparison(in->op) || tape_is_logic(in->op))
            s->is_truth[in->dst] = true;
        int arg[3], n = tape_is_logic(in->op) ? tape_reads(in, arg) : 0;
        for (int k = 0; k < n; k++)
            s->is_truth[arg[k]] = true;
    }
}

/* ---- one selection ---- */

/* The selection that makes the slot, if it serves this place alone and what it
 * has read is still there. */
static const TapeInstr *inner_of(const Nests *s, int slot)
{
    if (slot >= s->n || s->def[slot] == NONE || s->ndef[slot] != 1 ||
        s->nread[slot] != 1 || s->t->region[slot] != TR_TEMP)
        return NULL;
    int at = s->def[slot];
    const TapeInstr *in = &s->now[at];
    const int arg[] = {in->a, in->b, in->c};
    for (int k = 0; k < 3; k++)
        if (arg[k] < s->n && s->written[arg[k]] > at)
            return NULL;
    return in;
}

static int add_logic(Nests *s, int at, int op, int a, int b)
{
    Front *f = &s->front[at];
    int dst = tape_slot(s->out, TR_TEMP, NULL, 0);
    f->at[f->n++] = (TapeInstr){.op = op,
                                .dst = dst,
                                .a = a,
                                .b = b,
                                .c = NONE,
                                .origin = s->now[at].origin};
    return dst;
}

static void select_by(Nests *s, int at, int condition, int yes, int no)
{
    s->now[at].a = condition;
    s->now[at].b = yes;
    s->now[at].c = no;
}

static void flatten(Nests *s, int at)
{
    TapeInstr in = s->now[at];
    const TapeInstr *yes = inner_of(s, in.b), *no = inner_of(s, in.c);
    if (no && no->b == in.b) {
        int either = add_logic(s, at, EX_OR, in.a, no->a);
        select_by(s, at, either, in.b, no->c);
    } else if (no && no->c == in.b) {
        int other = add_logic(s, at, EX_NOT, in.a, NONE);
        int both = add_logic(s, at, EX_AND, no->a, other);
        select_by(s, at, both, no->b, in.b);
    } else if (yes && yes->b == in.c) {
        int other = add_logic(s, at, EX_NOT, yes->a, NONE);
        int both = add_logic(s, at, EX_AND, in.a, other);
        select_by(s, at, both, yes->c, in.c);
    } else if (yes && yes->c == in.c) {
        int both = add_logic(s, at, EX_AND, in.a, yes->a);
        select_by(s, at, both, yes->b, in.c);
    }
}

static bool has_truth(const Nests *s, int slot)
{
    return slot >= s->n || s->is_truth[slot];
}

/* ---- the walk ---- */

/* What a body writes counts as written where it begins, and again where it
 * ends: a guard may have left it out. */
static void pass(Nests *s, int head, int place)
{
    s->place = place;
    for (int i = head; i <= head + tape_body(s->t, head); i++)
        tape_touch_writes(s->t, &s->t->code.at[i], write, s);
}

static void look(Nests *s, int at)
{
    const TapeInstr *in = &s->t->code.at[at];
    bool selects = in->op == EX_IF && has_truth(s, in->a);
    if (selects)
        flatten(s, at);
    s->place = at;
    tape_touch_writes(s->t, in, write, s);
    if (selects)
        s->def[in->dst] = at;
}

static void walk(Nests *s, const TapeSegment *segment)
{
    Vec(int) open = {0}; /* heads of bodies */
    for (int i = 0; i < s->n; i++)
        s->written[i] = s->def[i] = NONE;
    for (int i = segment->first; i < segment->first + segment->count; i++) {
        if (tape_body(s->t, i) > 0) {
            pass(s, i, i);
            vec_push(s->local, &open, i);
        } else {
            look(s, i);
        }
        while (open.n > 0 &&
               i == vec_last(&open) + tape_body(s->t, vec_last(&open))) {
            pass(s, vec_last(&open), i);
            open.n--;
        }
    }
}

/* ---- the new tape ---- */

/* Instructions more in a range. */
static int more_in(const Nests *s, int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++)
        n += s->front[i].n;
    return n;
}

static void copy_instr(Nests *s, int at)
{
    Tape *out = s->out;
    TapeInstr in = s->now[at];
    for (int k = 0; k < s->front[at].n; k++)
        vec_push(out->arena, &out->code, s->front[at].at[k]);
    if (tape_op_kind(in.op) == TI_LOOP)
        in.b += more_in(s, at + 1, in.b);
    if (in.op == TAPE_BLOCK) {
        TapeBlock *b = &out->block.at[in.a];
        int eval = b->neval, jac = b->njac, first = at + 1;
        b->neval += more_in(s, first, eval);
        b->njac += more_in(s, first + eval, jac);
        b->nsolve += more_in(s, first + eval + jac, b->nsolve);
    }
    vec_push(out->arena, &out->code, in);
}

static void rebuild(Nests *s)
{
    memset(&s->out->code, 0, sizeof s->out->code);
    memset(&s->out->segment, 0, sizeof s->out->segment);
    for (int k = 0; k < s->t->segment.n; k++) {
        TapeSegment from = s->t->segment.at[k];
        tape_begin(s->out, from.name);
        for (int i = from.first; i < from.first + from.count; i++)
            copy_instr(s, i);
        tape_end(s->out);
    }
}

Tape *tape_flatten_nests(const Tape *t, Arena *arena)
{
    Nests s = {.t = t,
               .out = tape_copy(t, arena),
               .local = arena_new(),
               .n = t->nslot};
    s.now = NEW_ARRAY(s.local, TapeInstr, t->code.n + 1);
    s.front = NEW_ARRAY(s.local, Front, t->code.n + 1);
    s.written = NEW_ARRAY(s.local, int, s.n + 1);
    s.def = NEW_ARRAY(s.local, int, s.n + 1);
    s.nread = NEW_ARRAY(s.local, int, s.n + 1);
    s.ndef = NEW_ARRAY(s.local, int, s.n + 1);
    s.is_truth = NEW_ARRAY(s.local, bool, s.n + 1);
    for (int i = 0; i < t->code.n; i++)
        s.now[i] = t->code.at[i];
    survey(&s);
    for (int k = 0; k < t->segment.n; k++)
        walk(&s, &t->segment.at[k]);
    rebuild(&s);
    arena_free(s.local);
    return s.out;
}
