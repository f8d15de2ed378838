/* tape_print.c - a tape for readers, and the check of its ranges. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>

#include "base/die.h"
#include "base/file.h"
#include "num/table.h"
#include "tape/tape.h"

static const char *const region_letter = "kpdtucvr";

static void print_slot(const Tape *t, int slot, FILE *out)
{
    char text[32];
    if (slot == NONE)
        fputs("-", out);
    else if (t->slot_name[slot])
        fputs(t->slot_name[slot], out);
    else if (t->region[slot] == TR_CONST)
        fputs(number_text(t->initial[slot], text), out);
    else
        fprintf(out, "%c%d", region_letter[t->region[slot]], slot);
}

static void print_block(const Tape *t, const TapeBlock *b, FILE *out)
{
    fprintf(out, "BLOCK %s: %d unknown%s, %d iteration%s%s%s\n", b->name, b->n,
            b->n == 1 ? "" : "s", b->iterations, b->iterations == 1 ? "" : "s",
            b->is_linear ? ", linear" : "", b->is_damped ? ", damped" : "");
    fprintf(out, "        eval %d, jacobian %d, solve %d; x =", b->neval,
            b->njac, b->nsolve);
    for (int i = 0; i < b->n; i++) {
        fputc(' ', out);
        print_slot(t, b->x[i], out);
    }
    fputc('\n', out);
}

static const char *system_kind_name(TapeSystemKind kind)
{
    return kind == TS_PIVOT ? "pivoting" : kind == TS_TABLE_LU ? "LU" : "QR";
}

static void print_instr(const Tape *t, int i, FILE *out)
{
    const TapeInstr *in = &t->code.at[i];
    fprintf(out, "%6d  ", i);
    switch (in->op) {
    case TAPE_BLOCK: print_block(t, &t->block.at[in->a], out); return;
    case TAPE_REPEAT:
        fprintf(out, "REPEAT %d times the next %d\n", in->a, in->b);
        return;
    case TAPE_GUARD:
        fprintf(out, "GUARD rate %d: the next %d if slot %d\n", in->c, in->b,
                in->a);
        return;
    case TAPE_FACTOR:
    case TAPE_SOLVE:
        fprintf(out, "%s system %d (%s, %d unknowns, %d entries)\n",
                tape_op_name(in->op), in->a,
                system_kind_name(t->system.at[in->a].kind),
                t->system.at[in->a].n, t->system.at[in->a].nnz);
        return;
    default: break;
    }
    if (tape_writes(in) != NONE) {
        print_slot(t, in->dst, out);
        fprintf(out, " = ");
    }
    fprintf(out, "%s", tape_op_name(in->op));
    if (in->op == TAPE_CALL || in->op == TAPE_PICK)
        fprintf(out, " %s", t->call.at[in->a].fn->name);
    if (in->op == TAPE_PICK)
        fprintf(out, "[%d]", in->c);
    int arg[3], narg = tape_reads(in, arg);
    for (int k = 0; k < narg; k++) {
        fputc(' ', out);
        print_slot(t, arg[k], out);
    }
    fputc('\n', out);
}

void tape_print(const Tape *t, FILE *out)
{
    int count[TR_NREGION] = {0};
    for (int i = 0; i < t->nslot; i++)
        count[t->region[i]]++;
    fprintf(out,
            "tape: %d slots (constants %d, parameters %d, derived %d, time "
            "%d, inputs %d, carried %d, values %d, temporaries %d)\n",
            t->nslot, count[TR_CONST], count[TR_PARAM], count[TR_DERIVED],
            count[TR_TIME], count[TR_INPUT], count[TR_CARRY], count[TR_VALUE],
            count[TR_TEMP]);
    for (int s = 0; s < t->segment.n; s++) {
        const TapeSegment *seg = &t->segment.at[s];
        fprintf(out, "segment %s: %d instructions\n", seg->name, seg->count);
        for (int i = seg->first; i < seg->first + seg->count; i++)
            print_instr(t, i, out);
    }
}

/* ---- checking ---- */

static void check_read(const Tape *t, int slot, const int *written, int mark)
{
    assert(slot >= 0 && slot < t->nslot);
    assert(t->region[slot] != TR_TEMP || written[slot] == mark);
    (void)t, (void)slot, (void)written, (void)mark;
}

/* Block and system instructions read and write many slots. */
static void check_macro(const Tape *t, const TapeInstr *in, int at, int end,
                        int *written, int mark)
{
    TapeKind kind = tape_op_kind(in->op);
    if (kind == TI_BLOCK) {
        assert(in->a >= 0 && in->a < t->block.n);
        const TapeBlock *b = &t->block.at[in->a];
        assert(at + 1 + b->neval + b->njac + b->nsolve <= end);
        (void)b, (void)at, (void)end;
    } else if (kind == TI_LOOP) {
        assert(in->a >= 0 && in->b >= 0 && at + 1 + in->b <= end);
    } else {
        assert(in->a >= 0 && in->a < t->system.n);
        const TapeSystem *s = &t->system.at[in->a];
        for (int k = 0; in->op == TAPE_FACTOR && k < s->nnz; k++)
            check_read(t, s->entry[k], written, mark);
        for (int k = 0; k < s->nrow; k++)
            written[s->rhs[k]] = mark;
        for (int k = 0; s->table && k < s->table->nfactor; k++)
            written[s->factors + k] = mark;
        for (int k = 0; s->table && k < s->table->nvector; k++)
            written[s->vector + k] = mark;
    }
}

void tape_check(const Tape *t)
{
    Arena *local = arena_new();
    int *written = NEW_ARRAY(local, int, t->nslot);
    for (int s = 0; s < t->segment.n; s++) {
        const TapeSegment *seg = &t->segment.at[s];
        int end = seg->first + seg->count;
        assert(seg->first >= 0 && end <= t->code.n);
        for (int i = seg->first; i < end; i++) {
            const TapeInstr *in = &t->code.at[i];
            if (tape_op_kind(in->op) >= TI_BLOCK) {
                check_macro(t, in, i, end, written, s + 1);
                continue;
            }
            int arg[3], narg = tape_reads(in, arg);
            for (int k = 0; k < narg; k++)
                check_read(t, arg[k], written, s + 1);
            int first, nlist = tape_list(t, in, &first);
            for (int k = 0; k < nlist; k++)
                check_read(t, first + k, written, s + 1);
            if (tape_writes(in) == NONE)
                continue;
            assert(in->dst >= 0 && in->dst < t->nslot);
            assert(t->region[in->dst] != TR_CONST);
            written[in->dst] = s + 1;
        }
    }
    arena_free(local);
}
