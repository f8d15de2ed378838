/* page.h - a page that shows a run while it goes on.
 *
 *   /         the page: figures and curves, nothing is fetched from elsewhere
 *   /model    what is run, as JSON
 *   /events   the latest figures every 50 ms, as server-sent events
 *
 * A small server in a thread of its own; it only looks at what the run leaves
 * in Live, and the run never waits for it. Nothing can be changed through it.
 * It listens to this machine unless it is told otherwise, and answers only
 * requests that name it by a number or as localhost, and pages of its own: no
 * page of another host can read it, whatever its name stands for. Who comes
 * when all places are taken gets that of the oldest stream, and a stream that
 * takes nothing for PATIENCE is ended.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_PAGE_H
#define TAKT_RUN_PAGE_H

#include <stddef.h>

#include "base/diag.h"
#include "run/live.h"

enum { PAGE_MOST_VALUES = 16, PAGE_MOST_REQUEST = 2048 };

typedef struct PageAbout {
    const char *model, *method;
    double step, period;     /* s: of the model, and of the clock */
    const char *const *name; /* of the values in Live */
} PageAbout;

typedef struct Page Page;

/* Starts it at `address` (PORT or HOST:PORT, as in udp.h). NULL after a report
 * (E1606). */
Page *page_open(const char *address, const PageAbout *about, Live *live,
                Arena *arena, Diag *diag);
int page_port(const Page *p);
void page_close(Page *p); /* NULL is allowed */

/* What a client asks for with the first n bytes that it sent. */
typedef enum PageRequest {
    PAGE_MORE, /* the request is not complete */
    PAGE_HOME,
    PAGE_MODEL,
    PAGE_EVENTS,
    PAGE_UNKNOWN, /* no such page */
    PAGE_FOREIGN, /* asked for by another name, or by a page of others */
    PAGE_BAD,     /* no request that is understood here */
} PageRequest;

PageRequest page_request(const char *text, size_t n);

extern const char page_html[];

#endif
