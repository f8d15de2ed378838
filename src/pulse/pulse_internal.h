/* pulse_internal.h - what the files of pulse/ share: a search by interval
 * arithmetic for what an expression does in a piece of time. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PULSE_INTERNAL_H
#define TAKT_PULSE_INTERNAL_H

#include "pulse/pulse.h"

enum { SEARCH_CELLS = 256 }; /* at most in a search */

/* Parts of the largest difference of values that do not count. */
#define SEARCH_SMALL 1e-3

typedef struct SearchCell {
    double from, to;
    ExprRange range;
    double mid; /* the value in the middle */
} SearchCell;

typedef struct Caller Caller;

typedef struct Search {
    const Dag *dag;
    ExprLeafValue *leaf;       /* at time `from` */
    ExprLeafRange *leaf_range; /* from `from` to `to` */
    void *context;             /* of both */
    Expr root;
    Expr *order; /* of the nodes below it */
    int n;
    double *value;    /* by handle */
    ExprRange *range; /* likewise */
    Caller *caller;   /* NULL: there are no functions */
    bool has_calls;   /* below the root */
    double from, to;
    long work;    /* operations so far */
    double scale; /* largest difference of values */
    double low, high;
    SearchCell cell[SEARCH_CELLS];
    int ncell;
} Search;

/* ---- call.c ---- */
/* Can it be told between which numbers the function stays? Of expressions it is
 * made of there are `most` nodes at most. */
bool call_is_known(const Dag *d, int fn, int most);
/* NULL: there are no functions. Lives in `arena`. */
Caller *caller_new(const Dag *d, Arena *arena);
bool caller_is_needed(const Dag *d, const Expr *order, int n);
/* As expr_enclose_order(), and calls. */
void caller_enclose(Caller *c, const Expr *order, int n, ExprLeafRange *leaf,
                    void *context, ExprRange *range);

/* ---- search.c ---- */
/* All expressions that will be searched are in `dag`. */
void search_new(Search *x, const Dag *dag, ExprLeafValue *leaf,
                ExprLeafRange *leaf_range, void *context, Arena *arena);
void search_begin(Search *x, Expr root, Arena *arena);
double search_value(Search *x, double time);
ExprRange search_range(Search *x, double from, double to);
SearchCell search_cell(Search *x, double from, double to);
/* Cell k becomes two, the second one at the end. */
void search_halve(Search *x, int k);
/* Cells of a piece of time that are shorter are not halved. */
double search_least(double from, double to);
/* Of a search whose only cell so far is cell[0]: a piece of it in which the
 * expression is far from `inside`. */
bool search_piece(Search *x, ExprRange inside, Pulse *piece);
/* How far a range reaches beyond `inside`. */
double range_beyond(ExprRange r, ExprRange inside);

#endif
