/* takt_exe.h - a program that runs a generated model.
 *
 * NAME_exe.c includes it once, after NAME.h and
 *
 *   EXE_MODEL     type of an instance of the generated code
 *   EXE_CALL(f)   its function NAME_f
 *   EXE_ROW       type of a row of its table of variables
 *   EXE_NVAR      rows of it
 *   EXE_ENDED     the status of a model that ends its run
 *   EXE_NAME      the model, for people
 *   EXE_STEP, EXE_BEGIN, EXE_STOP   step size, start and end of a run, s
 *
 * Steps are counted: time is EXE_BEGIN + k EXE_STEP. Exit codes are those of
 * takt: 0 fine, 1 the model or its numbers are at fault, 2 wrong usage, 4 the
 * machine failed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXE_FINE = 0, EXE_AT_FAULT = 1, EXE_USAGE = 2, EXE_MACHINE = 4 };
/* Causalities of the table of variables. */
enum { EXE_TIME, EXE_SIZE, EXE_PARAMETER, EXE_START, EXE_INPUT, EXE_OUTPUT };

typedef struct ExeTable {
    int nrow, ncol;
    double *value; /* [row * ncol + column], the time is column 0 */
    int variable[EXE_NVAR + 1]; /* that a column is */
} ExeTable;

typedef struct ExeRun {
    EXE_MODEL m;
    double stop;
    long every;
    int quiet;
    const char *input, *output;
    FILE *out;
    char *temp; /* what is written, until it is whole */
    ExeTable table;
} ExeRun;

static int exe_say(int code, const char *what, const char *more)
{
    fprintf(stderr, "%s: %s%s\n", EXE_NAME, what, more);
    return code;
}

static int exe_help(void)
{
    printf("usage: %s [options]\n\nRuns %s with its fixed step of %g s.\n\n"
           "  --stop TIME       end of the run, s (%g)\n"
           "  --set NAME=VALUE  value of a parameter or start value\n"
           "  --input FILE      CSV file with the inputs over time\n"
           "  -o FILE           write the trajectories as CSV\n"
           "  --every N         write every N-th step\n"
           "  --quiet           print errors only\n"
           "  --help            print this\n",
           EXE_NAME, EXE_NAME, (double)EXE_STEP, (double)EXE_STOP);
    return EXE_FINE;
}

/* ---- numbers ---- */

static int exe_number(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    while (*end == ' ' || *end == '\r')
        end++;
    return end != text && *end == '\0' && isfinite(*x);
}

/* As few digits as give the same number back. */
static void exe_print(FILE *out, double x)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, 0) == x)
            break;
    }
    fputs(text, out);
}

/* ---- options ---- */

/* A parameter, or the start value of a variable. */
static int exe_set(ExeRun *r, const char *text)
{
    char name[512];
    double x;
    const char *equal = strrchr(text, '=');
    size_t n = equal ? (size_t)(equal - text) : 0;
    if (n == 0 || n > 480 || !exe_number(equal + 1, &x))
        return exe_say(EXE_USAGE, "--set takes NAME=VALUE, not ", text);
    snprintf(name, sizeof name, "start(%.*s)", (int)n, text);
    int i = EXE_CALL(find)(name);
    if (i < 0) {
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        i = EXE_CALL(find)(name);
    }
    int causality = i < 0 ? -1 : EXE_CALL(variables)()[i].causality;
    if (causality != EXE_PARAMETER && causality != EXE_START &&
        causality != EXE_INPUT)
        return exe_say(EXE_USAGE, "no parameter or start value ", name);
    if (EXE_CALL(set)(&r->m, i, x) != 0)
        return exe_say(EXE_USAGE, "a value that cannot be: ", text);
    return EXE_FINE;
}

static int exe_option(ExeRun *r, const char *name, const char *value)
{
    double n;
    if (!strcmp(name, "--set"))
        return exe_set(r, value);
    if (!strcmp(name, "--input"))
        r->input = value;
    else if (!strcmp(name, "-o"))
        r->output = value;
    else if (!strcmp(name, "--stop")) {
        if (!exe_number(value, &r->stop) || r->stop < EXE_BEGIN)
            return exe_say(EXE_USAGE, "--stop takes a time, not ", value);
    } else if (!strcmp(name, "--every")) {
        if (!exe_number(value, &n) || n < 1 || n != floor(n) || n > 1e9)
            return exe_say(EXE_USAGE, "--every takes a count, not ", value);
        r->every = (long)n;
    } else
        return exe_say(EXE_USAGE, "unknown option ", name);
    return EXE_FINE;
}

static int exe_read_options(ExeRun *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quiet")) {
            r->quiet = 1;
            continue;
        }
        if (i + 1 == argc)
            return exe_say(EXE_USAGE,
                           "unknown option, or no value for it: ", argv[i]);
        int code = exe_option(r, argv[i], argv[i + 1]);
        if (code != EXE_FINE)
            return code;
        i++;
    }
    return EXE_FINE;
}

/* ---- inputs ---- */

static char *exe_field(char **rest)
{
    char *s = *rest, *end = strchr(s, ',');
    *rest = end ? end + 1 : 0;
    if (end)
        *end = '\0';
    size_t n = strcspn(s, "\r\n");
    s[n] = '\0';
    if (n > 1 && s[0] == '"' && s[n - 1] == '"') {
        s[n - 1] = '\0';
        s++;
    }
    return s;
}

static int exe_read_names(ExeTable *t, char *line)
{
    for (char *rest = line; rest;) {
        const char *name = exe_field(&rest);
        int i = t->ncol == 0 ? -1 : EXE_CALL(find)(name);
        if (t->ncol == 0 && strcmp(name, "time") != 0)
            return exe_say(EXE_USAGE,
                           "the first column of the input file is "
                           "'time', not ",
                           name);
        if (t->ncol > EXE_NVAR)
            return exe_say(EXE_USAGE, "too many columns", "");
        t->variable[t->ncol++] =
            i >= 0 && EXE_CALL(variables)()[i].causality == EXE_INPUT ? i : -1;
    }
    return EXE_FINE;
}

static int exe_read_line(ExeTable *t, char *line)
{
    double *more = (double *)realloc(
        t->value, (size_t)(t->nrow + 1) * (size_t)t->ncol * sizeof *more);
    if (!more)
        return exe_say(EXE_MACHINE, "no memory", "");
    t->value = more;
    char *rest = line;
    for (int k = 0; k < t->ncol; k++)
        if (!rest ||
            !exe_number(exe_field(&rest), &t->value[t->nrow * t->ncol + k]))
            return exe_say(EXE_USAGE,
                           "a line of the input file has no number "
                           "for each column",
                           "");
    t->nrow++;
    return EXE_FINE;
}

static int exe_read_input(ExeTable *t, const char *path)
{
    static char line[1 << 16];
    FILE *f = fopen(path, "r");
    int code = f ? EXE_FINE : exe_say(EXE_USAGE, path, ": cannot be read");
    if (f && fgets(line, sizeof line, f))
        code = exe_read_names(t, line);
    while (f && code == EXE_FINE && fgets(line, sizeof line, f))
        if (line[0] != '\n' && line[0] != '\r')
            code = exe_read_line(t, line);
    if (f)
        fclose(f);
    if (code == EXE_FINE && t->nrow == 0)
        code = exe_say(EXE_USAGE, path, ": no line of numbers");
    return code;
}

/* Lines between those of a Real; others hold. */
static double exe_input(const ExeTable *t, int column, double time, int real)
{
    int i = 0;
    while (i + 1 < t->nrow && t->value[(i + 1) * t->ncol] <= time)
        i++;
    double x = t->value[i * t->ncol + column], a = t->value[i * t->ncol];
    if (!real || i + 1 == t->nrow || time <= a)
        return x;
    double b = t->value[(i + 1) * t->ncol];
    return x +
           (t->value[(i + 1) * t->ncol + column] - x) * ((time - a) / (b - a));
}

static int exe_set_inputs(ExeRun *r, double time)
{
    const ExeTable *t = &r->table;
    for (int k = 1; k < t->ncol; k++) {
        int i = t->variable[k];
        if (i >= 0 &&
            EXE_CALL(set)(
                &r->m, i,
                exe_input(t, k, time, EXE_CALL(variables)()[i].kind == 0)) != 0)
            return exe_say(EXE_USAGE, "a value that cannot be, for the input ",
                           EXE_CALL(name)(i));
    }
    return EXE_FINE;
}

/* ---- rows ---- */

static int exe_is_written(int i)
{
    int causality = EXE_CALL(variables)()[i].causality;
    return causality == EXE_TIME || causality >= EXE_INPUT;
}

static int exe_open(ExeRun *r)
{
    const char *comma = "";
    if (!r->output)
        return EXE_FINE;
    r->temp = (char *)malloc(strlen(r->output) + 8);
    if (!r->temp)
        return exe_say(EXE_MACHINE, "no memory", "");
    sprintf(r->temp, "%s.part", r->output);
    r->out = fopen(r->temp, "w");
    if (!r->out)
        return exe_say(EXE_MACHINE, r->output, ": cannot be written");
    for (int i = 0; i < EXE_NVAR; i++) {
        if (!exe_is_written(i))
            continue;
        fprintf(r->out, "%s\"", comma);
        for (const char *s = EXE_CALL(name)(i); *s; s++)
            fprintf(r->out, *s == '"' ? "\"\"" : "%c", *s);
        fputc('"', r->out);
        comma = ",";
    }
    fputc('\n', r->out);
    return EXE_FINE;
}

static void exe_write(ExeRun *r)
{
    const char *comma = "";
    for (int i = 0; r->out && i < EXE_NVAR; i++) {
        if (!exe_is_written(i))
            continue;
        fputs(comma, r->out);
        exe_print(r->out, EXE_CALL(get)(&r->m, i));
        comma = ",";
    }
    if (r->out)
        fputc('\n', r->out);
}

/* The file is there whole, or not at all. */
static int exe_close(ExeRun *r, int code)
{
    if (r->out && (ferror(r->out) | (fclose(r->out) != 0)))
        code = exe_say(EXE_MACHINE, r->output, ": cannot be written");
    if (r->out && code != EXE_MACHINE && rename(r->temp, r->output) != 0)
        code = exe_say(EXE_MACHINE, r->output, ": cannot be written");
    if (r->out && code == EXE_MACHINE)
        remove(r->temp);
    free(r->temp);
    free(r->table.value);
    return code;
}

/* ---- the run ---- */

static int exe_failed(ExeRun *r, int status)
{
    fprintf(stderr, "%s: at time %g: %s: %s\n", EXE_NAME, (double)r->m.s.time,
            EXE_CALL(status_text)(status), EXE_CALL(where)(&r->m));
    return EXE_AT_FAULT;
}

static int exe_march(ExeRun *r)
{
    double n = floor((r->stop - EXE_BEGIN) / EXE_STEP + 1e-6), doubtful = 0;
    int code = exe_set_inputs(r, EXE_BEGIN);
    int status = code == EXE_FINE ? EXE_CALL(start)(&r->m) : 0;
    if (status < 0)
        return exe_failed(r, status);
    exe_write(r);
    double k = 0;
    for (; k < n && code == EXE_FINE && status != EXE_ENDED; k++) {
        code = exe_set_inputs(r, EXE_BEGIN + (k + 1) * EXE_STEP);
        status = code == EXE_FINE ? EXE_CALL(step)(&r->m) : 0;
        if (status < 0)
            return exe_failed(r, status);
        doubtful += status > 0 && status != EXE_ENDED;
        if (fmod(k + 1, (double)r->every) == 0)
            exe_write(r);
    }
    if (code == EXE_FINE && !r->quiet)
        printf("%s: %.0f steps of %g s to time %g, %.0f of them doubtful\n",
               EXE_NAME, k, (double)EXE_STEP, (double)r->m.s.time, doubtful);
    return code;
}

int main(int argc, char **argv)
{
    static ExeRun r;
    r.stop = EXE_STOP;
    r.every = 1;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help"))
            return exe_help();
    EXE_CALL(default)(&r.m);
    int code = exe_read_options(&r, argc, argv);
    if (code == EXE_FINE && r.input)
        code = exe_read_input(&r.table, r.input);
    if (code == EXE_FINE)
        code = exe_open(&r);
    if (code == EXE_FINE)
        code = exe_march(&r);
    return exe_close(&r, code);
}
