/* page_request.c - what a client of the page asks for. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "run/page.h"

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

/* Bytes up to the empty line, and with it; 0: it has not come yet. */
static size_t head_size(const char *text, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (i >= 3 && !memcmp(text + i - 3, "\r\n\r\n", 4))
            return i + 1;
        if (!memcmp(text + i - 1, "\n\n", 2))
            return i + 1;
    }
    return 0;
}

/* A small whole number of decimal digits; NONE if it is none. */
static int whole(const char *text, size_t n)
{
    int x = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || x > 99999)
            return NONE;
        x = 10 * x + text[i] - '0';
    }
    return n > 0 ? x : NONE;
}

/* The numbers of "signals=3,0,7"; others are passed by. */
static void take_signals(const char *query, size_t n, PageAsked *a)
{
    static const char key[] = "signals=";
    size_t k = sizeof key - 1;
    if (n < k || memcmp(query, key, k))
        return;
    a->chooses = true;
    for (size_t at = k; at < n;) {
        const char *comma = memchr(query + at, ',', n - at);
        size_t size = comma ? (size_t)(comma - query) - at : n - at;
        int signal = whole(query + at, size);
        if (signal != NONE && a->nsignal < PAGE_MOST_CHOSEN)
            a->signal[a->nsignal++] = signal;
        at += size + 1;
    }
}

static PageRequest find_page(const char *path, size_t n, bool gives)
{
    static const struct {
        const char *path;
        bool gives;
        PageRequest request;
    } known[] = {{"/", false, PAGE_HOME},
                 {"/model", false, PAGE_MODEL},
                 {"/events", false, PAGE_EVENTS},
                 {"/order", true, PAGE_ORDER}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].path) == n && !memcmp(path, known[i].path, n))
            return known[i].gives == gives ? known[i].request : PAGE_BAD;
    return PAGE_UNKNOWN;
}

/* The body of an order, which may still be on its way. */
static PageRequest take_body(const char *text, size_t n, size_t head,
                             PageAsked *a)
{
    size_t size = 0;
    const char *length = header(text, head, "Content-Length", &size);
    int k = length ? whole(length, size) : NONE;
    if (k == NONE || head + (size_t)k > PAGE_MOST_REQUEST)
        return PAGE_BAD;
    a->token = header(text, head, "X-Takt-Token", &a->ntoken);
    a->body = text + head;
    a->nbody = (size_t)k;
    return n < head + (size_t)k ? PAGE_MORE : PAGE_ORDER;
}

static bool begins_with(const char *text, size_t n, const char *want)
{
    size_t k = strlen(want);
    return !memcmp(text, want, n < k ? n : k);
}

PageRequest page_request(const char *text, size_t n, PageAsked *a)
{
    *a = (PageAsked){0};
    bool gives = begins_with(text, n, "POST ");
    if (!gives && !begins_with(text, n, "GET "))
        return PAGE_BAD;
    size_t head = head_size(text, n);
    if (head == 0)
        return n < PAGE_MOST_REQUEST ? PAGE_MORE : PAGE_BAD;
    if (is_foreign(text, head))
        return PAGE_FOREIGN;
    const char *path = text + (gives ? 5 : 4);
    size_t length = strcspn(path, " ?\r\n"), query = length;
    PageRequest request = find_page(path, length, gives);
    if (path[length] == '?') {
        query = strcspn(path, " \r\n");
        take_signals(path + length + 1, query - length - 1, a);
    }
    return request == PAGE_ORDER ? take_body(text, n, head, a) : request;
}

/* The same time for every wrong one. */
bool page_is_token(const PageAsked *a, const char *token)
{
    unsigned char wrong = 0;
    if (!a->token || a->ntoken != strlen(token))
        return false;
    for (size_t i = 0; i < a->ntoken; i++)
        wrong |= (unsigned char)(a->token[i] ^ token[i]);
    return wrong == 0;
}
