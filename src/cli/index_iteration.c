/* index_iteration.c - takt index --iteration (Cellier, Kofman 8.4, 8.5). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/index_iteration.h"

#include <math.h>
#include <stdio.h>

#include "array/iteration.h"
#include "num/dense.h"
#include "sim/sim.h"

/* What a step of the inlined model iterates with. */
typedef struct Inline {
    const Sim *sim;
    int n;            /* iteration variables; NONE: there is no step */
    double condition; /* largest of its matrices */
} Inline;

static void see_matrix(void *context, int number)
{
    Inline *in = context;
    const Exec *e = in->sim->exec;
    const TapeSystem *s = &e->tape->system.at[number];
    Arena *work = arena_new();
    int n = s->n;
    double *a = NEW_ARRAY(work, double, n *n), *sv = NEW_ARRAY(work, double, n);
    double *u = NEW_ARRAY(work, double, n *n),
           *v = NEW_ARRAY(work, double, n *n);
    for (int k = 0; k < s->nnz; k++)
        a[s->row[k] + s->col[k] * n] += e->r[s->entry[k]];
    if (dense_svd(n, a, sv, u, v))
        in->condition = fmax(in->condition, sv[0] / sv[n - 1]);
    arena_free(work);
}

static int iterated(const Lowered *low)
{
    const TapeSegment *run = &low->system[low->inlined->cycle[0]].run;
    int n = 0;
    for (int i = run->first; i < run->first + run->count; i++)
        if (low->tape->code.at[i].op == TAPE_BLOCK)
            n += low->tape->block.at[low->tape->code.at[i].a].n;
    return n;
}

/* Backward Euler put into the equations as they are, one step of length h. */
static Inline inlined_at(const DriverOptions *base, double h, Arena *arena)
{
    Inline in = {.n = NONE, .condition = 1};
    Compilation *c = driver_new();
    DriverOptions d = *base;
    d.edits = (PlanEdits){0};
    d.goal = STEP_HOST;
    plan_add_edit(&d.edits, PLAN_METHOD, "be", arena);
    plan_add_edit(&d.edits, PLAN_DIRECT, NULL, arena);
    plan_add_edit(&d.edits, PLAN_ALGEBRAIC, "tear", arena);
    plan_add_number(&d.edits, PLAN_STEP, h, arena);
    diag_mute(c->diag);
    if (driver_compile(c, &d, PHASE_STEP)) {
        SimOptions o = {.start = c->start, .stop = c->start + h, .step = h};
        Sim *sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
        if (sim && sim_init(sim)) {
            in.sim = sim;
            sim->exec->on_factor = see_matrix;
            sim->exec->context = &in;
            in.n = sim_step(sim) ? iterated(c->step->lowered) : NONE;
        }
        sim_free(sim);
    }
    driver_end(c);
    return in;
}

static void print_vector(const Array *a, const Iteration *it, Arena *arena)
{
    printf("iteration vector     %d: %d with a derivative, %d torn, %d without "
           "an equation of their own\n                    ",
           it->n, it->nstate, it->ntorn, it->nfree);
    for (int i = 0; i < it->n && i < 12; i++)
        printf(" %s", array_name(a, it->column[i], 0, arena));
    puts(it->n > 12 ? " ..." : "");
}

void index_print_iteration(Array *a, double t, const double *z, double h,
                           const DriverOptions *driver, Arena *arena)
{
    const Iteration *it = iteration_look(a, t, z, h, arena);
    print_vector(a, it, arena);
    printf("%10s  %12s %12s %12s   %s\n", "h", "|f_x+f_x'/h|", "|h f_x+f_x'|",
           "condition", "inlined: variables left, condition");
    for (int k = 0; k < ITERATION_STEPS; k++) {
        Inline in = inlined_at(driver, it->h[k], arena);
        printf("%10.0e  %12.4g %12.4g %12.4g", it->h[k], it->norm[k],
               it->h[k] * it->norm[k], it->condition[k]);
        if (in.n == NONE)
            puts("   -");
        else
            printf("   %d, %.4g\n", in.n, in.condition);
    }
    printf("slope of the condition %.3f (scaling by h does not change it)\n",
           iteration_slope(it));
}
