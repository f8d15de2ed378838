/* peers.h - a model behind functions; glue.sh writes them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BENCH_PEERS_H
#define TAKT_BENCH_PEERS_H

extern const int glue_n; /* states */
extern const int
    glue_group[]; /* glue_n: states of the same name, as v[1], v[2] */
extern const double glue_step; /* between samples, s */
void glue_start(double *x);
int glue_rhs(void *user, double t, const double *x, double *f);

/* A step that takt generated; `substeps` of them make a sample. */
typedef struct Glue {
    const char *name; /* the method */
    void (*start)(int substeps);
    int (*step)(void);
    void (*state)(double *x);
} Glue;
extern const Glue glue_takt[];
extern const int glue_ntakt;

#endif
