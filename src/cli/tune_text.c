/* tune_text.c - a tuning as a table and as JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "cli/tune_page.h"

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
    const Trial *x = k->trial;
    fprintf(out, "%c %-26s", i == t->chosen ? '*' : ' ', k->name);
    if (!x->built) {
        fprintf(out, " %s\n", k->verdict);
        return;
    }
    fprintf(out, " %8ld %6d %6d %7ld", x->instructions, x->largest_part, x->nnz,
            x->factor_nnz);
    print_number(k->change, "%.2g", 8, out);
    print_number(k->radius, "%.5f", 8, out);
    print_number(x->deviation.percent, "%.3g", 9, out);
    fprintf(out, "  %s\n", k->verdict);
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

void tune_print_table(const Tuning *t, FILE *out)
{
    fprintf(out, "\n  %-26s %8s %6s %6s %7s %8s %8s %9s  %s\n", "candidate",
            "instr.", "block", "nnz", "factors", "change", "radius",
            "deviation", "verdict");
    for (int i = 0; i < t->candidate.n; i++)
        print_row(t, i, out);
    fprintf(out,
            "\ninstr.: counted instructions a step; block: variables that are "
            "coupled at most; change: of an\neigenvalue; radius: largest "
            "|lambda| of "
            "the step; deviation: percent of the range,\nworst of %d "
            "outputs\n",
            t->nwatch);
    Arena *work = arena_new();
    const char *held = tune_held(t, work);
    if (held)
        fputs(held, out);
    arena_free(work);
    if (t->chosen != NONE)
        fprintf(out, "recommended: %s, %s\n", t->candidate.at[t->chosen].name,
                t->why);
    else
        fprintf(out, "recommended: none, %s\n", t->why);
}

/* ---- for machines ---- */

/* JSON has no NaN. */
static void add_number(cJSON *o, const char *key, double x)
{
    if (isfinite(x))
        cJSON_AddNumberToObject(o, key, x);
    else
        cJSON_AddNullToObject(o, key);
}

/* A matrix, its factors, and the largest part that is coupled. */
static void add_matrix(cJSON *o, int nnz, long factor_nnz, long flops,
                       int largest)
{
    cJSON_AddNumberToObject(o, "nnz", nnz);
    cJSON_AddNumberToObject(o, "factor_nnz", (double)factor_nnz);
    cJSON_AddNumberToObject(o, "factor_flops", (double)flops);
    cJSON_AddNumberToObject(o, "largest_block", largest);
}

/* The matrix of the pencils by some way to find its entries. */
static void add_pattern(cJSON *o, const char *key, int nnz,
                        const StaticLuCount *count)
{
    add_matrix(cJSON_AddObjectToObject(o, key), nnz, count->nnz, count->flops,
               count->largest);
}

static void add_certificate(cJSON *o, const TuneCandidate *k)
{
    const Certificate *c = &k->certificate;
    if (!k->has_certificate)
        return;
    cJSON *j = cJSON_AddObjectToObject(o, "certificate");
    cJSON_AddBoolToObject(j, "safe", c->is_safe);
    if (c->why)
        cJSON_AddStringToObject(j, "why", c->why);
    add_number(j, "radius", c->radius);
    add_number(j, "ratio", c->ratio);
    add_number(j, "contraction", c->contraction);
    add_number(j, "product", c->product);
    add_number(j, "product_exact", c->product_exact);
    cJSON_AddNumberToObject(j, "samples", c->nrow);
}

/* Loderer's indicators in the sample with the largest change; the paper's d_2
 * is the root of what may be negative. */
static void add_indicators(cJSON *o, const TuneCandidate *k)
{
    const Indicators *d = &k->indicators;
    if (!k->has_certificate || k->certificate.ratio_sample == NONE ||
        d->code != TUNE_FINE)
        return;
    cJSON *j = cJSON_AddObjectToObject(o, "indicators");
    cJSON_AddNumberToObject(j, "sample", k->certificate.ratio_sample);
    add_number(j, "d_s", d->d_s);
    add_number(j, "d_1", d->d_1);
    add_number(j, "d_2", d->d_2_square < 0 ? NAN : d->d_2);
    add_number(j, "d_2_corrected", d->d_2c);
    add_number(j, "d_r", d->d_r);
    add_number(j, "c_1", d->c1);
    add_number(j, "c_2", d->c2);
    cJSON_AddBoolToObject(j, "ringing", d->is_ringing);
}

/* What dropped entries were expected to do, and which were kept for it. */
static void add_estimate(cJSON *o, const Tuning *t, const TuneCandidate *k)
{
    const PencilSet *p = t->pencil;
    if (k->drift.watch == NONE)
        return;
    add_number(o, "estimated_drift_percent", k->drift.percent);
    cJSON *list = cJSON_AddArrayToObject(o, "held");
    for (int j = 0; j < p->n && k->nheld > 0; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            if (!(k->held[e] > 0))
                continue;
            cJSON *h = cJSON_CreateObject();
            cJSON_AddStringToObject(h, "eq", p->eqn[p->row[e]]);
            cJSON_AddStringToObject(h, "var", p->var[j]);
            add_number(h, "percent", k->held[e]);
            cJSON_AddItemToArray(list, h);
        }
}

static cJSON *candidate_json(const Tuning *t, const TuneCandidate *k)
{
    const Trial *x = k->trial;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", k->name);
    cJSON_AddStringToObject(o, "method", k->plan->method);
    cJSON_AddBoolToObject(o, "built", x->built);
    if (x->built) {
        cJSON_AddNumberToObject(o, "instructions", (double)x->instructions);
        cJSON_AddNumberToObject(o, "largest_equations", x->largest);
        cJSON_AddNumberToObject(o, "iteration_variables", x->niteration);
        add_matrix(o, x->nnz, x->factor_nnz, x->factor_flops, x->largest_part);
        add_number(o, "deviation_percent", x->deviation.percent);
        if (x->deviation.curve != NONE && x->curves)
            cJSON_AddStringToObject(
                o, "deviation_of",
                x->curves[x->scenario]->name[x->deviation.curve]);
        if (x->lag_error_eqn) {
            add_number(o, "undelayed_residual", x->lag_error);
            cJSON_AddStringToObject(o, "undelayed_equation", x->lag_error_eqn);
        }
    }
    add_estimate(o, t, k);
    add_number(o, "eigenvalue_change", k->change);
    add_number(o, "spectral_radius", k->radius);
    cJSON_AddStringToObject(o, "modes", k->modes);
    cJSON_AddBoolToObject(o, "safe", k->is_safe);
    cJSON_AddBoolToObject(o, "acceptable", k->is_acceptable);
    cJSON_AddStringToObject(o, "verdict", k->verdict);
    add_certificate(o, k);
    add_indicators(o, k);
    return o;
}

static char *print_or_die(cJSON *o)
{
    char *text = cJSON_Print(o);
    if (!text)
        die("out of memory");
    cJSON_Delete(o);
    return text;
}

void tune_print_json(const Tuning *t, FILE *out)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", t->c->flat->model);
    cJSON_AddNumberToObject(o, "step", t->c->step);
    cJSON_AddNumberToObject(o, "states", t->pencil->nx);
    cJSON_AddNumberToObject(o, "iteration_variables", t->pencil->n);
    cJSON_AddNumberToObject(o, "nnz", t->pencil->nnz);
    cJSON_AddNumberToObject(o, "samples", t->pencil->nsample);
    add_number(o, "explicit_step", t->explicit_step);
    add_pattern(o, "symbolic", t->pencil->nnz, &t->symbolic);
    if (t->differences.n > 0)
        add_pattern(o, "differences", t->differences.nnz,
                    &t->differences.count);
    cJSON *list = cJSON_AddArrayToObject(o, "candidates");
    for (int i = 0; i < t->candidate.n; i++)
        cJSON_AddItemToArray(list, candidate_json(t, &t->candidate.at[i]));
    if (t->chosen != NONE)
        cJSON_AddStringToObject(o, "chosen", t->candidate.at[t->chosen].name);
    else
        cJSON_AddNullToObject(o, "chosen");
    cJSON_AddStringToObject(o, "why", t->why);
    char *text = print_or_die(o);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
}

const char *tune_evidence(const Tuning *t, const TuneCandidate *k, Arena *arena)
{
    cJSON *o = candidate_json(t, k);
    cJSON_AddNumberToObject(o, "states", t->pencil->nx);
    cJSON_AddNumberToObject(o, "allowed_deviation_percent", t->limit);
    cJSON_AddStringToObject(o, "why", t->why);
    const Trial *full = t->full != NONE ? t->candidate.at[t->full].trial : NULL;
    if (full && full->built) {
        cJSON_AddNumberToObject(o, "full_instructions",
                                (double)full->instructions);
        cJSON_AddNumberToObject(o, "full_block", full->largest_part);
        add_number(o, "full_deviation_percent", full->deviation.percent);
    }
    char *text = print_or_die(o);
    const char *copy = arena_strdup(arena, text);
    cJSON_free(text);
    return copy;
}
