/* takt_fmu_host3.h - an FMU of FMI 3.0 for takt_fmu_host.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_HOST3_H
#define TAKT_FMU_HOST3_H

/* Types of numbers: name in FMI, number in takt_fmu_table.h. */
#define TAKT_FMI3_TYPES(T)                                                     \
    T(Float64, TAKT_FMU_FLOAT64)                                               \
    T(Float32, TAKT_FMU_FLOAT32)                                               \
    T(Int8, TAKT_FMU_INT8)                                                     \
    T(UInt8, TAKT_FMU_UINT8)                                                   \
    T(Int16, TAKT_FMU_INT16)                                                   \
    T(UInt16, TAKT_FMU_UINT16)                                                 \
    T(Int32, TAKT_FMU_INT32)                                                   \
    T(UInt32, TAKT_FMU_UINT32)                                                 \
    T(Int64, TAKT_FMU_INT64)                                                   \
    T(UInt64, TAKT_FMU_UINT64)                                                 \
    T(Boolean, TAKT_FMU_BOOLEAN)

#define TAKT_FMI3_EACH(F)                                                      \
    F(FreeInstance, void, (fmi3Instance))                                      \
    F(EnterInitializationMode, fmi3Status,                                     \
      (fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,       \
       fmi3Float64))                                                           \
    F(ExitInitializationMode, fmi3Status, (fmi3Instance))                      \
    F(Reset, fmi3Status, (fmi3Instance))

/* What an FMU need not have. */
#define TAKT_FMI3_MAY(F)                                                       \
    F(EnterConfigurationMode, fmi3Status, (fmi3Instance))                      \
    F(ExitConfigurationMode, fmi3Status, (fmi3Instance))                       \
    F(GetFMUState, fmi3Status, (fmi3Instance, fmi3FMUState *))                 \
    F(SetFMUState, fmi3Status, (fmi3Instance, fmi3FMUState))                   \
    F(FreeFMUState, fmi3Status, (fmi3Instance, fmi3FMUState *))                \
    F(GetDirectionalDerivative, fmi3Status,                                    \
      (fmi3Instance, const fmi3ValueReference *, size_t,                       \
       const fmi3ValueReference *, size_t, const fmi3Float64 *, size_t,        \
       fmi3Float64 *, size_t))

#define TAKT_FMI3_EXCHANGE(F)                                                  \
    F(InstantiateModelExchange, fmi3Instance,                                  \
      (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,           \
       fmi3InstanceEnvironment, fmi3LogMessageCallback))                       \
    F(EnterEventMode, fmi3Status, (fmi3Instance))                              \
    F(UpdateDiscreteStates, fmi3Status,                                        \
      (fmi3Instance, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,              \
       fmi3Boolean *, fmi3Boolean *, fmi3Float64 *))                           \
    F(EnterContinuousTimeMode, fmi3Status, (fmi3Instance))                     \
    F(CompletedIntegratorStep, fmi3Status,                                     \
      (fmi3Instance, fmi3Boolean, fmi3Boolean *, fmi3Boolean *))               \
    F(SetTime, fmi3Status, (fmi3Instance, fmi3Float64))                        \
    F(SetContinuousStates, fmi3Status,                                         \
      (fmi3Instance, const fmi3Float64 *, size_t))                             \
    F(GetContinuousStateDerivatives, fmi3Status,                               \
      (fmi3Instance, fmi3Float64 *, size_t))                                   \
    F(GetEventIndicators, fmi3Status, (fmi3Instance, fmi3Float64 *, size_t))   \
    F(GetContinuousStates, fmi3Status, (fmi3Instance, fmi3Float64 *, size_t))  \
    F(GetNumberOfContinuousStates, fmi3Status, (fmi3Instance, size_t *))       \
    F(GetNumberOfEventIndicators, fmi3Status, (fmi3Instance, size_t *))

#define TAKT_FMI3_BLOCK(F)                                                     \
    F(InstantiateCoSimulation, fmi3Instance,                                   \
      (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,           \
       fmi3Boolean, fmi3Boolean, const fmi3ValueReference *, size_t,           \
       fmi3InstanceEnvironment, fmi3LogMessageCallback,                        \
       fmi3IntermediateUpdateCallback))                                        \
    F(DoStep, fmi3Status,                                                      \
      (fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *,     \
       fmi3Boolean *, fmi3Boolean *, fmi3Float64 *))

typedef struct {
#define TAKT_FMI3_MEMBER(name, result, args) result(*name) args;
    TAKT_FMI3_EACH(TAKT_FMI3_MEMBER)
    TAKT_FMI3_MAY(TAKT_FMI3_MEMBER)
    TAKT_FMI3_EXCHANGE(TAKT_FMI3_MEMBER)
    TAKT_FMI3_BLOCK(TAKT_FMI3_MEMBER)
#undef TAKT_FMI3_MEMBER
#define TAKT_FMI3_MEMBER(name, number)                                         \
    fmi3Status (*Get##name)(fmi3Instance, const fmi3ValueReference *, size_t,  \
                            fmi3##name *, size_t);                             \
    fmi3Status (*Set##name)(fmi3Instance, const fmi3ValueReference *, size_t,  \
                            const fmi3##name *, size_t);
    TAKT_FMI3_TYPES(TAKT_FMI3_MEMBER)
#undef TAKT_FMI3_MEMBER
} TaktFmi3;

#define TAKT_FMI3_FINE(call) ((call) <= fmi3Warning)

static TaktFmi3 *takt_fmi3(TaktFmu *f)
{
    return (TaktFmi3 *)f->fn;
}

static void takt_fmi3_log(fmi3InstanceEnvironment env, fmi3Status status,
                          fmi3String category, fmi3String message)
{
    const TaktFmu *f = (const TaktFmu *)env;
    (void)category;
    if (status != fmi3OK)
        takt_fmu_say(status <= fmi3Discard ? 1 : 2, f->is->name,
                     message ? message : "");
}

static int takt_fmi3_load(TaktFmu *f)
{
    TaktFmi3 *c = (TaktFmi3 *)calloc(1, sizeof *c);
    int missing = 0;
    f->fn = c;
    if (!c)
        return 0;
#if defined(TAKT_FMU_LINKED) && TAKT_FMU_LINKED_VERSION != 3
    (void)missing; /* there is none of this version */
    return 0;
#else
#ifdef TAKT_FMU_LINKED
#define TAKT_FMI3_FIND(name, result, args)                                     \
    {                                                                          \
        extern void TAKT_FMU_LINKED(fmi3##name)(void);                         \
        void (*at)(void) = TAKT_FMU_LINKED(fmi3##name);                        \
        memcpy(&c->name, &at, sizeof at);                                      \
    }
#else
    f->library = dlopen(f->is->binary, RTLD_NOW | RTLD_LOCAL);
    if (!f->library) {
        const char *why = dlerror();
        takt_fmu_say(2, f->is->name, why ? why : "no binary");
        return 0;
    }
#define TAKT_FMI3_FIND(name, result, args)                                     \
    {                                                                          \
        void *at = dlsym(f->library, "fmi3" #name);                            \
        memcpy(&c->name, &at, sizeof at);                                      \
        missing += !at;                                                        \
    }
#endif
#define TAKT_FMI3_FIND2(name, number)                                          \
    TAKT_FMI3_FIND(Get##name, , )                                              \
    TAKT_FMI3_FIND(Set##name, , )
    TAKT_FMI3_TYPES(TAKT_FMI3_FIND2)
#undef TAKT_FMI3_FIND2
    TAKT_FMI3_MAY(TAKT_FMI3_FIND)
    missing = 0;
    TAKT_FMI3_EACH(TAKT_FMI3_FIND)
    if (f->is->is_block) {
        TAKT_FMI3_BLOCK(TAKT_FMI3_FIND)
    } else {
        TAKT_FMI3_EXCHANGE(TAKT_FMI3_FIND)
    }
#undef TAKT_FMI3_FIND
    return !missing;
#endif
}

static int takt_fmi3_instantiate(TaktFmu *f)
{
    TaktFmi3 *c = takt_fmi3(f);
    const TaktFmuIs *is = f->is;
    f->instance =
        is->is_block
            ? c->InstantiateCoSimulation(is->name, is->token, is->resources,
                                         false, false, false, false, 0, 0, f,
                                         takt_fmi3_log, 0)
            : c->InstantiateModelExchange(is->name, is->token, is->resources,
                                          false, false, f, takt_fmi3_log);
    return f->instance != 0;
}

static void takt_fmi3_free(TaktFmu *f)
{
    takt_fmi3(f)->FreeInstance(f->instance);
}

static int takt_fmi3_reset(TaktFmu *f)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->Reset(f->instance));
}

/* One variable, as its own type. */
static int takt_fmi3_set1(TaktFmu *f, const TaktFmuVar *v, const double *a)
{
    const TaktFmi3 *c = takt_fmi3(f);
    double *room = f->room + 3 * (size_t)f->is->room;
    size_t n = (size_t)v->n;
    switch (v->type == TAKT_FMU_ENUMERATION ? TAKT_FMU_INT64 : v->type) {
#define TAKT_FMI3_SET(name, number)                                            \
    case number: {                                                             \
        fmi3##name *to = (fmi3##name *)(void *)room;                           \
        for (size_t k = 0; k < n; k++)                                         \
            to[k] = (fmi3##name)a[k];                                          \
        return c->Set##name &&                                                 \
               TAKT_FMI3_FINE(c->Set##name(f->instance, &v->ref, 1, to, n));   \
    }
        TAKT_FMI3_TYPES(TAKT_FMI3_SET)
#undef TAKT_FMI3_SET
    default: return 0;
    }
}

static int takt_fmi3_get1(TaktFmu *f, const TaktFmuVar *v, double *y)
{
    const TaktFmi3 *c = takt_fmi3(f);
    double *room = f->room + 3 * (size_t)f->is->room;
    size_t n = (size_t)v->n;
    switch (v->type == TAKT_FMU_ENUMERATION ? TAKT_FMU_INT64 : v->type) {
#define TAKT_FMI3_GET(name, number)                                            \
    case number: {                                                             \
        fmi3##name *from = (fmi3##name *)(void *)room;                         \
        if (!c->Get##name ||                                                   \
            !TAKT_FMI3_FINE(c->Get##name(f->instance, &v->ref, 1, from, n)))   \
            return 0;                                                          \
        for (size_t k = 0; k < n; k++)                                         \
            y[k] = (double)from[k];                                            \
        return 1;                                                              \
    }
        TAKT_FMI3_TYPES(TAKT_FMI3_GET)
#undef TAKT_FMI3_GET
    default: return 0;
    }
}

static int takt_fmi3_set(TaktFmu *f, const TaktFmuVar *v, int n,
                         const double *a)
{
    int fine = 1;
    for (int i = 0; i < n && fine; a += v[i++].n)
        fine = v[i].n == 0 || takt_fmi3_set1(f, &v[i], a);
    return fine;
}

static int takt_fmi3_get(TaktFmu *f, const TaktFmuVar *v, int n, double *y)
{
    int fine = 1;
    for (int i = 0; i < n && fine; y += v[i++].n)
        fine = v[i].n == 0 || takt_fmi3_get1(f, &v[i], y);
    return fine;
}

/* Inputs, and what is not as the FMU has it by itself. */
static int takt_fmi3_is_set(const TaktFmuIs *is, int i, int at, const double *a)
{
    int differs = is->set[i].when == 1;
    for (int k = 0; k < is->set[i].n && !differs; k++)
        differs = a[at + k] != is->usual[at + k];
    return differs && is->set[i].n > 0;
}

/* Those of them that are set at this time: see TaktFmuVar. */
static int takt_fmi3_set_some(TaktFmu *f, const double *a, int from, int to)
{
    const TaktFmuIs *is = f->is;
    int fine = 1;
    for (int i = 0, at = 0; i < is->nset && fine; at += is->set[i++].n)
        if (is->set[i].when >= from && is->set[i].when <= to &&
            takt_fmi3_is_set(is, i, at, a))
            fine = takt_fmi3_set1(f, &is->set[i], a + at);
    return fine;
}

static int takt_fmi3_configure(TaktFmu *f, const double *a)
{
    const TaktFmi3 *c = takt_fmi3(f);
    const TaktFmuIs *is = f->is;
    int any = 0;
    for (int i = 0, at = 0; i < is->nset; at += is->set[i++].n)
        any |= is->set[i].when == 2 && takt_fmi3_is_set(is, i, at, a);
    return !any || (c->EnterConfigurationMode && c->ExitConfigurationMode &&
                    TAKT_FMI3_FINE(c->EnterConfigurationMode(f->instance)) &&
                    takt_fmi3_set_some(f, a, 2, 2) &&
                    TAKT_FMI3_FINE(c->ExitConfigurationMode(f->instance)));
}

/* Are there as many states and indicators as the description says? */
static int takt_fmi3_fits(TaktFmu *f)
{
    const TaktFmi3 *c = takt_fmi3(f);
    size_t nx = 0, nz = 0;
    if (f->is->is_block)
        return 1;
    return TAKT_FMI3_FINE(c->GetNumberOfContinuousStates(f->instance, &nx)) &&
           TAKT_FMI3_FINE(c->GetNumberOfEventIndicators(f->instance, &nz)) &&
           nx == (size_t)f->is->nx && nz == (size_t)f->is->nz;
}

static int takt_fmi3_initialize(TaktFmu *f, double t, const double *a)
{
    const TaktFmi3 *c = takt_fmi3(f);
    fmi3Instance m = f->instance;
    if (!takt_fmi3_configure(f, a) || !takt_fmi3_set_some(f, a, 0, 1) ||
        !TAKT_FMI3_FINE(c->EnterInitializationMode(m, false, 0, t, false, 0)) ||
        !takt_fmi3_set_some(f, a, 1, 1) ||
        !TAKT_FMI3_FINE(c->ExitInitializationMode(m)))
        return 0;
    if (takt_fmi3_fits(f))
        return 1;
    takt_fmu_say(2, f->is->name,
                 "the FMU has another number of states or event indicators "
                 "than its description");
    return 0;
}

static int takt_fmi3_update(TaktFmu *f, TaktFmuEvent *e)
{
    const TaktFmi3 *c = takt_fmi3(f);
    fmi3Boolean more = true, ends = false, nominals, values, has_next = false;
    fmi3Float64 next = 0;
    for (int i = 0; more; i++) {
        if (i == 1000 || !TAKT_FMI3_FINE(c->UpdateDiscreteStates(
                             f->instance, &more, &ends, &nominals, &values,
                             &has_next, &next)))
            return 0;
        e->ends |= ends;
        if (ends)
            break;
    }
    e->has_next = has_next;
    e->next = next;
    return TAKT_FMI3_FINE(c->EnterContinuousTimeMode(f->instance));
}

static int takt_fmi3_enter_event(TaktFmu *f)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->EnterEventMode(f->instance));
}

static int takt_fmi3_completed(TaktFmu *f, int *asks)
{
    fmi3Boolean enter = false, ends = false;
    fmi3Status s =
        takt_fmi3(f)->CompletedIntegratorStep(f->instance, true, &enter, &ends);
    if (s == fmi3Warning)
        takt_fmu_doubt(f);
    *asks = enter || ends;
    return TAKT_FMI3_FINE(s);
}

static int takt_fmi3_set_time(TaktFmu *f, double t)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->SetTime(f->instance, t));
}

static int takt_fmi3_set_states(TaktFmu *f, const double *x)
{
    return TAKT_FMI3_FINE(
        takt_fmi3(f)->SetContinuousStates(f->instance, x, (size_t)f->is->nx));
}

static int takt_fmi3_get_states(TaktFmu *f, double *x)
{
    return TAKT_FMI3_FINE(
        takt_fmi3(f)->GetContinuousStates(f->instance, x, (size_t)f->is->nx));
}

static int takt_fmi3_get_slopes(TaktFmu *f, double *dx)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->GetContinuousStateDerivatives(
        f->instance, dx, (size_t)f->is->nx));
}

static int takt_fmi3_get_indicators(TaktFmu *f, double *z)
{
    return TAKT_FMI3_FINE(
        takt_fmi3(f)->GetEventIndicators(f->instance, z, (size_t)f->is->nz));
}

static int takt_fmi3_save(TaktFmu *f, void **state)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->GetFMUState(f->instance, state));
}

static int takt_fmi3_restore(TaktFmu *f, void *state)
{
    return TAKT_FMI3_FINE(takt_fmi3(f)->SetFMUState(f->instance, state));
}

static void takt_fmi3_forget(TaktFmu *f, void **state)
{
    (void)takt_fmi3(f)->FreeFMUState(f->instance, state);
}

/* Variables with a seed that is not 0; arrays are known as a whole. */
static int takt_fmi3_directional(TaktFmu *f, const TaktFmuMap *m,
                                 const double *seed, double *y)
{
    const TaktFmuIs *is = f->is;
    unsigned *known = f->refs, *unknown = known + is->room;
    double *by = f->room + is->room;
    int n = 0, nby = 0, nrow = 0;
    for (int i = 0, at = 0; i < is->nstate + is->nu; i++) {
        const TaktFmuVar *v =
            i < is->nstate ? &is->x[i] : &is->u[i - is->nstate];
        int any = 0;
        for (int k = 0; k < v->n; k++)
            any |= seed[at + k] != 0;
        for (int k = 0; k < v->n && any; k++)
            by[nby++] = seed[at + k];
        if (any)
            known[n++] = v->ref;
        at += v->n;
    }
    for (int i = 0; i < m->nvar; nrow += m->row[i++].n)
        unknown[i] = m->row[i].ref;
    return TAKT_FMI3_FINE(takt_fmi3(f)->GetDirectionalDerivative(
        f->instance, unknown, (size_t)m->nvar, known, (size_t)n, by,
        (size_t)nby, y, (size_t)nrow));
}

static int takt_fmi3_do_step(TaktFmu *f, double t, double h, int *ends)
{
    fmi3Boolean event = false, over = false, early = false;
    fmi3Float64 last = t;
    fmi3Status s = takt_fmi3(f)->DoStep(f->instance, t, h, true, &event, &over,
                                        &early, &last);
    if (s == fmi3Warning)
        takt_fmu_doubt(f);
    *ends = over;
    return TAKT_FMI3_FINE(s) && (over || !early);
}

static const TaktFmuCalls takt_fmu_calls3 = {
    takt_fmi3_load,           takt_fmi3_instantiate, takt_fmi3_free,
    takt_fmi3_reset,          takt_fmi3_initialize,  takt_fmi3_update,
    takt_fmi3_enter_event,    takt_fmi3_completed,   takt_fmi3_set_time,
    takt_fmi3_set_states,     takt_fmi3_get_states,  takt_fmi3_get_slopes,
    takt_fmi3_get_indicators, takt_fmi3_set,         takt_fmi3_get,
    takt_fmi3_save,           takt_fmi3_restore,     takt_fmi3_forget,
    takt_fmi3_directional,    takt_fmi3_do_step};

#endif
