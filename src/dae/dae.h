/* dae.h - the index-reduced system with its states and its initialisation.
 *
 *   made by   reduce/reduce.h   Sys -> Dae
 *   read by   inline/inline.h   Dae + Plan -> difference equations
 *             sample/, adaptive/, emit/
 *
 * A quantity is a leaf VAR(var, order) of the DAG. Given the states, the
 * inputs, the parameters and the time, the equations determine the unknowns:
 * the derivatives of the states, the algebraic variables and the dummy
 * derivatives (derivatives that count as algebraic unknowns because a
 * constraint already determines the variable). So neqn = nunknown.
 *
 *   pendulum x^2 + y^2 = 1 with states y, vy:
 *     unknowns  y', vy' (derivatives of states), x, vx, lam (algebraic),
 *               x', x'', y'', vx' (dummy derivatives)
 *     equations the five of the model, the constraint differentiated once and
 *               twice, x' = vx and y' = vy differentiated once
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DAE_DAE_H
#define TAKT_DAE_DAE_H

#include "sys/sys.h"

typedef enum DaeKind {
    DK_DERIVATIVE, /* derivative of a state */
    DK_ALGEBRAIC,  /* an algebraic variable */
    DK_DUMMY,      /* a dummy derivative, or a variable that lost its place as a
                      state to a constraint */
    DK_DISCRETE,   /* discrete variable */
} DaeKind;

typedef struct DaeUnknown {
    int var, order; /* the leaf VAR(var, order) */
    Expr leaf;
    DaeKind kind;
    int state; /* DK_DERIVATIVE: number of the state, else NONE */
} DaeUnknown;

typedef struct DaeState {
    int var, order; /* the state is VAR(var, order) */
    Expr leaf;      /* the state */
    Expr der;       /* VAR(var, order + 1): an unknown */
    int unknown;    /* number of that unknown */
    int set;        /* state set it belongs to, NONE: a fixed state */
} DaeState;

/* Dynamic state selection: of ncandidate leaves (all of one order) nstate are
 * states at a time: s = P * candidates, where P (nstate rows of unit vectors)
 * is data and rechosen between steps. The s are variables of their own,
 * appended to Sys's table with auxiliary names. */
typedef struct DaeSetEntry {
    int row, col; /* column of a candidate, or ncandidate + eliminated one */
    Expr value;   /* in terms of leaves of the Dae; EXPR_NONE: not known */
} DaeSetEntry;

typedef struct DaeStateSet {
    Expr *candidate; /* leaves VAR(var, order) */
    Expr *candidate_der;
    int ncandidate;
    int nstate;
    int first_state; /* the states are first_state .. first_state+nstate-1 */
    int *select;     /* parameter variables that hold P, nstate * ncandidate */
    int *constraint; /* equations whose Jacobian by the candidates decides */
    int nconstraint;
    int *initial; /* candidates chosen at the start point, size nstate */
    /* The matrix that decides: nrow rows; its columns are the candidates and
     * neliminated other unknowns that never are states. nrow = neliminated +
     * ncandidate - nstate. A choice of states is good if the matrix without
     * their columns is regular. */
    DaeSetEntry *entry;
    int nentry;
    int nrow, neliminated;
} DaeStateSet;

/* The initialisation system: everything is unknown but parameters, inputs and
 * time. Solved once before the first step. */
typedef struct DaeInit {
    Expr *unknown; /* leaves: states, unknowns, free parameters, pre values
                      (PRE(VAR)) of discrete variables */
    int nunknown;
    SysEqn *eqn; /* the equations of the Dae with initial() = true, first
                    and in the same order, then the initial ones */
    int neqn;    /* equals nunknown */
    int *chosen; /* states whose start value was taken as a condition */
    int nchosen;
} DaeInit;

typedef struct Dae {
    Sys *sys; /* with auxiliary variables appended where needed */
    Dag *dag;
    SysEqn *eqn; /* initial() = false; RULE_DIFFERENTIATED names an equation of
                    this table */
    int neqn;
    bool has_initial; /* some equation is another one while initial() */
    DaeUnknown *unknown;
    int nunknown;
    DaeState *state;
    int nstate;
    DaeStateSet *set;
    int nset;
    DaeInit init;
    int index;            /* counting of Cellier 8.5: 0 no loop and no
                             constraint, 1 loops, else the structural index */
    int structural_index; /* Pryce's signature method */
    int *differentiated;  /* how often equation i of Sys was differentiated,
                             size sys->neqn */
    Expr *dummy;          /* leaves of the dummy derivatives, for reports */
    int ndummy;
    const char **zero; /* parameters that are 0 and make a block singular that
                          structure calls regular; if there are any, */
    int nzero;         /* the rest of this Dae is not there */
    bool is_deceived; /* structure is wrong (ReduceOptions.asks_numbers): again,
                         nothing else is there */
    bool is_doubtful; /* structure is wrong, and this Dae what it says all the
                         same (W1005) */
} Dae;

/* Eliminates the columns that are no candidates from the matrix of a set with
 * the values entry[nentry]: out gets (ncandidate - nstate) x ncandidate numbers
 * by rows. A choice is good if the columns of the candidates that are not
 * states are regular there. Returns false if that fails at this point. */
bool dae_set_matrix(const DaeStateSet *s, const double *entry, double *out);

/* What to call state k before a reader: its leaf, or in a state set the
 * candidate that is the state at the start. */
Expr dae_state_shown(const Dae *d, int k);
/* "x" or "der(x)". */

const char *dae_leaf_text(const Dae *d, Expr leaf, Arena *arena);
void dae_print(const Dae *d, FILE *out);      /* --dump=dae */
void dae_print_init(const Dae *d, FILE *out); /* --dump=init */
void dae_check(const Dae *d);

#endif
