/* tune_page.c - a tuning as one self-contained page. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_page.h"

#include <math.h>
#include <string.h>

#include "base/markup.h"
#include "num/static_lu.h"
#include "report/pictures.h"
#include "result/plot.h"
#include "tune/step.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><style>"
    "body{font:14px system-ui,sans-serif;margin:1.5em;color:#222;"
    "max-width:1100px}table{border-collapse:collapse}"
    "td,th{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:right}"
    "td:first-child,th:first-child,td:last-child,th:last-child"
    "{text-align:left}tr.best{background:#e8f4e8;font-weight:600}"
    "tr.no{color:#888}.pair{display:flex;flex-wrap:wrap}"
    ".k span{display:inline-block;width:1em;height:1em;margin:0 .4em 0 1.2em}"
    "</style>";

typedef struct Page {
    const Tuning *t;
    const TuneCandidate *k; /* the one shown beside the full step */
    FILE *out;
    Arena *work;
} Page;

/* ---- the table ---- */

static void put_cell(Page *p, double x, const char *format)
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

static void put_row(Page *p, int i)
{
    const TuneCandidate *k = &p->t->candidate.at[i];
    const TrialRun *x = k->trial;
    fprintf(p->out, "<tr class='%s'><td title='",
            i == p->t->chosen  ? "best"
            : k->is_acceptable ? ""
                               : "no");
    markup_text(k->modes, p->out);
    fputs("'>", p->out);
    markup_text(k->name, p->out);
    fputs("</td>", p->out);
    put_cell(p, x->built ? (double)x->instructions : NAN, "%.0f");
    put_cell(p, x->built ? x->largest_part : NAN, "%.0f");
    put_cell(p, x->built ? x->nnz : NAN, "%.0f");
    put_cell(p, x->built ? (double)x->factor_nnz : NAN, "%.0f");
    put_cell(p, k->change, "%.2g");
    put_cell(p, k->radius, "%.5f");
    put_cell(p, x->built ? x->deviation.percent : NAN, "%.3g");
    fputs("<td>", p->out);
    markup_text(k->verdict, p->out);
    fputs("</td></tr>\n", p->out);
}

static void put_table(Page *p)
{
    fputs("<h2>Candidates</h2><table><tr><th>plan</th><th>instructions</th>"
          "<th>largest block</th><th>non-zeros</th><th>of factors</th>"
          "<th>eigenvalue change</th><th>radius</th><th>deviation %</th>"
          "<th>verdict</th></tr>\n",
          p->out);
    for (int i = 0; i < p->t->candidate.n; i++)
        put_row(p, i);
    fputs("</table>\n", p->out);
    const char *held = tune_held(p->t, p->work);
    if (!held)
        return;
    fputs("<pre>", p->out);
    markup_text(held, p->out);
    fputs("</pre>\n", p->out);
}

/* ---- the matrices ---- */

static PicturePlace *pattern_places(Page *p, const bool *keep,
                                    const double *frozen)
{
    const PencilSet *s = p->t->pencil;
    PicturePlace *place = NEW_ARRAY(p->work, PicturePlace, s->nnz + 1);
    for (int j = 0; j < s->n; j++)
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            bool is_frozen = frozen && !isnan(frozen[e]);
            bool is_diagonal = s->row[e] == j && j < s->nx;
            PictureMark mark = is_frozen                         ? MARK_FROZEN
                               : !keep || keep[e] || is_diagonal ? MARK_ENTRY
                                                                 : MARK_DROPPED;
            place[e] = (PicturePlace){s->row[e], j, mark};
        }
    return place;
}

/* The pattern of the factors in the order of their pivots, which come from the
 * samples; those of the step may give another number of entries. */
static void put_factors(Page *p, const char *title, const bool *keep,
                        const double *frozen, long in_step)
{
    const PencilSet *s = p->t->pencil;
    size_t n = (size_t)s->n;
    double *m = NEW_ARRAY(p->work, double, n *n + 1);
    int *row = NEW_ARRAY(p->work, int, s->nnz + 1);
    int *col = NEW_ARRAY(p->work, int, s->nnz + 1);
    int nnz = 0;
    for (int j = 0; j < s->n; j++)
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            bool stays = !keep || keep[e] || (frozen && !isnan(frozen[e])) ||
                         (s->row[e] == j && j < s->nx);
            if (!stays)
                continue;
            row[nnz] = s->row[e];
            col[nnz++] = j;
        }
    double *value =
        NEW_ARRAY(p->work, double, (size_t)nnz *(size_t)s->nsample + 1);
    for (int k = 0; k < s->nsample; k++) {
        pencil_iteration_matrix(s, k, p->t->c->size, keep, frozen, m);
        for (int e = 0; e < nnz; e++)
            value[(size_t)k * (size_t)nnz + (size_t)e] =
                m[(size_t)row[e] + (size_t)col[e] * n];
    }
    const StaticLu *lu =
        static_lu_new(s->n, nnz, row, col, value, s->nsample, 1e-3, p->work);
    if (!lu)
        return;
    int *row_at = NEW_ARRAY(p->work, int, s->n + 1);
    int *col_at = NEW_ARRAY(p->work, int, s->n + 1);
    for (int k = 0; k < s->n; k++) {
        row_at[lu->row[k]] = k;
        col_at[lu->col[k]] = k;
    }
    PicturePlace *place =
        NEW_ARRAY(p->work, PicturePlace, lu->nentry + s->n + 1);
    int count = 0;
    for (int k = 0; k < s->n; k++) {
        place[count++] = (PicturePlace){k, k, MARK_ENTRY};
        for (int e = lu->lstart[k]; e < lu->lstart[k + 1]; e++)
            place[count++] =
                (PicturePlace){row_at[lu->lrow[e]], k,
                               lu->l[e] < nnz ? MARK_ENTRY : MARK_FILL};
        for (int e = lu->ostart[k]; e < lu->ostart[k + 1]; e++)
            place[count++] = (PicturePlace){k, col_at[lu->ocol[e]], MARK_ENTRY};
        for (int e = lu->ustart[k]; e < lu->ustart[k + 1]; e++)
            place[count++] =
                (PicturePlace){k, col_at[lu->ucol[e]],
                               lu->u[e] < nnz ? MARK_ENTRY : MARK_FILL};
    }
    const char *text = arena_printf(p->work, "%s: %d entries, %ld operations",
                                    title, count, lu->flops);
    if (in_step != NONE && in_step != count)
        text = arena_printf(p->work,
                            "%s; %ld entries with the pivots of the "
                            "step",
                            text, in_step);
    picture_matrix(text, s->n, place, count, NULL, NULL, p->out);
}

/* The pattern of the plan. A method with several stages has it as often. */
static void put_pattern(Page *p)
{
    const PencilSet *s = p->t->pencil;
    const TuneCandidate *k = p->k;
    int nnz = choice_nnz(s, k->keep);
    const char *text = arena_printf(p->work, "%s: %d entries", k->name, nnz);
    if (nnz != k->trial->nnz)
        text = arena_printf(p->work, "%s, %d in the blocks of the step", text,
                            k->trial->nnz);
    picture_matrix(text, s->n, pattern_places(p, k->keep, k->frozen), s->nnz,
                   s->eqn, s->var, p->out);
}

static void put_structure(Page *p)
{
    const PencilSet *s = p->t->pencil;
    const TuneCandidate *k = p->k;
    fputs("<h2>Matrix of the step</h2><p class='k'><span style='background:"
          "#1f6fb4'></span>entry<span style='background:#e6c9c9'></span>"
          "dropped<span style='background:#d9a21e'></span>frozen"
          "<span style='background:#b9c9d9'></span>fill of the factors</p>"
          "<div class='pair'>",
          p->out);
    picture_matrix(arena_printf(p->work, "before: %d entries", s->nnz), s->n,
                   pattern_places(p, NULL, NULL), s->nnz, s->eqn, s->var,
                   p->out);
    /* other plans are no patterns of this matrix */
    bool is_shown = k && k->keep && k->group == TUNE_SPARSING;
    if (is_shown)
        put_pattern(p);
    else if (k)
        fprintf(p->out, "<p>The plan has blocks of its own: %d entries.</p>",
                k->trial->nnz);
    fputs("</div><h2>Its factors</h2><div class='pair'>", p->out);
    put_factors(p, "before", NULL, NULL, NONE);
    if (is_shown)
        put_factors(p, k->name, k->keep, k->frozen, k->trial->factor_nnz);
    fputs("</div>\n", p->out);
}

/* ---- the eigenvalues ---- */

static void put_discs(Page *p)
{
    const Tuning *t = p->t;
    const PencilSet *s = t->pencil;
    int shown[2] = {0, s->nsample - 1};
    fputs("<h2>Eigenvalues of the step</h2><div class='pair'>", p->out);
    for (int i = 0; i < (s->nsample > 1 ? 2 : 1); i++) {
        int at = shown[i];
        const Spectrum *sp = t->spectrum[at];
        double complex *before =
            NEW_ARRAY(p->work, double complex, sp->nmode + 1);
        for (int k = 0; k < sp->nmode; k++)
            before[k] = sp->mode[k].lambda;
        double complex *after = NULL;
        int nafter = 0;
        if (p->k && p->k->keep) {
            StepMatrix m = step_matrix(s, at, t->c->size, 1, p->k->keep,
                                       p->k->frozen, p->work);
            after = NEW_ARRAY(p->work, double complex, m.n + 1);
            if (m.code == TUNE_FINE &&
                step_eigenvalues(m.n, m.m, after) == TUNE_FINE)
                nafter = m.n;
        }
        picture_disc(arena_printf(p->work, "at t = %g s", s->sample[at].time),
                     before, sp->nmode, after, nafter, p->out);
    }
    fputs("</div>\n", p->out);
}

/* ---- the curves ---- */

static Curve curve_of(Page *p, const Curves *c, int i)
{
    Curve r = {.n = c->time.n, .stride = 1};
    double *value = NEW_ARRAY(p->work, double, c->time.n + 1);
    for (int k = 0; k < c->time.n; k++)
        value[k] = c->value.at[k * c->n + i];
    r.time = c->time.at;
    r.value = value;
    return r;
}

/* How far a run is from the reference, point by point of the common grid. */
static Curve distance_of(Page *p, const Curves *run, const Curves *ref, int i)
{
    int n = run->time.n < ref->time.n ? run->time.n : ref->time.n;
    Curve r = {.time = run->time.at, .n = n, .stride = 1};
    double *value = NEW_ARRAY(p->work, double, n + 1);
    for (int k = 0; k < n; k++)
        value[k] =
            run->value.at[k * run->n + i] - ref->value.at[k * ref->n + i];
    r.value = value;
    return r;
}

static void put_distance(Page *p, const Curves *run, const Curves *full,
                         const Curves *ref, int i)
{
    PlotLine line[2] = {{p->k->name, distance_of(p, run, ref, i)}};
    int n = 1;
    if (full && full != run)
        line[n++] = (PlotLine){"full step", distance_of(p, full, ref, i)};
    plot_svg(
        arena_printf(p->work, "%s: distance from the reference", run->name[i]),
        line, n, p->out);
}

/* Reference, full step and plan of an output, and their distance. */
static void put_curves(Page *p)
{
    const Tuning *t = p->t;
    if (!p->k || !p->k->trial->curves)
        return;
    int scenario = p->k->trial->scenario;
    const Curves *ref = t->reference->curves[scenario];
    const Curves *run = p->k->trial->curves[scenario];
    fputs("<h2>Trajectories</h2>", p->out);
    int worst = p->k->trial->deviation.curve;
    for (int i = 0, shown = 0; i < run->n && shown < 4; i++) {
        if (i != worst && shown == 3 && worst > i)
            continue;
        shown++;
        PlotLine line[3] = {{"reference", curve_of(p, ref, i)},
                            {p->k->name, curve_of(p, run, i)}};
        int n = 2;
        const Curves *full =
            t->full == NONE ? NULL
            : t->candidate.at[t->full].trial->curves
                ? t->candidate.at[t->full].trial->curves[scenario]
                : NULL;
        if (full && full != run)
            line[n++] = (PlotLine){"full step", curve_of(p, full, i)};
        plot_svg(
            i == worst
                ? arena_printf(p->work, "%s: deviates by %.3g %% at t = %g s",
                               run->name[i], p->k->trial->deviation.percent,
                               p->k->trial->deviation.time)
                : run->name[i],
            line, n, p->out);
        if (i == worst)
            put_distance(p, run, full, ref, i);
    }
}

void tune_page(const Tuning *t, FILE *out)
{
    Page p = {.t = t, .out = out, .work = arena_new()};
    p.k = t->chosen != NONE ? &t->candidate.at[t->chosen] : NULL;
    fputs(head, out);
    fputs("<title>takt tune ", out);
    markup_text(t->c->flat->model, out);
    fputs("</title></head><body><h1>", out);
    markup_text(t->c->flat->model, out);
    fprintf(out,
            " at a step of %g s</h1><p>%d states, %d iteration variables, %d "
            "samples. ",
            t->c->size, t->pencil->nx, t->pencil->n, t->pencil->nsample);
    if (p.k) {
        fputs("Recommended: <b>", out);
        markup_text(p.k->name, out);
        fputs("</b>, ", out);
    }
    markup_text(t->why, out);
    fputs(".</p>\n", out);
    put_table(&p);
    put_structure(&p);
    put_discs(&p);
    put_curves(&p);
    fputs("</body></html>\n", out);
    arena_free(p.work);
}
