/* report_internal.h - the sections of a report. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_REPORT_INTERNAL_H
#define TAKT_PAGES_REPORT_INTERNAL_H

#include "pages/report.h"
#include "report/book.h"

typedef struct ReportPage {
    const Report *r;
    SourceBook *book;
    FILE *out;
    Arena *work;
} ReportPage;

/* --- report_model.c */
void report_model(ReportPage *p);
void report_states(ReportPage *p);
void report_structure(ReportPage *p);
void report_messages(ReportPage *p);

/* --- report_plan.c */
void report_plan(ReportPage *p);
void report_cost(ReportPage *p);
void report_trust(ReportPage *p);

/* --- report_tune.c */
void report_candidates(ReportPage *p);
void report_matrices(ReportPage *p);
void report_spectra(ReportPage *p);
void report_curves(ReportPage *p);

/* The colour of a candidate (web/web.h). */
int report_colour(const Report *r, int candidate);
/* Small pieces: a row of a table of facts, a text. */
void report_fact(ReportPage *p, const char *what, const char *fmt, ...)
    TAKT_PRINTF(3, 4);
void report_text(ReportPage *p, const char *text); /* escaped */

#endif
