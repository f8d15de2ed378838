/* run.c - runs the sources of Rlc.fmu, FMI 2.0: a step of 2 V, and the voltage
 * of the capacitor. The description has the GUID and the value references:
 *
 *     run GUID REFERENCE_OF_u REFERENCE_OF_v
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#define FMI2_FUNCTION_PREFIX Rlc_
#include "takt_fmi2.h"

fmi2Component Rlc_fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String,
                                  const fmi2CallbackFunctions *, fmi2Boolean,
                                  fmi2Boolean);
fmi2Status Rlc_fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real,
                                   fmi2Real, fmi2Boolean, fmi2Real);
fmi2Status Rlc_fmi2EnterInitializationMode(fmi2Component);
fmi2Status Rlc_fmi2ExitInitializationMode(fmi2Component);
fmi2Status Rlc_fmi2SetReal(fmi2Component, const fmi2ValueReference[], size_t,
                           const fmi2Real[]);
fmi2Status Rlc_fmi2GetReal(fmi2Component, const fmi2ValueReference[], size_t,
                           fmi2Real[]);
fmi2Status Rlc_fmi2DoStep(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
void Rlc_fmi2FreeInstance(fmi2Component);

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const fmi2CallbackFunctions call = {NULL, calloc, free, NULL, NULL};
    const fmi2ValueReference u = (unsigned)strtoul(argv[2], NULL, 10);
    const fmi2ValueReference v = (unsigned)strtoul(argv[3], NULL, 10);
    const double h = 1e-6, volts = 2;
    double out = 0;
    fmi2Component c = Rlc_fmi2Instantiate("rlc", fmi2CoSimulation, argv[1], "",
                                          &call, fmi2False, fmi2False);
    if (!c || Rlc_fmi2SetupExperiment(c, 0, 0, 0, 0, 0) != fmi2OK ||
        Rlc_fmi2EnterInitializationMode(c) != fmi2OK ||
        Rlc_fmi2SetReal(c, &u, 1, &volts) != fmi2OK ||
        Rlc_fmi2ExitInitializationMode(c) > fmi2Warning)
        return 1;
    for (int k = 0; k < 1000; k++)
        if (Rlc_fmi2DoStep(c, k * h, h, fmi2True) > fmi2Warning)
            return 1;
    Rlc_fmi2GetReal(c, &v, 1, &out);
    printf("%.6f\n", out);
    Rlc_fmi2FreeInstance(c);
    return 0;
}
