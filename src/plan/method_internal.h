/* method_internal.h - what the files of method.h share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_METHOD_INTERNAL_H
#define TAKT_PLAN_METHOD_INTERNAL_H

#include "plan/method.h"

enum {
    METHOD_REEVALUATE = 1,    /* Method.reevaluate */
    METHOD_LINEARLY = 2,      /* one Newton iteration from the old values */
    METHOD_EXTRAPOLATION = 4, /* of linearly implicit Euler: table is made */
};

/* A method as it is written down in methods.c. */
typedef struct MethodSpec {
    const char *name, *title;
    MethodKind kind;
    int size; /* stages, steps back, parts, columns */
    int order, stage_order;
    const char *table;    /* as methods.c says */
    const char *hat;      /* weights of the embedded method, of order - 1 */
    const char *other[2]; /* start method; parts of a cycle */
    int flags;
} MethodSpec;

extern const MethodSpec method_spec[];
extern const int method_nspec;

/* The method of a specification; what can be derived is. `number` stands for
 * the table where it was read already, else it is NULL. */
Method *method_build(const MethodSpec *spec, const Exact *number, Arena *arena);
/* Which order conditions of MethodSpec.order are tested: at most so many. */
int method_tested_order(const Method *m);
/* Rosenbrock methods (rosenbrock.c): `table` holds alpha_ij, gamma_ij, b_i. */
void rosenbrock_build(Method *m, const double *table, Arena *arena);
double rosenbrock_order_defect(const Method *m, int upto, bool any_matrix);
/* Reads a tableau from JSON (method_json.c). */
const Method *method_read_json(const Sources *sources, int source, Arena *arena,
                               Diag *diag);

#endif
