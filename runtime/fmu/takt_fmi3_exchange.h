/* takt_fmi3_exchange.h - what FMI 3.0 has for model exchange besides
 * takt_fmu_exchange.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#define FMU_ADJOINT 1
#include "takt_fmu_exchange.h"

FMI3_FUNCTION(EnterEventMode, fmi3Instance c)
{
    FMI_EXCHANGE("EnterEventMode", FMU_CONTINUOUS);
    f->now.mode = FMU_EVENT;
    return fmi3OK;
}

FMI3_FUNCTION(UpdateDiscreteStates, fmi3Instance c, fmi3Boolean *more,
              fmi3Boolean *end, fmi3Boolean *nominals, fmi3Boolean *values,
              fmi3Boolean *has_next, fmi3Float64 *next)
{
    FMI_EXCHANGE("UpdateDiscreteStates", FMU_EVENT);
    FmuEvents e = {0, 0, 0, 0};
    int status = fmu_event(f, &e);
    *more = *nominals = false;
    *end = e.ends != 0;
    *values = e.states_changed != 0;
    *has_next = e.has_next != 0;
    *next = e.next;
    return (fmi3Status)status;
}

FMI_ROWS(GetContinuousStateDerivatives, fmu_slope, FMU_NX)

#define FMI3_COUNT(Name, count)                                                \
    FMI3_FUNCTION(Name, fmi3Instance c, size_t *n)                             \
    {                                                                          \
        FMI_EXCHANGE(#Name, FMU_ANYWHERE);                                     \
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
        FMI_EXCHANGE(#Name, FMU_RUNNING);                                      \
        if (!fmu_fits(f, nseed, from, FMI_TEXT #Name) ||                       \
            !fmu_fits(f, nvalue, to, FMI_TEXT #Name))                          \
            return fmi3Error;                                                  \
        return (fmi3Status)move(f, unknown, nunknown, known, nknown, seed,     \
                                value, FMI_TEXT #Name);                        \
    }

FMI3_MOVES(GetDirectionalDerivative, fmu_directional, nknown, nunknown)
FMI3_MOVES(GetAdjointDerivative, fmu_adjoint, nunknown, nknown)
#endif
