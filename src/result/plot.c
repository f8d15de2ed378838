/* plot.c - a plain line chart in SVG. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/plot.h"

#include <math.h>

#include "base/markup.h"

enum {
    WIDTH = 900,
    HEIGHT = 480,
    LEFT = 80,
    RIGHT = 200,
    TOP = 40,
    BOTTOM = 50
};

static const char *const palette[] = {"#1f6fb4", "#d9541e", "#2a9d4a",
                                      "#8e44ad", "#c0392b", "#16858f",
                                      "#b8860b", "#555555"};
enum { NPALETTE = sizeof palette / sizeof palette[0] };

typedef struct Axis {
    double least, most; /* data */
    double step;        /* between marks */
    double from, to;    /* pixels */
} Axis;

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

static void put_marks(const Axis *x, const Axis *y, FILE *out)
{
    int nx = (int)((x->most - x->least) / x->step + 0.5);
    int ny = (int)((y->most - y->least) / y->step + 0.5);
    for (int i = 0; i <= nx; i++) {
        double v = x->least + i * x->step;
        fprintf(out,
                "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='g'/>"
                "<text x='%.1f' y='%d' class='x'>%.6g</text>\n",
                pixel(x, v), pixel(x, v), TOP, HEIGHT - BOTTOM, pixel(x, v),
                HEIGHT - BOTTOM + 18, fabs(v) < 1e-9 * x->step ? 0 : v);
    }
    for (int i = 0; i <= ny; i++) {
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
    fprintf(out, "<path fill='none' stroke='%s' stroke-width='1.6' d='", color);
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

void plot_svg(const char *title, const PlotLine *line, int nline, FILE *out)
{
    double t0 = INFINITY, t1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (int k = 0; k < nline; k++) {
        Curve c = line[k].curve;
        for (int i = 0; i < c.n; i++) {
            double t = c.time[(long)i * c.stride];
            double v = c.value[(long)i * c.stride];
            if (!isfinite(v))
                continue;
            t0 = fmin(t0, t), t1 = fmax(t1, t);
            y0 = fmin(y0, v), y1 = fmax(y1, v);
        }
    }
    Axis x = make_axis(t0, t1, LEFT, WIDTH - RIGHT);
    x.least = t0 <= t1 ? t0 : 0;
    x.least = floor(x.least / x.step) * x.step;
    Axis y = make_axis(y0, y1, HEIGHT - BOTTOM, TOP);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
            "width='%d' height='%d'>\n<style>text{font:12px sans-serif;"
            "fill:#333}.x{text-anchor:middle}.y{text-anchor:end}"
            ".g{stroke:#ddd}</style>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(out, "<text x='%d' y='24' style='font-size:15px'>", LEFT);
    markup_text(title, out);
    fputs("</text>\n", out);
    put_marks(&x, &y, out);
    for (int k = 0; k < nline; k++) {
        const char *color = palette[k % NPALETTE];
        put_line(&line[k], color, &x, &y, out);
        fprintf(out,
                "<rect x='%d' y='%d' width='14' height='3' fill='%s'/>"
                "<text x='%d' y='%d'>",
                WIDTH - RIGHT + 12, TOP + 8 + 18 * k, color, WIDTH - RIGHT + 32,
                TOP + 13 + 18 * k);
        markup_text(line[k].name, out);
        fputs("</text>\n", out);
    }
    fprintf(out, "<text x='%d' y='%d' class='x'>time in s</text>\n</svg>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
}
