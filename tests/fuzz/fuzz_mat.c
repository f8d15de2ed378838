/* fuzz_mat.c - any bytes as a MAT file, and sound ones of every version with
 * some bytes changed.
 *
 * The first byte of an input says which: the bytes as they are, or a file that
 * is made here, of version 4, 5, 5 compressed, 7.3, or 5 with the table in a
 * struct. Of the latter each three bytes change one: its place, and by what.
 * Besides "no crash, no hang": a table that is taken has as many finite numbers
 * as it says.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lut/read.h"

enum { KINDS = 6, STRUCT = 5, MOST = 1 << 20 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
const char *__asan_default_options(void);

/* The limit of memory that the reader has without sanitizers. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}

static char path[64];
static unsigned char *sound[KINDS];
static size_t length[KINDS];

static void remove_file(void)
{
    unlink(path);
}

static void make_sound(int kind)
{
    static const enum mat_ft version[KINDS] = {MAT_FT_MAT5,  MAT_FT_MAT4,
                                               MAT_FT_MAT5,  MAT_FT_MAT5,
                                               MAT_FT_MAT73, MAT_FT_MAT5};
    static const char *member[] = {"tab"};
    static double table[] = {0, 1, 2, 3, 10, 20, 30, 40};
    size_t dims[2] = {4, 2};
    unlink(path);
    mat_t *file = Mat_CreateVer(path, NULL, version[kind]);
    matvar_t *v =
        Mat_VarCreate("tab", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, table, 0);
    if (!file || !v)
        return; /* this libmatio cannot write it */
    if (kind == STRUCT) {
        matvar_t *s = Mat_VarCreateStruct("s", 2, (size_t[]){1, 1}, member, 1);
        Mat_VarSetStructFieldByName(s, "tab", 0, v);
        v = s;
    }
    Mat_VarWrite(file, v,
                 kind == 3 ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarFree(v);
    Mat_Close(file);
    FILE *f = fopen(path, "rb");
    sound[kind] = malloc(MOST);
    length[kind] = f && sound[kind] ? fread(sound[kind], 1, MOST, f) : 0;
    if (f)
        fclose(f);
}

static void begin(void)
{
    if (path[0])
        return;
    snprintf(path, sizeof path, "/tmp/takt-fuzz-%ld.mat", (long)getpid());
    atexit(remove_file);
    for (int kind = 1; kind < KINDS; kind++)
        make_sound(kind);
}

static void write_file(const unsigned char *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        exit(4);
}

static void write_input(const unsigned char *data, size_t size)
{
    int kind = data[0] % KINDS;
    if (kind == 0 || length[kind] == 0) {
        write_file(data + 1, size - 1);
        return;
    }
    unsigned char *changed = malloc(length[kind]);
    if (!changed)
        exit(4);
    memcpy(changed, sound[kind], length[kind]);
    size_t n = length[kind];
    for (size_t i = 1; i + 2 < size; i += 3) {
        size_t at = ((size_t)data[i] << 8 | data[i + 1]) % n;
        changed[at] ^= data[i + 2];
    }
    if (size % 3 == 2) /* and cut off */
        n = n * data[size - 1] / 255;
    write_file(changed, n);
    free(changed);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    begin();
    if (size == 0)
        return 0;
    write_input(data, size);
    Arena *arena = arena_new();
    LutData t = {0};
    const char *name = data[0] % KINDS == STRUCT ? "s.tab" : "tab";
    const char *why =
        lut_read(path, name, (LutCsv){.delimiter = ','}, &t, arena);
    if (!why && (t.nrow < 0 || t.ncol < 0 || (t.nrow > 0 && !t.at)))
        abort();
    for (int i = 0; !why && i < t.nrow * t.ncol; i++)
        if (!isfinite(t.at[i]))
            abort();
    /* a sound file is read */
    if (size == 1 && data[0] % KINDS != 0 && length[data[0] % KINDS] > 0 &&
        (why || t.nrow != 4 || t.ncol != 2 || t.at[7] != 40))
        abort();
    arena_free(arena);
    return 0;
}
