/* table.c - a small reader of CSV files with numbers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/vec.h"

typedef struct Reader {
    const char *text, *end, *at;
    int source;
    char separator;
    Arena *arena;
    Diag *diag;
    Table *table;
    Vec(const char *) name;
    Vec(double) value;
    int time;    /* column of an input file that must not fall, or NONE */
    double last; /* number in it */
} Reader;

static Span span_at(const Reader *r, const char *from, const char *to)
{
    return (Span){r->source, (uint32_t)(from - r->text),
                  (uint32_t)(to - r->text)};
}

static const char *line_end(const Reader *r)
{
    const char *e = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return e ? e : r->end;
}

/* Skips empty lines and comments; false at the end of the text. */
static bool find_line(Reader *r)
{
    for (; r->at < r->end; r->at = line_end(r) + (line_end(r) < r->end)) {
        const char *p = r->at;
        while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p < r->end && *p != '#' && *p != '\n')
            return true;
    }
    return false;
}

static char find_separator(const char *line, const char *end)
{
    bool quoted = false;
    for (; line < end; line++) {
        if (*line == '"')
            quoted = !quoted;
        else if (!quoted && (*line == ',' || *line == ';' || *line == '\t'))
            return *line;
    }
    return ',';
}

static const char *trim(const char *from, const char **to)
{
    while (from < *to && (*from == ' ' || *from == '\r'))
        from++;
    while (*to > from && ((*to)[-1] == ' ' || (*to)[-1] == '\r'))
        (*to)--;
    return from;
}

/* One name of the head: plain, or in quotes with "" for a quote. */
static const char *read_name(Reader *r, const char *p, const char *end)
{
    const char *stop = p;
    bool quoted = false;
    for (; stop < end && (quoted || *stop != r->separator); stop++)
        if (*stop == '"')
            quoted = !quoted;
    const char *to = stop;
    p = trim(p, &to);
    char *name = NEW_ARRAY(r->arena, char, to - p + 1);
    int n = 0;
    bool strip = p < to && *p == '"';
    for (const char *q = p + strip; q < to - (strip && to > p + 1); q++) {
        name[n++] = *q;
        if (strip && *q == '"' && q + 1 < to && q[1] == '"')
            q++;
    }
    vec_push(r->arena, &r->name, name);
    return stop;
}

static void read_head(Reader *r)
{
    const char *end = line_end(r);
    r->separator = find_separator(r->at, end);
    const char *p = r->at;
    for (;;) {
        p = read_name(r, p, end);
        if (p >= end)
            break;
        const char *rest = p + 1, *to = end;
        if (trim(rest, &to) == to)
            break; /* a separator at the end of the line */
        p++;
    }
    r->at = end + (end < r->end);
}

/* Nothing but a separator may follow the last column: a decimal comma would
 * shift all numbers after it. */
static bool ends_row(const Reader *r, const char *p, const char *end)
{
    int more = 0;
    const char *to = end;
    for (const char *q = p; q < end; q++)
        more += *q == r->separator;
    if (trim(p, &to) == to)
        return true;
    diag_report(r->diag, span_at(r, r->at, end), DIAG_E1311,
                "this line has %d columns where the head has %d",
                r->name.n + more + 1, r->name.n);
    return false;
}

/* Times of an input file are numbers that do not fall. */
static bool is_later(Reader *r, const char *end)
{
    if (r->time == NONE)
        return true;
    double time = r->value.at[r->value.n - r->name.n + r->time];
    if (isfinite(time) && !(time < r->last)) {
        r->last = time;
        return true;
    }
    diag_report(r->diag, span_at(r, r->at, end), DIAG_E1314,
                isfinite(time) ? "the time of this line, %g, lies before that "
                                 "of the last one, %g"
                               : "the time of this line, %g, is not finite",
                time, r->last);
    return false;
}

static bool read_row(Reader *r)
{
    const char *end = line_end(r);
    const char *p = r->at;
    for (int c = 0; c < r->name.n; c++) {
        const char *stop = memchr(p, r->separator, (size_t)(end - p));
        if (!stop)
            stop = end;
        const char *to = stop;
        const char *from = trim(p, &to);
        char *rest = NULL;
        double x = from < to ? number_read(from, &rest) : 0;
        if (from == to || rest != to) {
            diag_report(r->diag, span_at(r, from, to > from ? to : from + 1),
                        DIAG_E1310, "column '%s' of this line is no number",
                        r->name.at[c]);
            return false;
        }
        vec_push(r->arena, &r->value, x);
        p = stop < end ? stop + 1 : end;
        if (stop == end && c + 1 < r->name.n) {
            diag_report(r->diag, span_at(r, r->at, end), DIAG_E1311,
                        "this line has %d columns where the head has %d", c + 1,
                        r->name.n);
            return false;
        }
    }
    if (!ends_row(r, p, end) || !is_later(r, end))
        return false;
    r->at = end + (end < r->end);
    return true;
}

/* An input file says everything once. */
static bool has_twice(const Reader *r)
{
    for (int i = 0; i < r->name.n; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(r->name.at[i], r->name.at[k])) {
                diag_report(r->diag, NO_SPAN, DIAG_E1312,
                            "the input file has two columns '%s'",
                            r->name.at[i]);
                return true;
            }
    return false;
}

/* Some tools write "Time": where no column is called `time`, the first one with
 * another spelling of it is. */
static void name_time(Reader *r)
{
    int other = NONE;
    for (int i = r->name.n - 1; i >= 0; i--) {
        if (!strcmp(r->name.at[i], "time"))
            return;
        if (!strcasecmp(r->name.at[i], "time"))
            other = i;
    }
    if (other != NONE)
        r->name.at[other] = "time";
}

static Table *read(Sources *sources, int source, bool is_input, Arena *arena,
                   Diag *diag)
{
    const Source *s = sources_get(sources, source);
    Reader r = {.text = s->text,
                .end = s->text + s->size,
                .at = s->text,
                .source = source,
                .arena = arena,
                .diag = diag,
                .time = NONE,
                .last = -INFINITY};
    if (s->size >= 3 && !memcmp(s->text, "\xEF\xBB\xBF", 3))
        r.at += 3;
    if (!find_line(&r)) {
        diag_report(diag, span_at(&r, r.text, r.text), DIAG_E1312,
                    "the file holds no line with the names of its columns");
        return NULL;
    }
    read_head(&r);
    name_time(&r);
    if (is_input && has_twice(&r))
        return NULL;
    for (int i = 0; is_input && i < r.name.n; i++)
        if (!strcmp(r.name.at[i], "time"))
            r.time = i;
    int nrow = 0;
    for (; find_line(&r); nrow++)
        if (!read_row(&r))
            return NULL;
    Table *t = NEW(arena, Table);
    t->ncol = r.name.n;
    t->nrow = nrow;
    t->name = r.name.at;
    t->value = r.value.at;
    return t;
}

Table *table_read(Sources *sources, int source, Arena *arena, Diag *diag)
{
    return read(sources, source, false, arena, diag);
}

Table *table_read_inputs(Sources *sources, int source, Arena *arena, Diag *diag)
{
    return read(sources, source, true, arena, diag);
}

int table_column(const Table *t, const char *name)
{
    for (int i = 0; i < t->ncol; i++)
        if (!strcmp(t->name[i], name))
            return i;
    return NONE;
}

int table_line(const Table *t, double time)
{
    int c = table_column(t, "time");
    int low = 0, high = t->nrow - 1;
    if (time >= t->value[high * t->ncol + c])
        return high;
    if (time < t->value[c])
        return NONE;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (t->value[mid * t->ncol + c] <= time)
            low = mid;
        else
            high = mid;
    }
    return low;
}

bool table_has_jump(const Table *t, int first, int last)
{
    int c = table_column(t, "time");
    for (int i = first > 0 ? first : 1; i <= last; i++)
        if (t->value[i * t->ncol + c] == t->value[(i - 1) * t->ncol + c])
            return true;
    return false;
}

double table_at(const Table *t, int column, int order, double time, double side)
{
    int c = table_column(t, "time");
    int low = table_line(t, side);
    /* at its very ends the slope is that of its first and last piece */
    if (low == NONE && order > 0 && t->nrow > 1 && time >= t->value[c] &&
        t->value[c + t->ncol] > t->value[c])
        low = 0;
    if (low == NONE)
        return order ? 0 : t->value[column];
    const double *end = t->value + (t->nrow - 1) * t->ncol;
    if (low == t->nrow - 1 && order > 0 && low > 0 && time <= end[c] &&
        end[c - t->ncol] < end[c])
        low--;
    if (low == t->nrow - 1)
        return order ? 0 : t->value[low * t->ncol + column];
    const double *a = t->value + low * t->ncol, *b = a + t->ncol;
    double slope = (b[column] - a[column]) / (b[c] - a[c]);
    if (order > 0)
        return order == 1 ? slope : 0;
    if (time >= b[c])
        return b[column];
    return time <= a[c] ? a[column] : a[column] + slope * (time - a[c]);
}

/* ---- inputs ---- */

static bool is_constant(const Table *t, int column)
{
    for (int i = 1; i < t->nrow; i++)
        if (t->value[i * t->ncol + column] != t->value[column])
            return false;
    return true;
}

/* "der(u)" -> "u" */
static const char *integral_name(const char *name, char *out, size_t size)
{
    size_t n = strlen(name);
    if (n < 6 || n >= size || strncmp(name, "der(", 4) != 0)
        return NULL;
    memcpy(out, name + 4, n - 5);
    out[n - 5] = '\0';
    return out;
}

bool table_find_input(const Table *t, const char *name, TableInput *out)
{
    char inner[2][1000];
    *out = (TableInput){.column = table_column(t, name)};
    for (int order = 1; out->column == NONE; order++) {
        name = integral_name(name, inner[order % 2], sizeof inner[0]);
        if (!name)
            return false;
        out->column = table_column(t, name);
        out->order = 1;
        if (out->column != NONE && order > 1 && !is_constant(t, out->column))
            return false;
    }
    return true;
}

int table_bad_line(const Table *t, const TableInput *in)
{
    for (int i = 0; i < t->nrow; i++) {
        double x = t->value[i * t->ncol + in->column];
        bool is_one = in->is_boolean ? x == 0 || x == 1
                                     : x == floor(x) && fabs(x) < 0x1p31;
        if (!isfinite(x) || (in->is_whole && !is_one))
            return i;
    }
    return NONE;
}

double table_input_at(const Table *t, const TableInput *in, int order,
                      double time, double side)
{
    if (!in->is_held)
        return table_at(t, in->column, in->order + order, time, side);
    int line = table_line(t, side);
    return order > 0
               ? 0
               : t->value[(line == NONE ? 0 : line) * t->ncol + in->column];
}

/* ---- what lies between points of a grid ---- */

static double time_of(const Table *t, int line)
{
    return t->value[line * t->ncol + table_column(t, "time")];
}

double table_range(const Table *t, int column)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < t->nrow; i++) {
        low = fmin(low, t->value[i * t->ncol + column]);
        high = fmax(high, t->value[i * t->ncol + column]);
    }
    return high - low;
}

bool table_is_sharp(const Table *t, const TableInput *in, double range, int i)
{
    const double *now = &t->value[i * t->ncol + in->column];
    if (in->is_held)
        return i > 0 && now[0] != now[-t->ncol];
    if (i + 1 >= t->nrow)
        return false;
    double after = time_of(t, i + 1) - time_of(t, i);
    if (after == 0)
        return true;
    if (i == 0)
        return false;
    double before = time_of(t, i) - time_of(t, i - 1);
    if (before == 0)
        return false; /* where it stopped already */
    double shorter = fmin(before, after);
    double bend = (now[t->ncol] - now[0]) * (shorter / after) -
                  (now[0] - now[-t->ncol]) * (shorter / before);
    return fabs(bend) > 0.05 * range;
}

/* A value that is held from line i on: is a point of the grid before the next
 * change? `at` is the first point not before the line. */
static double unseen_held(const Table *t, const TableInput *in, int i,
                          double at)
{
    const double *now = &t->value[i * t->ncol + in->column];
    if (i == 0 || now[0] == now[-t->ncol])
        return 0;
    for (int k = i + 1; k < t->nrow; k++)
        if (t->value[k * t->ncol + in->column] != now[0])
            return time_of(t, k) > time_of(t, i) && time_of(t, k) <= at;
    return 0;
}

/* How far line i lies outside of the values at the points a, b around it. */
static double unseen_peak(const Table *t, const TableInput *in, int i, double a,
                          double b)
{
    double value = t->value[i * t->ncol + in->column];
    double left = table_at(t, in->column, 0, a, a);
    double right = table_at(t, in->column, 0, b, b);
    return fmax(0, fmax(value - fmax(left, right), fmin(left, right) - value));
}

double table_unseen(const Table *t, const TableInput *in, double start,
                    double step, double *when)
{
    double range = table_range(t, in->column), worst = 0;
    for (int i = 0; range > 0 && i < t->nrow; i++) {
        double k = (time_of(t, i) - start) / step;
        if (k < 0 || fabs(k - rint(k)) < 1e-6)
            continue; /* on the grid, but for rounding */
        double a = start + floor(k) * step;
        double x = in->is_held ? unseen_held(t, in, i, a + step)
                               : unseen_peak(t, in, i, a, a + step) / range;
        if (x > worst) {
            worst = x;
            *when = time_of(t, i);
        }
    }
    return worst;
}
