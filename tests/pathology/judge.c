/* judge.c - were the runs of these models right, or did they say what is wrong?
 *
 *   judge LIST     runs of takt sim, a line each:
 *                  MODEL METHOD WAY EXITCODE CODES TRAJECTORY
 *                  CODES are those of the messages, with commas, or "-"
 *
 * Compiled with cases.h (cases.awk makes it) and runs.h: a line RUN(PREFIX,
 * "MODEL", "METHOD", "WAY", "CODES") for each model in C, with the codes of
 * what `takt build` said. Every run becomes a line:
 *
 *   MODEL METHOD WAY VERDICT AT OFF SAID
 *
 * VERDICT  right; said (wrong, and a cause that fits was named); silent
 * AT       time of the first wrong point, "-" if there is none
 * OFF      largest deviation, of the range of the reference; inf: there is none
 * SAID     causes and codes, those that do not fit in brackets; in C with @TIME
 *          of the first
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WATCH = 4, MOST_STATE = 8, MOST_LINE = 1 << 16 };

typedef struct Case {
    const char *name;
    double step, stop, until, jump;
    int nwatch;
    const char *watch[MOST_WATCH];
    void (*reference)(double t, const double *x, double *z);
    int nstate, parts; /* of the ode */
    void (*start)(double *x);
    void (*rate)(double t, const double *x, double *d);
    const char *says;
    const char *set;
    double value;
} Case;

#include "cases.h"

enum { NCASE = sizeof cases / sizeof cases[0] };

/* ---- which cause speaks of what ---- */

static const struct {
    const char *class, *word;
} meaning[] = {
#include "classes.def"
};

/* Does `word`, a code or a status, speak of one of the classes of the case? */
static bool fits(const Case *c, const char *word)
{
    for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++) {
        if (strcmp(meaning[i].word, word) != 0)
            continue;
        size_t n = strlen(meaning[i].class);
        for (const char *s = c->says; (s = strstr(s, meaning[i].class)); s += n)
            if ((s == c->says || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
                return true;
    }
    return false;
}

/* ---- references on the grid ---- */

typedef struct Truth {
    long n;
    double *z; /* of point k: z[k*MOST_WATCH + w]; NULL: not made yet */
    double range[MOST_WATCH];
} Truth;

static Truth truths[NCASE];

static void advance(const Case *c, double t, double *x)
{
    double h = c->step / c->parts;
    double k[4][MOST_STATE] = {{0}}, y[MOST_STATE];
    for (int p = 0; p < c->parts; p++) {
        double from = t + p * h;
        for (int s = 0; s < 4; s++) {
            double part = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
            for (int i = 0; i < c->nstate; i++)
                y[i] = x[i] + (s ? part * k[s - 1][i] : 0);
            c->rate(from + part, y, k[s]);
        }
        for (int i = 0; i < c->nstate; i++)
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void find_ranges(const Case *c, Truth *r)
{
    for (int w = 0; w < c->nwatch; w++) {
        double low = INFINITY, high = -INFINITY;
        for (long k = 0; k < r->n; k++) {
            double z = r->z[k * MOST_WATCH + w];
            if (!isfinite(z) || (double)k * c->step > c->until)
                continue;
            low = fmin(low, z);
            high = fmax(high, z);
        }
        double size = fmax(fabs(low), fabs(high));
        r->range[w] = high - low > 1e-9 * size     ? high - low
                      : isfinite(size) && size > 0 ? size
                                                   : 1;
    }
}

static Truth *truth_of(const Case *c)
{
    Truth *r = &truths[c - cases];
    if (r->z)
        return r;
    double x[MOST_STATE] = {0};
    r->n = lround(c->stop / c->step) + 1;
    r->z = calloc((size_t)r->n * MOST_WATCH, sizeof *r->z);
    if (!r->z)
        exit(4);
    if (c->start)
        c->start(x);
    for (long k = 0; k < r->n; k++) {
        c->reference((double)k * c->step, x, &r->z[k * MOST_WATCH]);
        if (c->rate)
            advance(c, (double)k * c->step, x);
    }
    find_ranges(c, r);
    return r;
}

/* ---- a run ---- */

typedef struct Verdict {
    const Case *c;
    double at;   /* first wrong time, INFINITY: none */
    double off;  /* largest deviation */
    double last; /* time of the last point */
    bool said;
    char text[1000]; /* what was said */
} Verdict;

/* Point `k` of the grid has values z. */
static void look(Verdict *v, long k, const double *z)
{
    const Case *c = v->c;
    Truth *r = truth_of(c);
    double t = (double)k * c->step;
    if (k < 0 || k >= r->n || fabs(t - c->jump) <= 1.0001 * c->step)
        return;
    v->last = fmax(v->last, t);
    for (int w = 0; w < c->nwatch; w++) {
        double off = t > c->until + 1e-9 * c->step
                         ? INFINITY
                         : fabs(z[w] - r->z[k * MOST_WATCH + w]) / r->range[w];
        off = isnan(off) ? INFINITY : off;
        v->off = fmax(v->off, off);
        if (off > 0.01)
            v->at = fmin(v->at, t);
    }
}

static void say(Verdict *v, const char *word, double time)
{
    size_t n = strlen(v->text);
    bool fit = fits(v->c, word);
    v->said |= fit;
    if (n + 100 > sizeof v->text)
        return;
    n += (size_t)sprintf(v->text + n, fit ? "%s%s" : "%s(%s)", n ? "," : "",
                         word);
    if (!isnan(time))
        sprintf(v->text + n, "@%g", time);
}

static void say_codes(Verdict *v, const char *codes)
{
    char copy[2000];
    snprintf(copy, sizeof copy, "%s", codes);
    for (char *s = strtok(copy, ","); s; s = strtok(NULL, ","))
        if (strcmp(s, "-") != 0)
            say(v, s, NAN);
}

static void print(const Verdict *v, const char *method, const char *way)
{
    bool is_right = v->at == INFINITY;
    printf("%s %s %s %s ", v->c->name, method, way,
           is_right  ? "right"
           : v->said ? "said"
                     : "silent");
    if (is_right)
        printf("- ");
    else
        printf("%g ", v->at);
    printf("%.2g %s\n", v->off, v->text[0] ? v->text : "-");
}

static const Case *find_case(const char *name)
{
    for (int i = 0; i < NCASE; i++)
        if (!strcmp(cases[i].name, name))
            return &cases[i];
    fprintf(stderr, "judge: no case %s\n", name);
    exit(2);
}

/* A run that ended early without a cause that fits is wrong where it ended. */
static void close_run(Verdict *v, bool ended)
{
    const Case *c = v->c;
    double end = fmin(c->stop, c->until);
    if (ended && v->last < end - 1.5 * c->step) {
        v->at = fmin(v->at, v->last < 0 ? 0 : v->last);
        v->off = INFINITY;
    }
}

/* ---- trajectories of takt sim ---- */

static int column(char *head, const char *name)
{
    int k = 0;
    for (char *s = strtok(head, ",\n"); s; s = strtok(NULL, ",\n"), k++) {
        size_t n = strlen(s);
        if (n >= 2 && s[0] == '"') {
            s[n - 1] = '\0';
            s++;
        }
        if (!strcmp(s, name))
            return k;
    }
    return -1;
}

static void look_at_rows(Verdict *v, FILE *f)
{
    static char head[MOST_LINE], copy[MOST_LINE], line[MOST_LINE];
    int at[MOST_WATCH], seen = -1;
    double z[MOST_WATCH];
    if (!fgets(head, sizeof head, f))
        return;
    for (int w = 0; w < v->c->nwatch; w++) {
        strcpy(copy, head);
        at[w] = column(copy, v->c->watch[w]);
        if (at[w] < 0) {
            fprintf(stderr, "judge: %s has no %s\n", v->c->name,
                    v->c->watch[w]);
            exit(2);
        }
    }
    while (fgets(line, sizeof line, f)) {
        double t = strtod(line, NULL);
        double k = t / v->c->step;
        if (fabs(k - rint(k)) > 1e-6)
            continue;
        int col = 0;
        for (char *s = strtok(line, ",\n"); s; s = strtok(NULL, ",\n"), col++)
            for (int w = 0; w < v->c->nwatch; w++)
                if (at[w] == col)
                    z[w] = strtod(s, NULL);
        look(v, lround(k), z);
        seen++;
    }
    (void)seen;
}

static void judge_sim(char *line)
{
    char model[100], method[100], way[100], codes[2000], path[2000];
    int code;
    if (sscanf(line, "%99s %99s %99s %d %1999s %1999s", model, method, way,
               &code, codes, path) != 6) {
        fprintf(stderr, "judge: what is %s\n", line);
        exit(2);
    }
    Verdict v = {.c = find_case(model), .at = INFINITY, .last = -1};
    FILE *f = fopen(path, "r");
    if (f) {
        look_at_rows(&v, f);
        fclose(f);
    }
    say_codes(&v, codes);
    if (code > 1)
        say(&v, "crash", NAN);
    close_run(&v, true);
    print(&v, method, way);
}

/* ---- generated C ---- */

typedef struct Run {
    const char *model, *method, *way, *codes;
    void *m;
    void (*defaults)(void *m);
    int (*start)(void *m);
    int (*step)(void *m);
    int (*find)(const char *name);
    double (*get)(const void *m, int number);
    int (*set)(void *m, int number, double value);
    unsigned (*causes)(const void *m);
} Run;

static const char *const word_of[] = {
#define STATUS(NAME, code, severity, fmi, of, word, text, hint) word,
#include "base/status.def"
};

/* Causes that were not there before. */
static void say_causes(Verdict *v, unsigned causes, unsigned *before, double t)
{
    for (size_t i = 0; i < sizeof word_of / sizeof word_of[0]; i++)
        if ((causes & ~*before) >> i & 1)
            say(v, word_of[i], t);
    *before |= causes;
}

static void look_at_instance(Verdict *v, const Run *r, long k)
{
    double z[MOST_WATCH];
    for (int w = 0; w < v->c->nwatch; w++) {
        int number = r->find(v->c->watch[w]);
        if (number < 0) {
            fprintf(stderr, "judge: C of %s has no %s\n", r->model,
                    v->c->watch[w]);
            exit(2);
        }
        z[w] = r->get(r->m, number);
    }
    look(v, k, z);
}

static void judge_run(const Run *r)
{
    Verdict v = {.c = find_case(r->model), .at = INFINITY, .last = -1};
    unsigned before = 0;
    long n = lround(v.c->stop / v.c->step);
    say_codes(&v, r->codes);
    r->defaults(r->m);
    if (v.c->set[0] && r->set(r->m, r->find(v.c->set), v.c->value) != 0)
        say(&v, "refused", NAN);
    int status = r->start(r->m);
    say_causes(&v, r->causes(r->m), &before, 0);
    if (status >= 0)
        look_at_instance(&v, r, 0);
    for (long k = 1; k <= n && status >= 0; k++) {
        status = r->step(r->m);
        say_causes(&v, r->causes(r->m), &before, (double)k * v.c->step);
        if (status >= 0)
            look_at_instance(&v, r, k);
    }
    close_run(&v, status < 0);
    print(&v, r->method, r->way);
}

#define RUN(name, model, method, way, codes)                                   \
    static name instance_##name;                                               \
    static void default_##name(void *m)                                        \
    {                                                                          \
        name##_default(m);                                                     \
    }                                                                          \
    static int start_##name(void *m)                                           \
    {                                                                          \
        return name##_start(m);                                                \
    }                                                                          \
    static int step_##name(void *m)                                            \
    {                                                                          \
        return name##_step(m);                                                 \
    }                                                                          \
    static double get_##name(const void *m, int k)                             \
    {                                                                          \
        return name##_get(m, k);                                               \
    }                                                                          \
    static int set_##name(void *m, int k, double x)                            \
    {                                                                          \
        return name##_set(m, k, x);                                            \
    }                                                                          \
    static unsigned causes_##name(const void *m)                               \
    {                                                                          \
        return ((const name *)m)->causes;                                      \
    }
#include "headers.h"
#include "runs.h"
#undef RUN

static const Run runs[] = {
#define RUN(name, model, method, way, codes)                                   \
    {model,          method,       way,         codes,       &instance_##name, \
     default_##name, start_##name, step_##name, name##_find, get_##name,       \
     set_##name,     causes_##name},
#include "runs.h"
    {0}};

int main(int argc, char **argv)
{
    static char line[8000];
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        judge_sim(line);
    for (const Run *r = runs; r->model; r++)
        judge_run(r);
    return 0;
}
