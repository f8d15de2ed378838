/* context.h - a Context without any class around, and arrays to play with. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_SUPPORT_CONTEXT_H
#define TAKT_TESTS_SUPPORT_CONTEXT_H

#include "support/test.h"

#include "value/value.h"

typedef struct Fixture {
    Context in;
    Run run;
    Flat flat;
    Arena *arena;
} Fixture;

static inline int set_up(void **state)
{
    Arena *a = arena_new();
    Fixture *f = NEW(a, Fixture);
    f->arena = a;
    f->flat.dag = dag_new(a);
    f->in = (Context){.names = intern_new(a),
                      .arena = a,
                      .scratch = a,
                      .dag = f->flat.dag,
                      .flat = &f->flat,
                      .run = &f->run,
                      .diag = diag_new(sources_new(a), a),
                      .path = expr_bool(f->flat.dag, true),
                      .end = NONE};
    f->run.root = &f->in;
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    arena_free(((Fixture *)*state)->arena);
    return 0;
}

/* first, first + 1, ... of that shape */
static inline Value *counted(const Context *in, int ndim, const int *dim,
                             int first)
{
    Value *v = value_make(in, type_builtin(TYPE_INTEGER), ndim, dim);
    for (int i = 0; i < v->nscalar; i++)
        v->scalar[i] = expr_int(in->dag, first + i);
    return v;
}

static inline int at(const Context *in, const Value *v, int i)
{
    double x;
    assert_true(expr_is_const(in->dag, v->scalar[i], &x));
    return (int)x;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#endif
