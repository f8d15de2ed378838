/* bench_driver.c - the matrix of the largest block of a model, for bench_num.
 *
 *   bench_driver MODEL STEP STOP [ALGEBRAIC]
 *
 * prints, by columns: unknowns, entries, samples; row and column of each entry;
 * the entries of each sample along a run.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "driver/driver.h"

static void print(const PivotMatrices *m)
{
    printf("%d %d %d\n", m->n, m->nnz, m->nsample);
    for (int k = 0; k < m->nnz; k++)
        printf("%d %d\n", m->row[k], m->col[k]);
    for (long k = 0; k < (long)m->nsample * m->nnz; k++)
        printf("%.17g\n", m->entry[k]);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fprintf(stderr,
                       "usage: bench_driver MODEL STEP STOP [ALGEBRAIC]\n"),
               2;
    Compilation *c = driver_new();
    DriverOptions o = driver_defaults(argv[1]);
    plan_add_edit(&o.edits, PLAN_METHOD, "lie", c->arena);
    plan_add_edit(&o.edits, PLAN_STEP, argv[2], c->arena);
    o.stop = strtod(argv[3], NULL);
    if (argc > 4)
        plan_add_edit(&o.edits, PLAN_ALGEBRAIC, argv[4], c->arena);
    o.goal = STEP_HOST;
    Sim *sim = NULL;
    if (driver_compile(c, &o, PHASE_STEP)) {
        SimOptions options = step_sim_options(c->step);
        sim = sim_new(c->step->lowered, &options, c->arena, c->diag);
    }
    int n = 0, best = 0;
    PivotMatrices *m =
        sim ? pivots_collect(sim, c->step->schedule, NULL, &n, c->arena) : NULL;
    for (int i = 1; i < n; i++)
        if (m[i].n > m[best].n)
            best = i;
    if (n > 0)
        print(&m[best]);
    sim_free(sim);
    return driver_end(c);
}
