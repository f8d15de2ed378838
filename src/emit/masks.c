/* masks.c - truths that are masks.
 *
 * Truth is the number 1. A selection by it, and what logic makes of it, work on
 * words of ones or zeros only, masks, which is what a processor's comparison
 * leaves (runtime/takt_rt_base.h). So a local that only comparisons and logic
 * write stays a mask if selections and logic read it at least as often as it is
 * read as a number. What logic makes may be either; so all that could be masks
 * are taken for such at first, and those for which it does not pay are taken
 * out until none is left.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emit/body.h"

typedef struct Votes {
    int gain;       /* instructions less if it is a mask */
    int read, made; /* reads and writes of instructions that are known here */
} Votes;

static bool is_comparison(int op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE ||
           op == EX_EQ || op == EX_NE;
}

static bool is_logic(int op)
{
    return op == EX_AND || op == EX_OR || op == EX_NOT;
}

static bool is_known(const TapeInstr *in)
{
    return tape_op_kind(in->op) == TI_PLAIN && tape_writes(in) != NONE &&
           in->op != TAPE_CALL && in->op != TAPE_PICK;
}

static bool is_truth(const Body *b, int slot)
{
    const Tape *t = b->e->t;
    bool is_number = b->e->home[slot] == HOME_CONST &&
                     (t->initial[slot] == 0 || t->initial[slot] == 1);
    return b->mask[slot] || is_number;
}

/* Does the instruction make a truth? A selection does of two, a copy of one. */
static bool makes_truth(const Body *b, const TapeInstr *in)
{
    if (in->op == EX_IF)
        return is_truth(b, in->b) && is_truth(b, in->c);
    if (in->op == TAPE_COPY)
        return is_truth(b, in->a);
    return is_comparison(in->op) || is_logic(in->op);
}

/* Operand k is read. What logic makes of two masks can become a number
 * afterwards, so it does not ask for one. */
static void vote_read(const Body *b, const TapeInstr *in, int k, Votes *v)
{
    bool passes = is_logic(in->op) || in->op == TAPE_COPY || in->op == EX_IF;
    v->read++;
    if ((in->op == EX_IF && k == 0) || (passes && b->mask[in->dst]))
        v->gain++;
    else if (!is_logic(in->op))
        v->gain--;
}

/* It is made: a comparison leaves a mask, and so do two; numbers must become
 * such. */
static void vote_made(const Body *b, const TapeInstr *in, Votes *v)
{
    v->made += makes_truth(b, in);
    if (is_comparison(in->op))
        v->gain++;
    if (in->op != EX_AND && in->op != EX_OR)
        return;
    int nmask = b->mask[in->a] + b->mask[in->b];
    v->gain += nmask == 2 ? 1 : nmask - 2;
}

static void begin(Body *b, const TapeSegment *s)
{
    const Emit *e = b->e;
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &e->t->code.at[i];
        if (!is_known(in) || e->home[in->dst] != HOME_LOCAL ||
            e->array[in->dst] || e->t->slot_name[in->dst])
            continue;
        b->mask[in->dst] = true;
    }
}

/* Takes out what is no truth, or for which it does not pay. */
static bool narrow(Body *b, const TapeSegment *s, Votes *votes)
{
    const Tape *t = b->e->t;
    bool changed = false;
    memset(votes, 0, (size_t)t->nslot * sizeof *votes);
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (!is_known(in))
            continue;
        int arg[3], n = tape_reads(in, arg);
        for (int k = 0; k < n; k++)
            vote_read(b, in, k, &votes[arg[k]]);
        vote_made(b, in, &votes[in->dst]);
    }
    for (int i = 0; i < t->nslot; i++) {
        const Votes *v = &votes[i];
        if (!b->mask[i] ||
            (v->made == b->ndef[i] && v->read == b->nuse[i] && v->gain > 0))
            continue;
        b->mask[i] = false;
        changed = true;
    }
    return changed;
}

void body_find_masks(Body *b, const TapeSegment *segment)
{
    Votes *votes = NEW_ARRAY(b->e->local, Votes, b->e->t->nslot);
    begin(b, segment);
    while (narrow(b, segment, votes)) {
    }
}
