/* system.h - small systems of equations, built by hand.
 *
 *     System s = system_start();
 *     Expr R = system_param(&s, "R", 2), u = system_var(&s, "u", 0, 0);
 *     system_eqn(&s, u, expr_mul(s.dag, R, i));
 *     Sys *sys = system_end(&s);      inline_sys() reads it
 *     Dae *dae = system_dae(&s);      states: all with a derivative
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_SYSTEM_H
#define TAKT_TESTS_SYSTEM_H

#include "base/vec.h"
#include "dae/dae.h"

typedef struct System {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    Dag *dag;
    Flat *flat;
    Vec(SysVar) var;
    Vec(SysEqn) eqn;
    Vec(int) param;
} System;

static inline System system_start(void)
{
    System s = {.arena = arena_new()};
    s.sources = sources_new(s.arena);
    s.diag = diag_new(s.sources, s.arena);
    s.dag = dag_new(s.arena);
    s.flat = NEW(s.arena, Flat);
    s.flat->model = "Test";
    s.flat->dag = s.dag;
    s.flat->component = NEW(s.arena, FlatComponent);
    s.flat->component[0] = (FlatComponent){
        .name = "", .parent = NONE, .class_name = "Test", .span = NO_SPAN};
    s.flat->ncomponent = 1;
    return s;
}

static inline int system_add(System *s, const char *name, SysRole role)
{
    SysVar v = {.role = role,
                .name = arena_strdup(s->arena, name),
                .flat = s->var.n,
                .span = NO_SPAN,
                .type = FT_REAL,
                .target = NONE,
                .sign = 1,
                .expr = EXPR_NONE,
                .start = EXPR_NONE,
                .min = EXPR_NONE,
                .max = EXPR_NONE,
                .nominal = EXPR_NONE,
                .start_from = NONE,
                .state_select = SS_DEFAULT};
    vec_push(s->arena, &s->var, v);
    return s->var.n - 1;
}

static inline Expr system_leaf(System *s, int var, int order)
{
    return expr_var(s->dag, var, order, ET_REAL);
}

static inline Expr system_param(System *s, const char *name, double value)
{
    int n = system_add(s, name, SR_PARAMETER);
    s->var.at[n].expr = expr_real(s->dag, value);
    s->var.at[n].is_tunable = true;
    vec_push(s->arena, &s->param, n);
    return system_leaf(s, n, 0);
}

/* An unknown whose highest derivative has the given order. */
static inline Expr system_var(System *s, const char *name, int derivatives,
                              double start)
{
    int n = system_add(s, name, SR_UNKNOWN);
    s->var.at[n].derivatives = derivatives;
    s->var.at[n].start = expr_real(s->dag, start);
    return system_leaf(s, n, 0);
}

static inline Expr system_der(System *s, Expr x)
{
    int var = NONE, order = 0;
    expr_is_var(s->dag, x, &var, &order);
    return system_leaf(s, var, order + 1);
}

static inline void system_eqn(System *s, Expr lhs, Expr rhs)
{
    SysEqn e = {lhs, rhs, {RULE_FLAT, s->eqn.n}, 0, s->eqn.n + 1, NO_SPAN};
    vec_push(s->arena, &s->eqn, e);
}

static inline Sys *system_end(System *s)
{
    Sys *sys = NEW(s->arena, Sys);
    sys->flat = s->flat;
    sys->dag = s->dag;
    sys->var = s->var.at;
    sys->nvar = sys->cap_var = s->var.n;
    sys->eqn = s->eqn.at;
    sys->neqn = s->eqn.n;
    sys->param_order = s->param.at;
    sys->nparam = s->param.n;
    return sys;
}

/* An index-1 system: every variable with derivatives is a state, and so are
 * its derivatives below the highest. Without initial system. */
static inline Dae *system_dae(System *s)
{
    Dae *d = NEW(s->arena, Dae);
    Vec(DaeState) state = {0};
    Vec(DaeUnknown) unknown = {0};
    d->sys = system_end(s);
    d->dag = s->dag;
    d->eqn = s->eqn.at;
    d->neqn = s->eqn.n;
    for (int v = 0; v < s->var.n; v++) {
        SysVar *x = &s->var.at[v];
        if (x->role != SR_UNKNOWN && x->role != SR_DISCRETE)
            continue;
        for (int k = 0; k < x->derivatives; k++) {
            DaeState st = {
                v,    k,   system_leaf(s, v, k), system_leaf(s, v, k + 1),
                NONE, NONE};
            vec_push(s->arena, &state, st);
        }
        DaeUnknown u = {v, x->derivatives, system_leaf(s, v, x->derivatives),
                        x->role == SR_DISCRETE ? DK_DISCRETE
                        : x->derivatives       ? DK_DERIVATIVE
                                               : DK_ALGEBRAIC,
                        NONE};
        if (x->role == SR_DISCRETE)
            u.leaf = expr_var(s->dag, v, 0, ET_REAL);
        vec_push(s->arena, &unknown, u);
    }
    d->state = state.at;
    d->nstate = state.n;
    d->unknown = unknown.at;
    d->nunknown = unknown.n;
    return d;
}

#endif
