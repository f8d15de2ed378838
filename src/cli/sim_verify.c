/* sim_verify.c - the same run with half the step, and with a quarter of it.
 *
 * Where the error of a method of order p is c h^p, runs with h and h/2 differ
 * by c h^p (1 - 2^-p), and the next two by 2^-p of that: the ratio shows the
 * order, and with it how far the run is from its limit. Differences are those
 * of states at the points of time that all runs have, over their ranges.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "cli/sim_run.h"

enum { SHOWN = 3 };
/* Below this share of a range differences are those of iterations. */
static const double NOTHING = 2e-10;

static PlanEdits copy_edits(const PlanEdits *edits, Arena *arena)
{
    PlanEdits copy = {0};
    for (int i = 0; i < edits->n; i++)
        plan_add_edit(&copy, edits->at[i].key, edits->at[i].text, arena);
    return copy;
}

/* The same model and options with another step. */
static SimRun child_of(const SimRun *asked, double step, Arena *arena)
{
    SimRun r = *asked;
    r.is_other = true;
    r.quiet = true;
    r.json = r.verify = false;
    r.out = r.plot = r.compare = r.save_state = r.estimates = NULL;
    r.every = 1;
    r.keeps_rows = true;
    r.driver.edits = copy_edits(&asked->driver.edits, arena);
    plan_drop_edits(&r.driver.edits, PLAN_STEP);
    plan_add_number(&r.driver.edits, PLAN_STEP, step, arena);
    if (!plan_has_edit(&r.driver.edits, PLAN_ESTIMATE))
        plan_add_edit(&r.driver.edits, PLAN_ESTIMATE, "off", arena);
    r.c = driver_new();
    return r;
}

static double range_of(Curve c)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < c.n; i++) {
        least = fmin(least, c.value[i]);
        most = fmax(most, c.value[i]);
    }
    double size = fmax(fabs(least), fabs(most));
    return fmax(most - least, fmax(1e-6 * size, 1e-300));
}

/* The largest difference at points of time that both have. */
static double difference(Curve a, Curve b, double step)
{
    double largest = 0;
    for (int i = 0, j = 0; i < a.n; i++) {
        while (j < b.n && b.time[j] < a.time[i] - 1e-6 * step)
            j++;
        if (j < b.n && b.time[j] <= a.time[i] + 1e-6 * step)
            largest = fmax(largest, fabs(a.value[i] - b.value[j]));
    }
    return largest;
}

static void add_state(SimRun *r, const SimRun *finer, const char *name)
{
    Curve a = record_curve(r->record, name);
    Curve b = record_curve(finer[0].record, name);
    Curve c = record_curve(finer[1].record, name);
    if (a.n == 0 || b.n == 0 || c.n == 0)
        return;
    double range = range_of(c);
    SimHalved h = {.name = name,
                   .first = difference(a, b, r->c->size) / range,
                   .second = difference(b, c, r->c->size) / range};
    h.order = h.second > 0 ? log2(h.first / h.second) : INFINITY;
    int at = r->halved.n++;
    for (; at > 0 && h.first > r->halved.at[at - 1].first; at--)
        r->halved.at[at] = r->halved.at[at - 1];
    r->halved.at[at] = h;
}

static void compare_states(SimRun *r, const SimRun *finer)
{
    const Dae *dae = r->c->dae;
    int n = dae ? dae->nstate : 0;
    r->halved.at = NEW_ARRAY(r->c->arena, SimHalved, n + 1);
    for (int k = 0; k < n; k++)
        add_state(r, finer, sim_state_name(r, k));
}

void verify_run(SimRun *r, const SimRun *asked)
{
    SimRun finer[2];
    bool fine = true;
    for (int i = 0; i < 2; i++) {
        double step = r->c->size / (i + 1) / 2;
        finer[i] = child_of(asked, step, r->c->arena);
        diag_mute(finer[i].c->diag);
        if (fine && !(sim_prepare(&finer[i]) && sim_march(&finer[i]))) {
            diag_report(r->c->diag, NO_SPAN, DIAG_E1374,
                        "--verify: the run with a step of %g fails", step);
            fine = false;
        }
    }
    if (fine)
        compare_states(r, finer);
    for (int i = 0; i < 2; i++)
        sim_discard(&finer[i]);
}

/* ---- what is said ---- */

/* What the worst state says of the order. */
static const char *verdict_of(const SimRun *r, const SimHalved *worst)
{
    int p = r->c->method->order;
    if (worst->first < NOTHING)
        return "nothing changes";
    if (worst->order > p - 0.5)
        return worst->order < p + 0.5
                   ? "as the method has it"
                   : "more than the method has: steps are still too large to "
                     "tell, or its error is small here";
    return "less than the method has: events on the grid, kinks, stiff parts, "
           "or steps that are too large";
}

void verify_print(const SimRun *r)
{
    const SimHalved *at = r->halved.at;
    if (r->halved.n == 0)
        return;
    for (int i = 0; i < r->halved.n && i < SHOWN; i++)
        printf("  verify: %s differs by %.2g %% of its range from a run with "
               "half the step, that by %.2g %% from one with a quarter\n",
               at[i].name, 100 * at[i].first, 100 * at[i].second);
    if (at->first < NOTHING)
        printf("  verify: %s\n", verdict_of(r, at));
    else
        printf("  verify: order %.2f of %d: %s\n", at->order,
               r->c->method->order, verdict_of(r, at));
}

void verify_put(JsonOut *j, const SimRun *r)
{
    if (r->halved.n == 0)
        return;
    const SimHalved *at = r->halved.at;
    json_begin_object(j, "verify");
    json_put_number(j, "order", at->order);
    json_put_count(j, "order_of_method", r->c->method->order);
    json_put_text(j, "verdict", verdict_of(r, at));
    json_begin_object(j, "half");
    for (int i = 0; i < r->halved.n; i++)
        json_put_number(j, at[i].name, at[i].first);
    json_end(j);
    json_begin_object(j, "quarter");
    for (int i = 0; i < r->halved.n; i++)
        json_put_number(j, at[i].name, at[i].second);
    json_end(j);
    json_end(j);
}
