/* takt_fmi3_exchange.h - the functions of FMI 3.0 for model exchange. */
/* SPDX-License-Identifier: BSD-3-Clause */
#define FMU_ADJOINT 1
#include "takt_fmu_exchange.h"

enum {
    FMI3_RATES = FMU_INITIALIZING | FMU_EVENT | FMU_CONTINUOUS |
                 FMU_TERMINATED | FMU_FAILED,
    FMI3_RUNNING = FMU_EVENT | FMU_CONTINUOUS
};

/* A function for instances of model exchange. */
#define FMI3_EXCHANGE(function, modes)                                         \
    FMI3_FMU(function, modes);                                                 \
    if (!f->now.is_exchange)                                                   \
    return (fmi3Status)fmu_say(                                                \
        f, FMU_ERROR, "%s: the instance is for co-simulation", function)

FMI3_FUNCTION(EnterEventMode, fmi3Instance c)
{
    FMI3_EXCHANGE("fmi3EnterEventMode", FMU_CONTINUOUS);
    f->now.mode = FMU_EVENT;
    return fmi3OK;
}

FMI3_FUNCTION(UpdateDiscreteStates, fmi3Instance c, fmi3Boolean *more,
              fmi3Boolean *end, fmi3Boolean *nominals, fmi3Boolean *values,
              fmi3Boolean *has_next, fmi3Float64 *next)
{
    FMI3_EXCHANGE("fmi3UpdateDiscreteStates", FMU_EVENT);
    FmuEvents e = {0, 0, 0, 0};
    int status = fmu_event(f, &e);
    *more = *nominals = false;
    *end = e.ends != 0;
    *values = e.states_changed != 0;
    *has_next = e.has_next != 0;
    *next = e.next;
    return (fmi3Status)status;
}

FMI3_FUNCTION(EnterContinuousTimeMode, fmi3Instance c)
{
    FMI3_EXCHANGE("fmi3EnterContinuousTimeMode", FMU_EVENT);
    f->now.mode = FMU_CONTINUOUS;
    return fmi3OK;
}

FMI3_FUNCTION(CompletedIntegratorStep, fmi3Instance c, fmi3Boolean no_set,
              fmi3Boolean *event, fmi3Boolean *end)
{
    FMI3_EXCHANGE("fmi3CompletedIntegratorStep", FMU_CONTINUOUS);
    (void)no_set;
    int asks, ends, status = fmu_accept(f, &asks, &ends);
    *event = asks != 0;
    *end = ends != 0;
    return (fmi3Status)status;
}

FMI3_FUNCTION(SetTime, fmi3Instance c, fmi3Float64 time)
{
    FMI3_EXCHANGE("fmi3SetTime", FMI3_RUNNING);
    return (fmi3Status)fmu_set_time(f, time);
}

FMI3_FUNCTION(SetContinuousStates, fmi3Instance c, const fmi3Float64 x[],
              size_t n)
{
    FMI3_EXCHANGE("fmi3SetContinuousStates", FMU_CONTINUOUS);
    if (!fmu_fits(f, n, FMU_NX, "fmi3SetContinuousStates"))
        return fmi3Error;
    return (fmi3Status)fmu_set_states(f, x);
}

#define FMI3_ROWS(Name, row, count)                                            \
    FMI3_FUNCTION(Name, fmi3Instance c, fmi3Float64 x[], size_t n)             \
    {                                                                          \
        FMI3_EXCHANGE("fmi3" #Name, FMI3_RATES);                               \
        if (!fmu_fits(f, n, count, "fmi3" #Name))                              \
            return fmi3Error;                                                  \
        return (fmi3Status)fmu_get_rows(f, row, x, n);                         \
    }

FMI3_ROWS(GetContinuousStateDerivatives, fmu_slope, FMU_NX)
FMI3_ROWS(GetContinuousStates, fmu_state, FMU_NX)
FMI3_ROWS(GetEventIndicators, fmu_indicator, FMU_NZ)

FMI3_FUNCTION(GetNominalsOfContinuousStates, fmi3Instance c, fmi3Float64 x[],
              size_t n)
{
    FMI3_EXCHANGE("fmi3GetNominalsOfContinuousStates", FMI3_RATES);
    if (!fmu_fits(f, n, FMU_NX, "fmi3GetNominalsOfContinuousStates"))
        return fmi3Error;
    for (size_t i = 0; i < n; i++)
        x[i] = fmu_nominal[i];
    return fmi3OK;
}

#define FMI3_COUNT(Name, count)                                                \
    FMI3_FUNCTION(Name, fmi3Instance c, size_t *n)                             \
    {                                                                          \
        FMI3_EXCHANGE("fmi3" #Name, FMU_ANYWHERE);                             \
        *n = (count);                                                          \
        return fmi3OK;                                                         \
    }

FMI3_COUNT(GetNumberOfContinuousStates, FMU_NX)
FMI3_COUNT(GetNumberOfEventIndicators, FMU_NZ)

#if FMU_MOVES
#define FMI3_MOVES(Name, move, from, to)                                       \
    FMI3_FUNCTION(Name, fmi3Instance c, const fmi3ValueReference unknown[],    \
                  size_t nunknown, const fmi3ValueReference known[],           \
                  size_t nknown, const fmi3Float64 seed[], size_t nseed,       \
                  fmi3Float64 value[], size_t nvalue)                          \
    {                                                                          \
        FMI3_EXCHANGE("fmi3" #Name, FMI3_RUNNING);                             \
        if (!fmu_fits(f, nseed, from, "fmi3" #Name) ||                         \
            !fmu_fits(f, nvalue, to, "fmi3" #Name))                            \
            return fmi3Error;                                                  \
        return (fmi3Status)move(f, unknown, nunknown, known, nknown, seed,     \
                                value, "fmi3" #Name);                          \
    }

FMI3_MOVES(GetDirectionalDerivative, fmu_directional, nknown, nunknown)
FMI3_MOVES(GetAdjointDerivative, fmu_adjoint, nunknown, nknown)
#endif
