/* picture.c - lines |F(z)| = 1 by marching squares, damping along the axis. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/picture.h"

#include <math.h>

#include "base/markup.h"

enum { SIDE = 520, EDGE = 56, LEGEND = 22, CELLS = 160 };

static const char *const color[] = {"#1f6fb4", "#d9541e", "#2e8b57", "#8e44ad",
                                    "#b8860b", "#c2185b", "#00838f", "#555555"};
enum { NCOLOR = sizeof color / sizeof *color };

/* ---- axes ---- */

typedef struct Frame {
    Window w;
    FILE *out;
    int height; /* of the whole picture */
} Frame;

static double across(const Frame *f, double x)
{
    return EDGE + SIDE * (x - f->w.left) / (f->w.right - f->w.left);
}

static double down(const Frame *f, double y)
{
    return EDGE + SIDE * (f->w.high - y) / (f->w.high - f->w.low);
}

/* 1, 2, 5 times a power of ten: about six of them in `range`. */
static double tick_of(double range)
{
    double rough = range / 6, power = pow(10, floor(log10(rough)));
    double f = rough / power;
    return power * (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10);
}

static void draw_ticks(const Frame *f)
{
    double step = tick_of(f->w.right - f->w.left);
    for (double x = ceil(f->w.left / step) * step; x <= f->w.right; x += step)
        fprintf(f->out,
                "<line x1='%.2f' x2='%.2f' y1='%d' y2='%d' stroke='#e4e4e4'/>"
                "<text x='%.2f' y='%d' text-anchor='middle'>%.4g</text>\n",
                across(f, x), across(f, x), EDGE, EDGE + SIDE, across(f, x),
                EDGE + SIDE + 16, fabs(x) < 1e-9 * step ? 0 : x);
    step = tick_of(f->w.high - f->w.low);
    for (double y = ceil(f->w.low / step) * step; y <= f->w.high; y += step)
        fprintf(f->out,
                "<line x1='%d' x2='%d' y1='%.2f' y2='%.2f' stroke='#e4e4e4'/>"
                "<text x='%d' y='%.2f' text-anchor='end'>%.4g</text>\n",
                EDGE, EDGE + SIDE, down(f, y), down(f, y), EDGE - 6,
                down(f, y) + 4, fabs(y) < 1e-9 * step ? 0 : y);
}

static void draw_axes(const Frame *f)
{
    if (f->w.left < 0 && f->w.right > 0)
        fprintf(f->out,
                "<line x1='%.2f' x2='%.2f' y1='%d' y2='%d' stroke='#888'/>\n",
                across(f, 0), across(f, 0), EDGE, EDGE + SIDE);
    if (f->w.low < 0 && f->w.high > 0)
        fprintf(f->out,
                "<line x1='%d' x2='%d' y1='%.2f' y2='%.2f' stroke='#888'/>\n",
                EDGE, EDGE + SIDE, down(f, 0), down(f, 0));
}

static void begin(const Frame *f, const char *title, const char *x,
                  const char *y)
{
    fprintf(f->out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>"
            "<rect width='100%%' height='100%%' fill='#fff'/>"
            "<clipPath id='c'><rect x='%d' y='%d' width='%d' height='%d'/>"
            "</clipPath><text x='%d' y='24' font-size='15'>",
            SIDE + 2 * EDGE, f->height, SIDE + 2 * EDGE, f->height, EDGE, EDGE,
            SIDE, SIDE, EDGE);
    markup_text(title, f->out);
    fputs("</text>\n", f->out);
    draw_ticks(f);
    draw_axes(f);
    fprintf(f->out,
            "<text x='%d' y='%d' text-anchor='middle'>%s</text>"
            "<text x='%d' y='%d'>%s</text>\n",
            EDGE + SIDE / 2, EDGE + SIDE + 34, x, EDGE, EDGE - 10, y);
}

static void legend(const Frame *f, const char *name, const char *title, int i)
{
    int y = 2 * EDGE + SIDE + LEGEND * i;
    fprintf(f->out,
            "<line x1='%d' x2='%d' y1='%d' y2='%d' stroke='%s' "
            "stroke-width='3'/><text x='%d' y='%d'>",
            EDGE, EDGE + 24, y, y, color[i % NCOLOR], EDGE + 32, y + 4);
    markup_text(name, f->out);
    fputs(": ", f->out);
    markup_text(title, f->out);
    fputs("</text>\n", f->out);
}

static void end(const Frame *f)
{
    fprintf(f->out,
            "<rect x='%d' y='%d' width='%d' height='%d' fill='none' "
            "stroke='#444'/></svg>\n",
            EDGE, EDGE, SIDE, SIDE);
}

/* ---- domains ---- */

typedef struct Grid {
    double ln[CELLS + 1][CELLS + 1]; /* ln |F| by rows of equal Im z */
} Grid;

static void fill_grid(Grid *g, const Method *m, Window w)
{
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++) {
            double re = w.left + (w.right - w.left) * j / CELLS;
            double im = w.low + (w.high - w.low) * i / CELLS;
            double x = log(theory_growth(m, re, im));
            g->ln[i][j] = x > 50 ? 50 : x < -50 ? -50 : x;
        }
}

/* Most of a cell, by its corners. */
static bool is_inside(const Grid *g, int i, int j)
{
    return g->ln[i][j] + g->ln[i + 1][j] + g->ln[i][j + 1] +
               g->ln[i + 1][j + 1] <=
           1e-9;
}

static void shade(const Frame *f, const Grid *g, const char *fill)
{
    double cell = (double)SIDE / CELLS;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0, n; j < CELLS; j += n) {
            bool inside = is_inside(g, i, j);
            for (n = 1; j + n < CELLS; n++)
                if (is_inside(g, i, j + n) != inside)
                    break;
            if (inside)
                fprintf(f->out,
                        "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' "
                        "fill='%s' fill-opacity='.12'/>\n",
                        EDGE + j * cell, EDGE + SIDE - (i + 1) * cell, n * cell,
                        cell + 0.05, fill);
        }
}

/* Where the line leaves the side from corner a to b of a cell. */
static void crossing(const Frame *f, const Grid *g, int i, int j, int side)
{
    static const int di[] = {0, 0, 1, 1}, dj[] = {0, 1, 1, 0};
    int a = side, b = (side + 1) % 4;
    double x = g->ln[i + di[a]][j + dj[a]], y = g->ln[i + di[b]][j + dj[b]];
    double t = x / (x - y), cell = (double)SIDE / CELLS;
    double col = j + dj[a] + t * (dj[b] - dj[a]);
    double row = i + di[a] + t * (di[b] - di[a]);
    fprintf(f->out, "%.2f %.2f", EDGE + col * cell, EDGE + SIDE - row * cell);
}

static void outline(const Frame *f, const Grid *g, const char *stroke)
{
    static const int di[] = {0, 0, 1, 1}, dj[] = {0, 1, 1, 0};
    fprintf(f->out, "<path fill='none' stroke='%s' stroke-width='2' d='",
            stroke);
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            int side[4], n = 0;
            for (int k = 0; k < 4; k++) {
                int l = (k + 1) % 4;
                bool here = g->ln[i + di[k]][j + dj[k]] > 0;
                bool next = g->ln[i + di[l]][j + dj[l]] > 0;
                if (here != next)
                    side[n++] = k;
            }
            for (int k = 0; k + 1 < n; k += 2) {
                fputs("M", f->out);
                crossing(f, g, i, j, side[k]);
                fputs("L", f->out);
                crossing(f, g, i, j, side[k + 1]);
            }
        }
    fputs("'/>\n", f->out);
}

static void draw_modes(const Frame *f, const Modes *modes)
{
    for (int i = 0; i < modes->n; i++) {
        double x = modes->re[i], y = modes->im[i];
        if (x < f->w.left || x > f->w.right || y < f->w.low || y > f->w.high)
            continue;
        fprintf(f->out,
                "<path d='M%.2f %.2fl8 8m0 -8l-8 8' stroke='#000' "
                "stroke-width='1.5'><title>%.6g%+.6gi</title></path>\n",
                across(f, x) - 4, down(f, y) - 4, x, y);
    }
}

Window theory_window(const Theory *const *t, int n)
{
    double size = 1;
    for (int i = 0; i < n; i++) {
        double r = isfinite(t[i]->real) ? 1.3 * t[i]->real : 0;
        if (!(r > 0))
            r = t[i]->down.n > 4 ? 20 : 8;
        size = fmax(size, fmin(r, 40));
    }
    return (Window){-size, size, -size, size};
}

void theory_domain_svg(const Theory *const *t, int n, const Modes *modes,
                       Window w, FILE *out)
{
    Frame f = {w, out, 2 * EDGE + SIDE + LEGEND * (n + 1)};
    Arena *work = arena_new();
    Grid *g = NEW(work, Grid);
    begin(&f, "Stability: |F(z)| <= 1 is shaded, z = h lambda", "Re z", "Im z");
    fputs("<g clip-path='url(#c)'>\n", out);
    for (int i = 0; i < n; i++) {
        fill_grid(g, t[i]->m, w);
        shade(&f, g, color[i % NCOLOR]);
        outline(&f, g, color[i % NCOLOR]);
    }
    if (modes && modes->n > 0)
        draw_modes(&f, modes);
    fputs("</g>\n", out);
    for (int i = 0; i < n; i++)
        legend(&f, t[i]->m->name, t[i]->m->title, i);
    if (modes && modes->name) {
        fprintf(out, "<text x='%d' y='%d'>crosses: eigenvalues of ", EDGE,
                2 * EDGE + SIDE + LEGEND * n + 4);
        markup_text(modes->name, out);
        fputs("</text>\n", out);
    }
    end(&f);
    arena_free(work);
}

/* ---- damping ---- */

void theory_damping_svg(const Theory *const *t, int n, FILE *out)
{
    enum { POINTS = 500 };
    Frame f = {{0, 12, -2, 12}, out, 2 * EDGE + SIDE + LEGEND * (n + 1)};
    begin(&f, "Damping: -ln |F(-x)| of a step, beside x of the truth",
          "x = -h lambda", "-ln |F|");
    fputs("<g clip-path='url(#c)'>\n", out);
    fprintf(out,
            "<line x1='%.2f' y1='%.2f' x2='%.2f' y2='%.2f' stroke='#444' "
            "stroke-dasharray='5 4'/>\n",
            across(&f, 0), down(&f, 0), across(&f, 12), down(&f, 12));
    for (int i = 0; i < n; i++) {
        fprintf(out,
                "<polyline fill='none' stroke='%s' stroke-width='2' "
                "points='",
                color[i % NCOLOR]);
        for (int k = 0; k <= POINTS; k++) {
            double x = f.w.right * k / POINTS;
            double y = -log(theory_growth(t[i]->m, -x, 0));
            y = fmax(-20, fmin(40, y));
            fprintf(out, "%.2f,%.2f ", across(&f, x), down(&f, y));
        }
        fputs("'/>\n", out);
    }
    fputs("</g>\n", out);
    for (int i = 0; i < n; i++)
        legend(&f, t[i]->m->name, t[i]->m->title, i);
    end(&f);
}
