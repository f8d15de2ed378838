/* plot_page.c - a plot as a figure of a page, and as a page.
 *
 * A page need not hold more points than a screen shows: long lines go out as
 * the first, least, largest and last value of each of MOST / 4 pieces, with
 * their own times.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/number.h"
#include "result/plot.h"
#include "web/web.h"

enum { MOST = 6000, DIGITS = 7 };

static double value_at(const Curve *c, long i)
{
    return c->value[i * c->stride];
}

/* First, last, least and largest of the points from .. to-1, in their order;
 * returns how many. */
static int pick(const Curve *c, long from, long to, long *out)
{
    long at[4] = {from, from, from, to - 1};
    for (long i = from; i < to; i++) {
        if (!(value_at(c, i) >= value_at(c, at[1])))
            at[1] = i;
        if (!(value_at(c, i) <= value_at(c, at[2])))
            at[2] = i;
    }
    if (at[1] > at[2]) {
        long swap = at[1];
        at[1] = at[2];
        at[2] = swap;
    }
    int n = 0;
    for (int k = 0; k < 4; k++)
        if (n == 0 || at[k] > out[n - 1])
            out[n++] = at[k];
    return n;
}

/* Points of a curve that a page gets, by their numbers. */
static long *thin_out(const Curve *c, long *n, Arena *arena)
{
    long *list = NEW_ARRAY(arena, long, (c->n < MOST ? c->n : MOST) + 4);
    *n = 0;
    if (c->n <= MOST) {
        for (; *n < c->n; ++*n)
            list[*n] = *n;
        return list;
    }
    long pieces = MOST / 4;
    for (long k = 0; k < pieces; k++)
        *n += pick(c, k * c->n / pieces, (k + 1) * c->n / pieces, list + *n);
    return list;
}

static void put_item(const PlotLine *l, int place, JsonOut *j, Arena *arena)
{
    const Curve *c = &l->curve;
    long n, *at = thin_out(c, &n, arena);
    json_begin_object(j, NULL);
    json_put_text(j, "name", l->name);
    json_put_count(j, "colour",
                   (l->colour > 0 ? l->colour - 1 : place) % WEB_NCOLOUR);
    if (l->is_reference)
        json_put_bool(j, "dash", true);
    json_begin_array(j, "x");
    for (long i = 0; i < n; i++)
        json_put_number(j, NULL, c->time[at[i] * c->stride]);
    json_end(j);
    json_begin_array(j, "y");
    for (long i = 0; i < n; i++)
        json_put_number(j, NULL, number_round(value_at(c, at[i]), DIGITS));
    json_end(j);
    json_end(j);
}

void plot_json(const PlotLine *line, int nline, JsonOut *j)
{
    Arena *arena = arena_new();
    int *panel = NEW_ARRAY(arena, int, nline + 1);
    const char **unit = NEW_ARRAY(arena, const char *, nline + 1);
    int n = plot_panels(line, nline, panel, unit);
    json_begin_object(j, "x");
    json_put_text(j, "label", "time");
    json_put_text(j, "unit", "s");
    json_end(j);
    json_begin_array(j, "panels");
    for (int k = 0; k < n; k++) {
        json_begin_object(j, NULL);
        json_put_text(j, "unit", unit[k]);
        json_begin_array(j, "items");
        for (int i = 0; i < nline; i++)
            if (panel[i] == k)
                put_item(&line[i], i, j, arena);
        json_end(j);
        json_end(j);
    }
    json_end(j);
    arena_free(arena);
}

void plot_figure(const char *title, const PlotLine *line, int nline, FILE *out)
{
    web_figure_begin("plot", title, out);
    JsonOut j = json_start(out, JSON_COMPACT);
    json_begin_object(&j, NULL);
    plot_json(line, nline, &j);
    json_end(&j);
    json_finish(&j);
    web_figure_end(out);
}

void plot_page(const char *title, const PlotLine *line, int nline, FILE *out)
{
    web_begin(title, out);
    plot_figure("trajectories", line, nline, out);
    web_end(out);
}
