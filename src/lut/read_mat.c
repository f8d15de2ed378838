/* read_mat.c - a table of a MAT file. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lut/read_mat.h"

#include <math.h>
#include <matio.h>

/* Column by column of any type of number to row by row. */
static const char *take(const matvar_t *v, LutData *out, Arena *arena)
{
    if (v->rank != 2 || v->isComplex || !v->data ||
        (v->data_type != MAT_T_DOUBLE && v->data_type != MAT_T_SINGLE))
        return "it is no matrix of real numbers";
    size_t nrow = v->dims[0], ncol = v->dims[1];
    if (ncol > 0 && nrow > LUT_MOST_NUMBERS / ncol)
        return arena_printf(arena, "it has more than %d numbers",
                            LUT_MOST_NUMBERS);
    double *at = NEW_ARRAY(arena, double, nrow *ncol + 1);
    for (size_t i = 0; i < nrow; i++)
        for (size_t j = 0; j < ncol; j++) {
            size_t k = j * nrow + i;
            double x = v->data_type == MAT_T_DOUBLE
                           ? ((const double *)v->data)[k]
                           : (double)((const float *)v->data)[k];
            if (!isfinite(x))
                return "it holds a number that is not finite";
            at[i * ncol + j] = x;
        }
    *out = (LutData){(int)nrow, (int)ncol, at};
    return NULL;
}

const char *lut_read_mat(const char *path, const char *name, LutData *out,
                         Arena *arena)
{
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    if (!file)
        return "it is no MAT file";
    matvar_t *v = Mat_VarRead(file, name);
    const char *why = v ? take(v, out, arena)
                        : arena_printf(arena, "it has no matrix '%s'", name);
    if (v)
        Mat_VarFree(v);
    Mat_Close(file);
    return why;
}
