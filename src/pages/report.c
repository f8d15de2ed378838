/* report.c - the frame of the report: sections in their order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages/report.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/markup.h"
#include "base/number.h"
#include "pages/report_internal.h"
#include "web/web.h"

static const struct {
    const char *id, *title;
    void (*write)(ReportPage *p);
} section[] = {
    {"model", "The model", report_model},
    {"states", "States and index", report_states},
    {"structure", "Structure of the step", report_structure},
    {"plan", "Plan and evidence", report_plan},
    {"candidates", "Cost against deviation", report_candidates},
    {"matrices", "Matrices of the step", report_matrices},
    {"spectra", "Spectra", report_spectra},
    {"trajectories", "Trajectories", report_curves},
    {"cost", "Cost certificate", report_cost},
    {"errors", "Error estimates", report_trust},
    {"messages", "Messages", report_messages},
};
enum { NSECTION = sizeof section / sizeof *section };

void report_text(ReportPage *p, const char *text)
{
    markup_text(text, p->out);
}

void report_fact(ReportPage *p, const char *what, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f) {
        vfprintf(f, fmt, ap);
        fclose(f);
    }
    va_end(ap);
    fputs("<tr><th class='t'>", p->out);
    report_text(p, what);
    fputs("</th><td class='t'>", p->out);
    report_text(p, text ? text : "");
    fputs("</td></tr>\n", p->out);
    free(text);
}

static void put_contents(ReportPage *p)
{
    fputs("<nav class='contents'>", p->out);
    for (int i = 0; i < NSECTION; i++)
        fprintf(p->out, "<a href='#%s'>%s</a>\n", section[i].id,
                section[i].title);
    fputs("<a href='#source'>Source</a></nav>\n", p->out);
}

static void put_head(ReportPage *p)
{
    const Compilation *c = p->r->c;
    char step[32];
    fputs("<p class='pale'>", p->out);
    report_text(p, c->method->title);
    fprintf(p->out, ", step %s s", number_text(c->size, step));
    if (p->r->plan) {
        fputs(", plan <code>", p->out);
        report_text(p, p->r->plan);
        fputs("</code>", p->out);
    }
    fputs("; takt " TAKT_VERSION "</p>\n", p->out);
}

void report_write(const Report *r, FILE *out)
{
    Arena *work = arena_new();
    ReportPage p = {r, book_new(r->c->sources, work), out, work};
    web_begin(r->c->flat->model, out);
    put_head(&p);
    put_contents(&p);
    for (int i = 0; i < NSECTION; i++) {
        web_section(section[i].id, section[i].title, out);
        section[i].write(&p);
        web_section_end(out);
    }
    web_section("source", "Source", out);
    fputs("<p>The lines that this page speaks of, with their neighbours.</p>\n",
          out);
    book_write(p.book, out);
    web_section_end(out);
    web_end(out);
    arena_free(work);
}
