/* control.h - orders to a run that goes on: pause, resume, step, reset, stop,
 * other values of parameters.
 *
 * Other threads give orders, the loop takes a few of them at the beginning of a
 * tick; it never waits for them. The loop leaves the present values of
 * parameters here for whoever shows them.
 *
 * As text, in datagrams and requests:
 *
 *     pause | resume | reset | stop | step [N] | set NAME VALUE
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_CONTROL_H
#define TAKT_RUN_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum ControlKind {
    CONTROL_PAUSE,
    CONTROL_RESUME,
    CONTROL_STEP, /* `count` steps, then pause */
    CONTROL_RESET,
    CONTROL_STOP,
    CONTROL_SET, /* parameter `index` */
} ControlKind;

typedef struct ControlOrder {
    ControlKind kind;
    int index;
    int64_t count;
    double value;
} ControlOrder;

/* A parameter that can be changed while the model runs. */
typedef struct ControlParameter {
    const char *name, *unit;
    int number;      /* in the model */
    double min, max; /* -INFINITY, INFINITY: none */
    bool is_whole;   /* Integer, Boolean */
} ControlParameter;

enum {
    CONTROL_ROOM = 64,     /* orders that wait at most */
    CONTROL_MOST_TICK = 8, /* that are obeyed in a tick */
    CONTROL_TEXT = 512     /* bytes of an order as text at most */
};

typedef struct Control {
    const ControlParameter *parameter;
    int n;
    _Atomic double *value; /* n: present ones, of the loop */
    bool *is_changed;      /* n: of the loop */
    atomic_bool paused;    /* of the loop */
    ControlOrder order[CONTROL_ROOM];
    _Atomic size_t head, tail; /* orders that were given, and taken */
    pthread_mutex_t giving;    /* one at a time; the loop does not lock it */
} Control;

Control *control_new(const ControlParameter *parameter, int n, Arena *arena);

/* Of any thread but that of the loop; false: there is no room. */
bool control_give(Control *c, const ControlOrder *o);
/* Of the loop; false: there is none. */
bool control_take(Control *c, ControlOrder *o);

/* Reads an order of n bytes. NULL, or what is wrong with it. */
const char *control_read(const Control *c, const char *text, size_t n,
                         ControlOrder *o);
/* NULL, or why the parameter cannot have this value. */
const char *control_refuses(const ControlParameter *p, double value);

#endif
