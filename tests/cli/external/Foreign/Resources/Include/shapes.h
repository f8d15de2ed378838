/* shapes.h - external functions of the tests. */
#ifndef SHAPES_H
#define SHAPES_H
#include <stddef.h>

double shape_cubic(double x);
double shape_cubic_der(double x, double dx);
double shape_smooth(double x, double y);
void shape_scale(const double *a, size_t n, size_t m, double k, double *b);
int shape_count(const char *text, int letter);
double shape_norm(const void *box);
double shape_guarded(double x);

void *filter_open(const char *name, const double *weight, size_t n);
void filter_close(void *filter);
double filter_apply(void *filter, double x);
#endif
