/* dbc.h - the signals of CAN frames, from a .dbc file.
 *
 *   in    lines   BO_ 291 Motor: 8 Plant
 *                  SG_ motor_w : 7|16@0- (0.1,0) [-400|400] "rad/s" Control
 *                 SIG_VALTYPE_ 291 motor_w : 1;            a float
 *                 BA_ "GenMsgCycleTime" BO_ 291 10;        ms
 *   out   Dbc     messages and signals
 *
 * Other lines are passed by. A signal is `size` bits from `start` on: with @1
 * that is its least bit and others follow upwards (Intel), with @0 its highest
 * and others follow downwards, then in the next byte (Motorola). A value is
 * factor * raw + offset. Of multiplexed signals (m3) those are in a frame whose
 * number the signal M has.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_IO_DBC_H
#define TAKT_IO_DBC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

enum { DBC_EXTENDED = 1u << 31, DBC_BYTES = 8 };

typedef enum DbcKind { DBC_WHOLE, DBC_FLOAT, DBC_DOUBLE } DbcKind;

typedef struct DbcSignal {
    const char *name, *unit;
    Span span;
    int start, size; /* bits */
    bool is_intel, is_signed;
    DbcKind kind;
    double factor, offset;
    double min, max; /* both 0: none */
    bool is_switch;  /* M: its value says which others there are */
    int when;        /* NONE: always, else the value of the switch */
    int bound;       /* input or result of the model; NONE: none */
} DbcSignal;

typedef struct DbcMessage {
    uint32_t id; /* with DBC_EXTENDED where it has 29 bits */
    const char *name;
    Span span;
    int bytes;
    double cycle; /* s; 0: every step */
    Vec(DbcSignal) signal;
} DbcMessage;

typedef Vec(DbcMessage) Dbc;

/* Reads text number `source`. NULL after reports (E1618). */
Dbc *dbc_read(const Sources *sources, int source, Arena *arena, Diag *diag);

/* The value in a frame of 8 bytes; it may be NaN where the signal is a float.
 */
double dbc_get(const DbcSignal *s, const unsigned char *data);
/* Puts a value in: the nearest that can be said, within [min|max]. `x` is
 * finite. */
void dbc_put(const DbcSignal *s, double x, unsigned char *data);
/* Is the signal in this frame? */
bool dbc_has(const DbcMessage *m, const DbcSignal *s,
             const unsigned char *data);

#endif
