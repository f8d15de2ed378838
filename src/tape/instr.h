/* instr.h - what is known of each instruction of a tape.
 *
 * Instructions are the operations of expr/ops.def that work on numbers, which
 * are all PLAIN, and those of instr.def. Passes over a tape ask these tables;
 * only who runs an instruction, writes it as C or makes it knows it by name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_INSTR_H
#define TAKT_TAPE_INSTR_H

#include "expr/ops.h"

typedef enum TapeOp {
    TAPE_FIRST = EX_NOP - 1,
#define INSTR(name, kind, dst, a, b, c, ...) TAPE_##name,
#include "tape/instr.def"
    TAPE_NOP_COUNT
} TapeOp;

typedef enum TapeKind {
    TI_PLAIN,
    TI_MEMORY,
    TI_LEAVE,
    TI_BLOCK,
    TI_LOOP,
    TI_SYSTEM
} TapeKind;

/* A row of instr.def. */
typedef struct TapeInstrInfo {
    const char *name;
    TapeKind kind;
    bool writes;    /* dst */
    unsigned reads; /* bit k: operand k is a slot that is read */
    int instructions, add, mul, div, select, load, store; /* of the cost */
} TapeInstrInfo;

const TapeInstrInfo *tape_op_info(int op); /* of `op` from EX_NOP on */

const char *tape_op_name(int op);
TapeKind tape_op_kind(int op);
/* The slots that it reads among a, b, c, as bits; does it write dst? */
unsigned tape_op_reads(int op);
bool tape_op_writes(int op);

#endif
