/* library.c - texts and files of Modelica.Utilities, where their
 * arguments are known: these functions come with takt.
 *
 * What a model prints is told as a warning, once, where the text is known.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "external/external_internal.h"
#include "lut/read.h"

enum { MOST_LINE = 1 << 20 };

static bool unknown(ExternalCall *c)
{
    return external_unsupported(c, "its arguments are not known");
}

/* ---- scanning (texts are counted from 1) ---- */

typedef struct Scan {
    const char *text, *at; /* at: after white space */
    int start;             /* index where scanning began */
    bool is_unsigned;
} Scan;

static bool begin_scan(ExternalCall *c, Scan *s, bool has_flag)
{
    Value *flag = has_flag ? external_known_arg(c, 2) : NULL;
    s->text = external_text_arg(c, 0);
    if (!s->text || !external_int_arg(c, 1, &s->start) ||
        (has_flag &&
         (!flag || !value_const_bool(c->in, flag, &s->is_unsigned))))
        return unknown(c);
    int n = (int)strlen(s->text);
    int from = s->start < 1 ? 0 : s->start > n ? n : s->start - 1;
    s->at = s->text + from;
    while (isspace((unsigned char)*s->at))
        s->at++;
    return true;
}

/* Digits from `p` on. */
static const char *digits(const char *p)
{
    while (isdigit((unsigned char)*p))
        p++;
    return p;
}

static const char *after_sign(const Scan *s)
{
    bool sign = *s->at == '+' || *s->at == '-';
    return sign && !s->is_unsigned ? s->at + 1 : s->at;
}

/* The end of a number, NULL: there is none. */
static const char *end_of_real(const Scan *s)
{
    const char *first = after_sign(s), *p = digits(first);
    bool some = p > first;
    if (*p == '.') {
        const char *q = digits(p + 1);
        some |= q > p + 1;
        p = q;
    }
    if (!some)
        return NULL;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1 + (p[1] == '+' || p[1] == '-');
        if (isdigit((unsigned char)*q))
            p = digits(q);
    }
    return isalpha((unsigned char)*p) ? NULL : p;
}

static bool set_next(ExternalCall *c, const Scan *s, const char *end, int arg)
{
    int next = end ? (int)(end - s->text) + 1 : s->start;
    return external_set_arg(c, arg, value_int(c->in, next));
}

static bool scan_real(ExternalCall *c)
{
    Scan s = {0};
    if (!begin_scan(c, &s, true))
        return false;
    const char *end = end_of_real(&s);
    double x = 0;
    if (end) {
        char *word = arena_strndup(c->in->arena, s.at, (size_t)(end - s.at));
        x = strtod(word, NULL);
    }
    return set_next(c, &s, end, 3) &&
           external_set_arg(c, 4, value_real(c->in, x));
}

static bool scan_integer(ExternalCall *c)
{
    Scan s = {0};
    if (!begin_scan(c, &s, true))
        return false;
    const char *first = after_sign(&s), *end = digits(first);
    bool fine = end > first && !strchr(".eE", *end ? *end : 'x');
    double x =
        fine ? strtod(arena_strndup(c->in->arena, s.at, (size_t)(end - s.at)),
                      NULL)
             : 0;
    fine = fine && fabs(x) <= 2147483647.0;
    return set_next(c, &s, fine ? end : NULL, 3) &&
           external_set_arg(c, 4, value_int(c->in, fine ? x : 0));
}

static bool set_word(ExternalCall *c, const Scan *s, const char *from,
                     const char *to, const char *end)
{
    const char *word =
        end ? arena_strndup(c->in->arena, from, (size_t)(to - from)) : "";
    return set_next(c, s, end, 2) &&
           external_set_arg(c, 3, value_string(c->in, word));
}

static bool scan_string(ExternalCall *c)
{
    Scan s = {0};
    if (!begin_scan(c, &s, false))
        return false;
    const char *end = *s.at == '"' ? s.at + 1 : NULL;
    while (end && *end && *end != '"')
        end += end[0] == '\\' && end[1] ? 2 : 1;
    bool fine = end && *end == '"';
    return set_word(c, &s, s.at + 1, end, fine ? end + 1 : NULL);
}

static bool scan_identifier(ExternalCall *c)
{
    Scan s = {0};
    if (!begin_scan(c, &s, false))
        return false;
    const char *end = s.at;
    if (isalpha((unsigned char)*end))
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
    return set_word(c, &s, s.at, end, end > s.at ? end : NULL);
}

/* ---- files ---- */

static const char *path_of(ExternalCall *c, int arg)
{
    const char *name = external_text_arg(c, arg);
    return name ? c->in->lookup->resource(c->in, name, c->span) : NULL;
}

static bool no_file(ExternalCall *c, const char *path)
{
    context_report(c->in, c->span, DIAG_E0618, "the file '%s' cannot be read",
                   path);
    return false;
}

/* Line `number` of the file without its end, NULL: there is none. *nline is how
 * many there are up to it. */
static const char *line_of(FILE *f, int number, int *nline, Arena *arena)
{
    char *line = arena_alloc(arena, MOST_LINE);
    bool found = false;
    *nline = 0;
    while (!found && fgets(line, MOST_LINE, f))
        found = ++*nline == number;
    line[strcspn(line, "\r\n")] = '\0';
    return found ? line : NULL;
}

static bool read_line(ExternalCall *c)
{
    int number, n;
    const char *path = path_of(c, 0);
    if (!path || !external_int_arg(c, 1, &number))
        return unknown(c);
    FILE *f = fopen(path, "r");
    if (!f)
        return no_file(c, path);
    Arena *local = arena_new();
    const char *line = line_of(f, number, &n, local);
    fclose(f);
    Value *text =
        value_string(c->in, line ? arena_strdup(c->in->arena, line) : "");
    arena_free(local);
    return external_set_arg(c, 2, value_bool(c->in, !line)) &&
           external_set_result(c, text);
}

static bool count_lines(ExternalCall *c)
{
    int n;
    const char *path = path_of(c, 0);
    if (!path)
        return unknown(c);
    FILE *f = fopen(path, "r");
    if (!f)
        return no_file(c, path);
    Arena *local = arena_new();
    line_of(f, -1, &n, local);
    fclose(f);
    arena_free(local);
    return external_set_result(c, value_int(c->in, n));
}

static bool full_path(ExternalCall *c)
{
    const char *path = path_of(c, 0);
    if (!path)
        return unknown(c);
    char *whole = realpath(path, NULL);
    Value *v =
        value_string(c->in, arena_strdup(c->in->arena, whole ? whole : path));
    free(whole);
    return external_set_result(c, v);
}

/* Modelica.Utilities.Types.FileType: nothing, file, directory, special. */
static bool file_kind(ExternalCall *c)
{
    struct stat s;
    const char *path = path_of(c, 0);
    if (!path)
        return unknown(c);
    int kind = stat(path, &s) != 0  ? 1
               : S_ISREG(s.st_mode) ? 2
               : S_ISDIR(s.st_mode) ? 3
                                    : 4;
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            return external_set_result(
                c, value_scalar(c->in, c->x->fn->var[i].type,
                                expr_int(c->in->dag, kind), FV_CONSTANT));
    return false;
}

static bool close_file(ExternalCall *c)
{
    (void)c; /* nothing stays open */
    return true;
}

/* A text for a file is told like one for the screen, and that it is not
 * written. */
static bool print_text(ExternalCall *c)
{
    const char *text = external_text_arg(c, 0);
    const char *file = external_text_arg(c, 1);
    const char *what = text ? text : "(a text that is known at run time only)";
    left_warning(
        c->in, c->span, DIAG_W0623,
        file && *file
            ? arena_printf(c->in->arena,
                           "the model prints to the file '%s', which is not "
                           "written: %s",
                           file, what)
            : arena_printf(c->in->arena, "the model prints: %s", what));
    return true;
}

/* ---- matrices in files ---- */

static bool read_matrix(ExternalCall *c, LutData *data)
{
    const char *path = path_of(c, 0), *name = external_text_arg(c, 1);
    if (!path || !name)
        return unknown(c);
    const char *why =
        lut_read(path, name, (LutCsv){',', 0}, data, c->in->arena);
    if (why)
        context_report(c->in, c->span, DIAG_E0618, "%s", why);
    return !why;
}

static bool matrix_sizes(ExternalCall *c)
{
    LutData data;
    if (!read_matrix(c, &data))
        return false;
    int n = 2;
    Expr size[2] = {expr_int(c->in->dag, data.nrow),
                    expr_int(c->in->dag, data.ncol)};
    return external_set_arg(
        c, 2,
        value_new(c->in, type_builtin(TYPE_INTEGER), 1, &n, size, FV_CONSTANT));
}

static bool real_matrix(ExternalCall *c)
{
    LutData data;
    if (!read_matrix(c, &data))
        return false;
    int dim[2] = {data.nrow, data.ncol}, n = data.nrow * data.ncol;
    Expr *e = NEW_ARRAY(c->in->arena, Expr, n + 1);
    for (int i = 0; i < n; i++)
        e[i] = expr_real(c->in->dag, data.at[i]);
    return external_set_arg(
        c, 2,
        value_new(c->in, type_builtin(TYPE_REAL), 2, dim, e, FV_CONSTANT));
}

/* A model that was only asked for its numbers makes no files: it is told that
 * this one was not written. */
static bool matrix_not_written(ExternalCall *c)
{
    const char *file = external_text_arg(c, 0);
    left_warning(c->in, c->span, DIAG_W0623,
                 arena_printf(c->in->arena,
                              "the model writes a matrix to the file '%s': it "
                              "is not written, and the call gives false",
                              file ? file : "?"));
    return external_set_result(c, value_bool(c->in, false));
}

const ExternalKnown external_library[] = {
    {"ModelicaStrings_scanReal", scan_real},
    {"ModelicaStrings_scanInteger", scan_integer},
    {"ModelicaStrings_scanString", scan_string},
    {"ModelicaStrings_scanIdentifier", scan_identifier},
    {"ModelicaInternal_readLine", read_line},
    {"ModelicaInternal_countLines", count_lines},
    {"ModelicaInternal_fullPathName", full_path},
    {"ModelicaInternal_stat", file_kind},
    {"ModelicaInternal_print", print_text},
    {"ModelicaStreams_closeFile", close_file},
    {"ModelicaIO_readMatrixSizes", matrix_sizes},
    {"ModelicaIO_readRealMatrix", real_matrix},
    {"ModelicaIO_writeRealMatrix", matrix_not_written},
    {NULL, NULL},
};
