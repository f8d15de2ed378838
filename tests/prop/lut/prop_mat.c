/* prop_mat.c - tables in MAT files of every version.
 *
 * Random matrices, written by libmatio as versions 4, 5 (6), 5 with compression
 * (7) and 7.3, in double and in single precision, beside other matrices: they
 * are read bit for bit. What is no table is refused: a name that is not there,
 * complex numbers, three dimensions, numbers that are not finite, files that
 * end too early.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <matio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lut/read.h"
#include "support/random.h"

enum { MOST = 9 };

static int failures;

static void check(bool good, const char *what, const char *version)
{
    if (!good && failures++ < 10)
        printf("%s: %s\n", version, what);
}

typedef struct Version {
    const char *name;
    enum mat_ft format;
    enum matio_compression compression;
} Version;

static const Version versions[] = {
    {"4", MAT_FT_MAT4, MAT_COMPRESSION_NONE},
    {"6", MAT_FT_MAT5, MAT_COMPRESSION_NONE},
    {"7", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
    {"7.3", MAT_FT_MAT73, MAT_COMPRESSION_NONE},
};

static void write_matrix(mat_t *file, const Version *v, const char *name,
                         double *at, int rank, size_t *dims, bool single,
                         bool complex)
{
    static float narrow[MOST * MOST * 2];
    size_t n = dims[0] * dims[1] * (rank > 2 ? dims[2] : 1);
    for (size_t i = 0; i < n; i++)
        narrow[i] = (float)at[i];
    void *data = single ? (void *)narrow : at;
    mat_complex_split_t split = {data, data};
    matvar_t *m =
        Mat_VarCreate(name, single ? MAT_C_SINGLE : MAT_C_DOUBLE,
                      single ? MAT_T_SINGLE : MAT_T_DOUBLE, rank, dims,
                      complex ? (void *)&split : data,
                      MAT_F_DONT_COPY_DATA | (complex ? MAT_F_COMPLEX : 0));
    check(m && Mat_VarWrite(file, m, v->compression) == 0, "not written",
          v->name);
    Mat_VarFree(m);
}

static const char *read_it(const char *path, const char *name, LutData *out,
                           Arena *arena)
{
    return lut_read(path, name, (LutCsv){.delimiter = ','}, out, arena);
}

static void good_file(const Version *v, const char *path, Random *r)
{
    double at[MOST * MOST];
    size_t dims[2] = {1 + (size_t)random_below(r, MOST),
                      1 + (size_t)random_below(r, MOST)};
    bool single = random_below(r, 3) == 0 && v->format != MAT_FT_MAT4;
    for (size_t i = 0; i < dims[0] * dims[1]; i++) {
        double x = ldexp((double)(random_bits(r) >> 11), -53) * 2 - 1;
        x = ldexp(x, random_below(r, 40) - 20);
        at[i] = single ? (float)x : x;
    }
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, v->format);
    check(file, "not created", v->name);
    if (!file)
        return;
    double one = 1;
    size_t scalar[2] = {1, 1};
    write_matrix(file, v, "before", &one, 2, scalar, false, false);
    write_matrix(file, v, "tab", at, 2, dims, single, false);
    write_matrix(file, v, "after", &one, 2, scalar, false, false);
    Mat_Close(file);
    Arena *arena = arena_new();
    LutData d = {0};
    const char *why = read_it(path, "tab", &d, arena);
    check(!why, why ? why : "", v->name);
    bool same = !why && d.nrow == (int)dims[0] && d.ncol == (int)dims[1];
    for (int i = 0; same && i < d.nrow; i++)
        for (int j = 0; j < d.ncol; j++)
            same = same &&
                   d.at[i * d.ncol + j] == at[(size_t)j * dims[0] + (size_t)i];
    check(same, "other numbers", v->name);
    check(read_it(path, "nothing", &d, arena), "a name that is not there",
          v->name);
    arena_free(arena);
}

static void bad_file(const Version *v, const char *path)
{
    double at[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t dims[3] = {2, 2, 2};
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, v->format);
    if (!file)
        return;
    write_matrix(file, v, "complex", at, 2, dims, false, true);
    if (v->format != MAT_FT_MAT4)
        write_matrix(file, v, "cube", at, 3, dims, false, false);
    at[1] = NAN;
    write_matrix(file, v, "nan", at, 2, dims, false, false);
    Mat_Close(file);
    Arena *arena = arena_new();
    LutData d;
    check(read_it(path, "complex", &d, arena), "complex numbers", v->name);
    check(read_it(path, "nan", &d, arena), "not a number", v->name);
    if (v->format != MAT_FT_MAT4)
        check(read_it(path, "cube", &d, arena), "three dimensions", v->name);
    arena_free(arena);
}

/* Cut at any place it is refused, or what is left is whole. */
static void short_file(const Version *v, const char *path, Random *r)
{
    struct stat s;
    good_file(v, path, r);
    if (stat(path, &s) != 0 || v->format == MAT_FT_MAT73)
        return;
    for (int k = 0; k < 20; k++) {
        off_t size = random_below(r, (int)s.st_size);
        good_file(v, path, r);
        check(truncate(path, size) == 0, "not cut", v->name);
        Arena *arena = arena_new();
        LutData d;
        (void)read_it(path, "tab", &d, arena);
        arena_free(arena);
    }
}

int main(void)
{
    Random r = random_start("prop_mat");
    char dir[] = "/tmp/takt-mat-XXXXXX";
    if (!mkdtemp(dir))
        return 4;
    char path[64];
    snprintf(path, sizeof path, "%s/t.mat", dir);
    int cases = random_cases(25, 500);
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        for (int k = 0; k < cases; k++)
            good_file(&versions[i], path, &r);
        bad_file(&versions[i], path);
        short_file(&versions[i], path, &r);
    }
    unlink(path);
    rmdir(dir);
    printf("%d failures\n", failures);
    return failures > 0;
}
