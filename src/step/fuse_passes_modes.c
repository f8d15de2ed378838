/* fuse_passes_modes.c - what relations and modes let a pass leave out.
 *
 * A relation of states and time is found to have changed in the first pass or
 * never: it is looked at before the loop, and what was found is forgotten at
 * the end of the first pass. And a linear block in whose equations a mode is a
 * factor has columns that are s*y, with a truth s and y of states alone: y goes
 * before the loop, where s is 1 it has the same bits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_passes_internal.h"

/* ---- what the first pass alone can find ---- */

/* `frozen` becomes `now`, which does not vary, and before that only the
 * instruction that compares the two reads it. Returns that, or NONE. */
static int compared_at(const Passes *p, int at)
{
    const TapeInstr *in = &p->code[at];
    int frozen = in->dst;
    if (in->op != TAPE_COPY || p->in_block[at] || p->varies[in->a] ||
        p->t->region[frozen] != TR_CARRY || p->nmade[frozen] != 1)
        return NONE;
    int by = p->read_at[frozen];
    if (by == NONE || by >= at || !passes_is_movable(p, by))
        return NONE;
    for (int i = by + 1; i < at; i++) {
        int arg[3], n = tape_reads(&p->code[i], arg);
        for (int k = 0; k < n; k++)
            if (arg[k] == frozen)
                return NONE;
        if (p->in_block[i] || tape_body(p->from, i) > 0)
            return NONE;
    }
    const TapeInstr *c = &p->code[by];
    bool same =
        (c->a == frozen && c->b == in->a) || (c->b == frozen && c->a == in->a);
    return c->op == EX_NE && same ? by : NONE;
}

static bool is_once(const Passes *p, const TapeInstr *in)
{
    return in->op == EX_OR && p->once[in->a] != NONE && p->once[in->b] != NONE;
}

/* A slot that is what the first pass finds, and 0 from then on. */
static int slot_of_first(Passes *p, int found)
{
    if (p->once[found] == found) {
        p->once[found] = tape_slot(p->t, TR_VALUE, NULL, 0);
        p->varies[p->once[found]] = true;
        vec_push(p->local, &p->more,
                 ((TapeInstr){.op = TAPE_COPY,
                              .dst = p->once[found],
                              .a = found,
                              .b = NONE,
                              .c = NONE,
                              .origin = p->code[p->head].origin}));
    }
    return p->once[found];
}

void passes_place_first(Passes *p)
{
    for (int i = p->first; i < p->run; i++) {
        const TapeInstr *in = &p->code[i];
        int by = compared_at(p, i);
        if (by != NONE) {
            p->of[i] = p->of[by] = BEFORE;
            p->varies[in->dst] = false;
            p->once[p->code[by].dst] = p->code[by].dst;
        }
    }
    for (int i = p->first; i < p->end; i++) {
        TapeInstr *in = &p->code[i];
        if (passes_is_movable(p, i) && is_once(p, in)) {
            p->of[i] = BEFORE;
            p->once[in->dst] = in->dst;
        }
        if (p->of[i] == BEFORE)
            continue;
        unsigned reads = tape_op_reads(in->op);
        int *arg[3] = {&in->a, &in->b, &in->c};
        for (int k = 0; k < 3; k++)
            if (reads >> k & 1 && *arg[k] < p->nold && p->once[*arg[k]] != NONE)
                *arg[k] = slot_of_first(p, *arg[k]);
    }
}

/* ---- columns that a mode switches on ---- */

static bool is_truth(int op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE ||
           op == EX_EQ || op == EX_NE || op == EX_AND || op == EX_OR ||
           op == EX_NOT;
}

/* The truth that the operands of `in` share, and `in` on what it is a factor
 * of; NONE: there is none. */
static int common_scale(const Passes *p, const TapeInstr *in, TapeInstr *on)
{
    int a = in->a, b = in->b;
    int sa = a == NONE ? NONE : p->scale[a],
        sb = b == NONE ? NONE : p->scale[b];
    *on = *in;
    on->a = sa == NONE ? a : p->base[a];
    on->b = sb == NONE ? b : p->base[b];
    switch (in->op) {
    case EX_NEG: return sa;
    case EX_ADD:
    case EX_SUB: return sa == sb ? sa : NONE;
    case EX_MUL:
        if (sa != NONE && sb == NONE && !p->varies[b])
            return sa;
        return sb != NONE && sa == NONE && !p->varies[a] ? sb : NONE;
    case EX_DIV: return sb == NONE && !p->varies[b] ? sa : NONE;
    default: return NONE;
    }
}

/* s*y, y*s or if s then y else 0, with a truth s that varies and y that does
 * not. */
static bool begin_scale(Passes *p, const TapeInstr *in, const bool *truth)
{
    if (in->op == EX_IF && truth[in->a] && !p->varies[in->b] &&
        p->varies[in->a] && in->c == tape_const(p->t, 0)) {
        p->scale[in->dst] = in->a;
        p->base[in->dst] = in->b;
        return true;
    }
    for (int k = 0; in->op == EX_MUL && k < 2; k++) {
        int s = k ? in->b : in->a, y = k ? in->a : in->b;
        if (!truth[s] || p->varies[y] || !p->varies[s])
            continue;
        p->scale[in->dst] = s;
        p->base[in->dst] = y;
        return true;
    }
    return false;
}

void passes_scale_columns(Passes *p)
{
    bool *truth = NEW_ARRAY(p->local, bool, p->t->nslot + 1);
    int zero = tape_const(p->t, 0);
    for (int i = p->run; i < p->end; i++) {
        TapeInstr *in = &p->code[i], on;
        if (p->of[i] != AGAIN || !passes_is_movable(p, i))
            continue;
        truth[in->dst] = is_truth(in->op);
        if (!begin_scale(p, in, truth)) {
            int s = common_scale(p, in, &on);
            if (s == NONE)
                continue;
            on.dst = tape_slot(p->t, TR_TEMP, NULL, 0);
            vec_push(p->local, &p->more, on);
            p->scale[in->dst] = s;
            p->base[in->dst] = on.dst;
        }
        in->op = EX_IF;
        in->a = p->scale[in->dst];
        in->b = p->base[in->dst];
        in->c = zero;
    }
}
