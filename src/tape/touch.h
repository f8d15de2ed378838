/* touch.h - all slots that an instruction reads or writes.
 *
 * tape_reads and tape_writes know the operands; here are those of blocks,
 * systems and calls too. The body of a block or a loop is not looked at.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_TOUCH_H
#define TAKT_TAPE_TOUCH_H

#include "tape/tape.h"

typedef void TapeTouch(void *context, int slot);

/* Calls `touch` for each slot, for some of them more than once. */
void tape_touch_reads(const Tape *t, const TapeInstr *in, TapeTouch *touch,
                      void *context);
void tape_touch_writes(const Tape *t, const TapeInstr *in, TapeTouch *touch,
                       void *context);

#endif
