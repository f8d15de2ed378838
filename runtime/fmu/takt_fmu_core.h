/* takt_fmu_core.h - an instance of an FMU, whatever the version of FMI.
 *
 * NAME_fmu.c includes it once, after NAME.h, takt_fmu.h, the table fmu_row, and
 *
 *   FMU_MODEL     type of an instance of the generated code
 *   FMU_CALL(f)   its function NAME_f
 *   FMU_NVAR      rows of its name table
 *   FMU_NSLOPE    inputs that are derivatives of inputs, fmu_slope_input[]
 *   FMU_NTEXT     String constants, fmu_text[]: their value references follow
 *   FMU_STEP, FMU_BEGIN   step size and time of the start, s
 *   FMU_TOKEN     names the model; an importer repeats it
 *   FMU_COSIMULATION, FMU_EXCHANGE, FMU_SCHEDULED   1: it is for that
 *   FMU_EXTERNAL  1: the model calls external functions (takt_fmu_external.h)
 *
 * What a step changes is in FmuState: a copy of it is a saved state. A
 * communication step that fails leaves the state it began with. Time is
 * FMU_BEGIN + steps * FMU_STEP: steps are counted, so that rounding in the
 * importer's time adds up to nothing. Memory is asked for when an instance or a
 * saved state is made, never in a step.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an instance is in the state machine of the standard, as bits. */
enum {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZING = 2,
    FMU_STEPPING = 4,
    FMU_ENDED = 8, /* the model has ended its run */
    FMU_TERMINATED = 16,
    FMU_FAILED = 32,
    FMU_EVENT = 64, /* model exchange: these two in place of FMU_STEPPING */
    FMU_CONTINUOUS = 128,
    FMU_TICKING = 256, /* scheduled execution: the same */
    FMU_ANYWHERE = 511
};

/* As all versions of FMI number them. */
enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR };

typedef struct FmuState {
    FMU_MODEL m;
    double steps; /* done */
    int mode;
    int is_changed;  /* parameters, since the last step */
    int is_exchange; /* the instance is for model exchange, and then: */
    int is_stale;    /* values do not follow from what was set */
    double last;     /* time of the last event */
    int lacking; /* 1 + row of an input that has changed while its derivative
                    was never set */
    unsigned char given[FMU_NVAR]; /* derivatives of inputs that were set */
#if FMU_SCHEDULED
    unsigned char due[FMU_NCLOCK]; /* clocks that have to tick before the next
                                      step */
#endif
} FmuState;

typedef struct Fmu Fmu;

struct Fmu {
    FmuState now;
    FmuState before;  /* as the communication step began; while initialising,
                         what would come out of it */
    int is_tried;     /* `before` is that */
    int tried;        /* status of it */
    double stop;      /* no step leads further; not finite: none was given */
    unsigned logging; /* statuses that are told, as bits */
    void *environment;
    void (*log)(Fmu *f, int status, const char *message);
    void *callback[3]; /* of the version of FMI, for `log` and memory */
    void (*release)(void *);
#if FMU_EXTERNAL
    void *object[FMU_NOBJECT + 1];
    char *path[FMU_NFILE + 1]; /* of what external functions read */
    int is_open;
#endif
    char name[1]; /* of the instance: as long as it needs */
};

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static int
fmu_say(Fmu *f, int status, const char *format, ...);

#include <stdarg.h>

/* Categories of messages, by their statuses; logAll is all of them. */
static const char *const fmu_category[4] = {
    "logAll", "logStatusWarning", "logStatusDiscard", "logStatusError"};

/* What failed is said also where no logging was asked for. */
enum { FMU_LOG_ALL = 15, FMU_LOG_FAILURES = 1 << FMU_ERROR | 1 << FMU_DISCARD };

/* Tells the importer; returns `status`. */
static int fmu_say(Fmu *f, int status, const char *format, ...)
{
    char message[1024];
    va_list list;
    if (!(f->logging >> status & 1))
        return status;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    f->log(f, status, message);
    return status;
}

#if FMU_EXTERNAL
#include "takt_fmu_external.h"
#else
#define FMU_ONCE 0 /* external functions remember nothing */
#endif

/* Without a category: all of them. */
static int fmu_set_logging(Fmu *f, int on, size_t n,
                           const char *const *category, const char *function)
{
    unsigned bits = n == 0 ? FMU_LOG_ALL : 0;
    for (size_t i = 0; i < n; i++) {
        int known = -1;
        for (int k = 0; k < 4; k++)
            if (category[i] && strcmp(category[i], fmu_category[k]) == 0)
                known = k;
        if (known < 0)
            return fmu_say(f, FMU_ERROR, "%s: there is no category '%s'",
                           function, category[i] ? category[i] : "");
        bits |= known == 0 ? FMU_LOG_ALL : 1u << known;
    }
    f->logging = on ? f->logging | bits : f->logging & ~bits;
    return FMU_OK;
}

static const char *fmu_mode_text(int mode)
{
    switch (mode) {
    case FMU_INSTANTIATED: return "instantiated";
    case FMU_INITIALIZING: return "in initialization mode";
    case FMU_STEPPING: return "in step mode";
    case FMU_ENDED: return "ended by the model";
    case FMU_TERMINATED: return "terminated";
    case FMU_EVENT: return "in event mode";
    case FMU_CONTINUOUS: return "in continuous-time mode";
    case FMU_TICKING: return "in clock activation mode";
    default: return "in the error state";
    }
}

/* May `function` be called now? */
static int fmu_may(Fmu *f, int modes, const char *function)
{
    if (!f)
        return 0;
#if FMU_EXTERNAL
    fmu_current = f;
#endif
    if (f->now.mode & modes)
        return 1;
    fmu_say(f, FMU_ERROR, "%s: cannot be called while the instance is %s",
            function, fmu_mode_text(f->now.mode));
    return 0;
}

static double fmu_time(const FmuState *s)
{
    if (s->is_exchange)
        return (double)FMU_CALL(get)(&s->m, 0);
    return FMU_BEGIN + s->steps * FMU_STEP;
}

/* ---- beginning ---- */

static void fmu_reset(Fmu *f)
{
    int is_exchange = f->now.is_exchange;
    memset(&f->now, 0, sizeof f->now);
    f->now.is_exchange = is_exchange;
    FMU_CALL(default)(&f->now.m);
    for (int i = 0; i < FMU_NSLOPE; i++) /* their inputs rest */
        FMU_CALL(set)(&f->now.m, fmu_slope_input[i], 0);
    f->now.mode = FMU_INSTANTIATED;
    f->stop = HUGE_VAL;
    f->is_tried = 0;
}

/* A new instance, with its resources at `place`. Returns what is wrong. */
static const char *fmu_begin(Fmu *f, const char *place)
{
#if FMU_EXTERNAL
    const char *wrong = fmu_open(f, place);
    if (wrong)
        return wrong;
#else
    (void)place;
#endif
    fmu_reset(f);
    return NULL;
}

/* Gives back what it has, and itself. */
static void fmu_end(Fmu *f)
{
#if FMU_EXTERNAL
    if (f)
        fmu_close(f);
#endif
    if (f)
        f->release(f);
}

/* Once more from the beginning, with new objects. */
static int fmu_again(Fmu *f)
{
#if FMU_EXTERNAL
    FMU_X(close)();
    if (FMU_X(open)() != 0) {
        f->now.mode = FMU_FAILED;
        return FMU_ERROR;
    }
#endif
    fmu_reset(f);
    return FMU_OK;
}

static int fmu_same_token(const char *token)
{
    return token && strcmp(token, FMU_TOKEN) == 0;
}

/* A start that cannot be: 0. */
static int fmu_experiment(Fmu *f, double begin, int has_stop, double stop)
{
    if (!(fabs(begin - FMU_BEGIN) <= 1e-6 * FMU_STEP)) {
        fmu_say(f, FMU_ERROR,
                "the model was made to start at %.17g s; a run that starts at "
                "%.17g s needs an FMU made for that",
                (double)FMU_BEGIN, begin);
        return 0;
    }
    if (has_stop && !(stop >= begin)) {
        fmu_say(f, FMU_ERROR, "the stop time is before the start time");
        return 0;
    }
    f->stop = has_stop ? stop : HUGE_VAL;
    return 1;
}

/* What a status of the model is to the importer: at most `worst`. */
static int fmu_judge_as(Fmu *f, const FMU_MODEL *m, int status, double time,
                        int worst)
{
    int fmi = FMU_CALL(fmi_status)(status);
    fmi = fmi > worst ? worst : fmi;
    if (fmi != FMU_OK)
        fmu_say(f, fmi, "t = %.9g s: %s: %s", time,
                FMU_CALL(status_text)(status), FMU_CALL(where)(m));
    return fmi;
}

static int fmu_judge(Fmu *f, const FMU_MODEL *m, int status, double time)
{
    return fmu_judge_as(f, m, status, time, FMU_ERROR);
}

/* Initial values for what has been set so far, beside it. */
static int fmu_try(Fmu *f)
{
    if (f->is_tried)
        return f->tried;
    f->before = f->now;
    f->tried =
        fmu_judge(f, &f->before.m, FMU_CALL(start)(&f->before.m), FMU_BEGIN);
    f->is_tried = 1;
    return f->tried;
}

static int fmu_start(Fmu *f)
{
    int status = fmu_try(f);
    if (status >= FMU_DISCARD) {
        f->now.mode = FMU_FAILED;
        return FMU_ERROR;
    }
    f->now = f->before;
    f->now.mode = f->now.is_exchange ? FMU_EVENT
                  : FMU_SCHEDULED    ? FMU_TICKING
                                     : FMU_STEPPING;
    f->now.is_changed = 0;
    f->now.is_stale = f->now.is_exchange;
    f->now.last = FMU_BEGIN;
    return status;
}

/* ---- values ---- */

/* Row i as `type`, which it must have. */
static int fmu_is_row(Fmu *f, unsigned i, int type, const char *function)
{
    if (i < FMU_NVAR && fmu_row[i].type == type)
        return 1;
    fmu_say(f, FMU_ERROR, "%s: there is no such variable: value reference %u",
            function, i);
    return 0;
}

static double fmu_value(const FmuState *s, unsigned i)
{
    return i == 0 ? fmu_time(s) : (double)FMU_CALL(get)(&s->m, (int)i);
}

#if FMU_EXCHANGE
static int fmu_is_state(int row)
{
    int found = 0;
    for (int i = 0; i < FMU_NX; i++)
        found |= fmu_state[i] == row;
    return found;
}

/* Values follow from what was set. */
static int fmu_refresh(Fmu *f)
{
    if (!f->now.is_stale || f->now.mode == FMU_FAILED)
        return FMU_OK;
    if (f->now.is_changed)
        FMU_CALL(update)(&f->now.m);
    f->now.is_changed = 0;
    int status = FMU_CALL(rates)(&f->now.m);
    f->now.is_stale = status < 0; /* a smaller step may help: */
    return fmu_judge_as(f, &f->now.m, status, fmu_time(&f->now), FMU_DISCARD);
}
#endif

/* The values to be read now; NULL: there are none. */
static const FmuState *fmu_shown(Fmu *f)
{
#if FMU_EXCHANGE
    if (f->now.is_exchange && f->now.mode & (FMU_EVENT | FMU_CONTINUOUS))
        return fmu_refresh(f) < FMU_DISCARD ? &f->now : NULL;
#endif
    if (f->now.mode != FMU_INITIALIZING)
        return &f->now;
    return fmu_try(f) < FMU_DISCARD ? &f->before : NULL;
}

static int fmu_can_set(Fmu *f, unsigned i, const char *function)
{
    int early = f->now.mode & (FMU_INSTANTIATED | FMU_INITIALIZING);
    if (f->now.mode == FMU_CONTINUOUS &&
        (fmu_row[i].access == FMU_PARAMETER || fmu_row[i].is_discrete)) {
        fmu_say(f, FMU_ERROR, "%s: '%s' cannot be set in continuous-time mode",
                function, FMU_CALL(name)((int)i));
        return 0;
    }
    if (fmu_row[i].access != FMU_READ && fmu_row[i].access != FMU_START)
        return 1;
    if (fmu_row[i].access == FMU_START && early)
        return 1;
#if FMU_EXCHANGE
    if (f->now.mode == FMU_CONTINUOUS && fmu_is_state((int)i))
        return 1;
#endif
    fmu_say(f, FMU_ERROR, "%s: '%s' cannot be set%s", function,
            FMU_CALL(name)((int)i),
            fmu_row[i].access == FMU_START ? " after the start" : "");
    return 0;
}

static const char *fmu_string(Fmu *f, unsigned i, const char *function)
{
    if (i >= FMU_NVAR && i < FMU_NVAR + FMU_NTEXT)
        return fmu_text[i - FMU_NVAR];
    fmu_say(f, FMU_ERROR, "%s: there is no String with the value reference %u",
            function, i);
    return NULL;
}

/* Texts are compiled in: one that is set has to be what it is. */
static int fmu_set_string(Fmu *f, unsigned i, const char *value,
                          const char *function)
{
    const char *is = fmu_string(f, i, function);
    if (is && value && strcmp(is, value) == 0)
        return FMU_OK;
    if (is)
        fmu_say(f, FMU_ERROR,
                "%s: '%.200s' is compiled in; another text needs an FMU made "
                "with it (takt build --set)",
                function, is);
    return FMU_ERROR;
}

/* An input whose derivative is an input too must not move without it. */
static void fmu_note_input(Fmu *f, int i, double value)
{
    f->now.given[i] = 1;
    for (int j = 0; j < FMU_NSLOPE; j++) {
        int k = fmu_slope_input[j];
        if (fmu_row[k].base != i || f->now.given[k])
            continue;
        double old = (double)FMU_CALL(get)(&f->now.m, i);
        if (f->now.mode &
                (FMU_STEPPING | FMU_EVENT | FMU_CONTINUOUS | FMU_TICKING) &&
            (value < old || value > old))
            f->now.lacking = k + 1;
    }
    if (f->now.lacking == i + 1)
        f->now.lacking = 0;
}

static int fmu_set(Fmu *f, unsigned i, double value, const char *function)
{
    if (!fmu_can_set(f, i, function))
        return FMU_ERROR;
    int is_late = f->now.mode & (FMU_EVENT | FMU_CONTINUOUS);
    int row =
        fmu_row[i].access == FMU_START && !is_late ? fmu_row[i].start : (int)i;
    if (fmu_row[i].access == FMU_INPUT)
        fmu_note_input(f, (int)i, value);
    if (FMU_CALL(set)(&f->now.m, row, value) != 0)
        return fmu_say(f, FMU_ERROR, "%s: %.17g is no value of '%s'", function,
                       value, FMU_CALL(name)((int)i));
    if (row != (int)i)
        FMU_CALL(set)(&f->now.m, (int)i, value);
    f->now.is_changed |= fmu_row[i].access != FMU_INPUT;
    f->now.is_stale = f->now.is_exchange;
    f->is_tried = 0;
    return FMU_OK;
}

/* ---- steps ---- */

/* How many steps `length` is, 0: no whole number of them. */
static double fmu_count(double length)
{
    double n = floor(length / FMU_STEP + 0.5);
    int fits = n >= 1 && n <= 4503599627370496.0 &&
               fabs(length / FMU_STEP - n) <= 1e-6;
    return fits ? n : 0;
}

/* Can a communication step of that length begin there? How many steps it is,
 * or 0. */
static double fmu_plan(Fmu *f, double from, double length)
{
    double now = fmu_time(&f->now), n = fmu_count(length);
    if (!(fabs(from - now) <= 0.5 * FMU_STEP)) {
        fmu_say(f, FMU_ERROR,
                "a communication step begins at %.17g s, but the FMU is at "
                "%.17g s",
                from, now);
        return 0;
    }
    if (n < 1) {
        fmu_say(f, FMU_ERROR,
                "the communication step of %.17g s is no whole number of "
                "internal steps of %.17g s",
                length, (double)FMU_STEP);
        return 0;
    }
    if (now + n * FMU_STEP > f->stop + 1e-6 * FMU_STEP) {
        fmu_say(f, FMU_ERROR, "the step leads beyond the stop time %.17g s",
                f->stop);
        return 0;
    }
    if (f->now.lacking > 0) {
        fmu_say(f, FMU_ERROR,
                "the model uses '%s': set it too where its input changes",
                FMU_CALL(name)(f->now.lacking - 1));
        return 0;
    }
    return n;
}

/* A communication step; *ended tells that the model ends its run. */
static int fmu_run(Fmu *f, double from, double length, int *ended)
{
    double n = fmu_plan(f, from, length);
    int worst = FMU_OK;
    *ended = 0;
    if (n < 1)
        return FMU_ERROR;
    f->before = f->now;
    if (f->now.is_changed)
        FMU_CALL(update)(&f->now.m);
    f->now.is_changed = 0;
    for (double k = 0; k < n && !*ended; k += 1) {
        int status = FMU_CALL(step)(&f->now.m);
        double time = fmu_time(&f->now);
        int fmi = fmu_judge(f, &f->now.m, status, time + FMU_STEP);
        if (status < 0) { /* the state of before the call */
            f->now = f->before;
            f->now.mode = FMU_FAILED;
            return FMU_ERROR;
        }
        worst = fmi > worst ? fmi : worst;
        f->now.steps += 1;
        *ended = FMU_HAS_ENDED(status);
    }
    if (*ended) {
        fmu_say(f, FMU_OK, "t = %.9g s: the model ends the run: %s",
                fmu_time(&f->now), FMU_CALL(where)(&f->now.m));
        f->now.mode = FMU_ENDED;
    }
    return worst;
}

/* ---- saved states ---- */

typedef struct FmuSaved {
    char token[sizeof FMU_TOKEN];
    unsigned sum; /* of the bytes of the state */
    FmuState state;
} FmuSaved;

/* FNV-1a. */
static unsigned fmu_sum(const FmuState *s)
{
    const unsigned char *byte = (const unsigned char *)s;
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < sizeof *s; i++)
        sum = (sum ^ byte[i]) * 16777619u;
    return sum;
}

static int fmu_save(Fmu *f, FmuSaved **saved)
{
    if (FMU_ONCE)
        return fmu_say(f, FMU_ERROR,
                       "external functions of the model remember their calls: "
                       "states cannot be saved");
    if (!*saved)
        *saved = calloc(1, sizeof **saved);
    if (!*saved)
        return fmu_say(f, FMU_ERROR, "no memory for a saved state");
    memcpy((*saved)->token, FMU_TOKEN, sizeof FMU_TOKEN);
    (*saved)->state = f->now;
    return FMU_OK;
}

static int fmu_restore(Fmu *f, const FmuSaved *saved)
{
    if (!saved || memcmp(saved->token, FMU_TOKEN, sizeof FMU_TOKEN) != 0)
        return fmu_say(f, FMU_ERROR, "this is no state of this FMU");
    if (saved->state.is_exchange != f->now.is_exchange)
        return fmu_say(f, FMU_ERROR,
                       "this is a state of an instance of another kind");
    f->now = saved->state;
    f->is_tried = 0;
    return FMU_OK;
}

static int fmu_serialize(Fmu *f, const FmuSaved *saved, unsigned char *bytes,
                         size_t size)
{
    if (!saved || !bytes || size < sizeof *saved)
        return fmu_say(f, FMU_ERROR, "a state needs %u bytes",
                       (unsigned)sizeof *saved);
    unsigned sum = fmu_sum(&saved->state);
    memcpy(bytes, saved, sizeof *saved);
    memcpy(bytes + offsetof(FmuSaved, sum), &sum, sizeof sum);
    return FMU_OK;
}

static int fmu_deserialize(Fmu *f, const unsigned char *bytes, size_t size,
                           FmuSaved **saved)
{
    if (!bytes || size != sizeof **saved ||
        memcmp(bytes, FMU_TOKEN, sizeof FMU_TOKEN) != 0)
        return fmu_say(f, FMU_ERROR, "these bytes are no state of this FMU");
    FmuSaved *to = *saved ? *saved : calloc(1, sizeof **saved);
    if (!to)
        return fmu_say(f, FMU_ERROR, "no memory for a saved state");
    memcpy(to, bytes, size);
    if (fmu_sum(&to->state) == to->sum) {
        *saved = to;
        return FMU_OK;
    }
    memset(to, 0, sizeof *to); /* no state any more */
    if (!*saved)
        free(to);
    return fmu_say(f, FMU_ERROR,
                   "these bytes are not what was made of a state");
}
