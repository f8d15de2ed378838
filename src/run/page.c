/* page.c - a server for a few clients, in one thread with poll().
 *
 * Requests are small and answers go out in one piece: a client that cannot take
 * one is dropped. A stream that is slow misses figures, never the others.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/page.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/number.h"
#include "run/address.h"
#include "run/clock.h"
#include "run/thread.h"

enum {
    MOST_CLIENTS = 16,
    BEAT = 50000000, /* ns between events */
    PATIENCE = 5000, /* ms for a request */
    ROOM = 1 << 16,  /* bytes of an answer without names and values */
    MOST_NUMBER = 24 /* bytes of a value in an event */
};

typedef struct Client {
    int fd;         /* NONE: free */
    bool is_stream; /* gets events */
    int64_t came;   /* ns */
    int64_t since;  /* ns: when it came, or took something last */
    size_t n;
    char text[PAGE_MOST_REQUEST];
} Client;

struct Page {
    int fd, port;
    Live *live;
    const char *model; /* JSON */
    double *value;
    Client client[MOST_CLIENTS];
    char *out; /* room bytes: the answer that is being made */
    size_t room, n;
    int64_t next; /* ns: of the next event */
    atomic_bool over;
    pthread_t thread;
};

/* ---- requests ---- */

static bool is_path(const char *path, size_t n, const char *want)
{
    return strlen(want) == n && !memcmp(path, want, n);
}

/* The value of a header, up to the end of its line; NULL if there is none. */
static const char *header(const char *text, size_t n, const char *name,
                          size_t *size)
{
    size_t k = strlen(name);
    for (size_t at = 0; at < n; at++) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t line = end ? (size_t)(end - text) - at : n - at;
        if (line > k && !strncasecmp(text + at, name, k) &&
            text[at + k] == ':') {
            const char *value = text + at + k + 1;
            *size = line - k - 1;
            for (; *size > 0 && *value == ' '; ++value)
                --*size;
            while (*size > 0 &&
                   (value[*size - 1] == '\r' || value[*size - 1] == ' '))
                --*size;
            return value;
        }
        at += line;
    }
    return NULL;
}

/* A number, 127.0.0.1 or [::1], or localhost, with or without a port. */
static bool is_own_name(const char *host, size_t n)
{
    const char *colon = n > 0 && host[0] == '[' ? memchr(host, ']', n) : NULL;
    if (n > 0 && host[0] == '[')
        return colon != NULL;
    colon = memchr(host, ':', n);
    size_t k = colon ? (size_t)(colon - host) : n, digits = 0;
    while (digits < k && ((host[digits] >= '0' && host[digits] <= '9') ||
                          host[digits] == '.'))
        digits++;
    return (k > 0 && digits == k) ||
           (k == 9 && !strncasecmp(host, "localhost", 9));
}

/* Another name may have been made to stand for this machine (DNS rebinding);
 * a page of another origin may not read this one. */
static bool is_foreign(const char *text, size_t n)
{
    size_t nhost = 0, norigin = 0;
    const char *host = header(text, n, "Host", &nhost);
    const char *origin = header(text, n, "Origin", &norigin);
    if (host && !is_own_name(host, nhost))
        return true;
    return origin &&
           (!host || norigin != nhost + 7 || memcmp(origin, "http://", 7) ||
            memcmp(origin + 7, host, nhost));
}

PageRequest page_request(const char *text, size_t n)
{
    static const char get[] = "GET ";
    size_t k = n < 4 ? n : 4;
    if (memcmp(text, get, k))
        return PAGE_BAD;
    bool complete = false;
    for (size_t i = 3; i < n && !complete; i++)
        complete = !memcmp(text + i - 3, "\r\n\r\n", 4) ||
                   !memcmp(text + i - 1, "\n\n", 2);
    if (!complete)
        return n < PAGE_MOST_REQUEST ? PAGE_MORE : PAGE_BAD;
    if (is_foreign(text, n))
        return PAGE_FOREIGN;
    const char *path = text + 4;
    size_t length = 0;
    while (path[length] != ' ' && path[length] != '?' && path[length] != '\r' &&
           path[length] != '\n')
        length++;
    return is_path(path, length, "/")         ? PAGE_HOME
           : is_path(path, length, "/model")  ? PAGE_MODEL
           : is_path(path, length, "/events") ? PAGE_EVENTS
                                              : PAGE_UNKNOWN;
}

/* ---- answers ---- */

static void add(Page *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(p->out + p->n, p->room - p->n, fmt, ap);
    va_end(ap);
    if (n > 0)
        p->n = p->n + (size_t)n < p->room ? p->n + (size_t)n : p->room - 1;
}

static void drop(Client *c)
{
    close(c->fd);
    c->fd = NONE;
}

/* Sends p->out. Where that cannot be done in one piece the client goes. */
static void deliver(Page *p, Client *c)
{
    ssize_t n = send(c->fd, p->out, p->n, MSG_NOSIGNAL);
    if (n < 0 && c->is_stream && (errno == EAGAIN || errno == EWOULDBLOCK))
        return; /* it misses this one */
    c->since = clock_now();
    if (n != (ssize_t)p->n || !c->is_stream)
        drop(c);
}

static void begin(Page *p, const char *status, const char *type)
{
    p->n = 0;
    add(p,
        "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\n"
        "Cache-Control: no-store\r\nConnection: close\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Content-Security-Policy: default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'\r\n"
        "\r\n",
        status, type);
}

static void add_event(Page *p, bool is_last)
{
    LiveFigures f;
    live_read(p->live, &f, p->value);
    add(p,
        "%sdata: {\"time\":%.10g,\"steps\":%lld,\"work\":%lld,\"longest\":%lld,"
        "\"late\":%lld,\"overruns\":%lld,\"skipped\":%lld,\"values\":[",
        is_last ? "event: end\n" : "", f.time, (long long)f.steps,
        (long long)f.work, (long long)f.longest, (long long)f.late,
        (long long)f.overruns, (long long)f.skipped);
    for (int i = 0; i < p->live->n; i++) {
        if (isfinite(p->value[i]))
            add(p, "%s%.10g", i ? "," : "", p->value[i]);
        else
            add(p, "%snull", i ? "," : "");
    }
    add(p, "]}\n\n");
}

static void answer(Page *p, Client *c, PageRequest request)
{
    switch (request) {
    case PAGE_MORE: return;
    case PAGE_HOME:
        begin(p, "200 OK", "text/html");
        add(p, "%s", page_html);
        break;
    case PAGE_MODEL:
        begin(p, "200 OK", "application/json");
        add(p, "%s\n", p->model);
        break;
    case PAGE_EVENTS:
        begin(p, "200 OK", "text/event-stream");
        c->is_stream = true;
        add_event(p, false);
        break;
    case PAGE_UNKNOWN:
        begin(p, "404 Not Found", "text/plain");
        add(p, "there is /, /model and /events\n");
        break;
    case PAGE_FOREIGN:
        begin(p, "403 Forbidden", "text/plain");
        add(p, "ask for 127.0.0.1 or localhost, from a page of this one\n");
        break;
    case PAGE_BAD:
        begin(p, "400 Bad Request", "text/plain");
        add(p, "only GET is understood\n");
        break;
    }
    deliver(p, c);
}

/* ---- the thread ---- */

/* The stream that has been there longest makes room; requests are short. */
static void make_room(Page *p)
{
    Client *oldest = NULL;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        Client *c = &p->client[i];
        if (c->fd == NONE)
            return;
        if (c->is_stream && (!oldest || c->came < oldest->came))
            oldest = c;
    }
    if (oldest)
        drop(oldest);
}

static void welcome(Page *p)
{
    int fd = accept(p->fd, NULL, NULL);
    if (fd < 0)
        return;
    int flags = fcntl(fd, F_GETFL);
    make_room(p);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        if (p->client[i].fd != NONE)
            continue;
        if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
            fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
            break;
        int64_t now = clock_now();
        p->client[i] = (Client){.fd = fd, .came = now, .since = now};
        return;
    }
    close(fd); /* there is no place */
}

static void listen_to(Page *p, Client *c)
{
    char rest[256];
    bool full = c->n == sizeof c->text;
    ssize_t n = c->is_stream || full
                    ? recv(c->fd, rest, sizeof rest, 0)
                    : recv(c->fd, c->text + c->n, sizeof c->text - c->n, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        drop(c);
        return;
    }
    if (n < 0 || c->is_stream)
        return;
    c->n += full ? 0 : (size_t)n;
    answer(p, c, page_request(c->text, c->n));
}

static void send_events(Page *p, bool is_last)
{
    p->n = 0;
    add_event(p, is_last);
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (p->client[i].fd != NONE && p->client[i].is_stream)
            deliver(p, &p->client[i]);
}

static void drop_idle(Page *p, int64_t now)
{
    for (int i = 0; i < MOST_CLIENTS; i++) {
        Client *c = &p->client[i];
        if (c->fd != NONE && now - c->since > (int64_t)PATIENCE * 1000000)
            drop(c);
    }
}

static void turn(Page *p)
{
    struct pollfd fd[MOST_CLIENTS + 1] = {{.fd = p->fd, .events = POLLIN}};
    for (int i = 0; i < MOST_CLIENTS; i++) /* a negative one is passed by */
        fd[i + 1] = (struct pollfd){.fd = p->client[i].fd, .events = POLLIN};
    int64_t now = clock_now(), rest = p->next - now;
    poll(fd, MOST_CLIENTS + 1, rest > 0 ? (int)(rest / 1000000) + 1 : 0);
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (fd[i + 1].revents)
            listen_to(p, &p->client[i]);
    if (fd[0].revents)
        welcome(p);
    now = clock_now();
    if (now < p->next)
        return;
    p->next = now + BEAT;
    send_events(p, false);
    drop_idle(p, now);
}

static void *serve(void *context)
{
    Page *p = context;
    Plain plain = plain_begin();
    p->next = clock_now() + BEAT;
    while (!atomic_load(&p->over))
        turn(p);
    send_events(p, true);
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (p->client[i].fd != NONE)
            drop(&p->client[i]);
    plain_end(plain);
    return NULL;
}

/* ---- the entry ---- */

static const char *describe(const PageAbout *about, int n, Arena *arena)
{
    JsonOut text, *j = &text;
    json_start_text(j, JSON_COMPACT);
    json_begin_object(j, NULL);
    json_put_text(j, "model", about->model);
    json_put_text(j, "method", about->method);
    json_put_number(j, "step", about->step);
    json_put_number(j, "period", about->period);
    json_begin_array(j, "names");
    for (int i = 0; i < n; i++)
        json_put_text(j, NULL, about->name[i]);
    json_end(j);
    json_end(j);
    return json_finish_text(j, arena);
}

Page *page_open(const char *address, const PageAbout *about, Live *live,
                Arena *arena, Diag *diag)
{
    int fd = address_open("--page", address, ADDRESS_SERVE, arena, diag);
    if (fd == NONE)
        return NULL;
    Page *p = NEW(arena, Page);
    p->fd = fd;
    p->port = address_port(fd);
    p->live = live;
    p->model = describe(about, live->n, arena);
    p->value = NEW_ARRAY(arena, double, live->n + 1);
    p->room = ROOM + strlen(p->model) + (size_t)live->n * MOST_NUMBER;
    p->out = arena_alloc(arena, p->room);
    for (int i = 0; i < MOST_CLIENTS; i++)
        p->client[i].fd = NONE;
    int failed = thread_start(&p->thread, serve, p);
    if (failed == 0)
        return p;
    close(fd);
    diag_report(diag, NO_SPAN, DIAG_E1606, "--page %s: %s", address,
                strerror(failed));
    return NULL;
}

int page_port(const Page *p)
{
    return p->port;
}

void page_close(Page *p)
{
    if (!p)
        return;
    atomic_store(&p->over, true);
    pthread_join(p->thread, NULL);
    close(p->fd);
}
