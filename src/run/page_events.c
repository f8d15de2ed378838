/* page_events.c - rows of a run as events for its page. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "run/page_internal.h"
#include "web/web.h"

/* ---- rows ---- */

Digest *digest_new(Feed *feed, Arena *arena)
{
    Digest *d = NEW(arena, Digest);
    d->feed = feed;
    d->row = NEW_ARRAY(arena, double, DIGEST_ROWS * feed->ring.width);
    d->last = NEW_ARRAY(arena, double, feed->ring.width);
    memcpy(d->last, feed->ring.value, feed->ring.width * sizeof *d->last);
    d->stride = 1;
    return d;
}

static void take_row(Digest *d, const double *row)
{
    size_t width = d->feed->ring.width;
    if (row[FEED_OVERRUNS] > d->last[FEED_OVERRUNS] &&
        d->noverran < DIGEST_MARKS)
        d->overran[d->noverran++] = row[FEED_TIME];
    if (row[FEED_STEPS] > 0) {
        histogram_add(&d->late, (int64_t)row[FEED_LATE]);
        histogram_add(&d->work, (int64_t)row[FEED_WORK]);
    }
    if (d->nrow < DIGEST_ROWS && (int64_t)row[FEED_STEPS] % d->stride == 0)
        memcpy(d->row + (size_t)d->nrow++ * width, row, width * sizeof *row);
    memcpy(d->last, row, width * sizeof *row);
}

void digest_take(Digest *d)
{
    Ring *r = &d->feed->ring;
    size_t n = atomic_load_explicit(&r->head, memory_order_acquire) -
               atomic_load_explicit(&r->tail, memory_order_relaxed);
    d->nrow = d->noverran = 0;
    d->stride = 1 + (int64_t)(n / (DIGEST_ROWS - 1));
    for (; n > 0; n--) {
        take_row(d, ring_front(r));
        ring_pop(r);
    }
}

/* ---- events ---- */

/* Eight buckets a power of two: as fine as a picture can show. */
static void put_histogram(JsonOut *j, const char *name, const Histogram *h)
{
    enum { COARSE = HISTOGRAM_SUB / 8 };
    json_begin_array(j, name);
    for (int i = 0; i < HISTOGRAM_SIZE; i += COARSE) {
        int64_t count = 0;
        for (int k = i; k < i + COARSE; k++)
            count += h->count[k];
        if (count == 0)
            continue;
        json_begin_array(j, NULL);
        json_put_number(j, NULL,
                        1e-3 * (double)(i ? histogram_edge(i - 1) : 0));
        json_put_number(j, NULL, 1e-3 * (double)histogram_edge(i + COARSE - 1));
        json_put_count(j, NULL, count);
        json_end(j);
    }
    json_end(j);
}

static void put_row(JsonOut *j, const char *name, const double *row,
                    const int *signal, int n, bool has_time)
{
    json_begin_array(j, name);
    if (has_time)
        json_put_number(j, NULL, row[FEED_TIME]);
    for (int i = 0; i < n; i++)
        json_put_number(j, NULL, row[FEED_NFIGURE + signal[i]]);
    json_end(j);
}

static void put_all(JsonOut *j, const Digest *d, const Control *c)
{
    json_begin_object(j, "histograms");
    put_histogram(j, "late", &d->late);
    put_histogram(j, "work", &d->work);
    json_end(j);
    json_begin_array(j, "parameters");
    for (int i = 0; i < c->n; i++)
        json_put_number(j, NULL, atomic_load(&c->value[i]));
    json_end(j);
}

void page_event(const Digest *d, const Control *c, const int *signal, int n,
                bool all, bool is_last, FILE *out)
{
    static const struct {
        const char *name;
        int place;
    } figure[] = {{"steps", FEED_STEPS},       {"work", FEED_WORK},
                  {"longest", FEED_LONGEST},   {"late", FEED_LATE},
                  {"overruns", FEED_OVERRUNS}, {"skipped", FEED_SKIPPED}};
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    fputs(is_last ? "event: end\ndata: " : "data: ", out);
    json_begin_object(j, NULL);
    json_put_number(j, "time", d->last[FEED_TIME]);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        json_put_count(j, figure[i].name, (int64_t)d->last[figure[i].place]);
    json_put_count(j, "missed", atomic_load(&d->feed->missed));
    json_put_bool(j, "paused", atomic_load(&c->paused));
    json_put_count(j, "stride", d->stride);
    put_row(j, "values", d->last, signal, n, false);
    json_begin_array(j, "rows");
    for (int i = 0; i < d->nrow; i++)
        put_row(j, NULL, d->row + (size_t)i * d->feed->ring.width, signal, n,
                true);
    json_end(j);
    json_begin_array(j, "overran");
    for (int i = 0; i < d->noverran; i++)
        json_put_number(j, NULL, d->overran[i]);
    json_end(j);
    if (all)
        put_all(j, d, c);
    json_end(j);
    json_finish(j);
    fputc('\n', out);
}

/* ---- what does not change ---- */

static void put_limit(JsonOut *j, const char *name, double x)
{
    if (isfinite(x))
        json_put_number(j, name, x);
}

static void put_parameter(JsonOut *j, const ControlParameter *p)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", p->name);
    json_put_text(j, "unit", p->unit);
    put_limit(j, "min", p->min);
    put_limit(j, "max", p->max);
    json_put_bool(j, "whole", p->is_whole);
    json_end(j);
}

void page_model(const PageAbout *about, const Feed *feed, const Control *c,
                FILE *out)
{
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", about->model);
    json_put_text(j, "method", about->method);
    json_put_number(j, "step", about->step);
    json_put_number(j, "period", about->period);
    json_put_number(j, "deadline", about->deadline);
    json_put_count(j, "most", PAGE_MOST_CHOSEN);
    json_begin_array(j, "names");
    for (int i = 0; i < feed->n; i++)
        json_put_text(j, NULL, about->name[i]);
    json_end(j);
    json_begin_array(j, "units");
    for (int i = 0; i < feed->n; i++)
        json_put_text(j, NULL, about->unit[i]);
    json_end(j);
    json_begin_array(j, "parameters");
    for (int i = 0; i < c->n; i++)
        put_parameter(j, &c->parameter[i]);
    json_end(j);
    json_end(j);
    json_finish(j);
}

void page_html(FILE *out)
{
    web_begin("takt run", out);
    fputs(web_file("run.html"), out);
    fprintf(out, "<script>\n%s%s</script>\n</body></html>\n",
            web_file("plot.js"), web_file("run.js"));
}
