/* test_mixed_plan.c - what a plan makes of a set is what R(h, E) says.
 *
 * Linear models: the values after some steps of the compiled plan are those of
 * the products of R, entry by entry.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tuning/trial.h"
#include "num/dense.h"
#include "tune/extract.h"
#include "tune/mixed.h"

enum { STEPS = 25 };

typedef struct Case {
    Compilation *c;
    PencilSet *p;
    const Inlined *d;
    double step;
} Case;

static bool no_row(void *context, const Sim *sim, double time, bool at_event)
{
    (void)context;
    (void)sim;
    (void)time;
    (void)at_event;
    return true;
}

/* The circuit of 5.3 without its source: algebraic variables between states. */
static const char discharge[] =
    "model Discharge\n"
    "  Real VB(start = 1, fixed = true), VC(start = 0.5, fixed = true);\n"
    "  Real I1, I2, I3, I4, I5;\n"
    "equation\n"
    "  0 - VB = I1;\n"
    "  0.5*der(VB) = I4;\n"
    "  VB - VC = 2*I2;\n"
    "  0.25*der(VC) = I5;\n"
    "  VC = 3*I3;\n"
    "  I1 - I4 - I2 = 0;\n"
    "  I2 - I5 - I3 = 0;\n"
    "end Discharge;\n";

static const char *write_model(const char *text, Arena *arena)
{
    char dir[] = "/tmp/takt-mixed-XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *path = arena_printf(arena, "%s/Discharge.mo", dir);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return path;
}

static void remove_model(const char *path, Arena *arena)
{
    char *dir = arena_strdup(arena, path);
    *strrchr(dir, '/') = '\0';
    remove(path);
    rmdir(dir);
}

/* The pencil of the model; algebraic variables stay. */
static Case open_case(const char *model, double step)
{
    const char *source = getenv("TAKT_SOURCE");
    Case k = {.c = driver_new(), .step = step};
    const char *path = strchr(model, '/')
                           ? model
                           : arena_printf(k.c->arena, "%s/models/gallery/%s.mo",
                                          source ? source : ".", model);
    DriverOptions o = driver_defaults(path);
    plan_add_edit(&o.edits, PLAN_METHOD, "be", k.c->arena);
    plan_add_number(&o.edits, PLAN_STEP, step, k.c->arena);
    plan_add_edit(&o.edits, PLAN_ALGEBRAIC, "keep", k.c->arena);
    plan_add_edit(&o.edits, PLAN_ONE_BLOCK, NULL, k.c->arena);
    o.goal = STEP_STRUCTURE;
    assert_true(driver_compile(k.c, &o, PHASE_STEP));
    const char *none[1] = {NULL};
    SampleSpec *spec =
        sample_spec_read("{\"stop\": 0.5, \"count\": 4}", k.c->sys,
                         k.c->sources, k.c->arena, k.c->diag);
    assert_non_null(spec);
    Reference *r = tuning_reference(k.c, spec, none, 0, 1e-6);
    assert_non_null(r);
    k.d = k.c->step->inlined;
    const Schedule *s = k.c->step->schedule[k.d->cycle[0]];
    const SchedBlock *b = schedule_state_block(s);
    assert_non_null(b);
    k.p = pencil_make(s, b, r->samples, step, k.c->arena, k.c->diag);
    assert_non_null(k.p);
    return k;
}

/* Values of the pencil's variables after n steps with the plan. */
static bool march(const Case *k, Plan *plan, int n, double *z)
{
    Diag *diag = diag_new(k->c->sources, k->c->arena);
    const Step *t = tuning_step(k->c, plan, STEP_HOST, k->c->arena, diag);
    if (!t) {
        diag_print(diag, stderr);
        return false;
    }
    SimOptions o = {.start = 0, .stop = n * k->step, .step = k->step};
    Sim *sim = sim_new(t->lowered, &o, k->c->arena, diag);
    bool fine = sim && sim_run(sim, no_row, NULL);
    for (int i = 0; fine && i < k->p->n; i++)
        for (int s = 0; s < t->lowered->tape->symbol.n; s++)
            if (strcmp(t->lowered->tape->symbol.at[s].name, k->p->var[i]) == 0)
                z[i] = exec_value(sim->exec, &t->lowered->tape->symbol.at[s]);
    sim_free(sim);
    return fine;
}

/* n steps M z_new = N z by the pencil of the first sample. */
static void iterate(const Case *k, const bool *at_old, int n, double *z)
{
    const PencilSet *p = k->p;
    Arena *work = arena_new();
    size_t size = (size_t)p->n * (size_t)p->n;
    double *m = NEW_ARRAY(work, double, size),
           *old = NEW_ARRAY(work, double, size);
    double *rhs = NEW_ARRAY(work, double, p->n);
    int *pivot = NEW_ARRAY(work, int, p->n);
    bool *keep = NEW_ARRAY(work, bool, p->nnz);
    const Pencil *s = &p->sample[0];
    memcpy(old, s->l, size * sizeof *old);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t at = (size_t)p->row[e] + (size_t)j * (size_t)p->n;
            keep[e] = !at_old[e];
            if (at_old[e])
                old[at] += k->step * s->df[at];
        }
    pencil_iteration_matrix(p, 0, k->step, keep, NULL, m);
    assert_true(dense_lu_factor(p->n, m, pivot));
    for (int step = 0; step < n; step++) {
        for (int i = 0; i < p->n; i++) {
            rhs[i] = 0;
            for (int j = 0; j < p->n; j++)
                rhs[i] += old[i + j * p->n] * z[j];
        }
        dense_lu_solve(p->n, m, pivot, rhs, 1);
        memcpy(z, rhs, (size_t)p->n * sizeof *z);
    }
    arena_free(work);
}

static Plan *base_plan(const Case *k)
{
    Plan *plan = plan_default(k->c->arena);
    plan->method = "be";
    plan->step = k->step;
    return plan;
}

/* Compares plan and product for one set; false if no plan can say it. */
static bool agrees(const Case *k, const MixedSet *set)
{
    double z[32] = {0}, w[32] = {0};
    assert_true(k->p->n <= 32);
    Plan *start = base_plan(k), *plan = base_plan(k);
    if (!mixed_to_plan(k->p, set, k->d, plan, k->c->arena))
        return false;
    assert_true(march(k, start, 0, z));
    iterate(k, set->at_old, STEPS, z);
    assert_true(march(k, plan, STEPS, w));
    for (int i = 0; i < k->p->n; i++)
        if (!(fabs(z[i] - w[i]) <= 1e-9 * (1 + fabs(z[i]))))
            fail_msg("%s set, '%s': %.15g by R, %.15g by the plan",
                     mixed_form_name(set->form), k->p->var[i], z[i], w[i]);
    return true;
}

/* Every set of the search, and every single state in each form. */
static void check_model(const char *model, double step, int least_sets)
{
    Case k = open_case(model, step);
    MixOptions o = mixed_defaults();
    const MixedList *list = mixed_find(k.p, step, &o, k.c->arena);
    int said = 0;
    for (int i = 0; i < list->n; i++)
        said += agrees(&k, &list->set[i]);
    for (int form = MIX_ROW; form <= MIX_BOTH; form++)
        for (int i = 0; i < k.p->nx; i++) {
            bool *state = NEW_ARRAY(k.c->arena, bool, k.p->nx);
            bool *at_old = NEW_ARRAY(k.c->arena, bool, k.p->nnz);
            state[i] = true;
            mixed_places(k.p, (MixForm)form, state, at_old);
            MixedSet set = {.form = (MixForm)form,
                            .is_explicit = state,
                            .nexplicit = 1,
                            .at_old = at_old};
            said += agrees(&k, &set);
        }
    if (said < least_sets)
        fail_msg("%s: only %d sets could be written as plans", model, said);
    driver_end(k.c);
}

static void plans_do_what_the_matrix_says(void **state)
{
    (void)state;
    check_model("StiffOscillator", 1e-3, 6);
    check_model("CoupledPendulums", 0.05, 20);
    Arena *a = arena_new();
    const char *path = write_model(discharge, a);
    check_model(path, 0.02, 8);
    remove_model(path, a);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_do_what_the_matrix_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
