/* test_maps.c - the linearised step of a plan is what difference quotients of
 * the step itself give, for plans of all kinds; and what is proven of it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/tuning.h"

static Compilation *open_model(const char *model, const char *plan, double step)
{
    const char *source = getenv("TAKT_SOURCE");
    Compilation *c = driver_new();
    DriverOptions o = driver_defaults(arena_printf(
        c->arena, "%s/models/gallery/%s.mo", source ? source : ".", model));
    o.plan = plan;
    plan_add_edit(&o.edits, PLAN_METHOD, "lie", c->arena);
    plan_add_number(&o.edits, PLAN_STEP, step, c->arena);
    o.stop = 40 * step;
    assert_true(driver_compile(c, &o, PHASE_DAE));
    return c;
}

static Tuning *tune(Compilation *c, unsigned groups)
{
    static const double rho[] = {0.5};
    SampleWish wish = {.count = 4, .seed = 1};
    TuneOptions to = {.groups = groups,
                      .rho = rho,
                      .nrho = 1,
                      .samples = &wish,
                      .deviation = 1000};
    Tuning *t = tuning_make(c, &to);
    assert_non_null(t);
    return t;
}

static int find_slot(const Tape *t, const char *name)
{
    for (int i = 0; i < t->nslot; i++)
        if (t->slot_name[i] && !strcmp(t->slot_name[i], name))
            return i;
    fail_msg("no slot '%s'", name);
    return NONE;
}

/* One step from a point with one slot moved; the slots after it. */
static void step_from(const Step *s, const Samples *samples, int point,
                      int slot, double by, double *after)
{
    Arena *work = arena_new();
    const Lowered *low = s->lowered;
    const SchedSamples *v =
        samples_values(samples, s->inlined, s->input.size, work);
    Exec *e = exec_new(low->tape);
    for (int i = 0; i < s->inlined->nvar; i++) {
        if (low->slot[i] != NONE)
            e->r[low->slot[i]] = v->value[point][i];
        if (low->pre[i] != NONE)
            e->r[low->pre[i]] = v->value[point][i];
    }
    e->r[low->tape->time] = samples->point.at[point].time;
    e->r[low->tape->step] = s->input.size;
    e->r[low->lambda] = 1;
    exec_run(e, tape_find_segment(low->tape, "param"));
    e->r[slot] += by;
    for (int i = 0; i < s->inlined->ncycle; i++) {
        exec_run(e, &low->system[s->inlined->cycle[i]].run);
        exec_run(e, &low->system[s->inlined->cycle[i]].carry);
    }
    memcpy(after, e->r, (size_t)low->tape->nslot * sizeof *after);
    exec_free(e);
    arena_free(work);
}

static void compare(Compilation *c, const Tuning *t, const TuneCandidate *k,
                    int point)
{
    const Samples *samples = t->reference->samples;
    Arena *a = arena_new();
    const StepMaps *m = tuning_maps(c, k->plan, samples, a);
    Diag *diag = diag_new(c->sources, a);
    const Step *s = tuning_step(c, k->plan, STEP_HOST, a, diag);
    assert_non_null(s);
    assert_true(m->n > 0 && m->sample[point].m != NULL);
    int nslot = s->lowered->tape->nslot;
    double *low = NEW_ARRAY(a, double, nslot);
    double *high = NEW_ARRAY(a, double, nslot);
    for (int j = 0; j < m->n; j++) {
        int slot = find_slot(s->lowered->tape, m->name[j]);
        double delta = 1e-4 * m->unit[j];
        step_from(s, samples, point, slot, -delta, low);
        step_from(s, samples, point, slot, delta, high);
        for (int i = 0; i < m->n; i++) {
            int at = find_slot(s->lowered->tape, m->name[i]);
            double slope = (high[at] - low[at]) / (2 * delta);
            double own = m->sample[point].m[i + (size_t)j * (size_t)m->n];
            double scale = m->unit[i] / m->unit[j];
            double size = fabs(low[at]) + fabs(high[at]);
            if (fabs(slope - own) >
                1e-4 * (fabs(own) + scale) + 1e-11 * size / delta)
                fail_msg("%s: %s by %s is %g, by differences %g", k->name,
                         m->name[i], m->name[j], own, slope);
        }
    }
    arena_free(a);
}

static void a_map_is_the_slope_of_its_step(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double step;
    } list[] = {{"ExhaustPipe", 1e-3},
                {"QuarterCar", 1e-3},
                {"MotorDrive", 1e-4},
                {"DriveTrain", 1e-3},
                {"Pendulum", 1e-2}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        Compilation *c = open_model(list[i].model, NULL, list[i].step);
        const Tuning *t = tune(c, 0);
        int kinds = 0;
        for (int k = 0; k < t->candidate.n; k++) {
            const TuneCandidate *x = &t->candidate.at[k];
            if (!x->trial->built || x->proof.state == PROOF_UNPROVEN)
                continue;
            kinds |= (int)x->group;
            compare(c, t, x, 1);
        }
        assert_true((kinds & TUNE_BASE) && (kinds & TUNE_SPARSING));
        driver_end(c);
    }
}

/* No candidate is safe without a proof, and none is chosen that rings. */
static void nothing_is_safe_unproven(void **state)
{
    (void)state;
    Compilation *c = open_model("MotorDrive", NULL, 1e-4);
    const Tuning *t = tune(c, 0);
    for (int k = 0; k < t->candidate.n; k++) {
        const TuneCandidate *x = &t->candidate.at[k];
        assert_true(!x->is_safe || x->proof.state == PROOF_PROVEN);
        assert_true(!x->is_acceptable || !proof_rings(&x->proof));
        assert_true(x->proof.state == PROOF_PROVEN || x->proof.why);
    }
    driver_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_the_slope_of_its_step),
        cmocka_unit_test(nothing_is_safe_unproven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
