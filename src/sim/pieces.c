/* pieces.c - instructions that can jump, and on which piece each of them is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

double sim_piece(const Exec *e, const TapeInstr *in)
{
    const double *r = e->r;
    if (in->op == EX_MOD)
        return floor(r[in->a] / r[in->b]);
    return in->op == EX_REM ? trunc(r[in->a] / r[in->b]) : r[in->dst];
}

int sim_find_pieces(Sim *s, int **at)
{
    const Tape *t = s->low->tape;
    const TapeSegment *run = &s->low->system[s->low->inlined->event].run;
    int n = 0;
    *at = NEW_ARRAY(s->arena, int, run->count + 1);
    int skip = -1, resume = -1;
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            skip = i + 1 + b->neval;
            resume = skip + b->njac + b->nsolve;
        }
        if (in->op < EX_NOP && op_has(in->op, OP_JUMPS) &&
            !(i >= skip && i < resume))
            (*at)[n++] = i;
    }
    return n;
}
