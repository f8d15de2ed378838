/* load.c - loads the binary of an FMU (FMI 2, co-simulation) on any machine and
 * prints a variable after each of some steps.
 *
 *   load LIBRARY GUID REFERENCE STEP N
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
typedef HMODULE Library;
static Library open_library(const char *path)
{
    return LoadLibraryA(path);
}
static void find(Library l, const char *name, void *to)
{
    FARPROC f = GetProcAddress(l, name);
    memcpy(to, &f, sizeof f);
}
#else
#include <dlfcn.h>
typedef void *Library;
static Library open_library(const char *path)
{
    return dlopen(path, RTLD_NOW);
}
static void find(Library l, const char *name, void *to)
{
    void *f = dlsym(l, name);
    memcpy(to, &f, sizeof f);
}
#endif

static void say(void *e, const char *name, int status, const char *category,
                const char *message, ...)
{
    (void)e, (void)name, (void)category;
    printf("%d: %s\n", status, message);
}

int main(int argc, char **argv)
{
    struct {
        void (*log)(void *, const char *, int, const char *, const char *, ...);
        void *(*allocate)(size_t, size_t);
        void (*release)(void *);
        void (*finished)(void *, int);
        void *environment;
    } call = {say, calloc, free, NULL, NULL};
    void *(*make)(const char *, int, const char *, const char *, const void *,
                  int, int);
    int (*setup)(void *, int, double, double, int, double);
    int (*enter)(void *), (*leave)(void *);
    int (*step)(void *, double, double, int);
    int (*get)(void *, const unsigned *, size_t, double *);
    void (*end)(void *);
    Library l = argc == 6 ? open_library(argv[1]) : NULL;
    if (!l)
        return puts("cannot be loaded"), 1;
    find(l, "fmi2Instantiate", &make);
    find(l, "fmi2SetupExperiment", &setup);
    find(l, "fmi2EnterInitializationMode", &enter);
    find(l, "fmi2ExitInitializationMode", &leave);
    find(l, "fmi2DoStep", &step);
    find(l, "fmi2GetReal", &get);
    find(l, "fmi2FreeInstance", &end);
    unsigned reference = (unsigned)atoi(argv[3]);
    double h = strtod(argv[4], NULL), x = 0;
    void *c = make("here", 1, argv[2], "", &call, 0, 1);
    if (!c || setup(c, 0, 0, 0, 0, 0) || enter(c) || leave(c))
        return puts("no start"), 1;
    for (int k = 0; k < atoi(argv[5]); k++) {
        if (step(c, k * h, h, 1) > 1 || get(c, &reference, 1, &x) != 0)
            return puts("a step failed"), 1;
        printf("%.17g\n", x);
    }
    end(c);
    return 0;
}
