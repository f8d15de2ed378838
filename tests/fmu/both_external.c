/* both_external.c - two FMUs with the same external C in one program: each has
 * its own names, instances and objects, in two threads.
 *
 *     both_external TOKEN-OF-Drive TOKEN-OF-Small RESOURCES
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "takt_fmi2.h"

#define FMU(Name)                                                              \
    fmi2Component Name##_fmi2Instantiate(                                      \
        fmi2String, fmi2Type, fmi2String, fmi2String,                          \
        const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean);              \
    fmi2Status Name##_fmi2SetupExperiment(fmi2Component, fmi2Boolean,          \
                                          fmi2Real, fmi2Real, fmi2Boolean,     \
                                          fmi2Real);                           \
    fmi2Status Name##_fmi2EnterInitializationMode(fmi2Component);              \
    fmi2Status Name##_fmi2ExitInitializationMode(fmi2Component);               \
    fmi2Status Name##_fmi2DoStep(fmi2Component, fmi2Real, fmi2Real,            \
                                 fmi2Boolean);                                 \
    fmi2Status Name##_fmi2GetReal(fmi2Component, const fmi2ValueReference *,   \
                                  size_t, fmi2Real *);                         \
    void Name##_fmi2FreeInstance(fmi2Component);                               \
    static double run_##Name(const char *token, const char *place)             \
    {                                                                          \
        fmi2CallbackFunctions call = {log_nothing, calloc, free, NULL, NULL};  \
        fmi2Component c = Name##_fmi2Instantiate("one", fmi2CoSimulation,      \
                                                 token, place, &call, 0, 0);   \
        double w = -1;                                                         \
        fmi2ValueReference r = Name##_W;                                       \
        if (!c)                                                                \
            return -2;                                                         \
        Name##_fmi2SetupExperiment(c, 0, 0, 0, 0, 0);                          \
        Name##_fmi2EnterInitializationMode(c);                                 \
        Name##_fmi2ExitInitializationMode(c);                                  \
        for (int k = 0; k < 100; k++)                                          \
            if (Name##_fmi2DoStep(c, k * 0.01, 0.01, 1) != fmi2OK)             \
                return -3;                                                     \
        Name##_fmi2GetReal(c, &r, 1, &w);                                      \
        Name##_fmi2FreeInstance(c);                                            \
        return w;                                                              \
    }

static void log_nothing(fmi2ComponentEnvironment e, fmi2String name,
                        fmi2Status status, fmi2String category,
                        fmi2String message, ...)
{
    (void)e, (void)name, (void)status, (void)category, (void)message;
}

FMU(Drive)
FMU(Small)

static char **words;

static void *many(void *which)
{
    static double last[2];
    int k = which != NULL;
    for (int i = 0; i < 200; i++)
        last[k] = k ? run_Small(words[2], "") : run_Drive(words[1], words[3]);
    return &last[k];
}

int main(int argc, char **argv)
{
    pthread_t thread[2];
    void *last[4];
    if (argc < 4)
        return 2;
    words = argv;
    printf("%.17g %.17g\n", run_Drive(argv[1], argv[3]),
           run_Small(argv[2], ""));
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, many, i ? words : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], &last[i]);
    printf("%.17g %.17g\n", *(double *)last[0], *(double *)last[1]);
    return 0;
}
