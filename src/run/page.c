/* page.c - a server for a few clients, in one thread with poll().
 *
 * An answer goes out as the client takes it. A stream that is slow misses
 * events, never the others.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/number.h"
#include "run/address.h"
#include "run/clock.h"
#include "run/page_internal.h"
#include "run/thread.h"

enum {
    MOST_CLIENTS = 16,
    BEAT = 50000000, /* ns between events */
    ALL_EVERY = 10,  /* beats: parameters and histograms */
    PATIENCE = 5000, /* ms for a request, and for what a stream takes */
    DEFAULT_CHOSEN = 4
};

typedef struct Client {
    int fd;                       /* NONE: free */
    bool is_stream;               /* gets events */
    int64_t came;                 /* ns */
    int64_t since;                /* ns: when it came, or took something last */
    int signal[PAGE_MOST_CHOSEN]; /* of a stream */
    int nsignal;
    char *rest; /* that it has not taken yet, or NULL */
    size_t nrest, sent;
    size_t n;
    char text[PAGE_MOST_REQUEST];
} Client;

struct Page {
    int fd, port;
    PageAbout about;
    Feed *feed;
    Control *control;
    Digest *digest;
    char token[PAGE_TOKEN + 1];
    Client client[MOST_CLIENTS];
    FILE *stream; /* writes to: */
    char *out;    /* the answer that is being made */
    size_t n;
    int64_t next; /* ns: of the next event */
    int64_t beat; /* number of events so far */
    atomic_bool over;
    pthread_t thread;
};

/* ---- answers ---- */

static void drop(Client *c)
{
    close(c->fd);
    free(c->rest);
    *c = (Client){.fd = NONE};
}

/* What is left of an answer. One that is no stream is done with it. */
static void send_rest(Client *c)
{
    ssize_t n =
        send(c->fd, c->rest + c->sent, c->nrest - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        drop(c);
        return;
    }
    if (n > 0)
        c->since = clock_now();
    c->sent += n > 0 ? (size_t)n : 0;
    if (c->sent < c->nrest)
        return;
    free(c->rest);
    c->rest = NULL;
    if (!c->is_stream)
        drop(c);
}

/* Sends what was made. A stream that has not taken the last one misses it. */
static void deliver(Page *p, Client *c)
{
    fflush(p->stream);
    if (c->rest)
        return;
    c->rest = malloc(p->n + 1);
    if (!c->rest) {
        drop(c);
        return;
    }
    memcpy(c->rest, p->out, p->n);
    c->nrest = p->n;
    c->sent = 0;
    send_rest(c);
}

static void begin(Page *p, const char *status, const char *type)
{
    rewind(p->stream);
    fprintf(p->stream,
            "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\n"
            "Cache-Control: no-store\r\nConnection: close\r\n"
            "X-Content-Type-Options: nosniff\r\nReferrer-Policy: "
            "no-referrer\r\nContent-Security-Policy: default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
            "connect-src 'self'; img-src data:; base-uri 'none'; form-action "
            "'none'; frame-ancestors 'none'\r\n\r\n",
            status, type);
}

static void say(Page *p, const char *status, const char *text)
{
    begin(p, status, "text/plain");
    fprintf(p->stream, "%s\n", text);
}

static void obey(Page *p, const PageAsked *asked)
{
    ControlOrder o;
    if (!page_is_token(asked, p->token)) {
        say(p, "403 Forbidden", "the token of this run is needed");
        return;
    }
    const char *wrong = control_read(p->control, asked->body, asked->nbody, &o);
    if (wrong)
        say(p, "400 Bad Request", wrong);
    else if (!control_give(p->control, &o))
        say(p, "503 Service Unavailable", "busy");
    else
        say(p, "200 OK", "ok");
}

/* What it did not choose is chosen for it; what is not there is left out. */
static void open_stream(Page *p, Client *c, const PageAsked *asked)
{
    int most = p->feed->n < DEFAULT_CHOSEN ? p->feed->n : DEFAULT_CHOSEN;
    c->is_stream = true;
    for (int i = 0; i < (asked->chooses ? asked->nsignal : most); i++) {
        int signal = asked->chooses ? asked->signal[i] : i;
        if (signal < p->feed->n)
            c->signal[c->nsignal++] = signal;
    }
    begin(p, "200 OK", "text/event-stream");
    p->digest->nrow = p->digest->noverran = 0;
    page_event(p->digest, p->control, c->signal, c->nsignal, true, false,
               p->stream);
}

static void answer(Page *p, Client *c)
{
    PageAsked asked;
    switch (page_request(c->text, c->n, &asked)) {
    case PAGE_MORE: return;
    case PAGE_HOME:
        begin(p, "200 OK", "text/html");
        page_html(p->stream);
        break;
    case PAGE_MODEL:
        begin(p, "200 OK", "application/json");
        page_model(&p->about, p->feed, p->control, p->stream);
        break;
    case PAGE_EVENTS: open_stream(p, c, &asked); break;
    case PAGE_ORDER: obey(p, &asked); break;
    case PAGE_UNKNOWN:
        say(p, "404 Not Found", "there is /, /model, /events and /order");
        break;
    case PAGE_FOREIGN:
        say(p, "403 Forbidden",
            "ask for 127.0.0.1 or localhost, from a page of this one");
        break;
    case PAGE_BAD:
        say(p, "400 Bad Request", "GET is understood, and POST of an order");
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
    bool done = c->is_stream || c->rest || c->n == PAGE_MOST_REQUEST;
    ssize_t n = done ? recv(c->fd, rest, sizeof rest, 0)
                     : recv(c->fd, c->text + c->n, PAGE_MOST_REQUEST - c->n, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        drop(c);
        return;
    }
    if (n < 0 || done)
        return;
    c->n += (size_t)n;
    answer(p, c);
}

static void send_events(Page *p, bool is_last)
{
    digest_take(p->digest);
    bool all = is_last || p->beat++ % ALL_EVERY == 0;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        Client *c = &p->client[i];
        if (c->fd == NONE || !c->is_stream || c->rest)
            continue;
        rewind(p->stream);
        page_event(p->digest, p->control, c->signal, c->nsignal, all, is_last,
                   p->stream);
        deliver(p, c);
    }
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
        fd[i + 1] = (struct pollfd){
            .fd = p->client[i].fd,
            .events = p->client[i].rest ? POLLIN | POLLOUT : POLLIN};
    int64_t now = clock_now(), rest = p->next - now;
    poll(fd, MOST_CLIENTS + 1, rest > 0 ? (int)(rest / 1000000) + 1 : 0);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        if (fd[i + 1].revents & POLLOUT)
            send_rest(&p->client[i]);
        if (fd[i + 1].revents & ~POLLOUT && p->client[i].fd != NONE)
            listen_to(p, &p->client[i]);
    }
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

/* Nobody can guess it. */
static bool make_token(char *token)
{
    unsigned char byte[PAGE_TOKEN / 2];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
        return false;
    for (size_t i = 0; i < sizeof byte; i++)
        snprintf(token + 2 * i, 3, "%02x", byte[i]);
    return true;
}

Page *page_open(const char *address, const PageAbout *about, Feed *feed,
                Control *control, Arena *arena, Diag *diag)
{
    int fd = address_open("--page", address, ADDRESS_SERVE, arena, diag);
    if (fd == NONE)
        return NULL;
    Page *p = NEW(arena, Page);
    p->fd = fd;
    p->port = address_port(fd);
    p->about = *about;
    p->feed = feed;
    p->control = control;
    p->digest = digest_new(feed, arena);
    for (int i = 0; i < MOST_CLIENTS; i++)
        p->client[i].fd = NONE;
    p->stream = open_memstream(&p->out, &p->n);
    int failed = !p->stream || !make_token(p->token)
                     ? errno
                     : thread_start(&p->thread, serve, p);
    if (failed == 0)
        return p;
    if (p->stream)
        fclose(p->stream);
    free(p->out);
    close(fd);
    diag_report(diag, NO_SPAN, DIAG_E1606, "--page %s: %s", address,
                strerror(failed));
    return NULL;
}

const char *page_token(const Page *p)
{
    return p->token;
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
    fclose(p->stream);
    free(p->out);
    close(p->fd);
}
