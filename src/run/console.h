/* console.h - orders by datagrams (control.h), one in each; the answer is "ok",
 * "busy" or "error: ..." to who sent it. "status" is answered by the figures of
 * the run: "time 1.5 steps 1500 running overruns 0".
 *
 * A thread of its own listens: the loop sees orders only. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_CONSOLE_H
#define TAKT_RUN_CONSOLE_H

#include "base/diag.h"
#include "run/control.h"
#include "run/live.h"

typedef struct Console Console;

/* `address` as in udp.h. NULL after a report (E1606). */
Console *console_open(const char *address, Control *control, Live *live,
                      Arena *arena, Diag *diag);
int console_port(const Console *c);
void console_close(Console *c); /* NULL is allowed */

#endif
