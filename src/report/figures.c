/* figures.c - the data of figures. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/figures.h"

#include "base/json.h"
#include "base/number.h"
#include "web/web.h"

enum { DIGITS = 7 };

static void put_axis(JsonOut *j, const char *key, FigureAxis a)
{
    json_begin_object(j, key);
    json_put_text(j, "label", a.label);
    json_put_text(j, "unit", a.unit);
    json_put_bool(j, "log", a.log);
    json_end(j);
}

static void put_numbers(JsonOut *j, const char *key, const double *x, int n)
{
    json_begin_array(j, key);
    for (int i = 0; i < n; i++)
        json_put_number(j, NULL, number_round(x[i], DIGITS));
    json_end(j);
}

static void put_series(JsonOut *j, const FigureSeries *s)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", s->name);
    json_put_count(j, "colour", s->colour);
    json_put_bool(j, "points", !s->is_line);
    if (s->is_line)
        json_put_bool(j, "dash", true);
    if (s->is_hollow)
        json_put_bool(j, "hollow", true);
    if (s->is_cross)
        json_put_bool(j, "cross", true);
    put_numbers(j, "x", s->x, s->n);
    put_numbers(j, "y", s->y, s->n);
    if (s->label) {
        json_begin_array(j, "labels");
        for (int i = 0; i < s->n; i++)
            json_put_text(j, NULL, s->label[i]);
        json_end(j);
    }
    json_end(j);
}

void figure_points(const char *title, FigureAxis x, FigureAxis y,
                   const FigureSeries *series, int n, FILE *out)
{
    web_figure_begin("plot", title, out);
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_object(j, NULL);
    put_axis(j, "x", x);
    json_put_bool(j, "pad", true);
    json_put_count(j, "height", 340);
    json_begin_array(j, "panels");
    json_begin_object(j, NULL);
    json_put_text(j, "label", y.label);
    json_put_text(j, "unit", y.unit);
    json_put_bool(j, "log", y.log);
    json_begin_array(j, "items");
    for (int i = 0; i < n; i++)
        put_series(j, &series[i]);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
    json_finish(j);
    web_figure_end(out);
}

static void put_spectrum(JsonOut *j, const FigureSpectrum *s, int place)
{
    Arena *arena = arena_new();
    double *x = NEW_ARRAY(arena, double, s->n + 1);
    double *y = NEW_ARRAY(arena, double, s->n + 1);
    const char **label = NEW_ARRAY(arena, const char *, s->n + 1);
    for (int i = 0; i < s->n; i++) {
        x[i] = creal(s->value[i]);
        y[i] = cimag(s->value[i]);
        label[i] = arena_printf(arena, "%s: %.6g %c %.6g i, |.| = %.6g",
                                s->name, x[i], y[i] < 0 ? '-' : '+',
                                y[i] < 0 ? -y[i] : y[i], cabs(s->value[i]));
    }
    FigureSeries series = {.name = s->name,
                           .colour = s->colour,
                           .n = s->n,
                           .x = x,
                           .y = y,
                           .label = label,
                           .is_hollow = place == 0,
                           .is_cross = place > 0};
    put_series(j, &series);
    arena_free(arena);
}

static void put_point(JsonOut *j, const FigurePoint *p)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", p->name);
    json_begin_object(j, "spec");
    put_axis(j, "x", (FigureAxis){"real part", "", false});
    json_put_bool(j, "equal", true);
    json_put_bool(j, "circle", true);
    json_begin_array(j, "panels");
    json_begin_object(j, NULL);
    json_put_text(j, "label", "imaginary part");
    json_begin_array(j, "items");
    for (int i = 0; i < p->n; i++)
        put_spectrum(j, &p->spectrum[i], i);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
}

void figure_spectra(const char *title, const FigurePoint *point, int n,
                    FILE *out)
{
    web_figure_begin("choice", title, out);
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "label", "at");
    json_begin_array(j, "plots");
    for (int i = 0; i < n; i++)
        put_point(j, &point[i]);
    json_end(j);
    json_end(j);
    json_finish(j);
    web_figure_end(out);
}

static void put_marks(JsonOut *j)
{
    static const char *const mark[][2] = {{"entry", "--c0"},
                                          {"dropped", "--loop"},
                                          {"frozen", "--c6"},
                                          {"fill of the factors", "--c5"}};
    json_begin_array(j, "marks");
    for (int i = 0; i < 4; i++) {
        json_begin_array(j, NULL);
        json_put_text(j, NULL, mark[i][0]);
        json_put_text(j, NULL, mark[i][1]);
        json_put_text(j, NULL, "");
        json_end(j);
    }
    json_end(j);
}

void figure_matrix(const char *title, int n, const FigurePlace *place,
                   int nplace, const char *const *row_name,
                   const char *const *col_name, FILE *out)
{
    web_figure_begin("grid", title, out);
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_object(j, NULL);
    json_put_count(j, "n", n);
    if (row_name && col_name) {
        json_put_texts(j, "rows", row_name, n);
        json_put_texts(j, "cols", col_name, n);
    }
    put_marks(j);
    json_begin_array(j, "cells");
    for (int i = 0; i < nplace; i++) {
        json_put_count(j, NULL, place[i].row);
        json_put_count(j, NULL, place[i].col);
        json_put_count(j, NULL, place[i].mark);
    }
    json_end(j);
    json_end(j);
    json_finish(j);
    web_figure_end(out);
}
