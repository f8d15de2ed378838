/* connect.h - what the files about connections share.
 *
 *   connect.c   connection sets, their equations
 *   graph.c     overdetermined connectors: the graph of Connections.* (9.4)
 *   stream.c    stream connectors (chapter 15)
 *   expandable.c  expandable connectors (9.1.3)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_CONNECT_H
#define TAKT_INSTANCE_CONNECT_H

#include "instance/structure.h"

/* One connect equation, or one turn of it in a loop. */
typedef struct ConnectEdge {
    int component; /* the instance it stands in */
    Span span;
} ConnectEdge;

/* expandable.c: a connection that needs a member that is not there yet. */
struct Waiting {
    Scope *scope;
    Instance *owner;
    const AstEqn *eqn;
    bool done;
};

/* expandable.c: two expandable connectors that are connected. */
struct BusLink {
    Instance *a, *b;
    Instance *owner;
    Span span;
};

typedef struct ConnectGraph {
    int *up;   /* union-find over faces: 2 v inside, 2 v + 1 outside */
    int *edge; /* of each face: the first edge that joins it, NONE */
    int nface;
    Vec(ConnectEdge) edges;
    Vec(struct Waiting) waiting; /* expandable.c */
    Vec(struct BusLink) links;
    struct Overdetermined *over; /* graph.c */
    struct StreamSets *streams;  /* stream.c */
} ConnectGraph;

/* A side of a connect. */
typedef struct Side {
    Instance *owner; /* the instance the connect stands in */
    bool outside;
    bool direct; /* the graph of overdetermined connectors was asked already */
} Side;

void connect_add(const Context *in, Scope *scope, Instance *owner,
                 const AstEqn *eqn);
/* The member of an expandable connector that a side names and that is not
 * there; bus NULL: none. */
typedef struct Missing {
    Instance *bus;
    const AstPart *part;
} Missing;
Missing connect_missing(const Context *in, Scope *scope, const AstRef *ref);
/* The instances a side names, in silence. */
InstanceSet connect_side(const Context *in, Scope *scope, const AstRef *ref);
/* connect(x, y) in `owner`. */
void connect_instances(const Context *in, Instance *owner, Instance *x,
                       Instance *y, Span span);

bool expandable_is(const Instance *inst);
/* Decides later about a connection; or about two expandable connectors: false
 * if these are known already. */
void expandable_wait(const Context *in, Scope *scope, Instance *owner,
                     const AstEqn *eqn);
bool expandable_link(const Context *in, Instance *a, Instance *b,
                     Instance *owner, Span span);
/* Something is connected to it: it is present. */
void expandable_touch(Instance *inst);
/* After all connections were looked at. */
void expandable_finish(const Context *in);

void connect_emit(const Context *in);
int connect_set_of(ConnectGraph *g, int face);
/* Operators whose answer is in the structure: cardinality, inStream,
 * actualStream, Connections.isRoot, Connections.rooted. NULL if the call is
 * none of these. */
Value *connect_operator(const Context *in, Scope *scope, const AstExpr *call);

/* Is `inst` a record with an equalityConstraint function? */
bool graph_is_overdetermined(const Context *in, Instance *inst);
/* connect() of two such records. */
void graph_connect(const Context *in, Instance *a, Instance *b, Instance *owner,
                   int edge);
/* Connections.branch, root, potentialRoot, uniqueRoot as equations. */
void graph_call(const Context *in, Scope *scope, Instance *owner,
                const AstEqn *q);
/* Connections.isRoot, rooted. */
Value *graph_operator(const Context *in, Scope *scope, const AstExpr *call);
/* Chooses roots and breaks loops; joins or constrains the records. */
void graph_solve(const Context *in);
/* Joins all variables of two records. */
void connect_records(const Context *in, Instance *a, Instance *b,
                     Instance *owner, int edge);

/* What flows in where the stream variable `var` is (15.2). */
Expr stream_in(const Context *in, int var);
/* The equations of stream variables of outside connectors. */
void stream_emit(const Context *in);
Value *stream_operator(const Context *in, Scope *scope, const AstExpr *call);

#endif
