/* report_tune.c - what a tuning found: candidates, matrices, spectra, curves.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lower/factor.h"
#include "num/static_lu.h"
#include "pages/report_internal.h"
#include "pages/tune_text.h"
#include "report/figures.h"
#include "result/plot.h"
#include "tune/step.h"

enum { MOST_CURVES = 8, MOST_MATRIX = 1500 };

/* The full step and the plan that is shown have colours of their own, the
 * others that of their group. */
int report_colour(const Report *r, int i)
{
    const Tuning *t = r->tuning;
    if (i == r->shown)
        return 1;
    if (i == t->full)
        return 0;
    switch (t->candidate.at[i].group) {
    case TUNE_SPARSING: return 2;
    case TUNE_MIXED: return 3;
    case TUNE_LAG: return 4;
    case TUNE_EXTRAPOLATED: return 5;
    case TUNE_COMBINED: return 6;
    case TUNE_POSITIONS: return 7;
    default: return 8;
    }
}

static const char *group_name(TuneGroup group)
{
    switch (group) {
    case TUNE_SPARSING: return "sparsed";
    case TUNE_MIXED: return "mixed";
    case TUNE_LAG: return "delayed";
    case TUNE_EXTRAPOLATED: return "extrapolated";
    case TUNE_COMBINED: return "combined";
    case TUNE_POSITIONS: return "positions";
    default: return "others";
    }
}

static bool has_tuning(ReportPage *p)
{
    if (p->r->tuning)
        return true;
    fputs("<p>", p->out);
    report_text(p, p->r->why_none ? p->r->why_none : "Nothing was tried out.");
    fputs("</p>\n", p->out);
    return false;
}

/* ---- the table ---- */

static void put_cell(ReportPage *p, double x, const char *format)
{
    fputs("<td>", p->out);
    if (isnan(x))
        fputs("&ndash;", p->out);
    else if (isinf(x))
        fputs("&infin;", p->out);
    else
        fprintf(p->out, format, x);
    fputs("</td>", p->out);
}

static void put_row(ReportPage *p, int i)
{
    const Tuning *t = p->r->tuning;
    const TuneCandidate *k = &t->candidate.at[i];
    const TrialRun *x = k->trial;
    fprintf(p->out, "<tr class='%s'><td class='t' title='",
            i == t->chosen || i == p->r->shown ? "best"
            : k->is_acceptable                 ? ""
                                               : "no");
    report_text(p, k->modes);
    fprintf(p->out,
            "'><span class='swatch' style='background:var(--c%d)'></span>",
            report_colour(p->r, i));
    report_text(p, k->name);
    fputs("</td>", p->out);
    put_cell(p, x->built ? (double)x->instructions : NAN, "%.0f");
    put_cell(p, x->built ? x->largest_part : NAN, "%.0f");
    put_cell(p, x->built ? x->nnz : NAN, "%.0f");
    put_cell(p, x->built ? (double)x->factor_nnz : NAN, "%.0f");
    put_cell(p, k->change, "%.2g");
    put_cell(p, k->radius, "%.5f");
    put_cell(p, k->proof.ringing, "%.2f");
    put_cell(p, x->built ? x->deviation.percent : NAN, "%.3g");
    fprintf(p->out, "<td class='t'>%s</td><td class='t verdict'>",
            k->is_front ? "front" : "");
    report_text(p, k->verdict);
    fputs("</td></tr>\n", p->out);
}

static void put_table(ReportPage *p)
{
    fputs("<div class='wide'><table id='candidate-list'><thead><tr><th "
          "class='t'>plan</th><th>instructions</th><th>largest block</th>"
          "<th>non-zeros</th><th>of factors</th><th>eigenvalue change</th>"
          "<th>radius</th><th>rings</th><th>deviation %</th><th "
          "class='t'></th><th "
          "class='t'>verdict</th></tr></thead><tbody>\n",
          p->out);
    for (int i = 0; i < p->r->tuning->candidate.n; i++)
        put_row(p, i);
    fputs("</tbody></table></div>\n", p->out);
    const char *held = tune_held(p->r->tuning, p->work);
    if (!held)
        return;
    fputs("<pre>", p->out);
    report_text(p, held);
    fputs("</pre>\n", p->out);
}

/* ---- cost against deviation ---- */

/* A plan as a point. */
typedef struct Dot {
    const char *name;
    double cost, deviation;
    int colour;
    const char *series;
    bool is_front;
} Dot;

typedef Vec(Dot) Dots;

static void add_dots(ReportPage *p, Dots *dots)
{
    const Report *r = p->r;
    const Tuning *t = r->tuning;
    for (int i = 0; t && i < t->candidate.n; i++) {
        const TuneCandidate *k = &t->candidate.at[i];
        if (!k->trial->built || !isfinite(k->trial->deviation.percent))
            continue;
        Dot d = {k->name,
                 (double)k->trial->instructions,
                 k->trial->deviation.percent,
                 report_colour(r, i),
                 i == r->shown || i == t->full ? k->name : group_name(k->group),
                 k->is_front};
        vec_push(p->work, dots, d);
    }
}

static bool has_dot(const Dots *dots, const char *name)
{
    for (int i = 0; i < dots->n; i++)
        if (!strcmp(dots->at[i].name, name))
            return true;
    return false;
}

/* What the tuning that wrote the plan had tried. */
static void add_evidence(ReportPage *p, Dots *dots)
{
    const Plan *plan = p->r->c->plan;
    cJSON *root = plan->has[PLAN_EVIDENCE] && plan->evidence
                      ? cJSON_Parse(plan->evidence)
                      : NULL;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(root, "tried"))
    {
        const cJSON *name = cJSON_GetArrayItem(row, 0);
        const cJSON *cost = cJSON_GetArrayItem(row, 1);
        const cJSON *deviation = cJSON_GetArrayItem(row, 2);
        if (!cJSON_IsString(name) || !cJSON_IsNumber(cost) ||
            !cJSON_IsNumber(deviation) || has_dot(dots, name->valuestring))
            continue;
        Dot d = {arena_strdup(p->work, name->valuestring),
                 cost->valuedouble,
                 deviation->valuedouble,
                 7,
                 "tried when the plan was made",
                 cJSON_IsTrue(cJSON_GetArrayItem(row, 4))};
        vec_push(p->work, dots, d);
    }
    cJSON_Delete(root);
}

/* None is cheaper and nearer, of all that are drawn. */
static void find_front(Dots *dots)
{
    for (int i = 0; i < dots->n; i++) {
        Dot *d = &dots->at[i];
        d->is_front = true;
        for (int k = 0; k < dots->n; k++) {
            const Dot *e = &dots->at[k];
            bool better = e->cost < d->cost || e->deviation < d->deviation;
            if (e->cost <= d->cost && e->deviation <= d->deviation && better)
                d->is_front = false;
        }
    }
}

static int by_cost(const void *a, const void *b)
{
    const Dot *x = a, *y = b;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

/* Points of a series, or of the front. */
static FigureSeries series_of(ReportPage *p, const Dots *dots, const char *name,
                              bool front)
{
    double *x = NEW_ARRAY(p->work, double, dots->n + 1);
    double *y = NEW_ARRAY(p->work, double, dots->n + 1);
    const char **label = NEW_ARRAY(p->work, const char *, dots->n + 1);
    FigureSeries s = {.name = name, .colour = NONE, .is_line = front};
    for (int i = 0; i < dots->n; i++) {
        const Dot *d = &dots->at[i];
        if (front ? !d->is_front : strcmp(d->series, name))
            continue;
        x[s.n] = d->cost;
        y[s.n] = fmax(d->deviation, 1e-9);
        label[s.n++] = arena_printf(
            p->work, "%s: %.0f instructions per step, %.3g %%%s", d->name,
            d->cost, d->deviation, d->is_front ? ", front" : "");
        s.colour = front ? NONE : d->colour;
    }
    s.x = x;
    s.y = y;
    s.label = front ? NULL : label;
    return s;
}

static void put_dots(ReportPage *p)
{
    Dots dots = {0};
    add_dots(p, &dots);
    add_evidence(p, &dots);
    if (dots.n == 0)
        return;
    find_front(&dots);
    qsort(dots.at, (size_t)dots.n, sizeof *dots.at, by_cost);
    FigureSeries *series = NEW_ARRAY(p->work, FigureSeries, dots.n + 2);
    int n = 0;
    series[n++] = series_of(p, &dots, "front", true);
    for (int i = 0; i < dots.n; i++) {
        int k = 1;
        while (k < n && strcmp(series[k].name, dots.at[i].series))
            k++;
        if (k == n)
            series[n++] = series_of(p, &dots, dots.at[i].series, false);
    }
    figure_points("Cost of a step and deviation from the reference",
                  (FigureAxis){"instructions per step", "", true},
                  (FigureAxis){"deviation", "% of the range", true}, series, n,
                  p->out);
}

void report_candidates(ReportPage *p)
{
    const Tuning *t = p->r->tuning;
    if (has_tuning(p)) {
        fprintf(p->out,
                "<p>%d states, %d samples along the reference (IDA). %s<b>",
                t->pencil->nx, t->pencil->nsample,
                t->chosen != NONE ? "Recommended: " : "");
        if (t->chosen != NONE)
            report_text(p, t->candidate.at[t->chosen].name);
        fputs("</b>, ", p->out);
        report_text(p, t->why);
        fputs(".</p>\n", p->out);
    }
    put_dots(p);
    if (t)
        put_table(p);
}

/* ---- the matrices as they are built ---- */

/* All iteration matrices of a step, one after the other on the diagonal. */
typedef struct Matrices {
    int n, nnz;
    FigurePlace *place;
    const char **row, **col;
} Matrices;

static const Schedule *schedule_of(const Step *s)
{
    return s->schedule[s->inlined->cycle[0]];
}

static Matrices matrices_of(ReportPage *p, const Step *step)
{
    const Schedule *s = schedule_of(step);
    Matrices m = {0};
    int nnz = 0;
    for (int b = 0; b < s->nblock; b++) {
        m.n += s->block[b].jac.n;
        nnz += s->block[b].jac.nnz;
    }
    m.place = NEW_ARRAY(p->work, FigurePlace, nnz + 1);
    m.row = NEW_ARRAY(p->work, const char *, m.n + 1);
    m.col = NEW_ARRAY(p->work, const char *, m.n + 1);
    for (int b = 0, at = 0; b < s->nblock; at += s->block[b++].jac.n) {
        const SchedBlock *block = &s->block[b];
        for (int j = 0; j < block->jac.n; j++) {
            const InlinedEqn *e = &s->system->eqn[block->residual_eqn[j]];
            m.row[at + j] = inlined_eqn_name(s->inlined, e, p->work);
            m.col[at + j] = s->inlined->var[block->torn[j]].name;
            for (int k = block->jac.start[j]; k < block->jac.start[j + 1]; k++)
                m.place[m.nnz++] =
                    (FigurePlace){at + block->jac.row[k], at + j, MARK_ENTRY};
        }
    }
    return m;
}

static void put_matrix(ReportPage *p, const char *name, const Step *step)
{
    Matrices m = matrices_of(p, step);
    const char *title = arena_printf(
        p->work, "%s: %d iteration variables, %d entries", name, m.n, m.nnz);
    if (m.n == 0 || m.n > MOST_MATRIX) {
        fputs("<p>", p->out);
        report_text(p, title);
        fputs("</p>\n", p->out);
        return;
    }
    figure_matrix(title, m.n, m.place, m.nnz, m.row, m.col, p->out);
}

/* The pattern of the factors of a block in the order of its pivots, from
 * place `at` on. */
static int add_factor(const StaticLu *lu, int at, FigurePlace *place,
                      Arena *arena)
{
    int *row_at = NEW_ARRAY(arena, int, lu->n + 1), n = 0;
    int *col_at = NEW_ARRAY(arena, int, lu->n + 1);
    for (int k = 0; k < lu->n; k++) {
        row_at[lu->row[k]] = k;
        col_at[lu->col[k]] = k;
    }
    for (int k = 0; k < lu->n; k++) {
        place[n++] = (FigurePlace){at + k, at + k, MARK_ENTRY};
        for (int e = lu->lstart[k]; e < lu->lstart[k + 1]; e++)
            place[n++] =
                (FigurePlace){at + row_at[lu->lrow[e]], at + k,
                              lu->l[e] < lu->nnz ? MARK_ENTRY : MARK_FILL};
        for (int e = lu->ostart[k]; e < lu->ostart[k + 1]; e++)
            place[n++] =
                (FigurePlace){at + k, at + col_at[lu->ocol[e]], MARK_ENTRY};
        for (int e = lu->ustart[k]; e < lu->ustart[k + 1]; e++)
            place[n++] =
                (FigurePlace){at + k, at + col_at[lu->ucol[e]],
                              lu->u[e] < lu->nnz ? MARK_ENTRY : MARK_FILL};
    }
    return n;
}

/* Factors that are written as straight-line code: their pivots are those of the
 * step. */
static void put_factors(ReportPage *p, const char *name, const Step *step)
{
    int system = step->inlined->cycle[0], n = 0, count = 0;
    const Schedule *s = step->schedule[system];
    const BlockFactor *factor = step->pivots->factor[system];
    long room = 0;
    for (int b = 0; factor && b < s->nblock; b++)
        if (factor[b].parts && factor[b].parts->lu)
            room += factor[b].parts->lu->nentry;
    FigurePlace *place = NEW_ARRAY(p->work, FigurePlace, room + 1);
    for (int b = 0; factor && b < s->nblock; b++) {
        const FactorParts *parts = factor[b].parts;
        if (!parts || !parts->lu)
            continue;
        count += add_factor(parts->lu, n, place + count, p->work);
        n += parts->lu->n;
    }
    const char *title = arena_printf(
        p->work,
        "%s: factors of %d variables, %d entries with their fill; %ld with "
        "blocks that are solved otherwise, and those of events",
        name, n, count, step->pivots->report.nnz);
    if (n > 0 && n <= MOST_MATRIX)
        figure_matrix(title, n, place, count, NULL, NULL, p->out);
}

/* The full step; NULL if it cannot be made, or is the one shown. */
static const Step *full_step(ReportPage *p)
{
    const Tuning *t = p->r->tuning;
    if (!t || t->full == NONE || t->full == p->r->shown)
        return NULL;
    Diag *quiet = diag_new(p->r->c->sources, p->work);
    return tuning_step(t->c, t->candidate.at[t->full].plan, STEP_REALTIME,
                       p->work, quiet);
}

static const char *shown_name(const Report *r)
{
    return r->tuning && r->shown != NONE
               ? r->tuning->candidate.at[r->shown].name
               : "this plan";
}

void report_matrices(ReportPage *p)
{
    const Step *full = full_step(p), *step = p->r->c->step;
    if (step->inlined->ncycle == 0)
        return;
    fputs("<p>The iteration matrices of all blocks, one after the other on the "
          "diagonal, as the step has them: their entries are those of the "
          "tables.</p>\n<div class='pair'>\n",
          p->out);
    if (full)
        put_matrix(p, "full", full);
    put_matrix(p, shown_name(p->r), step);
    if (full)
        put_factors(p, "full", full);
    put_factors(p, shown_name(p->r), step);
    fputs("</div>\n", p->out);
}

/* ---- spectra ---- */

static FigureSpectrum spectrum_of(ReportPage *p, const StepMaps *maps, int i,
                                  const char *name, int colour)
{
    FigureSpectrum s = {.name = name, .colour = colour};
    if (i >= maps->nsample || !maps->sample[i].m)
        return s;
    double complex *value = NEW_ARRAY(p->work, double complex, maps->n + 1);
    if (step_eigenvalues(maps->n, maps->sample[i].m, value) == TUNE_FINE)
        s.n = maps->n;
    s.value = value;
    return s;
}

void report_spectra(ReportPage *p)
{
    const Report *r = p->r;
    const Tuning *t = r->tuning;
    if (!has_tuning(p))
        return;
    const Samples *samples = t->reference->samples;
    const StepMaps *maps[2] = {0};
    const char *name[2];
    int colour[2], n = 0;
    int which[2] = {t->full, r->shown};
    for (int k = 0; k < 2; k++) {
        if (which[k] == NONE || (k == 1 && which[1] == which[0]))
            continue;
        maps[n] =
            tuning_maps(t->c, t->candidate.at[which[k]].plan, samples, p->work);
        name[n] = t->candidate.at[which[k]].name;
        colour[n++] = report_colour(r, which[k]);
    }
    if (n == 0 || maps[0]->nsample == 0) {
        fputs("<p>There is no linearised step to show.</p>\n", p->out);
        return;
    }
    int npoint = maps[0]->nsample;
    FigurePoint *point = NEW_ARRAY(p->work, FigurePoint, npoint + 1);
    for (int i = 0; i < npoint; i++) {
        FigureSpectrum *list = NEW_ARRAY(p->work, FigureSpectrum, 2);
        for (int k = 0; k < n; k++)
            list[k] = spectrum_of(p, maps[k], i, name[k], colour[k]);
        point[i] = (FigurePoint){
            arena_printf(p->work, "t = %g s", maps[0]->sample[i].time), list,
            n};
    }
    fputs("<p>Eigenvalues of the linearised step, over the unit circle: inside "
          "of it a mode decays. The full step is hollow, the plan has "
          "crosses.</p>\n",
          p->out);
    figure_spectra("Eigenvalues of the step", point, npoint, p->out);
}

/* ---- curves ---- */

static Curve curve_of(ReportPage *p, const Curves *c, int i)
{
    Curve r = {.n = c->time.n, .stride = 1};
    double *value = NEW_ARRAY(p->work, double, c->time.n + 1);
    for (int k = 0; k < c->time.n; k++)
        value[k] = c->value.at[k * c->n + i];
    r.time = c->time.at;
    r.value = value;
    return r;
}

/* run - reference on the points of the run; the reference is linear between
 * its own. */
static Curve distance_of(ReportPage *p, const Curves *run, const Curves *ref,
                         int i)
{
    Curve r = {.time = run->time.at, .n = run->time.n, .stride = 1};
    double *value = NEW_ARRAY(p->work, double, r.n + 1);
    for (int k = 0, at = 0; k < r.n; k++) {
        double t = run->time.at[k];
        while (at + 2 < ref->time.n && ref->time.at[at + 1] <= t)
            at++;
        double t0 = ref->time.at[at], t1 = ref->time.at[at + 1];
        double a = ref->value.at[at * ref->n + i];
        double b = ref->value.at[(at + 1) * ref->n + i];
        double s = t1 > t0 ? fmin(fmax((t - t0) / (t1 - t0), 0), 1) : 1;
        value[k] = run->value.at[k * run->n + i] - (a + s * (b - a));
    }
    r.value = value;
    return r;
}

/* The runs that are drawn beside the reference. */
typedef struct Runs {
    const Curves *at[2];
    const char *name[2];
    int colour[2], n;
    const Curves *reference;
} Runs;

static Runs runs_of(ReportPage *p, int scenario)
{
    const Report *r = p->r;
    const Tuning *t = r->tuning;
    int which[2] = {t->full, r->shown};
    Runs runs = {.reference = t->reference->curves[scenario]};
    for (int k = 0; k < 2; k++) {
        if (which[k] == NONE || (k == 1 && which[1] == which[0]))
            continue;
        const TuneCandidate *c = &t->candidate.at[which[k]];
        if (!c->trial->curves || !c->trial->curves[scenario])
            continue;
        runs.at[runs.n] = c->trial->curves[scenario];
        runs.name[runs.n] = c->name;
        runs.colour[runs.n++] = report_colour(r, which[k]) + 1;
    }
    return runs;
}

static void put_signal(ReportPage *p, const Runs *runs, int i)
{
    const char *name = runs->reference->name[i];
    const char *unit = flat_unit(p->r->c->flat, name, p->work);
    PlotLine line[4], away[2];
    int n = 0, m = 0;
    for (int k = 0; k < runs->n; k++) {
        int at = curves_find(runs->at[k], name);
        if (at == NONE)
            continue;
        line[n++] = (PlotLine){.name = runs->name[k],
                               .curve = curve_of(p, runs->at[k], at),
                               .unit = unit,
                               .colour = runs->colour[k]};
        if (runs->reference->time.n < 2 || at != i)
            continue;
        away[m++] =
            (PlotLine){.name = runs->name[k],
                       .curve = distance_of(p, runs->at[k], runs->reference, i),
                       .unit = unit,
                       .colour = runs->colour[k]};
    }
    line[n++] = (PlotLine){.name = "reference",
                           .curve = curve_of(p, runs->reference, i),
                           .unit = unit,
                           .colour = 8,
                           .is_reference = true};
    plot_figure(name, line, n, p->out);
    if (m > 0)
        plot_figure(
            arena_printf(p->work, "%s: distance from the reference", name),
            away, m, p->out);
}

void report_curves(ReportPage *p)
{
    const Report *r = p->r;
    if (!has_tuning(p))
        return;
    int of = r->shown != NONE ? r->shown : r->tuning->full;
    int scenario = of != NONE ? r->tuning->candidate.at[of].trial->scenario : 0;
    Runs runs = runs_of(p, scenario);
    int n = runs.reference ? runs.reference->n : 0;
    fputs("<div class='pair'>\n", p->out);
    for (int i = 0; i < n && i < MOST_CURVES; i++)
        put_signal(p, &runs, i);
    fputs("</div>\n", p->out);
    if (n > MOST_CURVES)
        fprintf(p->out, "<p>and %d outputs more</p>\n", n - MOST_CURVES);
}
