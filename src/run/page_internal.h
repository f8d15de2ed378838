/* page_internal.h - what the page knows of the run between two events. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_PAGE_INTERNAL_H
#define TAKT_RUN_PAGE_INTERNAL_H

#include <stdio.h>

#include "run/histogram.h"
#include "run/page.h"

enum { DIGEST_ROWS = 64, DIGEST_MARKS = 64 };

/* Rows since the last event; of many every `stride`-th is kept. */
typedef struct Digest {
    Feed *feed;
    double *row;  /* DIGEST_ROWS rows */
    double *last; /* the latest one */
    int nrow;
    int64_t stride;
    double overran[DIGEST_MARKS]; /* times of the model */
    int noverran;
    Histogram late, work;
} Digest;

Digest *digest_new(Feed *feed, Arena *arena);
/* Takes what is in the ring. */
void digest_take(Digest *d);

/* An event for a stream that has chosen signals; `all`: with parameters and
 * histograms. */
void page_event(const Digest *d, const Control *c, const int *signal, int n,
                bool all, bool is_last, FILE *out);
/* The page, and what /model says. */
void page_html(FILE *out);
void page_model(const PageAbout *about, const Feed *feed, const Control *c,
                FILE *out);

#endif
