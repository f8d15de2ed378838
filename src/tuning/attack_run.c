/* attack_run.c - one attack: the run with the plan, with the full step
 * (attack_march.c), and how far they are apart. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning/attack_internal.h"

/* The full step's own error excuses a plan up to this many times it. */
#define EXCUSE 1.5
/* A change from one point to the next by this part of the range is a jump. */
#define JUMP 0.1

/* ---- how far apart ---- */

/* The distance of y from what the other curve is at row k; across a jump it may
 * be a step early or late. */
static double distance(const Curves *c, int curve, int k, double y, double jump)
{
    double low = c->value.at[k * c->n + curve], high = low, mid = low;
    for (int i = k - 1; i <= k + 1; i++) {
        if (i < 0 || i >= c->time.n)
            continue;
        double x = c->value.at[i * c->n + curve];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (high - low < jump)
        return fabs(y - mid);
    return fmax(0, fmax(low - y, y - high));
}

/* Runs on the same grid, the first as far as it goes. */
static Deviation apart(const Curves *run, const Curves *full, double limit,
                       double *first)
{
    Deviation d = {.curve = NONE};
    int n = run->time.n < full->time.n ? run->time.n : full->time.n;
    Arena *work = arena_new();
    const double *ranges = curves_ranges(full, work);
    for (int i = 0; i < run->n; i++) {
        double range = ranges[i];
        for (int k = 0; k < n; k++) {
            double y = run->value.at[k * run->n + i];
            double e = 100 * distance(full, i, k, y, JUMP * range) / range;
            if (!isfinite(y))
                e = INFINITY;
            if (!(e <= limit))
                *first = fmin(*first, run->time.at[k]);
            if (d.curve == NONE || e > d.percent)
                d = (Deviation){
                    .percent = e, .curve = i, .time = run->time.at[k]};
        }
    }
    arena_free(work);
    d.complete = run->time.n >= full->time.n;
    return d;
}

/* The sum of what a step of order 1 leaves out, as a part of the range: the
 * worst of the curves. Jumps are no error of it. */
static double bend_of(const Curves *c)
{
    double most = 0;
    Arena *work = arena_new();
    const double *ranges = curves_ranges(c, work);
    for (int i = 0; i < c->n; i++) {
        double sum = 0;
        for (int k = 1; k + 1 < c->time.n; k++) {
            const double *x = &c->value.at[k * c->n + i];
            double d = fabs(x[c->n] - 2 * x[0] + x[-c->n]) / 2;
            sum += d < JUMP * ranges[i] ? d : 0;
        }
        most = fmax(most, sum / ranges[i]);
    }
    arena_free(work);
    return most;
}

/* Every FINER-th row: those of the grid with h. */
static Curves *thin(const Curves *fine, Arena *arena)
{
    Curves *c = NEW(arena, Curves);
    *c = (Curves){.arena = arena,
                  .n = fine->n,
                  .name = fine->name,
                  .symbol = fine->symbol};
    for (int k = 0; k < fine->time.n; k += FINER) {
        vec_push(arena, &c->time, fine->time.at[k]);
        for (int i = 0; i < c->n; i++)
            vec_push(arena, &c->value, fine->value.at[k * fine->n + i]);
    }
    return c;
}

/* How far a run is from a finer one, or from what full step and finer step tend
 * to, if that is nearer; percent. A jump may come a step early or late. */
static double off_by(const Curves *run, const Curves *near, const Curves *limit)
{
    double first = INFINITY;
    return fmin(apart(run, near, INFINITY, &first).percent,
                apart(run, limit, INFINITY, &first).percent);
}

/* Both compared with a finer step: is the plan within the limit of that, or of
 * what the two tend to, which counts as survived; or as good as the full step,
 * which excuses it? (A method of higher order is nearer to the truth than a
 * finer step of order 1.) */
static void judge_by_finer(const Attacker *a, const BoxRun *run,
                           const March *plan, const March *full,
                           AttackOutcome *out, Arena *arena)
{
    March fine = {0};
    if (a->fine)
        fine = attack_march(a, ATTACK_FINE, run, NULL, NULL, arena);
    if (!fine.ran)
        return;
    const Curves *limit =
        curves_extrapolated(full->curves, fine.curves, FINER, arena);
    double own = curves_deviation(full->curves, fine.curves).percent;
    double of_plan = fmin(curves_deviation(plan->curves, fine.curves).percent,
                          curves_deviation(plan->curves, limit).percent);
    if (of_plan <= a->o->limit) {
        out->verdict = ATTACK_SURVIVED;
        out->percent = of_plan;
    } else if (of_plan <= EXCUSE * own) {
        out->verdict = ATTACK_SURVIVED;
        out->is_excused = true;
        out->own = own;
        out->off = off_by(plan->curves, thin(fine.curves, arena), limit);
    }
}

/* The plan is where the full step is: is that where it should be? */
static void check_by_finer(const Attacker *a, const BoxRun *run,
                           const March *plan, const March *full,
                           AttackOutcome *out, Arena *arena)
{
    March fine = {0};
    double first = INFINITY;
    if (a->fine)
        fine = attack_march(a, ATTACK_FINE, run, NULL, NULL, arena);
    if (!fine.ran)
        return;
    const Curves *near = thin(fine.curves, arena);
    const Curves *limit =
        curves_extrapolated(full->curves, fine.curves, FINER, arena);
    double own = apart(full->curves, near, a->o->limit, &first).percent;
    out->off = off_by(plan->curves, near, limit);
    out->is_checked = true;
    out->is_poor = !(out->off <= a->o->limit);
    if (out->is_poor)
        out->own = own;
}

static void say_where(const Attacker *a, AttackOutcome *out)
{
    snprintf(out->why, sizeof out->why,
             "%s is %.3g %% from the full step at %.6g s",
             out->watch == NONE ? "the run" : a->watch[out->watch],
             out->percent, out->time);
}

/* The full step fails by its defect, and what is made of it then is right all
 * the same: a plan that goes through to the end must be right too. Else the
 * run shows nothing; but a scenario that the plan was made for belongs to what
 * it has seen. */
static void judge_without(const Attacker *a, const BoxRun *run,
                          bool is_scenario, AttackOutcome *out, double *low,
                          double *high, Arena *arena)
{
    March plan = attack_march(a, ATTACK_PLAN, run, low, high, arena);
    March loose = {0}, fine = {0};
    out->is_stopped = !plan.ran;
    if (plan.ran && is_scenario) {
        out->verdict = ATTACK_SURVIVED;
        out->eta = plan.eta;
    }
    if (plan.ran && a->fine)
        loose = attack_march(a, ATTACK_LOOSE, run, NULL, NULL, arena);
    if (loose.ran)
        fine = attack_march(a, ATTACK_FINE, run, NULL, NULL, arena);
    if (!fine.ran)
        return;
    const Curves *near = thin(fine.curves, arena);
    const Curves *limit =
        curves_extrapolated(loose.curves, fine.curves, FINER, arena);
    double first = INFINITY, most = a->o->limit;
    double own = apart(loose.curves, near, most, &first).percent;
    first = INFINITY;
    Deviation d = apart(plan.curves, near, most, &first);
    double other = apart(plan.curves, limit, most, &first).percent;
    if (!(own <= most) || fmin(d.percent, other) <= most)
        return;
    out->verdict = ATTACK_STRAYED;
    out->percent = d.percent;
    out->time = d.time;
    out->first = fmin(first, d.time);
    out->eta = plan.eta;
    out->is_flagged = plan.is_flagged;
    out->watch = d.curve;
    say_where(a, out);
}

void attack_try(const Attacker *a, const double *x, int nominal,
                bool is_checked, AttackOutcome *out, double *low, double *high)
{
    Arena *arena = arena_new();
    BoxRun run = box_run(a->box, x, nominal, arena);
    double most = a->box->start + a->longest * a->box->step;
    run.stop = fmin(run.stop, fmax(most, a->box->stop));
    *out = (AttackOutcome){.watch = NONE, .stop = run.stop};
    March full = attack_march(a, ATTACK_FULL, &run, NULL, NULL, arena);
    out->full_eta = full.eta;
    if (!full.ran) {
        snprintf(out->why, sizeof out->why, "%s", full.why ? full.why : "");
        judge_without(a, &run, nominal != NONE, out, low, high, arena);
        arena_free(arena);
        return;
    }
    March plan = attack_march(a, ATTACK_PLAN, &run, low, high, arena);
    out->first = INFINITY;
    Deviation d = apart(plan.curves, full.curves, a->o->limit, &out->first);
    out->percent = d.percent;
    out->time = d.time;
    out->first = fmin(out->first, d.time);
    out->eta = plan.eta;
    out->is_flagged = plan.is_flagged;
    out->watch = d.curve;
    if (!plan.ran || !d.complete) {
        out->verdict = ATTACK_FAILED;
        out->percent = INFINITY;
        snprintf(out->why, sizeof out->why, "%s", plan.why ? plan.why : "");
    } else if (d.percent <= a->o->limit) {
        out->verdict = ATTACK_SURVIVED;
        out->bend = bend_of(full.curves);
        if (is_checked)
            check_by_finer(a, &run, &plan, &full, out, arena);
    } else {
        out->verdict = ATTACK_STRAYED;
        say_where(a, out);
        judge_by_finer(a, &run, &plan, &full, out, arena);
    }
    arena_free(arena);
}
