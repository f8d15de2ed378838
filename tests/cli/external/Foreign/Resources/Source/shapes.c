/* shapes.c - external functions of the tests. */
#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ModelicaUtilities.h"

double shape_cubic(double x)
{
    return x * x * x + x;
}

double shape_cubic_der(double x, double dx)
{
    return (3 * x * x + 1) * dx;
}

double shape_smooth(double x, double y)
{
    return sin(x) * y;
}

void shape_scale(const double *a, size_t n, size_t m, double k, double *b)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            b[j * n + i] = k * a[i * m + j]; /* transposed */
}

int shape_count(const char *text, int letter)
{
    int n = 0;
    for (; *text; text++)
        n += *text == letter;
    return n;
}

typedef struct Box {
    double width, height;
    int sign;
} Box;

double shape_norm(const void *box)
{
    const Box *b = box;
    return b->sign * hypot(b->width, b->height);
}

double shape_guarded(double x)
{
    if (x > 0.5)
        ModelicaFormatError("%g is too much", x);
    return 2 * x;
}

typedef struct Filter {
    double weight[8];
    int n;
    char *name;
} Filter;

void *filter_open(const char *name, const double *weight, size_t n)
{
    Filter *f = calloc(1, sizeof *f);
    f->n = n > 8 ? 8 : (int)n;
    memcpy(f->weight, weight, (size_t)f->n * sizeof *weight);
    f->name = malloc(strlen(name) + 1);
    strcpy(f->name, name);
    ModelicaFormatMessage("open %s\n", name);
    return f;
}

void filter_close(void *filter)
{
    Filter *f = filter;
    ModelicaFormatMessage("close %s\n", f->name);
    free(f->name);
    free(f);
}

double filter_apply(void *filter, double x)
{
    const Filter *f = filter;
    double y = 0;
    for (int i = f->n - 1; i >= 0; i--)
        y = y * x + f->weight[i];
    return y;
}
