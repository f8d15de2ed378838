/* takt_fmi2_exchange.h - what FMI 2.0 has for model exchange besides
 * takt_fmu_exchange.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt_fmu_exchange.h"

FMI2_FUNCTION(EnterEventMode, fmi2Component c)
{
    FMI_EXCHANGE("EnterEventMode", FMU_RUNNING);
    f->now.mode = FMU_EVENT;
    return fmi2OK;
}

FMI2_FUNCTION(NewDiscreteStates, fmi2Component c, fmi2EventInfo *info)
{
    FMI_EXCHANGE("NewDiscreteStates", FMU_EVENT);
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

FMI_ROWS(GetDerivatives, fmu_slope, FMU_NX)

#if FMU_MOVES
FMI2_FUNCTION(GetDirectionalDerivative, fmi2Component c,
              const fmi2ValueReference unknown[], size_t nunknown,
              const fmi2ValueReference known[], size_t nknown,
              const fmi2Real seed[], fmi2Real value[])
{
    FMI_EXCHANGE("GetDirectionalDerivative", FMU_RUNNING);
    return (fmi2Status)fmu_directional(f, unknown, nunknown, known, nknown,
                                       seed, value,
                                       "fmi2GetDirectionalDerivative");
}
#endif
