/* page.h - a page that shows a run while it goes on, and takes orders.
 *
 *   GET  /         the page: figures, curves, parameters, buttons; nothing is
 *                  fetched from elsewhere
 *   GET  /model    what is run, as JSON
 *   GET  /events   what has happened, every 50 ms, as server-sent events;
 *                  ?signals=3,0 gives curves of these
 *   POST /order    an order as text (control.h), with the token of this run in
 *                  the header X-Takt-Token
 *
 * A small server in a thread of its own: the run leaves its rows in a Feed and
 * takes orders from a Control, and never waits for either. The server listens
 * to this machine unless it is told otherwise, and answers only requests that
 * name it by a number or as localhost, and pages of its own: no page of another
 * host can read it, whatever its name stands for. Only who knows the token,
 * which is printed where the run was started, can change anything. Who comes
 * when all places are taken gets that of the oldest stream, and a stream that
 * takes nothing for PATIENCE is ended.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_PAGE_H
#define TAKT_RUN_PAGE_H

#include <stddef.h>

#include "base/diag.h"
#include "run/control.h"
#include "run/feed.h"

enum {
    PAGE_MOST_VALUES = 128, /* signals to choose from */
    PAGE_MOST_CHOSEN = 16,  /* curves of a stream */
    PAGE_MOST_REQUEST = 2048,
    PAGE_TOKEN = 32 /* characters */
};

typedef struct PageAbout {
    const char *model, *method;
    double step, period; /* s: of the model, and of the clock; 0: none */
    double deadline;     /* s of the clock */
    const char *const *name, *const *unit; /* of the values in the Feed */
} PageAbout;

typedef struct Page Page;

/* Starts it at `address` (PORT or HOST:PORT, as in udp.h). NULL after a report
 * (E1606). */
Page *page_open(const char *address, const PageAbout *about, Feed *feed,
                Control *control, Arena *arena, Diag *diag);
int page_port(const Page *p);
const char *page_token(const Page *p);
void page_close(Page *p); /* NULL is allowed */

/* What a client asks for with the first n bytes that it sent. */
typedef enum PageRequest {
    PAGE_MORE, /* the request is not complete */
    PAGE_HOME,
    PAGE_MODEL,
    PAGE_EVENTS,
    PAGE_ORDER,
    PAGE_UNKNOWN, /* no such page */
    PAGE_FOREIGN, /* asked for by another name, or by a page of others */
    PAGE_BAD,     /* no request that is understood here */
} PageRequest;

typedef struct PageAsked {
    int signal[PAGE_MOST_CHOSEN]; /* numbers in the Feed, as they came */
    int nsignal;
    bool chooses; /* they were given */
    const char *token, *body;
    size_t ntoken, nbody;
} PageAsked;

PageRequest page_request(const char *text, size_t n, PageAsked *asked);
bool page_is_token(const PageAsked *asked, const char *token);

#endif
