/* box_edges.c - runs in which little differs from a scenario.
 *
 * Points of a box change everything at once. What users do first is less: one
 * parameter at an end of its range, a step of an input, everything else as it
 * was. A plan can fall there that holds everywhere else: where all inputs are
 * large, what a light mass does at a small one is a small part of the range.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "tuning/box.h"

#define JUMP_SHAPE 0.3 /* of AXIS_SHAPE: the second of four */
#define JUMP_AT    0.3 /* of the run */

typedef struct Edges {
    const Box *b;
    double *point; /* axis.n each */
    int n, most;
} Edges;

/* A run like the first scenario; NULL: there are enough. */
static double *add(Edges *e)
{
    int n = e->b->axis.n;
    if (e->n >= e->most)
        return NULL;
    double *x = e->point + (size_t)e->n++ * (size_t)n;
    for (int i = 0; i < n; i++)
        x[i] = NAN;
    return x;
}

/* All parameters, or all start values, at one end. */
static void add_all(Edges *e, AxisKind kind)
{
    int found = 0;
    for (int i = 0; i < e->b->axis.n; i++)
        found += e->b->axis.at[i].kind == kind;
    for (int end = 0; end < 2 && found > 0; end++) {
        double *x = add(e);
        for (int i = 0; x && i < e->b->axis.n; i++)
            if (e->b->axis.at[i].kind == kind)
                x[i] = end;
    }
}

/* An input jumps from one end to the other. */
static void add_jumps(Edges *e, int first)
{
    for (int end = 0; end < 2; end++) {
        double *x = add(e);
        for (int i = first; x && i < e->b->axis.n; i++) {
            const Axis *a = &e->b->axis.at[i];
            if (a->var != e->b->axis.at[first].var)
                break;
            x[i] = a->kind == AXIS_FROM    ? end
                   : a->kind == AXIS_TO    ? 1 - end
                   : a->kind == AXIS_SHAPE ? JUMP_SHAPE
                   : a->kind == AXIS_WHEN  ? JUMP_AT
                                           : 0;
        }
    }
}

static bool is_level(const Axis *a)
{
    return a->kind == AXIS_FROM || a->kind == AXIS_TO;
}

/* All inputs rest at ends of their ranges, the same or by turns, and all
 * parameters are at one: where a run settles that a plan has not seen. */
static void add_rests(Edges *e)
{
    enum { LOW, HIGH, BY_TURNS, BY_TURNS_BACK, NWAY };
    int found = 0;
    for (int i = 0; i < e->b->axis.n; i++)
        found += e->b->axis.at[i].kind == AXIS_FROM;
    for (int k = 0; k < 2 * NWAY && found > 0; k++) {
        int way = k % NWAY, end = k / NWAY, input = -1;
        if (found == 1 && way >= BY_TURNS)
            continue;
        double *x = add(e);
        for (int i = 0; x && i < e->b->axis.n; i++) {
            const Axis *a = &e->b->axis.at[i];
            input += a->kind == AXIS_FROM;
            bool is_high = way < BY_TURNS
                               ? way == HIGH
                               : (input + (way == BY_TURNS_BACK)) % 2 == 1;
            if (is_level(a))
                x[i] = is_high;
            else if (a->kind == AXIS_PARAMETER)
                x[i] = end;
            else if (a->kind == AXIS_SHAPE)
                x[i] = JUMP_SHAPE;
            else if (a->kind == AXIS_WHEN || a->kind == AXIS_FREQUENCY)
                x[i] = 0;
        }
    }
}

static void add_ends(Edges *e, int axis)
{
    for (int end = 0; end < 2; end++) {
        double *x = add(e);
        if (x)
            x[axis] = end;
    }
}

int box_edges(const Box *b, double *point, int most)
{
    Edges e = {.b = b, .point = point, .most = most};
    add_all(&e, AXIS_PARAMETER);
    add_all(&e, AXIS_START);
    for (int i = 0; i < b->axis.n; i++) {
        const Axis *a = &b->axis.at[i];
        if (a->kind == AXIS_FROM)
            add_jumps(&e, i);
        else if (a->kind == AXIS_PARAMETER && a->is_declared)
            add_ends(&e, i);
    }
    return e.n;
}

int box_rests(const Box *b, double *point, int most)
{
    Edges e = {.b = b, .point = point, .most = most};
    add_rests(&e);
    return e.n;
}
