/* takt_fmi2_exchange.h - the functions of FMI 2.0 for model exchange. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt_fmu_exchange.h"

enum {
    FMI2_RATES = FMU_INITIALIZING | FMU_EVENT | FMU_CONTINUOUS |
                 FMU_TERMINATED | FMU_FAILED,
    FMI2_RUNNING = FMU_EVENT | FMU_CONTINUOUS
};

/* A function for instances of model exchange. */
#define FMI2_EXCHANGE(function, modes)                                         \
    FMI2_FMU(function, modes);                                                 \
    if (!f->now.is_exchange)                                                   \
    return (fmi2Status)fmu_say(                                                \
        f, FMU_ERROR, "%s: the instance is for co-simulation", function)

FMI2_FUNCTION(EnterEventMode, fmi2Component c)
{
    FMI2_EXCHANGE("fmi2EnterEventMode", FMI2_RUNNING);
    f->now.mode = FMU_EVENT;
    return fmi2OK;
}

FMI2_FUNCTION(NewDiscreteStates, fmi2Component c, fmi2EventInfo *info)
{
    FMI2_EXCHANGE("fmi2NewDiscreteStates", FMU_EVENT);
    FmuEvents e = {0, 0, 0, 0};
    int status = fmu_event(f, &e);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = e.ends;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = e.states_changed;
    info->nextEventTimeDefined = e.has_next;
    info->nextEventTime = e.next;
    return (fmi2Status)status;
}

FMI2_FUNCTION(EnterContinuousTimeMode, fmi2Component c)
{
    FMI2_EXCHANGE("fmi2EnterContinuousTimeMode", FMU_EVENT);
    f->now.mode = FMU_CONTINUOUS;
    return fmi2OK;
}

FMI2_FUNCTION(CompletedIntegratorStep, fmi2Component c, fmi2Boolean no_set,
              fmi2Boolean *event, fmi2Boolean *end)
{
    FMI2_EXCHANGE("fmi2CompletedIntegratorStep", FMU_CONTINUOUS);
    (void)no_set;
    int asks, ends, status = fmu_accept(f, &asks, &ends);
    *event = asks;
    *end = ends;
    return (fmi2Status)status;
}

FMI2_FUNCTION(SetTime, fmi2Component c, fmi2Real time)
{
    FMI2_EXCHANGE("fmi2SetTime", FMI2_RUNNING);
    return (fmi2Status)fmu_set_time(f, time);
}

FMI2_FUNCTION(SetContinuousStates, fmi2Component c, const fmi2Real x[],
              size_t n)
{
    FMI2_EXCHANGE("fmi2SetContinuousStates", FMU_CONTINUOUS);
    if (!fmu_fits(f, n, FMU_NX, "fmi2SetContinuousStates"))
        return fmi2Error;
    return (fmi2Status)fmu_set_states(f, x);
}

#define FMI2_ROWS(Name, row, count)                                            \
    FMI2_FUNCTION(Name, fmi2Component c, fmi2Real x[], size_t n)               \
    {                                                                          \
        FMI2_EXCHANGE("fmi2" #Name, FMI2_RATES);                               \
        if (!fmu_fits(f, n, count, "fmi2" #Name))                              \
            return fmi2Error;                                                  \
        return (fmi2Status)fmu_get_rows(f, row, x, n);                         \
    }

FMI2_ROWS(GetDerivatives, fmu_slope, FMU_NX)
FMI2_ROWS(GetContinuousStates, fmu_state, FMU_NX)
FMI2_ROWS(GetEventIndicators, fmu_indicator, FMU_NZ)

FMI2_FUNCTION(GetNominalsOfContinuousStates, fmi2Component c, fmi2Real x[],
              size_t n)
{
    FMI2_EXCHANGE("fmi2GetNominalsOfContinuousStates",
                  FMI2_RATES | FMU_INSTANTIATED);
    if (!fmu_fits(f, n, FMU_NX, "fmi2GetNominalsOfContinuousStates"))
        return fmi2Error;
    for (size_t i = 0; i < n; i++)
        x[i] = fmu_nominal[i];
    return fmi2OK;
}

#if FMU_MOVES
FMI2_FUNCTION(GetDirectionalDerivative, fmi2Component c,
              const fmi2ValueReference unknown[], size_t nunknown,
              const fmi2ValueReference known[], size_t nknown,
              const fmi2Real seed[], fmi2Real value[])
{
    FMI2_EXCHANGE("fmi2GetDirectionalDerivative", FMI2_RUNNING);
    return (fmi2Status)fmu_directional(f, unknown, nunknown, known, nknown,
                                       seed, value,
                                       "fmi2GetDirectionalDerivative");
}
#endif
