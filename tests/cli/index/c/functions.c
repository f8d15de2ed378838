/* functions.c - most of math.h in three equations, for series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double table[] = {0.5, 0.25, 0.125};

static double horner(const double *c, int n, double x)
{
    double sum = 0;
    while (n-- > 0)
        sum = sum * x + c[n];
    return sum;
}

static void one(double a, double *f)
{
    *f += sin(a) * cos(a) + tan(0.3 * a) + exp(-a) + log(2 + a) + sqrt(3 + a);
    *f += sinh(a) - cosh(a) + tanh(a) + asin(0.2 * a) - acos(0.3 * a);
    *f += atan(a) + asinh(a) + acosh(3 + a) + atanh(0.2 * a);
}

static double two(double a, double b)
{
    double *work = malloc(2 * sizeof *work), r;
    work[0] = atan2(a, 2 + b) + pow(2 + a, b) + pow(a, 3) + pow(2 + b, -1.5);
    work[1] = hypot(a, 2 + b) + log10(3 + a) + fabs(b - 9) + fmax(a, b - 20);
    r = work[0] + work[1] + horner(table, 3, a);
    r += fmin(a, 50) + cbrt(5 + a) + expm1(0.1 * a) + log1p(0.1 * b);
    if (a < 40 && b != 77)
        r -= a * b / (4 + a * a);
    free(work);
    return r;
}

void functions_f(const double *x, const double *dx, double t, double *f)
{
    memset(f, 0, 3 * sizeof *f);
    one(x[0], &f[0]);
    f[0] = 0.05 * f[0] + dx[0] + x[1] - (double)1;
    f[1] = dx[1] + 0.1 * two(x[0], x[1]) + x[2];
    f[2] = x[0] - 0.4 * sin(t) - 0.1;
}
