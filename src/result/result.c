/* result.c - CSV and MAT v4 writers; HDF5 is in hdf5.c.
 *
 * The MAT layout ("Atrajectory", version 1.1, binTrans) has six matrices:
 *   Aclass       what the file is
 *   name         a name in each column, the first is "time"
 *   description  likewise
 *   dataInfo     for each signal: matrix (1 parameters, 2 trajectories, 0 the
 *                time), signed row in it, interpolation 0, extrapolation -1
 *   data_1       parameters at the first and the last time
 *   data_2       a column for each time point, the time first
 * The number of columns of data_2 is filled in when the file is closed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/result.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "result/hdf5.h"

struct ResultFile {
    OutFile out;
    const ResultSignal *signal;
    int nsignal, ncolumn;
    bool is_mat;
    Hdf5 *hdf5;    /* or NULL */
    long count_at; /* where the number of rows stands */
    int32_t nrow;
    double first, last; /* times */
    long param_at;
};

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

/* ---- CSV ---- */

static void open_csv(ResultFile *f)
{
    csv_text("time", f->out.file);
    for (int i = 0; i < f->nsignal; i++) {
        if (f->signal[i].column == NONE)
            continue;
        fputc(',', f->out.file);
        csv_text(f->signal[i].name, f->out.file);
    }
    fputc('\n', f->out.file);
}

static void row_csv(ResultFile *f, double time, const double *value)
{
    csv_number(time, f->out.file);
    for (int i = 0; i < f->nsignal; i++) {
        const ResultSignal *s = &f->signal[i];
        if (s->column == NONE)
            continue;
        fputc(',', f->out.file);
        csv_number(s->sign * value[s->column], f->out.file);
    }
    fputc('\n', f->out.file);
}

/* ---- MAT v4 ---- */

enum { MAT_DOUBLE = 0, MAT_INT32 = 20, MAT_TEXT = 51 };

static void put_int(int32_t x, FILE *out)
{
    uint32_t u = (uint32_t)x;
    unsigned char b[4] = {(unsigned char)u, (unsigned char)(u >> 8),
                          (unsigned char)(u >> 16), (unsigned char)(u >> 24)};
    fwrite(b, 1, 4, out);
}

static void put_double(double x, FILE *out)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    unsigned char b[8];
    for (int i = 0; i < 8; i++)
        b[i] = (unsigned char)(u >> (8 * i));
    fwrite(b, 1, 8, out);
}

static void put_matrix(int type, int rows, int cols, const char *name,
                       FILE *out)
{
    put_int(type, out);
    put_int(rows, out);
    put_int(cols, out);
    put_int(0, out);
    put_int((int32_t)strlen(name) + 1, out);
    fwrite(name, 1, strlen(name) + 1, out);
}

static void put_text(const char *s, int width, FILE *out)
{
    int n = (int)strlen(s);
    for (int i = 0; i < width; i++)
        fputc(i < n ? s[i] : '\0', out);
}

static void put_class(FILE *out)
{
    static const char *const row[4] = {"Atrajectory", "1.1", "", "binTrans"};
    put_matrix(MAT_TEXT, 4, 11, "Aclass", out);
    for (int c = 0; c < 11; c++)
        for (int r = 0; r < 4; r++)
            fputc(c < (int)strlen(row[r]) ? row[r][c] : ' ', out);
}

/* `first` for the time, then a text of each signal, padded to one width. */
static void put_texts(const ResultFile *f, const char *matrix,
                      const char *first, bool description)
{
    int width = (int)strlen(first);
    for (int i = 0; i < f->nsignal; i++) {
        const char *s =
            description ? f->signal[i].description : f->signal[i].name;
        if ((int)strlen(s) > width)
            width = (int)strlen(s);
    }
    put_matrix(MAT_TEXT, width, f->nsignal + 1, matrix, f->out.file);
    put_text(first, width, f->out.file);
    for (int i = 0; i < f->nsignal; i++)
        put_text(description ? f->signal[i].description : f->signal[i].name,
                 width, f->out.file);
}

static void put_info(const ResultFile *f)
{
    FILE *out = f->out.file;
    put_matrix(MAT_INT32, 4, f->nsignal + 1, "dataInfo", out);
    int32_t time[4] = {0, 1, 0, -1};
    for (int k = 0; k < 4; k++)
        put_int(time[k], out);
    int nparam = 0;
    for (int i = 0; i < f->nsignal; i++) {
        const ResultSignal *s = &f->signal[i];
        bool param = s->column == NONE;
        int row = param ? ++nparam + 1 : s->column + 2;
        put_int(param ? 1 : 2, out);
        put_int(s->sign < 0 && !param ? -row : row, out);
        put_int(0, out);
        put_int(-1, out);
    }
}

static void put_params(ResultFile *f)
{
    FILE *out = f->out.file;
    int nparam = 0;
    for (int i = 0; i < f->nsignal; i++)
        nparam += f->signal[i].column == NONE;
    put_matrix(MAT_DOUBLE, nparam + 1, 2, "data_1", out);
    f->param_at = ftell(out);
    for (int k = 0; k < 2; k++) {
        put_double(0, out);
        for (int i = 0; i < f->nsignal; i++)
            if (f->signal[i].column == NONE)
                put_double(f->signal[i].sign * f->signal[i].value, out);
    }
}

static void open_mat(ResultFile *f)
{
    put_class(f->out.file);
    put_texts(f, "name", "time", false);
    put_texts(f, "description", "Time in [s]", true);
    put_info(f);
    put_params(f);
    long head = ftell(f->out.file);
    put_matrix(MAT_DOUBLE, f->ncolumn + 1, 0, "data_2", f->out.file);
    f->count_at = head + 8;
}

static void row_mat(ResultFile *f, double time, const double *value)
{
    put_double(time, f->out.file);
    for (int i = 0; i < f->ncolumn; i++)
        put_double(value[i], f->out.file);
}

/* Fills in what is known only now. */
static bool close_mat(ResultFile *f)
{
    FILE *out = f->out.file;
    int nparam = 1;
    for (int i = 0; i < f->nsignal; i++)
        nparam += f->signal[i].column == NONE;
    if (fseek(out, f->count_at, SEEK_SET))
        return false;
    put_int(f->nrow, out);
    if (fseek(out, f->param_at, SEEK_SET))
        return false;
    put_double(f->first, out);
    if (fseek(out, f->param_at + 8L * nparam, SEEK_SET))
        return false;
    put_double(f->last, out);
    return !fseek(out, 0, SEEK_END);
}

/* ---- all ---- */

/* The library writes to the temporary file by its name. */
static ResultFile *open_hdf5(ResultFile *f, Arena *arena)
{
    const char *path = f->out.temp ? f->out.temp : f->out.path;
    f->hdf5 = hdf5_open(path, f->signal, f->nsignal, arena);
    if (f->hdf5)
        return f;
    int why = errno;
    outfile_drop(&f->out);
    errno = why;
    return NULL;
}

ResultFile *result_open(const char *path, const ResultSignal *signal,
                        int nsignal, int ncolumn, Arena *arena)
{
    ResultFile *f = NEW(arena, ResultFile);
    if (!outfile_open(&f->out, path, arena))
        return NULL;
    f->signal = signal;
    f->nsignal = nsignal;
    f->ncolumn = ncolumn;
    f->is_mat = ends_with(path, ".mat");
    if (ends_with(path, ".h5"))
        return open_hdf5(f, arena);
    if (f->is_mat)
        open_mat(f);
    else
        open_csv(f);
    return f;
}

int result_signals(const ResultFile *f)
{
    int n = 0;
    for (int i = 0; i < f->nsignal; i++)
        n += f->is_mat || f->hdf5 || f->signal[i].column != NONE;
    return n;
}

void result_row(ResultFile *f, double time, const double *value)
{
    if (!f->nrow++)
        f->first = time;
    f->last = time;
    if (f->hdf5)
        hdf5_row(f->hdf5, time, value);
    else if (f->is_mat)
        row_mat(f, time, value);
    else
        row_csv(f, time, value);
}

bool result_close(ResultFile *f)
{
    if (f->hdf5 && !hdf5_close(f->hdf5)) {
        outfile_drop(&f->out);
        errno = EIO;
        return false;
    }
    if (f->is_mat && !close_mat(f)) {
        outfile_drop(&f->out);
        return false;
    }
    return outfile_close(&f->out);
}
