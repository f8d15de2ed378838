/* plot.c - a plain line chart in SVG, with a panel for each unit. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/plot.h"

#include <math.h>
#include <string.h>

#include "base/markup.h"
#include "web/web.h"

enum {
    WIDTH = 900,
    LEFT = 90,
    RIGHT = 210,
    TOP = 40,
    GAP = 30,     /* between panels */
    SINGLE = 390, /* height of the only panel, */
    SEVERAL = 230 /* and of each of several */
};

static const char *const palette[WEB_NCOLOUR] = {
    "#1f6fb4", "#d9541e", "#2a8a45", "#8e44ad", "#b8336a",
    "#16858f", "#9a6b00", "#555c66", "#3949ab", "#6d4c41"};

typedef struct Axis {
    double least, most; /* data */
    double step;        /* between marks */
    double from, to;    /* pixels */
} Axis;

static const char *unit_of(const PlotLine *l)
{
    return l->unit ? l->unit : "";
}

int plot_panels(const PlotLine *line, int nline, int *panel, const char **unit)
{
    int n = 0;
    for (int i = 0; i < nline; i++) {
        int k = 0;
        while (k < n && strcmp(unit[k], unit_of(&line[i])))
            k++;
        if (k == n)
            unit[n++] = unit_of(&line[i]);
        panel[i] = k;
    }
    return n;
}

static double pixel(const Axis *a, double x)
{
    return a->from + (x - a->least) / (a->most - a->least) * (a->to - a->from);
}

/* Widens to round limits with 4 to 10 marks. */
static Axis make_axis(double least, double most, double from, double to)
{
    if (!(least <= most))
        least = 0, most = 1;
    if (most - least < 1e-12 * fmax(fabs(least), fabs(most)) || least == most) {
        double pad = fmax(fabs(least), 1) * 0.5;
        least -= pad;
        most += pad;
    }
    double raw = (most - least) / 6;
    double power = pow(10, floor(log10(raw)));
    double step = raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : 5;
    step *= power;
    Axis a = {floor(least / step) * step, ceil(most / step) * step, step, from,
              to};
    return a;
}

static void put_time_marks(const Axis *x, const Axis *y, FILE *out)
{
    int n = (int)((x->most - x->least) / x->step + 0.5);
    for (int i = 0; i <= n; i++) {
        double v = x->least + i * x->step;
        fprintf(out,
                "<line x1='%.1f' x2='%.1f' y1='%.0f' y2='%.0f' class='g'/>"
                "<text x='%.1f' y='%.0f' class='x'>%.6g</text>\n",
                pixel(x, v), pixel(x, v), y->to, y->from, pixel(x, v),
                y->from + 18, fabs(v) < 1e-9 * x->step ? 0 : v);
    }
}

static void put_value_marks(const Axis *y, FILE *out)
{
    int n = (int)((y->most - y->least) / y->step + 0.5);
    for (int i = 0; i <= n; i++) {
        double v = y->least + i * y->step;
        fprintf(out,
                "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' class='g'/>"
                "<text x='%d' y='%.1f' class='y'>%.6g</text>\n",
                LEFT, WIDTH - RIGHT, pixel(y, v), pixel(y, v), LEFT - 8,
                pixel(y, v) + 4, fabs(v) < 1e-9 * y->step ? 0 : v);
    }
}

/* Points closer than a third of a pixel to the last one drawn are left out. */
static void put_line(const PlotLine *l, const char *color, const Axis *x,
                     const Axis *y, FILE *out)
{
    fprintf(out, "<path fill='none' stroke='%s' stroke-width='1.6'%s d='",
            color, l->is_reference ? " stroke-dasharray='6 4'" : "");
    double px = -1e9, py = -1e9;
    char letter = 'M';
    for (int i = 0; i < l->curve.n; i++) {
        double t = l->curve.time[(long)i * l->curve.stride];
        double v = l->curve.value[(long)i * l->curve.stride];
        if (!isfinite(v)) {
            letter = 'M';
            continue;
        }
        double qx = pixel(x, t), qy = pixel(y, v);
        if (letter == 'L' && i + 1 < l->curve.n && fabs(qx - px) < 0.3 &&
            fabs(qy - py) < 0.3)
            continue;
        fprintf(out, "%c%.1f %.1f", letter, qx, qy);
        letter = 'L';
        px = qx;
        py = qy;
    }
    fputs("'/>\n", out);
}

/* Limits of the lines of a panel; NONE: of all. */
static void find_limits(const PlotLine *line, int nline, const int *panel,
                        int number, double *t, double *y)
{
    t[0] = y[0] = INFINITY;
    t[1] = y[1] = -INFINITY;
    for (int k = 0; k < nline; k++) {
        Curve c = line[k].curve;
        for (int i = 0; i < c.n && (number == NONE || panel[k] == number);
             i++) {
            double at = c.time[(long)i * c.stride];
            double v = c.value[(long)i * c.stride];
            if (!isfinite(v))
                continue;
            t[0] = fmin(t[0], at), t[1] = fmax(t[1], at);
            y[0] = fmin(y[0], v), y[1] = fmax(y[1], v);
        }
    }
}

static int colour_of(const PlotLine *l, int place)
{
    return (l->colour > 0 ? l->colour - 1 : place) % WEB_NCOLOUR;
}

static void put_panel(const PlotLine *line, int nline, const int *panel,
                      int number, const char *unit, const Axis *x, int top,
                      int height, FILE *out)
{
    double t[2], v[2];
    find_limits(line, nline, panel, number, t, v);
    Axis y = make_axis(v[0], v[1], top + height, top);
    put_time_marks(x, &y, out);
    put_value_marks(&y, out);
    if (*unit) {
        fprintf(out, "<text x='%d' y='%d' class='u'>", LEFT - 8, top - 8);
        markup_text(unit, out);
        fputs("</text>\n", out);
    }
    for (int k = 0, row = 0; k < nline; k++) {
        if (panel[k] != number)
            continue;
        const char *color = palette[colour_of(&line[k], k)];
        put_line(&line[k], color, x, &y, out);
        fprintf(out,
                "<rect x='%d' y='%d' width='14' height='3' fill='%s'/>"
                "<text x='%d' y='%d'>",
                WIDTH - RIGHT + 12, top + 8 + 18 * row, color,
                WIDTH - RIGHT + 32, top + 13 + 18 * row);
        markup_text(line[k].name, out);
        fputs("</text>\n", out);
        row++;
    }
}

void plot_svg(const char *title, const PlotLine *line, int nline, FILE *out)
{
    Arena *arena = arena_new();
    int *panel = NEW_ARRAY(arena, int, nline + 1);
    const char **unit = NEW_ARRAY(arena, const char *, nline + 1);
    int n = plot_panels(line, nline, panel, unit);
    n = n > 0 ? n : 1;
    unit[0] = unit[0] ? unit[0] : "";
    int size = n == 1 ? SINGLE : SEVERAL;
    int height = TOP + n * (size + GAP) + 20;
    double t[2], v[2];
    find_limits(line, nline, panel, NONE, t, v);
    Axis x = make_axis(t[0], t[1], LEFT, WIDTH - RIGHT);
    x.least = t[0] <= t[1] ? t[0] : 0;
    x.least = floor(x.least / x.step) * x.step;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
            "width='%d' height='%d'>\n<style>text{font:12px sans-serif;"
            "fill:#333}.x{text-anchor:middle}.y,.u{text-anchor:end}"
            ".g{stroke:#ddd}</style>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            WIDTH, height, WIDTH, height);
    fprintf(out, "<text x='%d' y='24' style='font-size:15px'>", LEFT);
    markup_text(title, out);
    fputs("</text>\n", out);
    for (int k = 0; k < n; k++)
        put_panel(line, nline, panel, k, unit[k], &x, TOP + k * (size + GAP),
                  size, out);
    fprintf(out, "<text x='%d' y='%d' class='x'>time in s</text>\n</svg>\n",
            (LEFT + WIDTH - RIGHT) / 2, height - 8);
    arena_free(arena);
}
