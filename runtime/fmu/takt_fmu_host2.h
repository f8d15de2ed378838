/* takt_fmu_host2.h - an FMU of FMI 2.0 for takt_fmu_host.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_HOST2_H
#define TAKT_FMU_HOST2_H

#include <stdarg.h>

#define TAKT_FMI2_EACH(F)                                                      \
    F(Instantiate, fmi2Component,                                              \
      (fmi2String, fmi2Type, fmi2String, fmi2String,                           \
       const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean))               \
    F(FreeInstance, void, (fmi2Component))                                     \
    F(SetupExperiment, fmi2Status,                                             \
      (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real)) \
    F(EnterInitializationMode, fmi2Status, (fmi2Component))                    \
    F(ExitInitializationMode, fmi2Status, (fmi2Component))                     \
    F(Reset, fmi2Status, (fmi2Component))                                      \
    F(GetReal, fmi2Status,                                                     \
      (fmi2Component, const fmi2ValueReference *, size_t, fmi2Real *))         \
    F(GetInteger, fmi2Status,                                                  \
      (fmi2Component, const fmi2ValueReference *, size_t, fmi2Integer *))      \
    F(GetBoolean, fmi2Status,                                                  \
      (fmi2Component, const fmi2ValueReference *, size_t, fmi2Boolean *))      \
    F(SetReal, fmi2Status,                                                     \
      (fmi2Component, const fmi2ValueReference *, size_t, const fmi2Real *))   \
    F(SetInteger, fmi2Status,                                                  \
      (fmi2Component, const fmi2ValueReference *, size_t,                      \
       const fmi2Integer *))                                                   \
    F(SetBoolean, fmi2Status,                                                  \
      (fmi2Component, const fmi2ValueReference *, size_t,                      \
       const fmi2Boolean *))

/* What an FMU need not have. */
#define TAKT_FMI2_MAY(F)                                                       \
    F(GetFMUstate, fmi2Status, (fmi2Component, fmi2FMUstate *))                \
    F(SetFMUstate, fmi2Status, (fmi2Component, fmi2FMUstate))                  \
    F(FreeFMUstate, fmi2Status, (fmi2Component, fmi2FMUstate *))               \
    F(GetDirectionalDerivative, fmi2Status,                                    \
      (fmi2Component, const fmi2ValueReference *, size_t,                      \
       const fmi2ValueReference *, size_t, const fmi2Real *, fmi2Real *))

#define TAKT_FMI2_EXCHANGE(F)                                                  \
    F(EnterEventMode, fmi2Status, (fmi2Component))                             \
    F(NewDiscreteStates, fmi2Status, (fmi2Component, fmi2EventInfo *))         \
    F(EnterContinuousTimeMode, fmi2Status, (fmi2Component))                    \
    F(CompletedIntegratorStep, fmi2Status,                                     \
      (fmi2Component, fmi2Boolean, fmi2Boolean *, fmi2Boolean *))              \
    F(SetTime, fmi2Status, (fmi2Component, fmi2Real))                          \
    F(SetContinuousStates, fmi2Status,                                         \
      (fmi2Component, const fmi2Real *, size_t))                               \
    F(GetDerivatives, fmi2Status, (fmi2Component, fmi2Real *, size_t))         \
    F(GetEventIndicators, fmi2Status, (fmi2Component, fmi2Real *, size_t))     \
    F(GetContinuousStates, fmi2Status, (fmi2Component, fmi2Real *, size_t))

#define TAKT_FMI2_BLOCK(F)                                                     \
    F(DoStep, fmi2Status, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))    \
    F(GetBooleanStatus, fmi2Status,                                            \
      (fmi2Component, const fmi2StatusKind, fmi2Boolean *))

typedef struct {
#define TAKT_FMI2_MEMBER(name, result, args) result(*name) args;
    TAKT_FMI2_EACH(TAKT_FMI2_MEMBER)
    TAKT_FMI2_MAY(TAKT_FMI2_MEMBER)
    TAKT_FMI2_EXCHANGE(TAKT_FMI2_MEMBER)
    TAKT_FMI2_BLOCK(TAKT_FMI2_MEMBER)
#undef TAKT_FMI2_MEMBER
    fmi2CallbackFunctions back;
} TaktFmi2;

#define TAKT_FMI2_FINE(call) ((call) <= fmi2Warning)

static TaktFmi2 *takt_fmi2(TaktFmu *f)
{
    return (TaktFmi2 *)f->fn;
}

static void takt_fmi2_log(fmi2ComponentEnvironment env, fmi2String name,
                          fmi2Status status, fmi2String category,
                          fmi2String format, ...)
{
    char text[900];
    va_list args;
    (void)env, (void)category;
    va_start(args, format);
    vsnprintf(text, sizeof text, format ? format : "", args);
    va_end(args);
    if (status != fmi2OK)
        takt_fmu_say(status <= fmi2Discard ? 1 : 2, name ? name : "FMU", text);
}

static int takt_fmi2_load(TaktFmu *f)
{
    TaktFmi2 *c = (TaktFmi2 *)calloc(1, sizeof *c);
    int missing = 0;
    f->fn = c;
    if (!c)
        return 0;
#if defined(TAKT_FMU_LINKED) && TAKT_FMU_LINKED_VERSION != 2
    (void)missing; /* there is none of this version */
    return 0;
#else
#ifdef TAKT_FMU_LINKED
#define TAKT_FMI2_FIND(name, result, args)                                     \
    {                                                                          \
        extern void TAKT_FMU_LINKED(fmi2##name)(void);                         \
        void (*at)(void) = TAKT_FMU_LINKED(fmi2##name);                        \
        memcpy(&c->name, &at, sizeof at);                                      \
    }
#else
    f->library = dlopen(f->is->binary, RTLD_NOW | RTLD_LOCAL);
    if (!f->library) {
        const char *why = dlerror();
        takt_fmu_say(2, f->is->name, why ? why : "no binary");
        return 0;
    }
#define TAKT_FMI2_FIND(name, result, args)                                     \
    {                                                                          \
        void *at = dlsym(f->library, "fmi2" #name);                            \
        memcpy(&c->name, &at, sizeof at);                                      \
        missing += !at;                                                        \
    }
#endif
    TAKT_FMI2_MAY(TAKT_FMI2_FIND)
    missing = 0;
    TAKT_FMI2_EACH(TAKT_FMI2_FIND)
    if (f->is->is_block) {
        TAKT_FMI2_BLOCK(TAKT_FMI2_FIND)
    } else {
        TAKT_FMI2_EXCHANGE(TAKT_FMI2_FIND)
    }
#undef TAKT_FMI2_FIND
    return !missing;
#endif
}

static int takt_fmi2_instantiate(TaktFmu *f)
{
    TaktFmi2 *c = takt_fmi2(f);
    fmi2CallbackFunctions back = {takt_fmi2_log, calloc, free, 0, 0};
    memcpy(&c->back, &back, sizeof back);
    f->instance = c->Instantiate(
        f->is->name, f->is->is_block ? fmi2CoSimulation : fmi2ModelExchange,
        f->is->token, f->is->resources, &c->back, fmi2False, fmi2False);
    return f->instance != 0;
}

static void takt_fmi2_free(TaktFmu *f)
{
    takt_fmi2(f)->FreeInstance(f->instance);
}

static int takt_fmi2_reset(TaktFmu *f)
{
    return TAKT_FMI2_FINE(takt_fmi2(f)->Reset(f->instance));
}

static int takt_fmi2_set(TaktFmu *f, const TaktFmuVar *v, int n,
                         const double *a)
{
    const TaktFmi2 *c = takt_fmi2(f);
    int fine = 1;
    for (int i = 0; i < n && fine; i++) {
        int whole = (int)a[i];
        if (v[i].type == TAKT_FMU_FLOAT64)
            fine = TAKT_FMI2_FINE(c->SetReal(f->instance, &v[i].ref, 1, &a[i]));
        else if (v[i].type == TAKT_FMU_BOOLEAN)
            fine = TAKT_FMI2_FINE(
                c->SetBoolean(f->instance, &v[i].ref, 1, &whole));
        else
            fine = TAKT_FMI2_FINE(
                c->SetInteger(f->instance, &v[i].ref, 1, &whole));
    }
    return fine;
}

static int takt_fmi2_get(TaktFmu *f, const TaktFmuVar *v, int n, double *y)
{
    const TaktFmi2 *c = takt_fmi2(f);
    int fine = 1;
    for (int i = 0, j; i < n && fine; i = j) {
        int whole = 0;
        for (j = i; j < n && v[j].type == TAKT_FMU_FLOAT64; j++)
            f->refs[j - i] = v[j].ref;
        if (j > i) { /* as many as there are */
            fine = TAKT_FMI2_FINE(
                c->GetReal(f->instance, f->refs, (size_t)(j - i), &y[i]));
            continue;
        }
        fine = TAKT_FMI2_FINE(
            v[i].type == TAKT_FMU_BOOLEAN
                ? c->GetBoolean(f->instance, &v[i].ref, 1, &whole)
                : c->GetInteger(f->instance, &v[i].ref, 1, &whole));
        y[i] = v[i].type == TAKT_FMU_BOOLEAN ? whole != 0 : whole;
        j = i + 1;
    }
    return fine;
}

static int takt_fmi2_initialize(TaktFmu *f, double t, const double *a)
{
    const TaktFmi2 *c = takt_fmi2(f);
    const TaktFmuIs *is = f->is;
    fmi2Component m = f->instance;
    int fine =
        TAKT_FMI2_FINE(c->SetupExperiment(m, fmi2False, 0, t, fmi2False, 0));
    for (int i = 0; i < is->nset && fine; i++)
        if (is->set[i].when == 1 || a[i] != is->usual[i])
            fine = takt_fmi2_set(f, &is->set[i], 1, &a[i]);
    fine = fine && TAKT_FMI2_FINE(c->EnterInitializationMode(m));
    for (int i = 0; i < is->nset && fine; i++)
        if (is->set[i].when == 1)
            fine = takt_fmi2_set(f, &is->set[i], 1, &a[i]);
    return fine && TAKT_FMI2_FINE(c->ExitInitializationMode(m));
}

static int takt_fmi2_update(TaktFmu *f, TaktFmuEvent *e)
{
    const TaktFmi2 *c = takt_fmi2(f);
    fmi2EventInfo info;
    memset(&info, 0, sizeof info);
    info.newDiscreteStatesNeeded = fmi2True;
    for (int i = 0; info.newDiscreteStatesNeeded; i++) {
        if (i == 1000 ||
            !TAKT_FMI2_FINE(c->NewDiscreteStates(f->instance, &info)))
            return 0;
        e->ends |= info.terminateSimulation != 0;
        if (e->ends)
            break;
    }
    e->has_next = info.nextEventTimeDefined;
    e->next = info.nextEventTime;
    return TAKT_FMI2_FINE(c->EnterContinuousTimeMode(f->instance));
}

static int takt_fmi2_enter_event(TaktFmu *f)
{
    return TAKT_FMI2_FINE(takt_fmi2(f)->EnterEventMode(f->instance));
}

static int takt_fmi2_completed(TaktFmu *f, int *asks)
{
    fmi2Boolean enter = fmi2False, ends = fmi2False;
    fmi2Status s = takt_fmi2(f)->CompletedIntegratorStep(f->instance, fmi2True,
                                                         &enter, &ends);
    if (s == fmi2Warning)
        takt_fmu_doubt(f);
    *asks = enter != 0 || ends != 0;
    return TAKT_FMI2_FINE(s);
}

static int takt_fmi2_set_time(TaktFmu *f, double t)
{
    return TAKT_FMI2_FINE(takt_fmi2(f)->SetTime(f->instance, t));
}

static int takt_fmi2_set_states(TaktFmu *f, const double *x)
{
    return TAKT_FMI2_FINE(
        takt_fmi2(f)->SetContinuousStates(f->instance, x, (size_t)f->is->nx));
}

static int takt_fmi2_get_states(TaktFmu *f, double *x)
{
    return TAKT_FMI2_FINE(
        takt_fmi2(f)->GetContinuousStates(f->instance, x, (size_t)f->is->nx));
}

static int takt_fmi2_get_slopes(TaktFmu *f, double *dx)
{
    return TAKT_FMI2_FINE(
        takt_fmi2(f)->GetDerivatives(f->instance, dx, (size_t)f->is->nx));
}

static int takt_fmi2_get_indicators(TaktFmu *f, double *z)
{
    return TAKT_FMI2_FINE(
        takt_fmi2(f)->GetEventIndicators(f->instance, z, (size_t)f->is->nz));
}

static int takt_fmi2_save(TaktFmu *f, void **state)
{
    return TAKT_FMI2_FINE(takt_fmi2(f)->GetFMUstate(f->instance, state));
}

static int takt_fmi2_restore(TaktFmu *f, void *state)
{
    return TAKT_FMI2_FINE(takt_fmi2(f)->SetFMUstate(f->instance, state));
}

static void takt_fmi2_forget(TaktFmu *f, void **state)
{
    (void)takt_fmi2(f)->FreeFMUstate(f->instance, state);
}

static int takt_fmi2_directional(TaktFmu *f, const TaktFmuMap *m,
                                 const double *seed, double *y)
{
    const TaktFmuIs *is = f->is;
    unsigned *known = f->refs, *unknown = known + is->room;
    double *by = f->room + is->room;
    int n = 0;
    for (int i = 0; i < is->nx + is->nu; i++)
        if (seed[i] != 0) {
            known[n] = i < is->nx ? is->x[i].ref : is->u[i - is->nx].ref;
            by[n++] = seed[i];
        }
    for (int i = 0; i < m->nvar; i++)
        unknown[i] = m->row[i].ref;
    return TAKT_FMI2_FINE(takt_fmi2(f)->GetDirectionalDerivative(
        f->instance, unknown, (size_t)m->nvar, known, (size_t)n, by, y));
}

static int takt_fmi2_do_step(TaktFmu *f, double t, double h, int *ends)
{
    const TaktFmi2 *c = takt_fmi2(f);
    fmi2Status s = c->DoStep(f->instance, t, h, fmi2True);
    fmi2Boolean over = fmi2False;
    if (s == fmi2Warning)
        takt_fmu_doubt(f);
    if (s == fmi2Discard &&
        TAKT_FMI2_FINE(c->GetBooleanStatus(f->instance, fmi2Terminated, &over)))
        *ends = over != 0;
    return s <= fmi2Warning || *ends;
}

static const TaktFmuCalls takt_fmu_calls2 = {
    takt_fmi2_load,           takt_fmi2_instantiate, takt_fmi2_free,
    takt_fmi2_reset,          takt_fmi2_initialize,  takt_fmi2_update,
    takt_fmi2_enter_event,    takt_fmi2_completed,   takt_fmi2_set_time,
    takt_fmi2_set_states,     takt_fmi2_get_states,  takt_fmi2_get_slopes,
    takt_fmi2_get_indicators, takt_fmi2_set,         takt_fmi2_get,
    takt_fmi2_save,           takt_fmi2_restore,     takt_fmi2_forget,
    takt_fmi2_directional,    takt_fmi2_do_step};

#endif
