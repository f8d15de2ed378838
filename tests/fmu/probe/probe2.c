/* probe2.c - an FMU of FMI 2.0 for model exchange, written by hand, with what
 * takt's own FMUs do not have or not together: state events, time events, step
 * events, discrete inputs and outputs, a stiff state, an unstable end.
 *
 *   der(h) = v, der(v) = -g            ball: v := -0.7 v where it hits 0
 *   der(T) = k (u - T)                 stiff: k = 1000
 *   n counts time events, every 0.25 s; asked counts the events it asked for
 *   after a step, each time v changed by more than 1 since the last
 *   y = 2 T + u; on_out = on and count_in > 2
 *
 * PROBE_NO_STATE: it cannot save its state. After t = 0.5: PROBE_BREAKS: f
 * fails; PROBE_NAN: it is no number, and fine; PROBE_CRASHES: so does the
 * program; PROBE_EXITS: it ends.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "takt_fmi2.h"

enum { H, V, T, DH, DV, DT, G, K, U, Y, NREAL }; /* value references */
enum { COUNT, ASKED, COUNT_IN, NINT };
enum { ON, ON_OUT, NBOOL };

typedef struct {
    double r[NREAL], t, next, v_last, c;
    int i[NINT], b[NBOOL];
    int above; /* the ball */
    const fmi2CallbackFunctions *call;
} Probe;

#define E FMI2_Export

E const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

E const char *fmi2GetVersion(void)
{
    return "2.0";
}

static void start(Probe *p)
{
    const fmi2CallbackFunctions *call = p->call;
    memset(p, 0, sizeof *p);
    p->call = call;
    p->r[H] = 1;
    p->r[G] = 9.81;
    p->r[K] = 1000;
    p->next = 0.25;
    p->above = 1;
}

E fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                fmi2String where,
                                const fmi2CallbackFunctions *call,
                                fmi2Boolean visible, fmi2Boolean logging)
{
    (void)name, (void)where, (void)visible, (void)logging;
    if (type != fmi2ModelExchange || strcmp(guid, "{probe-2}") != 0)
        return 0;
    Probe *p = call->allocateMemory(1, sizeof *p);
    if (p) {
        p->call = call;
        start(p);
    }
    return p;
}

E void fmi2FreeInstance(fmi2Component c)
{
    if (c)
        ((Probe *)c)->call->freeMemory(c);
}

E fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                 fmi2Real tolerance, fmi2Real t,
                                 fmi2Boolean has_stop, fmi2Real stop)
{
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    ((Probe *)c)->t = t;
    return fmi2OK;
}

E fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

static void outputs(Probe *p)
{
    p->b[ON_OUT] = p->b[ON] && p->i[COUNT_IN] > 2;
}

E fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    Probe *p = c;
    p->v_last = p->r[V];
    outputs(p);
    return fmi2OK;
}

E fmi2Status fmi2Reset(fmi2Component c)
{
    start(c);
    return fmi2OK;
}

E fmi2Status fmi2Terminate(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

static void compute(Probe *p)
{
    p->r[DH] = p->r[V];
    p->r[DV] = -p->r[G];
    p->r[DT] = p->r[K] * (p->r[U] - p->r[T]);
    p->r[Y] = 2 * p->r[T] + p->r[U];
}

#define ACCESS(Type, member, count)                                            \
    E fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference *ref, \
                               size_t n, fmi2##Type *to)                       \
    {                                                                          \
        Probe *p = c;                                                          \
        compute(p);                                                            \
        for (size_t i = 0; i < n; i++) {                                       \
            if (ref[i] >= count)                                               \
                return fmi2Error;                                              \
            to[i] = p->member[ref[i]];                                         \
        }                                                                      \
        return fmi2OK;                                                         \
    }                                                                          \
    E fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference *ref, \
                               size_t n, const fmi2##Type *from)               \
    {                                                                          \
        Probe *p = c;                                                          \
        for (size_t i = 0; i < n; i++) {                                       \
            if (ref[i] >= count)                                               \
                return fmi2Error;                                              \
            p->member[ref[i]] = from[i];                                       \
        }                                                                      \
        return fmi2OK;                                                         \
    }
ACCESS(Real, r, NREAL)
ACCESS(Integer, i, NINT)
ACCESS(Boolean, b, NBOOL)

#ifndef PROBE_NO_STATE
E fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *s)
{
    if (!*s)
        *s = malloc(sizeof(Probe));
    if (!*s)
        return fmi2Error;
    memcpy(*s, c, sizeof(Probe));
    return fmi2OK;
}

E fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s)
{
    memcpy(c, s, sizeof(Probe));
    return fmi2OK;
}

E fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *s)
{
    (void)c;
    free(*s);
    *s = 0;
    return fmi2OK;
}
#endif

E fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

E fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    Probe *p = c;
    memset(info, 0, sizeof *info);
    if (p->r[H] <= 0 && p->r[V] < 0) {
        p->r[H] = 0;
        p->r[V] = -0.7 * p->r[V];
        info->valuesOfContinuousStatesChanged = fmi2True;
    }
    if (p->t >= p->next - 1e-12) {
        p->i[COUNT]++;
        p->next += 0.25;
        info->newDiscreteStatesNeeded = fmi2True;
    }
    if (p->r[V] - p->v_last > 1 || p->v_last - p->r[V] > 1) {
        p->i[ASKED]++;
        p->v_last = p->r[V];
    }
    outputs(p);
    info->nextEventTimeDefined = fmi2True;
    info->nextEventTime = p->next;
    return fmi2OK;
}

E fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

E fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return,
                                         fmi2Boolean *enter, fmi2Boolean *ends)
{
    Probe *p = c;
    (void)no_return;
    *enter = p->r[V] - p->v_last > 1 || p->v_last - p->r[V] > 1;
    *ends = fmi2False;
    return fmi2OK;
}

E fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t)
{
    ((Probe *)c)->t = t;
    return fmi2OK;
}

E fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real *x,
                                     size_t n)
{
    if (n != 3)
        return fmi2Error;
    memcpy(((Probe *)c)->r, x, 3 * sizeof *x);
    return fmi2OK;
}

E fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real *x, size_t n)
{
    if (n != 3)
        return fmi2Error;
    memcpy(x, ((Probe *)c)->r, 3 * sizeof *x);
    return fmi2OK;
}

E fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real *dx, size_t n)
{
    Probe *p = c;
#ifdef PROBE_BREAKS
    if (p->t > 0.5) {
        p->call->logger(0, "probe", fmi2Error, "logStatusError",
                        "no more of %s after %g s", "this", 0.5);
        return fmi2Error;
    }
#endif
#ifdef PROBE_CRASHES
    if (p->t > 0.5)
        raise(SIGSEGV);
#endif
#ifdef PROBE_EXITS
    if (p->t > 0.5)
        exit(0);
#endif
    compute(p);
    memcpy(dx, p->r + DH, 3 * sizeof *dx);
#ifdef PROBE_NAN
    if (p->t > 0.5)
        dx[2] = (fmi2Real)strtod("nan", 0);
#endif
    return n == 3 ? fmi2OK : fmi2Error;
}

E fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real *z, size_t n)
{
    z[0] = ((Probe *)c)->r[H];
    return n == 1 ? fmi2OK : fmi2Error;
}

/* Only the stiff part depends on something in a way that matters. */
E fmi2Status fmi2GetDirectionalDerivative(fmi2Component c,
                                          const fmi2ValueReference *unknown,
                                          size_t nunknown,
                                          const fmi2ValueReference *known,
                                          size_t nknown, const fmi2Real *seed,
                                          fmi2Real *to)
{
    Probe *p = c;
    for (size_t i = 0; i < nunknown; i++) {
        to[i] = 0;
        for (size_t k = 0; k < nknown; k++) {
            double d = unknown[i] == DH && known[k] == V   ? 1
                       : unknown[i] == DT && known[k] == T ? -p->r[K]
                       : unknown[i] == DT && known[k] == U ? p->r[K]
                       : unknown[i] == Y && known[k] == T  ? 2
                       : unknown[i] == Y && known[k] == U  ? 1
                                                           : 0;
            to[i] += d * seed[k];
        }
    }
    return fmi2OK;
}
