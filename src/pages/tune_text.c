/* tune_text.c - a tuning as a table and as JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "pages/tune_text.h"

enum { MOST_SHOWN = 6 };

/* ---- for people ---- */

void tune_print_spectrum(const Tuning *t, FILE *out)
{
    const PencilSet *p = t->pencil;
    int most[MODE_NKIND] = {0};
    double radius = 0;
    const Spectrum *bad = NULL;
    for (int i = 0; i < p->nsample; i++) {
        const Spectrum *s = t->spectrum[i];
        if (s->code != TUNE_FINE)
            bad = s;
        for (int k = 0; k < MODE_NKIND; k++)
            most[k] = s->count[k] > most[k] ? s->count[k] : most[k];
        radius = fmax(radius, s->radius);
    }
    fprintf(out, "%d iteration variables (%d states), %d entries, %d samples\n",
            p->n, p->nx, p->nnz, p->nsample);
    fprintf(out, "modes (the most in a sample):");
    for (int k = 0; k < MODE_NKIND; k++)
        if (most[k] > 0)
            fprintf(out, " %d %s,", most[k], mode_kind_text((ModeKind)k));
    fprintf(out, " largest |lambda| %.6g\n", radius);
    fprintf(out, "factors of the whole matrix: %d entries, %ld operations\n",
            t->symbolic.nnz, t->symbolic.flops);
    if (t->differences.n > 0)
        fprintf(out,
                "by finite differences it would have %d entries (factors: %d, "
                "%ld operations)\n",
                t->differences.nnz, t->differences.count.nnz,
                t->differences.count.flops);
    if (isfinite(t->explicit_step))
        fprintf(out, "explicit Euler is stable up to a step of %.3g s\n",
                t->explicit_step);
    if (bad)
        fprintf(out, "sample %d: %s\n", bad->sample + 1,
                bad->why ? bad->why : tune_code_text(bad->code));
}

static void print_number(double x, const char *format, int width, FILE *out)
{
    char text[64];
    if (isnan(x))
        snprintf(text, sizeof text, "-");
    else if (isinf(x))
        snprintf(text, sizeof text, "inf");
    else
        snprintf(text, sizeof text, format, x);
    fprintf(out, " %*s", width, text);
}

static void print_row(const Tuning *t, int i, FILE *out)
{
    const TuneCandidate *k = &t->candidate.at[i];
    const TrialRun *x = k->trial;
    fprintf(out, "%c%c %-26s", i == t->chosen ? '*' : ' ',
            k->is_front ? '<' : ' ', k->name);
    if (!x->built) {
        fprintf(out, " %s\n", k->verdict);
        return;
    }
    fprintf(out, " %8ld %6d %6d %7ld", x->instructions, x->largest_part, x->nnz,
            x->factor_nnz);
    print_number(k->change, "%.2g", 8, out);
    print_number(k->radius, "%.5f", 8, out);
    print_number(k->proof.ringing, "%.2f", 5, out);
    print_number(x->deviation.percent, "%.3g", 9, out);
    fprintf(out, "  %s\n", k->verdict);
}

/* Algorithm 1 of Loderer and Heuveline on the plan given. */
static void print_given(const Tuning *t, FILE *out)
{
    const PencilSet *p = t->pencil;
    if (t->no_indicators)
        fprintf(out, "\nno indicators of the plan given: %s\n",
                t->no_indicators);
    if (!t->indicators)
        return;
    fprintf(out,
            "\nthe plan given, in every sample (Loderer, Heuveline 2017): "
            "d_r the sum of changes of eigenvalues,\nleast the lower bound "
            "d_2 / sqrt(m), d_2c with the corrected lemma\n%6s %9s %9s %9s "
            "%9s %9s %9s %9s %9s %9s\n",
            "sample", "t", "d_S", "d_1", "d_2", "d_2c", "d_r", "least", "C1",
            "C2");
    for (int s = 0; s < p->nsample; s++) {
        const Indicators *d = &t->indicators[s];
        double d_2 = d->d_2_square < 0 ? NAN : d->d_2;
        const double figure[] = {
            p->sample[s].time, d->d_s, d->d_1, d_2, d->d_2c, d->d_r,
            d_2 / sqrt(p->n),  d->c1,  d->c2};
        fprintf(out, "%6d", s + 1);
        for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
            print_number(d->code == TUNE_FINE || i == 0 ? figure[i] : NAN,
                         "%.3g", 9, out);
        fprintf(out, "%s\n",
                d->code != TUNE_FINE ? "  singular"
                : !d->fits_c1        ? "  d_1 > C1"
                : !d->fits_c2        ? "  d_2c^2 > C2"
                                     : "");
    }
}

const char *tune_held(const Tuning *t, Arena *arena)
{
    const PencilSet *p = t->pencil;
    double *most = NEW_ARRAY(arena, double, p->nnz + 1);
    int count = 0, shown = 0;
    for (int i = 0; i < t->candidate.n; i++)
        for (int e = 0; e < p->nnz && t->candidate.at[i].nheld > 0; e++)
            most[e] = fmax(most[e], t->candidate.at[i].held[e]);
    for (int e = 0; e < p->nnz; e++)
        count += most[e] > 0;
    if (count == 0)
        return NULL;
    const char *text = "kept though no eigenvalue needs them, and what they "
                       "would add to the deviation:\n";
    for (; shown < count && shown < MOST_SHOWN; shown++) {
        int worst = 0, col = 0;
        for (int e = 1; e < p->nnz; e++)
            worst = most[e] > most[worst] ? e : worst;
        while (p->start[col + 1] <= worst)
            col++;
        text = arena_printf(arena, "%s  %6.2g %%  %s,%s\n", text, most[worst],
                            p->eqn[p->row[worst]], p->var[col]);
        most[worst] = 0;
    }
    return shown < count
               ? arena_printf(arena, "%s  and %d more\n", text, count - shown)
               : text;
}

/* What a plan claims, percent: the farthest that it was seen from the reference
 * in its scenarios, from the full step in attacks survived, and from the finer
 * step in those that were made with it too, those included in which the full
 * step is as far off; of one that is forced, in attacks that it fell to. */
static double claim_of(const TuneCandidate *k)
{
    const AttackReport *a = k->attack;
    double claim = k->trial->deviation.percent;
    return a ? fmax(fmax(claim, a->fell), fmax(a->percent, a->off)) : claim;
}

static void print_claim(const TuneCandidate *k, FILE *out)
{
    const AttackReport *a = k->attack;
    if (a && a->why) {
        fprintf(out, "it falls to an attack: %s (%s)\n", a->why, a->fell_to);
        return;
    }
    fprintf(out, "it claims to stay within %.3g %%", claim_of(k));
    if (a && a->tried > 0) {
        fprintf(out,
                ": %.3g %% in its scenarios; in attacks %.3g %% from the full "
                "step",
                k->trial->deviation.percent, a->percent);
        if (a->off > 0)
            fprintf(out, ", %.3g %% from a quarter of it", a->off);
    } else {
        fputs(" in its scenarios; it was not attacked", out);
    }
    fputc('\n', out);
}

static void print_void(const AttackReport *a, FILE *out)
{
    if (a->nvoid > 0)
        fprintf(out, "  %d more could not be run by the full step\n", a->nvoid);
    if (a->is_line)
        fprintf(out, "  all of them are one run of different length: nothing "
                     "else can be varied (--range)\n");
}

static void print_recommended(const Tuning *t, const TuneCandidate *k,
                              FILE *out)
{
    const AttackReport *a = k->attack;
    fprintf(out, "recommended: %s, %s\n", k->name, t->why);
    print_claim(k, out);
    if (!a || a->tried + a->nvoid == 0)
        return;
    if (t->full != NONE && k == &t->candidate.at[t->full]) {
        fprintf(out,
                "nothing is cut; %d of %d attacks were made with a quarter of "
                "the step too: in %d it is within the limit\n",
                a->checked, a->tried, a->checked - a->poor);
        if (a->poor > 0)
            fprintf(out, "  in the others it is up to %.3g %% off\n", a->own);
        print_void(a, out);
        return;
    }
    fprintf(out,
            "survived %d of %d attacks, at most %.3g %% from the full step\n",
            a->survived, a->tried, a->percent);
    if (a->excused > 0)
        fprintf(out, "  in %d of them the full step itself is as far off\n",
                a->excused);
    print_void(a, out);
    if (a->worst)
        fprintf(out, "  farthest: %s\n", a->worst);
}

/* A first round, what its candidates fell to, and that there was a second. */
static void print_before(const Tuning *t, FILE *out)
{
    int shown = 0;
    for (int i = 0; t->before && i < t->before->candidate.n; i++) {
        const TuneCandidate *k = &t->before->candidate.at[i];
        if (k->attack && k->attack->why && shown++ < MOST_SHOWN)
            fprintf(out, "fell before: %s, to %s (%s)\n", k->name,
                    k->attack->fell_to, k->attack->why);
    }
    if (shown > 0)
        fputs("their groups were made again with points of these runs\n", out);
}

void tune_print_table(const Tuning *t, FILE *out)
{
    fprintf(out, "\n   %-26s %8s %6s %6s %7s %8s %8s %5s %9s  %s\n",
            "candidate", "instr.", "block", "nnz", "factors", "change",
            "radius", "rings", "deviation", "verdict");
    for (int i = 0; i < t->candidate.n; i++)
        print_row(t, i, out);
    fprintf(
        out,
        "\ninstr.: counted instructions per step; block: variables that "
        "are coupled at most; change: of an\neigenvalue; radius: largest "
        "|lambda| of the step as it is; rings: how far an eigenvalue stands\n"
        "left of the full step's; deviation: percent of the range, worst "
        "of %d outputs; *: recommended;\n<: none is cheaper and nearer\n",
        t->nwatch);
    Arena *work = arena_new();
    const char *held = tune_held(t, work);
    if (held)
        fputs(held, out);
    arena_free(work);
    print_given(t, out);
    print_before(t, out);
    if (t->chosen != NONE)
        print_recommended(t, &t->candidate.at[t->chosen], out);
    else
        fprintf(out, "recommended: none, %s\n", t->why);
}

/* ---- for machines ---- */

/* A matrix, its factors, and the largest part that is coupled. */
static void put_matrix(JsonOut *j, int nnz, long factor_nnz, long flops,
                       int largest)
{
    json_put_count(j, "nnz", nnz);
    json_put_count(j, "factor_nnz", factor_nnz);
    json_put_count(j, "factor_flops", flops);
    json_put_count(j, "largest_block", largest);
}

/* The matrix of the pencils by some way to find its entries. */
static void put_pattern(JsonOut *j, const char *key, int nnz,
                        const StaticLuCount *count)
{
    json_begin_object(j, key);
    put_matrix(j, nnz, count->nnz, count->flops, count->largest);
    json_end(j);
}

/* Figures of evidence have four digits, or those asked for: further ones would
 * be different on another machine, and say nothing. */
enum { DIGITS = 4, RADIUS_DIGITS = 7 };

static void put_figure(JsonOut *j, const char *key, double x)
{
    json_put_number(j, key, number_round(x, DIGITS));
}

/* Next to 1 four digits would say too little. */
static void put_radius(JsonOut *j, const char *key, double x)
{
    json_put_number(j, key, number_round(x, RADIUS_DIGITS));
}

/* A figure that is known up to `rounding`: null if it is below. */
static void put_known(JsonOut *j, const char *key, double x, double rounding)
{
    int digits = rounding < 1e-5 * x ? DIGITS : DIGITS / 2;
    if (x == 0 || rounding <= 0.01 * x)
        json_put_number(j, key, number_round(x, digits));
    else
        json_put_null(j, key);
}

/* A figure that is 0 but for rounding is 0. */
static void put_small(JsonOut *j, const char *key, double x)
{
    put_figure(j, key, fabs(x) < 1e-6 ? 0 : x);
}

/* What was shown of the step as the plan makes it. */
static void put_proof(JsonOut *j, const TuneCandidate *k)
{
    const Proof *p = &k->proof;
    json_begin_object(j, "proof");
    json_put_text(j, "state", proof_state_text(p->state));
    if (p->why)
        json_put_text(j, "why", p->why);
    json_put_count(j, "remembered", p->n);
    json_put_count(j, "states", p->nx);
    put_radius(j, "radius", p->radius);
    put_radius(j, "radius_of_full_step", p->exact_radius);
    put_small(j, "ringing", p->ringing);
    put_small(j, "leftmost", creal(p->ringing_value));
    put_figure(j, "product_ratio", p->product_ratio);
    put_small(j, "contraction", p->contraction);
    put_small(j, "contraction_norm", p->contraction_norm);
    json_end(j);
}

/* A delay: the norm of Gustafsson's (105) and (115), which suffices, and the
 * spectral radius, which decides. */
static void put_delay(JsonOut *j, const TuneCandidate *k)
{
    if (!k->lag)
        return;
    json_begin_object(j, "delay");
    put_figure(j, "norm", k->lag->norm);
    put_radius(j, "radius", k->lag->radius);
    if (k->lag->iterations != NONE)
        json_put_count(j, "iterations", k->lag->iterations);
    put_radius(j, "step_radius", k->lag->step_radius);
    json_end(j);
}

static void put_certificate(JsonOut *j, const TuneCandidate *k)
{
    const Certificate *c = &k->certificate;
    if (!k->has_certificate)
        return;
    json_begin_object(j, "certificate");
    json_put_bool(j, "safe", c->is_safe);
    if (c->why)
        json_put_text(j, "why", c->why);
    put_radius(j, "radius", c->radius);
    put_figure(j, "ratio", c->ratio);
    put_figure(j, "contraction", c->contraction);
    put_radius(j, "product", c->product);
    put_radius(j, "product_exact", c->product_exact);
    json_put_count(j, "samples", c->nrow);
    json_end(j);
}

/* Loderer's indicators in the sample with the largest change; the paper's d_2
 * is the root of what may be negative, and null then; the others are null where
 * they are below rounding. */
static void put_indicators(JsonOut *j, const TuneCandidate *k)
{
    const Indicators *d = &k->indicators;
    if (!k->has_certificate || k->certificate.ratio_sample == NONE ||
        d->code != TUNE_FINE)
        return;
    json_begin_object(j, "indicators");
    json_put_count(j, "sample", k->certificate.ratio_sample);
    put_known(j, "d_s", d->d_s, d->trace_rounding);
    put_known(j, "d_1", d->d_1, d->trace_rounding);
    put_figure(j, "d_2", d->d_2_square < 0 ? NAN : d->d_2);
    put_known(j, "d_2_corrected", d->d_2c, d->rounding);
    put_known(j, "d_r", d->d_r, d->rounding);
    put_figure(j, "c_1", d->c1);
    put_figure(j, "c_2", d->c2);
    json_put_bool(j, "ringing", d->is_ringing);
    json_end(j);
}

/* The same in every sample, of the plan given. */
static void put_given(JsonOut *j, const Tuning *t)
{
    if (!t->indicators)
        return;
    json_begin_array(j, "given");
    for (int s = 0; s < t->pencil->nsample; s++) {
        const Indicators *d = &t->indicators[s];
        double d_2 = d->d_2_square < 0 ? NAN : d->d_2;
        json_begin_object(j, NULL);
        json_put_count(j, "sample", s + 1);
        put_figure(j, "time", t->pencil->sample[s].time);
        json_put_text(j, "outcome", tune_code_text(d->code));
        if (d->code == TUNE_FINE) {
            put_known(j, "d_s", d->d_s, d->trace_rounding);
            put_known(j, "d_1", d->d_1, d->trace_rounding);
            put_figure(j, "d_2", d_2);
            put_known(j, "d_2_corrected", d->d_2c, d->rounding);
            put_known(j, "d_r", d->d_r, d->rounding);
            put_figure(j, "d_2_over_root_m", d_2 / sqrt(t->pencil->n));
            put_figure(j, "c_1", d->c1);
            put_figure(j, "c_2", d->c2);
            json_put_bool(j, "fits_c_1", d->fits_c1);
            json_put_bool(j, "fits_c_2", d->fits_c2);
        }
        json_end(j);
    }
    json_end(j);
}

/* What dropped entries were expected to do, and which were kept for it. */
static void put_estimate(JsonOut *j, const Tuning *t, const TuneCandidate *k)
{
    const PencilSet *p = t->pencil;
    if (k->drift.watch == NONE)
        return;
    put_figure(j, "estimated_drift_percent", k->drift.percent);
    json_begin_array(j, "held");
    for (int col = 0; col < p->n && k->nheld > 0; col++)
        for (int e = p->start[col]; e < p->start[col + 1]; e++) {
            if (!(k->held[e] > 0))
                continue;
            json_begin_object(j, NULL);
            json_put_text(j, "eq", p->eqn[p->row[e]]);
            json_put_text(j, "var", p->var[col]);
            put_figure(j, "percent", k->held[e]);
            json_end(j);
        }
    json_end(j);
}

/* "survived", never "worst is": no search finds the worst. */
static void put_attack(JsonOut *j, const TuneCandidate *k)
{
    const AttackReport *a = k->attack;
    if (!a)
        return;
    json_begin_object(j, "attacks");
    json_put_count(j, "tried", a->tried);
    json_put_count(j, "survived", a->survived);
    json_put_count(j, "excused", a->excused);
    json_put_count(j, "void", a->nvoid);
    if (a->is_line)
        json_put_bool(j, "differ_in_length_alone", true);
    json_put_count(j, "checked", a->checked);
    json_put_count(j, "beyond_the_limit_as_the_full_step", a->poor);
    put_figure(j, "largest_deviation_survived_percent", a->percent);
    put_figure(j, "largest_error_seen_percent", a->off);
    put_figure(j, "largest_defect_survived", a->eta);
    if (a->worst)
        json_put_text(j, "in", a->worst);
    if (a->why) {
        json_put_text(j, "fell_to", a->fell_to);
        json_put_text(j, "because", a->why);
    }
    json_end(j);
}

/* Candidates of a first round that fell. */
static void put_before(JsonOut *j, const Tuning *t)
{
    if (!t->before)
        return;
    json_begin_array(j, "fell_before");
    for (int i = 0; i < t->before->candidate.n; i++) {
        const TuneCandidate *k = &t->before->candidate.at[i];
        if (!k->attack || !k->attack->why)
            continue;
        json_begin_object(j, NULL);
        json_put_text(j, "name", k->name);
        json_put_text(j, "fell_to", k->attack->fell_to);
        json_put_text(j, "because", k->attack->why);
        json_end(j);
    }
    json_end(j);
}

/* The members of the object that is open. */
static void put_candidate(JsonOut *j, const Tuning *t, const TuneCandidate *k)
{
    const TrialRun *x = k->trial;
    json_put_text(j, "name", k->name);
    json_put_text(j, "method", k->plan->method);
    json_put_bool(j, "built", x->built);
    if (x->built) {
        json_put_count(j, "instructions", x->instructions);
        json_put_count(j, "largest_equations", x->largest);
        json_put_count(j, "iteration_variables", x->niteration);
        put_matrix(j, x->nnz, x->factor_nnz, x->factor_flops, x->largest_part);
        put_figure(j, "deviation_percent", x->deviation.percent);
        if (x->deviation.curve != NONE && x->curves)
            json_put_text(j, "deviation_of",
                          x->curves[x->scenario]->name[x->deviation.curve]);
        if (x->lag_error_eqn) {
            put_figure(j, "undelayed_residual", x->lag_error);
            json_put_text(j, "undelayed_equation", x->lag_error_eqn);
        }
    }
    if (k->has_certificate || (k->keep && k->group == TUNE_SPARSING))
        json_put_count(j, "evaluations",
                       pencil_evaluations(t->pencil, k->keep));
    put_estimate(j, t, k);
    put_figure(j, "eigenvalue_change", k->change);
    put_radius(j, "spectral_radius", k->radius);
    json_put_text(j, "modes", k->modes);
    json_put_bool(j, "safe", k->is_safe);
    json_put_bool(j, "acceptable", k->is_acceptable);
    json_put_bool(j, "front", k->is_front);
    json_put_text(j, "verdict", k->verdict);
    put_proof(j, k);
    put_delay(j, k);
    put_certificate(j, k);
    put_indicators(j, k);
    put_attack(j, k);
}

void tune_print_json(const Tuning *t, FILE *out)
{
    JsonOut text = json_start(out, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", t->c->flat->model);
    json_put_number(j, "step", t->c->size);
    json_put_count(j, "states", t->pencil->nx);
    json_put_count(j, "iteration_variables", t->pencil->n);
    json_put_count(j, "nnz", t->pencil->nnz);
    json_put_count(j, "samples", t->pencil->nsample);
    json_put_count(j, "evaluations", pencil_evaluations(t->pencil, NULL));
    put_figure(j, "explicit_step", t->explicit_step);
    put_pattern(j, "symbolic", t->pencil->nnz, &t->symbolic);
    if (t->differences.n > 0)
        put_pattern(j, "differences", t->differences.nnz,
                    &t->differences.count);
    put_given(j, t);
    json_begin_array(j, "candidates");
    for (int i = 0; i < t->candidate.n; i++) {
        json_begin_object(j, NULL);
        put_candidate(j, t, &t->candidate.at[i]);
        json_end(j);
    }
    json_end(j);
    put_before(j, t);
    if (t->chosen != NONE)
        json_put_text(j, "chosen", t->candidate.at[t->chosen].name);
    else
        json_put_null(j, "chosen");
    json_put_text(j, "why", t->why);
    json_end(j);
    json_finish(j);
}

/* What else was tried: [name, instructions, deviation in percent, acceptable,
 * front], for the picture of a report. */
static void put_tried(JsonOut *j, const Tuning *t)
{
    json_begin_array(j, "tried");
    for (int i = 0; i < t->candidate.n; i++) {
        const TuneCandidate *k = &t->candidate.at[i];
        if (!k->trial->built)
            continue;
        json_begin_array(j, NULL);
        json_put_text(j, NULL, k->name);
        json_put_count(j, NULL, k->trial->instructions);
        put_figure(j, NULL, k->trial->deviation.percent);
        json_put_bool(j, NULL, k->is_acceptable);
        json_put_bool(j, NULL, k->is_front);
        json_end(j);
    }
    json_end(j);
}

const char *tune_evidence(const Tuning *t, const TuneCandidate *k, Arena *arena)
{
    JsonOut text, *j = &text;
    json_start_text(j, JSON_INDENTED);
    json_begin_object(j, NULL);
    put_candidate(j, t, k);
    json_put_count(j, "states", t->pencil->nx);
    put_figure(j, "claimed_deviation_percent", claim_of(k));
    put_figure(j, "allowed_deviation_percent", t->limit);
    json_begin_array(j, "outputs");
    for (int i = 0; i < t->nwatch; i++)
        json_put_text(j, NULL, t->watch[i]);
    json_end(j);
    json_put_text(j, "why", t->why);
    const TrialRun *full =
        t->full != NONE ? t->candidate.at[t->full].trial : NULL;
    if (full && full->built) {
        json_put_count(j, "full_instructions", full->instructions);
        json_put_count(j, "full_block", full->largest_part);
        put_figure(j, "full_deviation_percent", full->deviation.percent);
    }
    put_tried(j, t);
    json_end(j);
    return json_finish_text(j, arena);
}

bool tune_write_plan(const Tuning *t, FILE *out)
{
    const TuneCandidate *k = &t->candidate.at[t->chosen];
    Plan plan = *k->plan;
    plan.samples = sample_spec_write(t->spec, t->c->sys, t->c->arena);
    plan.evidence = tune_evidence(t, k, t->c->arena);
    if (k->attack) {
        plan.domain = k->attack->domain;
        plan.domain.no_check = k->plan->domain.no_check;
        plan.domain.step = plan.step;
        plan.domain.equations = t->c->flat->neqn;
        plan.defect_seen = number_round(k->attack->eta, DIGITS);
        plan.has[PLAN_DOMAIN] = true;
        plan.has[PLAN_DEFECT_SEEN] = plan.defect_seen > 0;
    }
    plan.has[PLAN_SAMPLES] = plan.has[PLAN_EVIDENCE] = true;
    /* cuts name equations of the model as it is with these parameters */
    plan.has[PLAN_TUNABLE] |= plan.ncut > 0 && !plan.fixed;
    plan_write(&plan, false, out);
    return true;
}
