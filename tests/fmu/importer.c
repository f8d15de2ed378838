/* importer.c - unpacks, reads the description, loads, calls. */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "importer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

static void give_up(const char *what, const char *of)
{
    fprintf(stderr, "importer: %s: %s\n", of, what);
    exit(4);
}

/* ---- the archive ---- */

static char *read_entry(zip_t *z, const char *name, size_t *size)
{
    zip_stat_t s;
    if (zip_stat(z, name, 0, &s) < 0)
        return NULL;
    zip_file_t *f = zip_fopen(z, name, 0);
    char *data = malloc(s.size + 1);
    if (!f || zip_fread(f, data, s.size) != (zip_int64_t)s.size)
        give_up("cannot be read", name);
    zip_fclose(f);
    data[s.size] = '\0';
    *size = s.size;
    return data;
}

/* ---- the description ---- */

static const char *attribute(const char **a, const char *name)
{
    for (; *a; a += 2)
        if (!strcmp(*a, name))
            return a[1];
    return NULL;
}

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

static double number(const char **a, const char *name, double otherwise)
{
    const char *text = attribute(a, name);
    return text ? strtod(text, NULL) : otherwise;
}

static Variable *add_variable(Fmu *f, const char **a)
{
    f->variable =
        realloc(f->variable, (size_t)(f->nvariable + 1) * sizeof *f->variable);
    Variable *v = &f->variable[f->nvariable++];
    *v = (Variable){copy(attribute(a, "name")),
                    copy(attribute(a, "causality")),
                    copy(attribute(a, "variability")),
                    copy(attribute(a, "initial")),
                    copy(attribute(a, "start")),
                    'r',
                    (unsigned)number(a, "valueReference", -1),
                    (int)number(a, "derivative", -1)};
    return v;
}

/* In the order of priorities. */
static void add_clock(Fmu *f, const char **a)
{
    Clock c = {.reference = (unsigned)number(a, "valueReference", -1),
               .priority = (int)number(a, "priority", -1),
               .interval = number(a, "intervalDecimal", 0),
               .shift = number(a, "shiftDecimal", 0)};
    snprintf(c.name, sizeof c.name, "%s", attribute(a, "name"));
    if (f->nclock == 20 || strcmp(attribute(a, "causality"), "input") ||
        strcmp(attribute(a, "intervalVariability"), "constant"))
        give_up("a clock that this importer does not know", c.name);
    int at = f->nclock++;
    for (; at > 0 && f->clock[at - 1].priority > c.priority; at--)
        f->clock[at] = f->clock[at - 1];
    f->clock[at] = c;
}

static char type_of(const char *element)
{
    static const char *const name[] = {"Real",       "Float64", "Integer",
                                       "Int32",      "Boolean", "String",
                                       "Enumeration"};
    static const char type[] = "rriibse";
    for (int i = 0; i < 7; i++)
        if (!strcmp(element, name[i]))
            return type[i];
    return 0;
}

static void add_slope(Fmu *f, int number)
{
    if (f->nslope < 1000)
        f->slope[f->nslope++] = number;
}

/* ModelStructure. */
static void structure(Fmu *f, const char *element, const char **a)
{
    static bool in_derivatives; /* of FMI 2 */
    if (strcmp(element, "Unknown"))
        in_derivatives = !strcmp(element, "Derivatives");
    else if (in_derivatives)
        add_slope(f, (int)number(a, "index", 0) - 1);
    if (!strcmp(element, "EventIndicator"))
        f->nindicator++;
    if (strcmp(element, "ContinuousStateDerivative"))
        return;
    for (int i = 0; i < f->nvariable; i++)
        if (f->variable[i].reference ==
            (unsigned)number(a, "valueReference", -1)) {
            add_slope(f, i);
            break;
        }
}

static bool is_true(const char **a, const char *name)
{
    const char *text = attribute(a, name);
    return text && !strcmp(text, "true");
}

static void XMLCALL begin(void *user, const char *element, const char **a)
{
    Fmu *f = user;
    structure(f, element, a);
    if (!strcmp(element, "fmiModelDescription")) {
        f->version = attribute(a, "fmiVersion")[0] - '0';
        f->token =
            copy(attribute(a, f->version == 2 ? "guid" : "instantiationToken"));
        f->nindicator = (int)number(a, "numberOfEventIndicators", 0);
    } else if (!strcmp(element, "ModelExchange")) {
        free(f->identifier);
        f->identifier = copy(attribute(a, "modelIdentifier"));
        f->is_exchange = true;
        f->is_directional =
            is_true(a, f->version == 2 ? "providesDirectionalDerivative"
                                       : "providesDirectionalDerivatives");
    } else if (!strcmp(element, "CoSimulation")) {
        free(f->identifier);
        f->identifier = copy(attribute(a, "modelIdentifier"));
        const char *can =
            attribute(a, "canHandleVariableCommunicationStepSize");
        f->variable_steps = can && !strcmp(can, "true");
        if (f->version == 3)
            f->step = number(a, "fixedInternalStepSize", 0);
    } else if (!strcmp(element, "ScheduledExecution")) {
        f->is_scheduled = !f->identifier;
        free(f->identifier);
        f->identifier = copy(attribute(a, "modelIdentifier"));
    } else if (!strcmp(element, "Clock")) {
        add_clock(f, a);
    } else if (!strcmp(element, "DefaultExperiment")) {
        f->start = number(a, "startTime", 0);
        f->stop = number(a, "stopTime", 1);
        f->step = number(a, "stepSize", f->step);
    } else if (!strcmp(element, "ScalarVariable")) {
        add_variable(f, a);
    } else if (!strcmp(element, "Alias")) {
        Variable of = f->variable[f->nvariable - 1];
        Variable *v = add_variable(f, a);
        v->type = of.type;
        v->reference = of.reference;
    } else if (type_of(element) && f->version == 2) {
        if (f->nvariable > 0 && !f->variable[f->nvariable - 1].start[0]) {
            Variable *v = &f->variable[f->nvariable - 1];
            v->type = type_of(element);
            free(v->start);
            v->start = copy(attribute(a, "start"));
            v->derivative = (int)number(a, "derivative", -1);
        }
    } else if (type_of(element)) {
        add_variable(f, a)->type = type_of(element);
    }
}

/* ---- opening ---- */

static void write_library(Fmu *f, const char *data, size_t size)
{
    char path[128];
    strcpy(f->dir, "/tmp/importer-XXXXXX");
    if (!mkdtemp(f->dir))
        give_up("no folder", f->dir);
    snprintf(path, sizeof path, "%s/model.so", f->dir);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        give_up("cannot be written", path);
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *error = f->library ? "" : dlerror();
    unlink(path);
    rmdir(f->dir);
    if (!f->library)
        give_up(error, path);
}

Fmu fmu_open(const char *path)
{
    Fmu f = {.stop = 1};
    int error;
    size_t size;
    zip_t *z = zip_open(path, ZIP_RDONLY, &error);
    if (!z)
        give_up("no archive", path);
    char *xml = read_entry(z, "modelDescription.xml", &size);
    XML_Parser p = XML_ParserCreate(NULL);
    XML_SetUserData(p, &f);
    XML_SetElementHandler(p, begin, NULL);
    if (!xml || XML_Parse(p, xml, (int)size, 1) != XML_STATUS_OK)
        give_up("no description", path);
    XML_ParserFree(p);
    free(xml);
    char name[512];
    snprintf(name, sizeof name, "binaries/%s/%s.so",
             f.version == 2 ? "linux64" : "x86_64-linux", f.identifier);
    char *data = read_entry(z, name, &size);
    if (!data)
        give_up("no binary", name);
    write_library(&f, data, size);
    free(data);
    zip_close(z);
    return f;
}

void fmu_close(Fmu *f)
{
    for (int i = 0; i < f->nvariable; i++) {
        Variable *v = &f->variable[i];
        free(v->name);
        free(v->causality);
        free(v->variability);
        free(v->initial);
        free(v->start);
    }
    free(f->variable);
    free(f->token);
    free(f->identifier);
    dlclose(f->library);
}

const Variable *fmu_find(const Fmu *f, const char *name)
{
    for (int i = 0; i < f->nvariable; i++)
        if (!strcmp(f->variable[i].name, name))
            return &f->variable[i];
    return NULL;
}

/* ---- calls ---- */

struct Instance {
    const Fmu *f;
    void *c;
};

static char said[4096];

const char *fmu_said(void)
{
    return said;
}

static void say2(void *e, const char *name, int status, const char *category,
                 const char *message, ...)
{
    (void)e;
    (void)name;
    va_list list;
    va_start(list, message);
    int n = snprintf(said, sizeof said, "%d %s: ", status, category);
    vsnprintf(said + n, sizeof said - (size_t)n, message, list);
    va_end(list);
    char *to = said; /* ## is a #; #r1# would be a variable */
    for (const char *s = said; *s; s++) {
        s += s[0] == '#' && s[1] == '#';
        *to++ = *s;
    }
    *to = '\0';
}

static void say3(void *e, int status, const char *category, const char *message)
{
    (void)e;
    snprintf(said, sizeof said, "%d %s: %s", status, category, message);
}

typedef struct Callbacks2 {
    void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks2;

static const Callbacks2 callbacks2 = {say2, calloc, free, NULL, NULL};

static void *symbol(const Fmu *f, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "fmi%d%s", f->version, name);
    void *s = dlsym(f->library, full);
    if (!s)
        give_up("no such function", full);
    return s;
}

#define CALL(f, name, result, ...)                                             \
    (*(result(**)(__VA_ARGS__))(void *[]){symbol(f, name)})

int fmu_nlock, fmu_nunlock;

static void lock(void)
{
    fmu_nlock++;
}

static void unlock(void)
{
    fmu_nunlock++;
}

/* Where its resources are: the environment says it. */
static const char *place(const Fmu *f)
{
    static char text[4096];
    const char *path = getenv("IMPORTER_RESOURCES");
    snprintf(text, sizeof text, "%s%s", f->version == 2 ? "file://" : "",
             path ? path : "/tmp");
    return text;
}

Instance *fmu_new_with(const Fmu *f, const char *name, const char *token)
{
    void *c;
    if (f->is_scheduled)
        c = CALL(f, "InstantiateScheduledExecution", void *, const char *,
                 const char *, const char *, bool, bool, void *,
                 void (*)(void *, int, const char *, const char *),
                 void (*)(void *), void (*)(void), void (*)(void))(
            name, token, place(f), false, true, NULL, say3, NULL, lock, unlock);
    else if (f->version == 2)
        c = CALL(f, "Instantiate", void *, const char *, int, const char *,
                 const char *, const void *, int,
                 int)(name, 1, token, place(f), &callbacks2, 0, 1);
    else
        c = CALL(f, "InstantiateCoSimulation", void *, const char *,
                 const char *, const char *, bool, bool, bool, bool,
                 const void *, size_t, void *,
                 void (*)(void *, int, const char *, const char *),
                 void *)(name, token, place(f), false, true, false, false, NULL,
                         0, NULL, say3, NULL);
    if (!c)
        return NULL;
    Instance *i = malloc(sizeof *i);
    *i = (Instance){f, c};
    return i;
}

Instance *fmu_new(const Fmu *f, const char *name)
{
    return fmu_new_with(f, name, f->token);
}

Instance *fmu_new_exchange(const Fmu *f, const char *name)
{
    void *c;
    if (f->version == 2)
        c = CALL(f, "Instantiate", void *, const char *, int, const char *,
                 const char *, const void *, int,
                 int)(name, 0, f->token, place(f), &callbacks2, 0, 1);
    else
        c = CALL(f, "InstantiateModelExchange", void *, const char *,
                 const char *, const char *, bool, bool, void *,
                 void (*)(void *, int, const char *, const char *))(
            name, f->token, place(f), false, true, NULL, say3);
    Instance *i = c ? malloc(sizeof *i) : NULL;
    if (i)
        *i = (Instance){f, c};
    return i;
}

void fmu_free(Instance *i)
{
    CALL(i->f, "FreeInstance", void, void *)(i->c);
    free(i);
}

int fmu_enter(Instance *i, double start, bool has_stop, double stop)
{
    if (i->f->version == 3)
        return CALL(i->f, "EnterInitializationMode", int, void *, bool, double,
                    double, bool,
                    double)(i->c, false, 0, start, has_stop, stop);
    int status = CALL(i->f, "SetupExperiment", int, void *, int, double, double,
                      int, double)(i->c, 0, 0, start, has_stop, stop);
    return status != OK
               ? status
               : CALL(i->f, "EnterInitializationMode", int, void *)(i->c);
}

static int plain(Instance *i, const char *name)
{
    return CALL(i->f, name, int, void *)(i->c);
}

int fmu_exit(Instance *i)
{
    return plain(i, "ExitInitializationMode");
}

int fmu_begin(Instance *i, double start)
{
    int status = fmu_enter(i, start, false, 0);
    return status != OK ? status : fmu_exit(i);
}

int fmu_terminate(Instance *i)
{
    return plain(i, "Terminate");
}

int fmu_reset(Instance *i)
{
    return plain(i, "Reset");
}

int fmu_activate(Instance *i, unsigned clock, double time)
{
    return CALL(i->f, "ActivateModelPartition", int, void *, unsigned,
                double)(i->c, clock, time);
}

int fmu_interval(Instance *i, unsigned clock, double *interval, double *shift)
{
    int qualifier;
    int status =
        CALL(i->f, "GetIntervalDecimal", int, void *, const unsigned *, size_t,
             double *, int *)(i->c, &clock, 1, interval, &qualifier);
    return status != OK
               ? status
               : CALL(i->f, "GetShiftDecimal", int, void *, const unsigned *,
                      size_t, double *)(i->c, &clock, 1, shift);
}

/* Does the clock tick at that time? */
static bool ticks(const Fmu *f, const Clock *c, double time)
{
    double n = (time - f->start - c->shift) / c->interval;
    return n > -1e-6 && fabs(n - floor(n + 0.5)) < 1e-6;
}

/* A step of the shortest clock after the other. */
static int schedule(Instance *i, double from, double length, bool *ended)
{
    const Fmu *f = i->f;
    long n = lround(length / f->step);
    int worst = OK;
    for (long k = 1; k <= n && !*ended; k++) {
        double time = from + (double)k * f->step;
        for (int j = 0; j < f->nclock && !*ended; j++) {
            if (!ticks(f, &f->clock[j], time))
                continue;
            int status = fmu_activate(i, f->clock[j].reference, time);
            *ended = status == DISCARD;
            status = *ended ? OK : status;
            worst = status > worst ? status : worst;
            if (worst == ERROR)
                return worst;
        }
    }
    return worst;
}

int fmu_step(Instance *i, double from, double length, bool *ended)
{
    *ended = false;
    if (i->f->is_scheduled)
        return schedule(i, from, length, ended);
    if (i->f->version == 3) {
        bool event, early;
        double reached;
        return CALL(i->f, "DoStep", int, void *, double, double, bool, bool *,
                    bool *, bool *, double *)(i->c, from, length, true, &event,
                                              ended, &early, &reached);
    }
    int status = CALL(i->f, "DoStep", int, void *, double, double,
                      int)(i->c, from, length, 1);
    int yes = 0;
    if (status == DISCARD)
        CALL(i->f, "GetBooleanStatus", int, void *, int, int *)(i->c, 3, &yes);
    *ended = yes != 0;
    return status == DISCARD && yes ? OK : status;
}

static int access_as(Instance *i, const char *verb, const char *type,
                     unsigned r, void *value)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", verb, type);
    if (i->f->version == 2)
        return CALL(i->f, name, int, void *, const unsigned *, size_t,
                    void *)(i->c, &r, 1, value);
    return CALL(i->f, name, int, void *, const unsigned *, size_t, void *,
                size_t)(i->c, &r, 1, value, 1);
}

static int access_value(Instance *i, const char *verb, const Variable *v,
                        double *value)
{
    bool two = i->f->version == 2, flag = *value != 0;
    int32_t whole = (int32_t)*value;
    int64_t more = (int64_t)*value;
    int status = OK;
    switch (v->type) {
    case 'r':
        return access_as(i, verb, two ? "Real" : "Float64", v->reference,
                         value);
    case 'i':
        status =
            access_as(i, verb, two ? "Integer" : "Int32", v->reference, &whole);
        *value = whole;
        return status;
    case 'e':
        status = two ? access_as(i, verb, "Integer", v->reference, &whole)
                     : access_as(i, verb, "Int64", v->reference, &more);
        *value = two ? whole : (double)more;
        return status;
    default:
        status = two ? access_as(i, verb, "Boolean", v->reference, &whole)
                     : access_as(i, verb, "Boolean", v->reference, &flag);
        *value = two ? whole : flag;
        return status;
    }
}

int fmu_get(Instance *i, const Variable *v, double *value)
{
    return access_value(i, "Get", v, value);
}

int fmu_set(Instance *i, const Variable *v, double value)
{
    return access_value(i, "Set", v, &value);
}

int fmu_get_text(Instance *i, const Variable *v, const char **value)
{
    return access_as(i, "Get", "String", v->reference, value);
}

int fmu_set_text(Instance *i, const Variable *v, const char *value)
{
    return access_as(i, "Set", "String", v->reference, &value);
}

int fmu_log(Instance *i, bool on, const char *category)
{
    size_t n = category != NULL;
    if (i->f->version == 2)
        return CALL(i->f, "SetDebugLogging", int, void *, int, size_t,
                    const char **)(i->c, on, n, &category);
    return CALL(i->f, "SetDebugLogging", int, void *, bool, size_t,
                const char **)(i->c, on, n, &category);
}

int fmu_wrong_type(Instance *i, unsigned reference)
{
    char room[16] = "";
    return access_as(i, "Get", "Boolean", reference, room);
}

/* ---- saved states ---- */

static const char *spelled(const Instance *i, const char *two,
                           const char *three)
{
    return i->f->version == 2 ? two : three;
}

int fmu_save(Instance *i, void **state)
{
    return CALL(i->f, spelled(i, "GetFMUstate", "GetFMUState"), int, void *,
                void **)(i->c, state);
}

int fmu_restore(Instance *i, void *state)
{
    return CALL(i->f, spelled(i, "SetFMUstate", "SetFMUState"), int, void *,
                void *)(i->c, state);
}

int fmu_forget(Instance *i, void **state)
{
    return CALL(i->f, spelled(i, "FreeFMUstate", "FreeFMUState"), int, void *,
                void **)(i->c, state);
}

int fmu_serialize(Instance *i, void *state, unsigned char **bytes, size_t *n)
{
    CALL(i->f, spelled(i, "SerializedFMUstateSize", "SerializedFMUStateSize"),
         int, void *, void *, size_t *)
    (i->c, state, n);
    *bytes = malloc(*n);
    return CALL(i->f, spelled(i, "SerializeFMUstate", "SerializeFMUState"), int,
                void *, void *, void *, size_t)(i->c, state, *bytes, *n);
}

int fmu_deserialize(Instance *i, const unsigned char *bytes, size_t n,
                    void **state)
{
    return CALL(i->f, spelled(i, "DeSerializeFMUstate", "DeserializeFMUState"),
                int, void *, const void *, size_t,
                void **)(i->c, bytes, n, state);
}

/* ---- model exchange ---- */

int fmu_plain(Instance *i, const char *name)
{
    return plain(i, name);
}

int fmu_update(Instance *i, EventInfo *info)
{
    *info = (EventInfo){0};
    if (i->f->version == 3) {
        bool nominals;
        return CALL(i->f, "UpdateDiscreteStates", int, void *, bool *, bool *,
                    bool *, bool *, bool *, double *)(
            i->c, &info->more, &info->ends, &nominals, &info->states_changed,
            &info->has_next, &info->next);
    }
    struct {
        int more, ends, nominals, states, has_next;
        double next;
    } e = {0};
    int status = CALL(i->f, "NewDiscreteStates", int, void *, void *)(i->c, &e);
    *info = (EventInfo){e.more != 0, e.ends != 0, e.states != 0,
                        e.has_next != 0, e.next};
    return status;
}

int fmu_completed(Instance *i, bool *asks, bool *ends)
{
    int two[2] = {0, 0};
    *asks = *ends = false;
    if (i->f->version == 3)
        return CALL(i->f, "CompletedIntegratorStep", int, void *, bool, bool *,
                    bool *)(i->c, true, asks, ends);
    int status = CALL(i->f, "CompletedIntegratorStep", int, void *, int, int *,
                      int *)(i->c, 1, &two[0], &two[1]);
    *asks = two[0] != 0;
    *ends = two[1] != 0;
    return status;
}

int fmu_set_time(Instance *i, double t)
{
    return CALL(i->f, "SetTime", int, void *, double)(i->c, t);
}

int fmu_vector(Instance *i, const char *name, double *x, size_t n)
{
    if (i->f->version == 3 && !strcmp(name, "GetDerivatives"))
        name = "GetContinuousStateDerivatives";
    return CALL(i->f, name, int, void *, double *, size_t)(i->c, x, n);
}

int fmu_directional(Instance *i, const unsigned *unknown, size_t nunknown,
                    const unsigned *known, size_t nknown, const double *seed,
                    double *value)
{
    if (i->f->version == 2)
        return CALL(i->f, "GetDirectionalDerivative", int, void *,
                    const unsigned *, size_t, const unsigned *, size_t,
                    const double *, double *)(i->c, unknown, nunknown, known,
                                              nknown, seed, value);
    return CALL(i->f, "GetDirectionalDerivative", int, void *, const unsigned *,
                size_t, const unsigned *, size_t, const double *, size_t,
                double *, size_t)(i->c, unknown, nunknown, known, nknown, seed,
                                  nknown, value, nunknown);
}

int fmu_adjoint(Instance *i, const unsigned *unknown, size_t nunknown,
                const unsigned *known, size_t nknown, const double *seed,
                double *value)
{
    return CALL(i->f, "GetAdjointDerivative", int, void *, const unsigned *,
                size_t, const unsigned *, size_t, const double *, size_t,
                double *, size_t)(i->c, unknown, nunknown, known, nknown, seed,
                                  nunknown, value, nknown);
}
