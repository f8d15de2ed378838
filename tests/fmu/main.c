/* main.c - what an FMU must do, tried out.
 *
 *   importer FMU trace SIM.csv K    every K-th row of takt sim, bit for bit
 *   importer FMU walk               the state machine, wrong orders included
 *   importer FMU states             instances, saved and serialised states
 *   importer FMU long N             N steps; prints the bytes that grew
 *   importer FMU end K              runs until the model ends or fails
 *   importer FMU moved              an input and its derivative
 *   importer FMU exchange T H       model exchange, to T with steps H
 *   importer FMU clocks             scheduled execution, wrong orders included
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

int nfailed;

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || a == b;
}

/* ---- trace ---- */

typedef struct Csv {
    const Variable **column; /* NULL: not of the FMU */
    int ncolumn;
    FILE *file;
    char *line;
    size_t room;
} Csv;

/* The next field; quotes are taken off. */
static char *field(char **at)
{
    char *s = *at, *end;
    if (*s == '"') {
        s++;
        char *to = s;
        for (end = s; *end && (*end != '"' || end[1] == '"'); end++) {
            *to++ = *end;
            end += *end == '"';
        }
        char *next = end + (*end == '"');
        *to = '\0';
        *at = next + (*next == ',');
        return s;
    }
    end = s + strcspn(s, ",\r\n");
    *at = end + (*end == ',');
    *end = '\0';
    return s;
}

static Csv open_csv(const Fmu *f, const char *path)
{
    Csv c = {.file = fopen(path, "r")};
    if (!c.file || getline(&c.line, &c.room, c.file) < 0)
        exit(4);
    c.line[strcspn(c.line, "\r\n")] = '\0';
    c.column = calloc(strlen(c.line) + 1, sizeof *c.column);
    for (char *at = c.line; *at;) {
        const Variable *v = fmu_find(f, field(&at));
        c.column[c.ncolumn++] = v;
    }
    return c;
}

static int compare_row(Csv *c, Instance *i, long row, long *nvalue)
{
    int nwrong = 0;
    char *at = c->line;
    for (int k = 0; k < c->ncolumn; k++) {
        double want = strtod(field(&at), NULL), got = NAN;
        if (!c->column[k])
            continue;
        if (fmu_get(i, c->column[k], &got) != OK || !same(want, got)) {
            printf("row %ld: %s is %.17g, not %.17g\n", row, c->column[k]->name,
                   got, want);
            nwrong++;
        }
        ++*nvalue;
    }
    return nwrong;
}

static int trace(const Fmu *f, const char *path, long every)
{
    Csv c = open_csv(f, path);
    Instance *i = fmu_new(f, "trace");
    long row = 0, nvalue = 0;
    bool ended = false;
    CHECK(i && fmu_begin(i, f->start) <= WARNING);
    while (!nfailed && !ended && getline(&c.line, &c.room, c.file) >= 0) {
        if (row % every == 0) {
            double length = (double)every * f->step;
            double from = f->start + (double)(row - every) * f->step;
            if (row > 0)
                CHECK(fmu_step(i, from, length, &ended) <= WARNING);
            if (nfailed || compare_row(&c, i, row, &nvalue) > 0)
                return printf("after %ld rows: %s\n", row, fmu_said()), 1;
        }
        row++;
    }
    fmu_free(i);
    fclose(c.file);
    free(c.column);
    free(c.line);
    printf("%ld rows, %ld values\n", row, nvalue);
    return nfailed || nvalue < row / every;
}

/* ---- walk ---- */

static const Variable *first_with(const Fmu *f, const char *causality,
                                  const char *initial)
{
    for (int i = 0; i < f->nvariable; i++)
        if (!strcmp(f->variable[i].causality, causality) &&
            (!initial || !strcmp(f->variable[i].initial, initial)) &&
            f->variable[i].type != 's')
            return &f->variable[i];
    return NULL;
}

/* What cannot be done to an instance in its first and its last mode. */
static void refuse_steps(Instance *i, const Fmu *f)
{
    bool ended;
    CHECK(fmu_step(i, f->start, f->step, &ended) == ERROR);
    CHECK(fmu_terminate(i) == ERROR);
}

static void walk_beginning(const Fmu *f, Instance *i)
{
    const Variable *p = first_with(f, "parameter", NULL);
    double x = 0;
    refuse_steps(i, f);
    CHECK(fmu_exit(i) == ERROR); /* before it was entered */
    if (f->version == 2)
        CHECK(fmu_get(i, &f->variable[0], &x) == ERROR); /* not yet */
    CHECK(fmu_enter(i, f->start + 1000, false, 0) == ERROR);
    CHECK(fmu_enter(i, f->start, true, f->start + 3 * f->step) == OK);
    CHECK(fmu_enter(i, f->start, false, 0) == ERROR); /* twice */
    refuse_steps(i, f);
    CHECK(fmu_get(i, &f->variable[0], &x) == OK && same(x, f->start));
    CHECK(fmu_wrong_type(i, 0) == ERROR);
    CHECK(fmu_wrong_type(i, 4000000000u) == ERROR);
    if (p && p->type == 'r') {
        CHECK(fmu_set(i, p, NAN) == ERROR);
        CHECK(fmu_get(i, p, &x) == OK && isfinite(x));
    }
    CHECK(fmu_exit(i) <= WARNING);
    CHECK(fmu_exit(i) == ERROR);
}

static void walk_steps(const Fmu *f, Instance *i)
{
    const double t = f->start, h = f->step;
    const Variable *exact = first_with(f, "local", "exact");
    bool ended;
    double x = 0;
    CHECK(fmu_enter(i, t, false, 0) == ERROR);
    CHECK(fmu_step(i, t + 1.4 * h, h, &ended) == ERROR); /* not there yet */
    CHECK(fmu_step(i, t, 1.5 * h, &ended) == ERROR);
    CHECK(fmu_step(i, t, 0.5 * h, &ended) == ERROR);
    CHECK(fmu_step(i, t, h * (1 + 1e-5), &ended) == ERROR);
    CHECK(fmu_step(i, t, 0, &ended) == ERROR);
    CHECK(fmu_step(i, t, -h, &ended) == ERROR);
    CHECK(fmu_step(i, t, NAN, &ended) == ERROR);
    CHECK(fmu_step(i, t, INFINITY, &ended) == ERROR);
    CHECK(fmu_get(i, &f->variable[0], &x) == OK && same(x, t));
    CHECK(fmu_step(i, t, h * (1 + 5e-7), &ended) <= WARNING);
    if (ended)
        return;
    CHECK(fmu_get(i, &f->variable[0], &x) == OK && same(x, t + h));
    if (exact)
        CHECK(fmu_set(i, exact, 1) == ERROR); /* too late */
    CHECK(fmu_set(i, &f->variable[0], 1) == ERROR);
    CHECK(fmu_step(i, t + h, 2 * h, &ended) <= WARNING);
    CHECK(ended || fmu_step(i, t + 3 * h, h, &ended) == ERROR); /* the stop */
    CHECK(fmu_terminate(i) == OK);
    CHECK(fmu_terminate(i) == ERROR);
    refuse_steps(i, f);
    CHECK(fmu_get(i, &f->variable[0], &x) == OK);
}

/* Texts can be confirmed, not changed; messages are told by category. */
static void walk_texts(const Fmu *f, Instance *i)
{
    const char *text = NULL;
    CHECK(fmu_log(i, true, "no such category") == ERROR);
    CHECK(fmu_log(i, false, NULL) == OK);
    CHECK(fmu_log(i, true, "logStatusError") == OK);
    CHECK(fmu_enter(i, f->start, false, 0) == OK);
    for (int k = 0; k < f->nvariable; k++) {
        const Variable *v = &f->variable[k];
        if (v->type != 's' || strcmp(v->causality, "parameter") != 0)
            continue;
        char is[200];
        CHECK(fmu_get_text(i, v, &text) == OK && text && *text);
        snprintf(is, sizeof is, "%s", text ? text : "");
        CHECK(fmu_set_text(i, v, is) == OK);
        CHECK(fmu_set_text(i, v, "another text") == ERROR);
        CHECK(strstr(fmu_said(), "is compiled in"));
        CHECK(fmu_get_text(i, v, &text) == OK && !strcmp(text, is));
    }
    CHECK(fmu_reset(i) == OK);
    CHECK(fmu_log(i, true, "logAll") == OK);
}

static int walk(const Fmu *f)
{
    CHECK(!f->variable_steps);
    CHECK(!strcmp(f->variable[0].causality, "independent"));
    CHECK(!fmu_new_with(f, "a", "{another}"));
    CHECK(!fmu_new_with(f, "", f->token));
    Instance *i = fmu_new(f, "walk");
    CHECK(i);
    if (i)
        walk_texts(f, i);
    for (int turn = 0; i && turn < 2; turn++) {
        walk_beginning(f, i);
        walk_steps(f, i);
        CHECK(fmu_reset(i) == OK);
    }
    if (i)
        fmu_free(i);
    return nfailed;
}

/* ---- states ---- */

enum { NSTEP = 20 };

/* All values after `n` more steps. */
static double *run(const Fmu *f, Instance *i, int from, int n)
{
    bool ended = false;
    for (int k = from; k < from + n && !ended; k++)
        CHECK(fmu_step(i, f->start + k * f->step, f->step, &ended) <= WARNING);
    double *value = calloc((size_t)f->nvariable, sizeof *value);
    for (int k = 0; k < f->nvariable; k++)
        if (f->variable[k].type != 's')
            CHECK(fmu_get(i, &f->variable[k], &value[k]) == OK);
    return value;
}

static bool all_same(const Fmu *f, double *a, double *b)
{
    bool yes = memcmp(a, b, (size_t)f->nvariable * sizeof *a) == 0;
    free(b);
    return yes;
}

/* A parameter that changes what comes. */
static void disturb(const Fmu *f, Instance *i)
{
    for (int k = 0; k < f->nvariable; k++) {
        const Variable *v = &f->variable[k];
        double x = 0;
        if (v->type == 'r' && !strcmp(v->causality, "parameter") &&
            fmu_get(i, v, &x) == OK)
            fmu_set(i, v, 1.001 * x);
    }
}

static void check_strange_bytes(Instance *i, unsigned char *bytes, size_t n)
{
    void *state = NULL;
    CHECK(fmu_deserialize(i, bytes, n - 1, &state) == ERROR && !state);
    bytes[3] ^= 1;
    CHECK(fmu_deserialize(i, bytes, n, &state) == ERROR && !state);
    bytes[3] ^= 1;
}

static int states(const Fmu *f)
{
    Instance *a = fmu_new(f, "a"), *b = fmu_new(f, "b");
    unsigned char *bytes;
    size_t n;
    void *state = NULL, *copy = NULL;
    CHECK(fmu_begin(a, f->start) <= WARNING);
    CHECK(fmu_begin(b, f->start) <= WARNING);
    disturb(f, b); /* the other does not notice */
    free(run(f, a, 0, NSTEP));
    free(run(f, b, 0, NSTEP / 2));
    CHECK(fmu_save(a, &state) == OK && state);
    double *first = run(f, a, NSTEP, NSTEP);
    CHECK(fmu_restore(a, state) == OK);
    CHECK(all_same(f, first, run(f, a, NSTEP, NSTEP)));
    CHECK(fmu_serialize(a, state, &bytes, &n) == OK);
    CHECK(fmu_deserialize(b, bytes, n, &copy) == OK && copy);
    CHECK(fmu_restore(b, copy) == OK); /* another instance goes on */
    CHECK(all_same(f, first, run(f, b, NSTEP, NSTEP)));
    check_strange_bytes(b, bytes, n);
    CHECK(fmu_forget(b, &copy) == OK && !copy);
    CHECK(fmu_restore(b, NULL) == ERROR);
    CHECK(fmu_reset(a) == OK && fmu_begin(a, f->start) <= WARNING);
    CHECK(all_same(f, first, run(f, a, 0, 2 * NSTEP)));
    fmu_forget(a, &state);
    fmu_free(a);
    fmu_free(b);
    free(first);
    free(bytes);
    return nfailed;
}

/* ---- long, end ---- */

static int go_long(const Fmu *f, long n)
{
    Instance *i = fmu_new(f, "long");
    bool ended = false;
    CHECK(fmu_begin(i, f->start) <= WARNING);
    size_t before = mallinfo2().uordblks;
    long k = 0;
    for (; k < n && !ended && !nfailed; k++)
        CHECK(fmu_step(i, f->start + (double)k * f->step, f->step, &ended) <=
              WARNING);
    size_t after = mallinfo2().uordblks;
    printf("%ld steps, %ld bytes more\n", k, (long)(after - before));
    nfailed += after != before;
    fmu_free(i);
    return nfailed;
}

/* Steps of K internal ones each, until one fails. */
static int go_to_end(const Fmu *f, long every)
{
    Instance *i = fmu_new(f, "end");
    bool ended = false;
    CHECK(fmu_begin(i, f->start) <= WARNING);
    double *before = run(f, i, 0, 0);
    for (long k = 0;; k++) {
        double t = f->start + (double)(k * every) * f->step;
        int status = fmu_step(i, t, (double)every * f->step, &ended);
        if (status == ERROR || ended || k == 1000000) {
            printf("%s after %ld steps: %s\n", ended ? "ended" : "failed",
                   ended ? (k + 1) * every : k * every, fmu_said());
            if (!ended) /* the state is that of before the call */
                CHECK(all_same(f, before, run(f, i, 0, 0)));
            CHECK(fmu_step(i, t, f->step, &ended) == ERROR);
            break;
        }
        free(before);
        before = run(f, i, 0, 0);
    }
    CHECK(fmu_reset(i) == OK && fmu_begin(i, f->start) <= WARNING);
    free(before);
    fmu_free(i);
    return nfailed;
}

/* An input that moves while its derivative was never set. */
static int moved(const Fmu *f)
{
    const Variable *s = fmu_find(f, "s"), *v = fmu_find(f, "der(s)");
    const Variable *y = fmu_find(f, "v");
    bool ended;
    double x = 0;
    Instance *i = fmu_new(f, "moved");
    CHECK(s && v && y);
    CHECK(fmu_begin(i, f->start) <= WARNING);
    CHECK(fmu_step(i, f->start, f->step, &ended) <= WARNING); /* it rests */
    CHECK(fmu_set(i, s, 0.75) == OK);
    CHECK(fmu_step(i, f->start + f->step, f->step, &ended) == ERROR);
    CHECK(strstr(fmu_said(), "'der(s)'"));
    CHECK(fmu_set(i, v, 2) == OK);
    CHECK(fmu_step(i, f->start + f->step, f->step, &ended) <= WARNING);
    CHECK(fmu_get(i, y, &x) == OK && same(x, 2));
    fmu_free(i);
    return nfailed;
}

/* ---- clocks ---- */

static const Clock *clock_of(const Fmu *f, const char *name)
{
    for (int k = 0; k < f->nclock; k++)
        if (!strcmp(f->clock[k].name, name))
            return &f->clock[k];
    return NULL;
}

/* One wrong call: it is an error that names the clock, and the run is over. */
static void refuse(const Fmu *f, int nstep, const char *clock, double time,
                   const char *why)
{
    Instance *i = fmu_new(f, "wrong");
    bool ended;
    CHECK(fmu_begin(i, f->start) <= WARNING);
    for (int k = 0; k < nstep; k++)
        CHECK(fmu_step(i, f->start + k * f->step, f->step, &ended) <= WARNING);
    if (nstep < 0) /* in the middle of a moment */
        CHECK(fmu_activate(i, f->clock[0].reference, f->start + f->step) <=
              WARNING);
    CHECK(fmu_activate(i, clock_of(f, clock)->reference, time) == ERROR);
    CHECK(strstr(fmu_said(), why));
    CHECK(fmu_step(i, f->start + f->step, f->step, &ended) == ERROR);
    fmu_free(i);
}

/* A state between two partitions of one moment. */
static void save_between(const Fmu *f)
{
    Instance *i = fmu_new(f, "between");
    void *state = NULL;
    double t = f->start + f->step, *first = NULL;
    CHECK(fmu_begin(i, f->start) <= WARNING);
    CHECK(fmu_activate(i, f->clock[0].reference, t) <= WARNING);
    CHECK(fmu_save(i, &state) == OK);
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 1; k < f->nclock; k++)
            if (fabs(f->clock[k].shift - f->step) < 1e-9)
                CHECK(fmu_activate(i, f->clock[k].reference, t) <= WARNING);
        double *value = run(f, i, 1, NSTEP);
        if (turn == 0)
            first = value;
        else
            CHECK(all_same(f, first, value));
        CHECK(fmu_restore(i, state) == OK);
    }
    free(first);
    fmu_forget(i, &state);
    fmu_free(i);
}

/* Of a model with clocks "fast", every step, and "slow". */
static int clocks(const Fmu *f)
{
    const double t = f->start, h = f->step;
    double interval, shift, x = 0;
    bool ended;
    CHECK(f->is_scheduled && clock_of(f, "fast") && clock_of(f, "slow"));
    CHECK(!fmu_new_exchange(f, "none"));
    if (nfailed)
        return nfailed;
    CHECK(!strcmp(f->clock[0].name, "step"));
    Instance *i = fmu_new(f, "clocks");
    CHECK(fmu_activate(i, f->clock[0].reference, t + h) == ERROR);
    CHECK(fmu_reset(i) == OK && fmu_begin(i, t) <= WARNING);
    for (int k = 0; k < f->nclock; k++)
        CHECK(fmu_interval(i, f->clock[k].reference, &interval, &shift) == OK &&
              same(interval, f->clock[k].interval) &&
              same(shift, f->clock[k].shift));
    CHECK(fmu_interval(i, 0, &interval, &shift) == ERROR);
    fmu_nlock = fmu_nunlock = 0;
    CHECK(fmu_step(i, t, 7 * h, &ended) <= WARNING);
    CHECK(fmu_nlock >= 14 && fmu_nlock == fmu_nunlock);
    CHECK(fmu_get(i, &f->variable[0], &x) == OK && same(x, t + 7 * h));
    fmu_free(i);
    refuse(f, 0, "fast", t + h, "it is the turn of clock 'step'");
    refuse(f, 0, "step", t + 2 * h, "but it ticks at");
    refuse(f, -1, "step", t + 2 * h, "it is the turn of clock 'fast'");
    refuse(f, -1, "slow", t + h, "it is the turn of clock 'fast'");
    refuse(f, -1, "fast", t + 3 * h, "but it ticks at");
    refuse(f, 1, "slow", t + h, "it is the turn of clock 'step'");
    save_between(f);
    return nfailed;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    Fmu f = fmu_open(argv[1]);
    const char *what = argv[2];
    long n = argc > 3 ? strtol(argv[argc - 1], NULL, 10) : 1;
    int code = !strcmp(what, "trace")    ? trace(&f, argv[3], n)
               : !strcmp(what, "walk")   ? walk(&f)
               : !strcmp(what, "states") ? states(&f)
               : !strcmp(what, "long")   ? go_long(&f, n)
               : !strcmp(what, "end")    ? go_to_end(&f, n)
               : !strcmp(what, "moved")  ? moved(&f)
               : !strcmp(what, "clocks") ? clocks(&f)
               : !strcmp(what, "zeros")  ? go_to_zeros(&f)
               : !strcmp(what, "far") && argc == 5
                   ? go_far(&f, strtod(argv[3], NULL), strtod(argv[4], NULL))
               : !strcmp(what, "exchange") && argc == 5
                   ? exchange(&f, strtod(argv[3], NULL), strtod(argv[4], NULL))
                   : 2;
    fmu_close(&f);
    return code != 0;
}
