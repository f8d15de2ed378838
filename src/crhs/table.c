/* table.c - the words of a table: packed, written, read, checked.
 *
 *   0 magic, 1 version, 2 words, 3 CRC-32 of all that follow, 4 .. 20 counts,
 *   22 .. 29 numbers of two words, from 32 on the arrays in the order of
 *   TaktRtTable.
 *
 * A file of bytes has the words with their low byte first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctext.h"
#include "base/die.h"
#include "base/file.h"
#include "base/vec.h"
#include "crhs/crhs.h"
#include "takt/takt_rt_step.h" /* defines the half for the machine here */

typedef struct Words {
    Vec(uint32_t) w;
    Arena *arena;
} Words;

static void put(Words *o, int value)
{
    vec_push(o->arena, &o->w, (uint32_t)value);
}

static void put_ints(Words *o, const int *value, int n)
{
    for (int i = 0; i < n; i++)
        put(o, value[i]);
}

static void put_double(Words *o, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    vec_push(o->arena, &o->w, (uint32_t)bits);
    vec_push(o->arena, &o->w, (uint32_t)(bits >> 32));
}

static void put_header(Words *o, const TaktRtModel *m, const TaktRtSetup *s,
                       const Groups *g, const Iteration *it, const StaticLu *f,
                       int nalgrow, int nalgcol)
{
    const int counts[] = {TAKT_RT_MAGIC_,
                          TAKT_RT_VERSION_,
                          0,
                          0,
                          m->n,
                          takt_rt_kind_(m),
                          s->order,
                          s->refine,
                          it->nj,
                          it->na,
                          f->nentry,
                          f->lstart[m->n],
                          f->ustart[m->n],
                          f->ntarget,
                          g->ngroup,
                          g->ncolumn,
                          m->jacobian ? s->npattern : 0,
                          nalgrow,
                          nalgcol,
                          f->nblock,
                          f->ostart[m->n],
                          0};
    put_ints(o, counts, (int)(sizeof counts / sizeof *counts));
    put_double(o, s->step);
    put_double(o, s->damping);
    put_double(o, s->rtol);
    put_double(o, s->atol);
    for (int i = o->w.n; i < TAKT_RT_HEADER_; i++)
        put(o, 0);
}

/* Places of all entries, fill included, from the tables of the factors. */
static void put_places(Words *o, const Iteration *it, const StaticLu *f)
{
    int *row = NEW_ARRAY(o->arena, int, f->nentry);
    int *col = NEW_ARRAY(o->arena, int, f->nentry);
    for (int k = 0; k < it->na; k++) {
        row[k] = it->row[k];
        col[k] = it->col[k];
    }
    for (int k = 0; k < f->n; k++) {
        row[f->pivot[k]] = f->row[k];
        col[f->pivot[k]] = f->col[k];
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            row[f->l[i]] = f->lrow[i];
            col[f->l[i]] = f->col[k];
        }
        for (int i = f->ustart[k]; i < f->ustart[k + 1]; i++) {
            row[f->u[i]] = f->row[k];
            col[f->u[i]] = f->ucol[i];
        } /* those beside the blocks are no fill */
    }
    put_ints(o, row, f->nentry);
    put_ints(o, col, f->nentry);
}

/* Rows, or columns, in which L has only zeros. */
static int zeros_of(const Iteration *it, const int *place, int n, int *list,
                    Arena *arena)
{
    bool *has = NEW_ARRAY(arena, bool, n);
    int count = 0;
    for (int k = 0; k < it->na; k++)
        if (it->lvalue[k] != 0)
            has[place[k]] = true;
    for (int i = 0; i < n; i++)
        if (!has[i])
            list[count++] = i;
    return count;
}

uint32_t *crhs_pack(const TaktRtModel *m, const TaktRtSetup *s, const Groups *g,
                    const Iteration *it, const StaticLu *f,
                    const double *nominal, Arena *arena)
{
    Words o = {.arena = arena};
    int n = m->n, nl = f->lstart[n], nu = f->ustart[n];
    int *algrow = NEW_ARRAY(arena, int, n), *algcol = NEW_ARRAY(arena, int, n);
    int nalgrow = zeros_of(it, it->row, n, algrow, arena);
    int nalgcol = zeros_of(it, it->col, n, algcol, arena);
    put_header(&o, m, s, g, it, f, nalgrow, nalgcol);
    put_places(&o, it, f);
    put_ints(&o, f->row, n);
    put_ints(&o, f->col, n);
    put_ints(&o, f->pivot, n);
    put_ints(&o, f->lstart, n + 1);
    put_ints(&o, f->l, nl);
    put_ints(&o, f->lrow, nl);
    put_ints(&o, f->ustart, n + 1);
    put_ints(&o, f->u, nu);
    put_ints(&o, f->ucol, nu);
    put_ints(&o, f->start, f->nblock + 1);
    put_ints(&o, f->ostart, n + 1);
    put_ints(&o, f->o, f->ostart[n]);
    put_ints(&o, f->ocol, f->ostart[n]);
    put_ints(&o, f->target, f->ntarget);
    put_ints(&o, g->gstart, g->ngroup + 1);
    put_ints(&o, g->cstart, g->ngroup + 1);
    put_ints(&o, g->column, g->ncolumn);
    if (m->jacobian)
        put_ints(&o, g->entry, it->nj);
    put_ints(&o, algrow, nalgrow);
    put_ints(&o, algcol, nalgcol);
    for (int k = 0; k < it->na; k++)
        put_double(&o, it->lvalue[k]);
    for (int i = 0; i < n; i++)
        put_double(&o, nominal[i]);
    o.w.at[2] = (uint32_t)o.w.n;
    o.w.at[3] = takt_rt_crc_(o.w.at + 4, (size_t)o.w.n - 4);
    uint32_t *words = malloc((size_t)o.w.n * sizeof *words);
    if (!words)
        die("out of memory");
    memcpy(words, o.w.at, (size_t)o.w.n * sizeof *words);
    return words;
}

size_t takt_rt_words(const uint32_t *table)
{
    return table ? table[2] : 0;
}

void takt_rt_free(uint32_t *table)
{
    free(table);
}

TaktRtStatus takt_rt_check(const uint32_t *words, size_t nword)
{
    TaktRtTable t;
    TaktRtStatus status = takt_rt_layout_(&t, words, nword);
    if (status != TAKT_RT_FINE)
        return status;
    int32_t *scratch = malloc(2 * (size_t)t.n * sizeof *scratch);
    if (!scratch)
        return TAKT_RT_NO_MEMORY;
    status = takt_rt_open_(&t, scratch);
    free(scratch);
    return status;
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

static void write_c(FILE *out, const uint32_t *table, const char *name)
{
    size_t n = takt_rt_words(table);
    fprintf(out,
            "/* %s - table of a right-hand side with %" PRIu32
            " unknowns, made by takt_rt_analyse().\n * For takt_rt_init() of "
            "<takt/takt_rt.h>. */\n"
            "#include <stddef.h>\n#include <stdint.h>\n\n"
            "extern const size_t %s_words;\n"
            "extern const uint32_t %s[%zu];\n\n"
            "const size_t %s_words = %zu;\n"
            "const uint32_t %s[%zu] = {\n",
            name, table[4], name, name, n, name, n, name, n);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%" PRIu32 "u%s", i % 8 ? " " : "    ", table[i],
                i + 1 == n   ? "\n"
                : i % 8 == 7 ? ",\n"
                             : ",");
    fprintf(out, "};\n");
}

static void write_bytes(FILE *out, const uint32_t *table)
{
    for (size_t i = 0; i < takt_rt_words(table); i++)
        for (int b = 0; b < 32; b += 8)
            fputc((int)(table[i] >> b & 0xff), out);
}

TaktRtStatus takt_rt_save(const uint32_t *table, const char *path,
                          const char *name)
{
    bool source = ends_in(path, ".c") || ends_in(path, ".h");
    if (!table || takt_rt_check(table, takt_rt_words(table)) != TAKT_RT_FINE)
        return TAKT_RT_BAD_TABLE;
    if (source && (!name || !c_is_identifier(name)))
        return TAKT_RT_BAD_SETUP;
    Arena *local = arena_new();
    OutFile out;
    bool fine = outfile_open(&out, path, local);
    if (fine) {
        if (source)
            write_c(out.file, table, name);
        else
            write_bytes(out.file, table);
        fine = outfile_close(&out);
    }
    arena_free(local);
    return fine ? TAKT_RT_FINE : TAKT_RT_FILE;
}

/* The words of a file; NULL with a status if it has no table. */
static uint32_t *read_words(FILE *in, size_t *count, TaktRtStatus *status)
{
    unsigned char head[12];
    *status = TAKT_RT_BAD_TABLE;
    if (fread(head, 1, sizeof head, in) != sizeof head)
        return NULL;
    uint32_t words[3];
    for (int i = 0; i < 3; i++)
        words[i] = (uint32_t)head[4 * i] | (uint32_t)head[4 * i + 1] << 8 |
                   (uint32_t)head[4 * i + 2] << 16 |
                   (uint32_t)head[4 * i + 3] << 24;
    size_t n = words[2];
    if (words[0] != (uint32_t)TAKT_RT_MAGIC_ || n < TAKT_RT_HEADER_ ||
        n > (size_t)1 << 28 || fseek(in, 0, SEEK_END) != 0 ||
        ftell(in) != (long)(4 * n) || fseek(in, 0, SEEK_SET) != 0)
        return NULL;
    uint32_t *table = malloc(4 * n);
    *status = TAKT_RT_NO_MEMORY;
    if (!table)
        return NULL;
    unsigned char b[4];
    for (size_t i = 0; i < n; i++) {
        *status = TAKT_RT_FILE;
        if (fread(b, 1, 4, in) != 4) {
            free(table);
            return NULL;
        }
        table[i] = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                   (uint32_t)b[3] << 24;
    }
    *count = n;
    return table;
}

TaktRtStatus takt_rt_load(const char *path, uint32_t **table)
{
    TaktRtStatus status = TAKT_RT_FILE;
    *table = NULL;
    FILE *in = fopen(path, "rb");
    if (!in)
        return status;
    size_t n = 0;
    uint32_t *words = read_words(in, &n, &status);
    fclose(in);
    if (!words)
        return status;
    status = takt_rt_check(words, n);
    if (status != TAKT_RT_FINE) {
        free(words);
        return status;
    }
    *table = words;
    return TAKT_RT_FINE;
}
