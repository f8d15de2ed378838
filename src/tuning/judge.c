/* judge.c - verdicts, the front of cost and deviation, the choice.
 *
 * The recommendation is the cheapest candidate that is proven, does not ring,
 * survives its attacks and stays within the deviation; among those that cost
 * hardly more the nearest to the reference. The deviation never inflates: where
 * even the full step is beyond it, a smaller step or a better method is
 * proposed in place of a plan.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "tuning/tuning_internal.h"

#define NEAR_TIE 1.05 /* costs as good as equal */
#define NEARER   0.5  /* a deviation that is worth a near-tie */

/* ---- verdicts ---- */

double tuner_limit(const Tuner *t)
{
    return t->o->deviation > 0 ? t->o->deviation : 5;
}

static const char *proof_text(const TuneCandidate *k)
{
    if (k->proof.state != PROOF_PROVEN)
        return k->proof.why ? k->proof.why : "unproven";
    return k->certificate.why ? k->certificate.why : "not certified";
}

static const char *verdict_of(const Tuner *t, const TuneCandidate *k)
{
    const TrialRun *x = k->trial;
    if (!x->built)
        return x->why ? x->why : "no real-time step could be made";
    if (k->proof.state == PROOF_UNPROVEN)
        return arena_printf(t->c->arena, "unproven: %s", proof_text(k));
    if (!k->is_safe)
        return proof_text(k);
    if (!x->ran)
        return x->why ? x->why : "the run did not reach its end";
    if (proof_rings(&k->proof))
        return arena_printf(t->c->arena,
                            "rings: an eigenvalue near %.3g that the full step "
                            "does not have",
                            creal(k->proof.ringing_value));
    if (!tuner_has_asked_positions(t, k->plan))
        return "its positions are not by the rule that was asked for";
    if (!(x->deviation.percent <= t->r->limit))
        return "strays too far";
    if (t->o->budget > 0 && x->instructions > t->o->budget)
        return "beyond the budget";
    return "acceptable";
}

/* ---- the front ---- */

/* Proven, runs, does not ring, and if it was attacked has held. */
static bool may_be_front(const TuneCandidate *k)
{
    return k->is_safe && k->trial->ran && !proof_rings(&k->proof) &&
           (!k->attack || k->is_acceptable);
}

static bool is_dominated(const Tuning *r, int i)
{
    const TrialRun *x = r->candidate.at[i].trial;
    for (int j = 0; j < r->candidate.n; j++) {
        const TuneCandidate *k = &r->candidate.at[j];
        const TrialRun *y = k->trial;
        if (j == i || !may_be_front(k) || y->instructions > x->instructions ||
            !(y->deviation.percent <= x->deviation.percent))
            continue;
        bool is_same = y->instructions == x->instructions &&
                       y->deviation.percent == x->deviation.percent;
        if (!is_same || j < i)
            return true;
    }
    return false;
}

/* Of what is safe and runs; which limits hold is another question. */
static void mark_front(Tuning *r)
{
    for (int i = 0; i < r->candidate.n; i++) {
        TuneCandidate *k = &r->candidate.at[i];
        k->is_front = may_be_front(k) && !is_dominated(r, i);
    }
}

/* ---- the choice ---- */

/* With a budget the nearest to the reference, else the cheapest. */
static bool is_better(const Tuner *t, const TuneCandidate *a,
                      const TuneCandidate *b)
{
    if (t->o->budget > 0 &&
        a->trial->deviation.percent != b->trial->deviation.percent)
        return a->trial->deviation.percent < b->trial->deviation.percent;
    if (a->trial->instructions != b->trial->instructions)
        return a->trial->instructions < b->trial->instructions;
    return a->trial->deviation.percent < b->trial->deviation.percent;
}

static int find_best(const Tuner *t)
{
    const Tuning *r = t->r;
    int best = NONE;
    for (int i = 0; i < r->candidate.n; i++)
        if (r->candidate.at[i].is_acceptable &&
            (best == NONE ||
             is_better(t, &r->candidate.at[i], &r->candidate.at[best])))
            best = i;
    return best;
}

/* Costs that are as good as equal: the one that is clearly nearer. */
static int find_nearer(const Tuner *t, int best)
{
    const Tuning *r = t->r;
    if (best == NONE || t->o->budget > 0)
        return best;
    double most = NEAR_TIE * (double)r->candidate.at[best].trial->instructions;
    double near = NEARER * r->candidate.at[best].trial->deviation.percent;
    for (int i = 0; i < r->candidate.n; i++) {
        const TuneCandidate *k = &r->candidate.at[i];
        if (!k->is_acceptable || (double)k->trial->instructions > most ||
            !(k->trial->deviation.percent < near))
            continue;
        best = i;
        near = k->trial->deviation.percent;
    }
    return best;
}

/* Of the full step nothing is cut that could fail: where no candidate is shown
 * to hold, nor is it, it is what is left. */
static void take_full(Tuner *t, const char *why)
{
    Tuning *r = t->r;
    TuneCandidate *k = &r->candidate.at[r->full];
    r->chosen = r->full;
    k->is_acceptable = true;
    k->verdict = why;
    diag_report(
        t->c->diag, t->c->flat->span, DIAG_W1510,
        "the step of %g s is coarse: no candidate is shown to hold; the "
        "full step is %s",
        t->c->size, why);
}

/* The best candidate is attacked; one that falls is out, and the next has its
 * turn. */
static void choose(Tuner *t)
{
    Tuning *r = t->r;
    const char *full = NULL;
    for (;;) {
        r->chosen = find_nearer(t, find_best(t));
        if (r->chosen == NONE)
            break;
        TuneCandidate *k = &r->candidate.at[r->chosen];
        const char *fell = tuner_attack(t, k);
        if (!fell)
            return;
        if (r->chosen == r->full && k->attack && !k->attack->why)
            full = fell;
        k->verdict = fell;
        k->is_acceptable = false;
    }
    if (full)
        take_full(t, full);
}

static const char *reason(const Tuner *t)
{
    const Tuning *r = t->r;
    const TuneCandidate *full =
        r->full == NONE ? NULL : &r->candidate.at[r->full];
    if (r->chosen == NONE && full && full->trial->ran &&
        full->trial->deviation.percent > r->limit)
        return arena_printf(t->c->arena,
                            "even the full step strays %.3g %%, allowed are "
                            "%.3g %%",
                            full->trial->deviation.percent, r->limit);
    if (r->chosen == NONE && full && full->trial->built && !full->trial->ran)
        return arena_printf(
            t->c->arena,
            "even the full step does not reach the end of the run: %s",
            full->trial->why ? full->trial->why : "take a smaller step");
    for (int i = 0; r->chosen == NONE && i < r->candidate.n; i++)
        if (r->candidate.at[i].attack)
            return "no candidate holds in the attacks: take a smaller step, or "
                   "narrower ranges";
    if (r->chosen == NONE)
        return "no candidate is proven and within the limits";
    const TuneCandidate *k = &r->candidate.at[r->chosen];
    if (t->o->budget > 0)
        return arena_printf(t->c->arena,
                            "the nearest to the reference (%.3g %%) within "
                            "%ld instructions",
                            k->trial->deviation.percent, t->o->budget);
    if (full == k && strcmp(k->verdict, "acceptable"))
        return "of which nothing is cut: no candidate is shown to hold";
    if (!full || full == k || !full->trial->built)
        return arena_printf(t->c->arena,
                            "the fewest instructions (%ld) among those that "
                            "stay within %.3g %%",
                            k->trial->instructions, r->limit);
    double less =
        (double)full->trial->instructions /
        (double)(k->trial->instructions > 0 ? k->trial->instructions : 1);
    return arena_printf(
        t->c->arena,
        "%.2f times %s instructions than the full step, %.3g "
        "%% from the reference (%.3g %% allowed, the full step "
        "has %.3g %%)",
        less >= 1 ? less : 1 / less, less >= 1 ? "fewer" : "more",
        k->trial->deviation.percent, r->limit, full->trial->deviation.percent);
}

/* Whoever runs the plan as it was tuned is stopped. */
static void warn_stopped(const Tuner *t)
{
    const Tuning *r = t->r;
    const AttackReport *a =
        r->chosen == NONE ? NULL : r->candidate.at[r->chosen].attack;
    if (!a || !a->stops)
        return;
    diag_report(t->c->diag, t->c->flat->span, DIAG_W1510,
                "the step of %.6g s is coarse: takt sim stops the plan in the "
                "scenario it was made for, and the full step too: %s",
                t->c->size, a->stops);
    diag_note(t->c->diag, NO_SPAN,
              "take a smaller --step; generated code goes on where the defect "
              "is not watched in full");
}

/* A plan that is no further off than the full step may be further off than what
 * was asked for, as far as a quarter of the step can tell. */
static void warn_strays(const Tuner *t)
{
    const Tuning *r = t->r;
    const TuneCandidate *k =
        r->chosen == NONE ? NULL : &r->candidate.at[r->chosen];
    bool is_said = r->chosen == r->full && k && !t->o->choose &&
                   strcmp(k->verdict, "acceptable");
    if (!k || is_said || !k->attack || !(k->attack->off > r->limit))
        return;
    diag_report(t->c->diag, t->c->flat->span, DIAG_W1510,
                "the step of %g s is coarse in some of the attacks: the plan "
                "is up to %.3g %% from a quarter of the step there, as the "
                "full step is; allowed are %.3g %%",
                t->c->size, k->attack->off, r->limit);
    diag_note(t->c->diag, NO_SPAN,
              "that is what the plan claims, though it may be nearer to the "
              "solution than either; a smaller --step, or narrower ranges "
              "(--range), make it less");
}

/* A plan can be no better than the step it starts from: where that is beyond
 * the limit, what would not be. The error of the full step falls with its
 * size. */
static void warn_coarse(const Tuner *t)
{
    const Tuning *r = t->r;
    if (r->full == NONE || !r->candidate.at[r->full].trial->ran)
        return;
    double strays = r->candidate.at[r->full].trial->deviation.percent;
    if (!(strays > r->limit))
        return;
    diag_report(t->c->diag, t->c->flat->span, DIAG_W1510,
                "the step of %g s is coarse: even the full step strays %.3g %% "
                "from the reference, allowed are %.3g %%",
                t->c->size, strays, r->limit);
    double smaller = number_round(0.8 * t->c->size * r->limit / strays, 1);
    const char *method = NULL;
    for (int i = 0; i < r->candidate.n && !method; i++) {
        const TuneCandidate *k = &r->candidate.at[i];
        if (k->trial->ran && k->is_safe && strcmp(k->plan->method, "lie") &&
            k->trial->deviation.percent <= r->limit &&
            !(k->attack && k->attack->why))
            method = k->plan->method;
    }
    if (method)
        diag_note(t->c->diag, NO_SPAN,
                  "take --step %gs, or the method %s, which stays within it",
                  smaller, method);
    else
        diag_note(t->c->diag, NO_SPAN,
                  "take --step %gs or less, or a method of higher order",
                  smaller);
}

/* The candidate of --choose NAME; false after a report. Like any other it is
 * attacked, and one that falls is refused as one that is not proven is. */
static bool take(Tuner *t, int i)
{
    Tuning *r = t->r;
    TuneCandidate *k = &r->candidate.at[i];
    bool is_sound = k->trial->built && k->is_safe;
    if (k->trial->ran && (is_sound || t->o->force)) {
        const char *fell = tuner_attack(t, k);
        k->is_acceptable &= !fell;
        k->verdict = fell ? fell : k->verdict;
        is_sound &= !k->attack || !k->attack->why;
    }
    if (!k->trial->built || (!is_sound && !t->o->force)) {
        diag_report(t->c->diag, t->c->flat->span, DIAG_E1504,
                    "the plan '%s' is refused: %s", k->name, k->verdict);
        if (k->trial->built)
            diag_note(t->c->diag, NO_SPAN, "--force takes it all the same");
        return false;
    }
    r->chosen = i;
    r->why = is_sound     ? "chosen by name"
             : k->is_safe ? "forced: it falls to an attack"
                          : "forced: not proven";
    return true;
}

static bool take_named(Tuner *t)
{
    Tuning *r = t->r;
    const char **name =
        NEW_ARRAY(t->c->arena, const char *, r->candidate.n + 1);
    for (int i = 0; i < r->candidate.n; i++) {
        name[i] = r->candidate.at[i].name;
        if (!strcmp(name[i], t->o->choose))
            return take(t, i);
    }
    diag_report(t->c->diag, NO_SPAN, DIAG_E1505,
                "--choose: there is no candidate '%s'", t->o->choose);
    diag_suggest(t->c->diag, t->o->choose, name, r->candidate.n);
    return false;
}

bool tuner_judge(Tuner *t)
{
    Tuning *r = t->r;
    r->limit = tuner_limit(t);
    for (int i = 0; i < r->candidate.n; i++) {
        TuneCandidate *k = &r->candidate.at[i];
        k->verdict = verdict_of(t, k);
        k->is_acceptable = !strcmp(k->verdict, "acceptable");
    }
    if (!t->o->choose)
        choose(t);
    else if (!take_named(t))
        return false;
    mark_front(r);
    r->why = t->o->choose ? r->why : reason(t);
    warn_coarse(t);
    warn_strays(t);
    warn_stopped(t);
    return true;
}
