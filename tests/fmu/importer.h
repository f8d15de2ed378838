/* importer.h - a small importer of FMUs, for tests: it knows the standard and
 * nothing of takt. FMI 2 and 3 look the same to those who use it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IMPORTER_H
#define IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Variable {
    char *name, *causality, *variability, *initial, *start;
    char type; /* r, i, e, b, s */
    unsigned reference;
} Variable;

typedef struct Fmu {
    int version;
    char *token, *identifier;
    double start, stop, step;
    bool variable_steps; /* canHandleVariableCommunicationStepSize */
    Variable *variable;
    int nvariable;
    void *library;
    char dir[64];
} Fmu;

/* Ends the program with a message where it cannot. */
Fmu fmu_open(const char *path);
void fmu_close(Fmu *f);
const Variable *fmu_find(const Fmu *f, const char *name); /* or NULL */

typedef struct Instance Instance;
enum { OK, WARNING, DISCARD, ERROR };

Instance *fmu_new(const Fmu *f, const char *name); /* NULL: none was made */
Instance *fmu_new_with(const Fmu *f, const char *name, const char *token);
void fmu_free(Instance *i);
int fmu_enter(Instance *i, double start, bool has_stop, double stop);
int fmu_exit(Instance *i);                /* of initialisation mode */
int fmu_begin(Instance *i, double start); /* the two */
int fmu_terminate(Instance *i);
int fmu_reset(Instance *i);
int fmu_step(Instance *i, double from, double length, bool *ended);
int fmu_get(Instance *i, const Variable *v, double *value);
int fmu_set(Instance *i, const Variable *v, double value);
int fmu_get_text(Instance *i, const Variable *v, const char **value);
int fmu_wrong_type(Instance *i, unsigned reference);
int fmu_save(Instance *i, void **state);
int fmu_restore(Instance *i, void *state);
int fmu_forget(Instance *i, void **state);
int fmu_serialize(Instance *i, void *state, unsigned char **bytes, size_t *n);
int fmu_deserialize(Instance *i, const unsigned char *bytes, size_t n,
                    void **state);
const char *fmu_said(void); /* the last message of any instance */

#endif
