/* fuse_write_out.c - the passes of an event one after the other.
 *
 * A look at relations is most of a pass, and the first one has no path behind
 * it: no relation was flipped before, all paths begin where they are. Written
 * out, that is known where it is read, and tape_fold() leaves out what follows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

enum { MOST_PASSES = 3, MOST_WRITTEN_OUT = 2500 };

static bool is_written_out(const Tape *t, int at)
{
    const TapeInstr *in = &t->code.at[at];
    bool fits = in->op == TAPE_REPEAT && in->a <= MOST_PASSES &&
                in->b <= MOST_WRITTEN_OUT;
    for (int i = at + 1; fits && i <= at + in->b; i++)
        fits = t->code.at[i].op != TAPE_LEAVE &&
               tape_op_kind(t->code.at[i].op) != TI_LOOP;
    return fits;
}

static void write_out(Fuse *f, int at)
{
    const TapeSegment body = {.first = at + 1, .count = f->t->code.at[at].b};
    int times = f->t->code.at[at].a;
    for (int k = 1; k < times; k++)
        fuse_copy_segment(f, &body);
    for (int i = body.first; times > 0 && i < body.first + body.count; i++) {
        TapeInstr in = f->t->code.at[i];
        vec_push(f->t->arena, &f->t->code, in);
    }
}

Pruned *fuse_write_out(Fuse *f, const Pruned *p)
{
    Tape *outer = f->t, *t = f->t = tape_copy(p->tape, f->arena);
    int n = t->segment.n;
    TapeSegment *segment = NEW_ARRAY(f->local, TapeSegment, n + 1);
    for (int k = 0; k < n; k++) {
        TapeSegment from = t->segment.at[k];
        bool is_step = k >= 1 && k <= f->out->nstep;
        tape_begin(t, from.name);
        for (int i = from.first; i < from.first + from.count; i++) {
            TapeInstr in = t->code.at[i];
            if (is_step && is_written_out(t, i)) {
                write_out(f, i);
                i += in.b;
            } else {
                vec_push(t->arena, &t->code, in);
            }
        }
        tape_end(t);
        segment[k] = vec_last(&t->segment);
    }
    f->t = outer;
    return tape_prune(t, segment, n, f->wanted, f->arena);
}
