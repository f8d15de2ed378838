/* masks.c - which truths are masks.
 *
 * What logic makes may be either; so all that could be masks are taken for such
 * at first, and those for which it does not pay are taken out until none is
 * left.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/masks.h"

#include <string.h>

#include "tape/touch.h"

typedef struct Masks {
    const Tape *t;
    const TapeSegment *s;
    bool *mask;
    bool *otherwise; /* of each slot: more than plain operations touch it */
} Masks;

typedef struct Votes {
    int gain;       /* instructions less if it is a mask */
    int made, ndef; /* writes of a truth, writes */
} Votes;

bool tape_is_comparison(int op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE ||
           op == EX_EQ || op == EX_NE;
}

bool tape_is_logic(int op)
{
    return op == EX_AND || op == EX_OR || op == EX_NOT;
}

static bool is_known(const TapeInstr *in)
{
    return tape_op_kind(in->op) == TI_PLAIN && tape_writes(in) != NONE &&
           in->op != TAPE_CALL && in->op != TAPE_PICK;
}

static void touch(void *masks, int slot)
{
    Masks *m = masks;
    if (slot != NONE)
        m->otherwise[slot] = true;
}

/* ---- votes ---- */

static bool is_truth(const Masks *m, int slot)
{
    const Tape *t = m->t;
    bool is_number = t->region[slot] == TR_CONST &&
                     (t->initial[slot] == 0 || t->initial[slot] == 1);
    return m->mask[slot] || is_number;
}

/* Does the instruction make a truth? A selection does of two, a copy of one. */
static bool makes_truth(const Masks *m, const TapeInstr *in)
{
    if (in->op == EX_IF)
        return is_truth(m, in->b) && is_truth(m, in->c);
    if (in->op == TAPE_COPY)
        return is_truth(m, in->a);
    return tape_is_comparison(in->op) || tape_is_logic(in->op);
}

/* Operand k is read. What logic makes of two masks can become a number
 * afterwards, so it does not ask for one. */
static void vote_read(const Masks *m, const TapeInstr *in, int k, Votes *v)
{
    bool passes =
        tape_is_logic(in->op) || in->op == TAPE_COPY || in->op == EX_IF;
    if ((in->op == EX_IF && k == 0) || (passes && m->mask[in->dst]))
        v->gain++;
    else if (!tape_is_logic(in->op))
        v->gain--;
}

/* It is made: a comparison leaves a mask, and so do two; numbers must become
 * such. */
static void vote_made(const Masks *m, const TapeInstr *in, Votes *v)
{
    v->ndef++;
    v->made += makes_truth(m, in);
    if (tape_is_comparison(in->op))
        v->gain++;
    if (in->op != EX_AND && in->op != EX_OR)
        return;
    int nmask = m->mask[in->a] + m->mask[in->b];
    v->gain += nmask == 2 ? 1 : nmask - 2;
}

static void begin(Masks *m, const bool *may)
{
    for (int i = m->s->first; i < m->s->first + m->s->count; i++) {
        const TapeInstr *in = &m->t->code.at[i];
        if (!is_known(in)) {
            tape_touch_reads(m->t, in, touch, m);
            tape_touch_writes(m->t, in, touch, m);
        } else if (may[in->dst]) {
            m->mask[in->dst] = true;
        }
    }
    for (int i = 0; i < m->t->nslot; i++)
        m->mask[i] &= !m->otherwise[i];
}

/* Takes out what is no truth, or for which it does not pay. */
static bool narrow(Masks *m, Votes *votes)
{
    const Tape *t = m->t;
    bool changed = false;
    memset(votes, 0, (size_t)t->nslot * sizeof *votes);
    for (int i = m->s->first; i < m->s->first + m->s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (!is_known(in))
            continue;
        int arg[3], n = tape_reads(in, arg);
        for (int k = 0; k < n; k++)
            vote_read(m, in, k, &votes[arg[k]]);
        vote_made(m, in, &votes[in->dst]);
    }
    for (int i = 0; i < t->nslot; i++) {
        const Votes *v = &votes[i];
        if (!m->mask[i] || (v->made == v->ndef && v->gain > 0))
            continue;
        m->mask[i] = false;
        changed = true;
    }
    return changed;
}

bool *tape_masks(const Tape *t, const TapeSegment *s, const bool *may,
                 Arena *arena)
{
    Arena *local = arena_new();
    Masks m = {.t = t, .s = s};
    m.mask = NEW_ARRAY(arena, bool, t->nslot + 1);
    m.otherwise = NEW_ARRAY(local, bool, t->nslot + 1);
    Votes *votes = NEW_ARRAY(local, Votes, t->nslot + 1);
    begin(&m, may);
    while (narrow(&m, votes)) {
    }
    arena_free(local);
    return m.mask;
}
