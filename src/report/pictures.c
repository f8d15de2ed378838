/* pictures.c - plain SVG: squares for entries, circles for eigenvalues. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/pictures.h"

#include <math.h>

#include "base/markup.h"

enum { SIDE = 420, EDGE = 30 };

static const char *const color[] = {"#1f6fb4", "#e6c9c9", "#d9a21e", "#b9c9d9"};

static void begin(const char *title, FILE *out)
{
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d'><text x='%d' y='18' font-size='14' "
            "font-family='sans-serif'>",
            SIDE + 2 * EDGE, SIDE + 2 * EDGE, SIDE + 2 * EDGE, SIDE + 2 * EDGE,
            EDGE);
    markup_text(title, out);
    fputs("</text>\n", out);
}

void picture_matrix(const char *title, int n, const PicturePlace *place,
                    int nplace, const char *const *row_name,
                    const char *const *col_name, FILE *out)
{
    double cell = (double)SIDE / (n > 0 ? n : 1);
    double size = cell > 4 ? cell - 1 : fmax(cell, 0.8);
    begin(title, out);
    fprintf(out,
            "<rect x='%d' y='%d' width='%d' height='%d' fill='#fff' "
            "stroke='#999'/>\n",
            EDGE, EDGE, SIDE, SIDE);
    for (int k = 0; k < nplace; k++) {
        const PicturePlace *p = &place[k];
        fprintf(out,
                "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' "
                "fill='%s'>",
                EDGE + p->col * cell, EDGE + p->row * cell, size, size,
                color[p->mark]);
        if (row_name && col_name) {
            fputs("<title>", out);
            markup_text(row_name[p->row], out);
            fputs(" by ", out);
            markup_text(col_name[p->col], out);
            fputs("</title>", out);
        }
        fputs("</rect>\n", out);
    }
    fputs("</svg>\n", out);
}

static void draw_values(const double complex *value, int n, const char *style,
                        double radius, FILE *out)
{
    double r = SIDE / 2.0, middle = EDGE + r, scale = r / 1.1;
    for (int i = 0; i < n; i++) {
        double complex z = value[i];
        double size = cabs(z);
        if (!isfinite(size))
            continue;
        if (size > 1.1)
            z *= 1.1 / size;
        fprintf(out,
                "<circle cx='%.2f' cy='%.2f' r='%.1f' %s><title>%.6g%+.6gi, "
                "absolute value %.6g</title></circle>\n",
                middle + scale * creal(z), middle - scale * cimag(z), radius,
                style, creal(value[i]), cimag(value[i]), size);
    }
}

static int count_outside(const double complex *value, int n)
{
    int outside = 0;
    for (int i = 0; i < n; i++)
        outside += cabs(value[i]) > 1 + 1e-9;
    return outside;
}

void picture_disc(const char *title, const double complex *before, int nbefore,
                  const double complex *after, int nafter, FILE *out)
{
    double middle = EDGE + SIDE / 2.0;
    begin(title, out);
    fprintf(out,
            "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='#fafafa' "
            "stroke='#999'/>\n<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' "
            "stroke='#ddd'/>\n<line y1='%d' y2='%d' x1='%.1f' x2='%.1f' "
            "stroke='#ddd'/>\n",
            middle, middle, SIDE / 2.2, EDGE, EDGE + SIDE, middle, middle, EDGE,
            EDGE + SIDE, middle, middle);
    draw_values(before, nbefore, "fill='none' stroke='#1f6fb4'", 4, out);
    draw_values(after, nafter, "fill='#d9541e' fill-opacity='.7'", 2, out);
    fprintf(out,
            "<text x='%d' y='%d' font-size='12' font-family='sans-serif'>"
            "rings: exact, %d outside; dots: this plan, %d outside</text>\n"
            "</svg>\n",
            EDGE, SIDE + 2 * EDGE - 10, count_outside(before, nbefore),
            count_outside(after, nafter));
}
