/* page.c - the data of the page: coefficients as numbers, verdicts as text. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/json.h"
#include "theory/page_html.h"
#include "theory/picture.h"

static void put_poly(JsonOut *j, const char *key, Poly p)
{
    json_begin_array(j, key);
    for (int i = 0; i <= p.n; i++)
        json_put_number(j, NULL, exact_double(p.c[i]));
    json_end(j);
}

static void put_numbers(JsonOut *j, const char *key, const double *x, int n)
{
    json_begin_array(j, key);
    for (int i = 0; i < n; i++)
        json_put_number(j, NULL, x[i]);
    json_end(j);
}

static const char *verdict_text(const Verdict *v)
{
    return v->yes ? v->is_proven ? "yes" : "yes (seen)" : "no";
}

static void put_method(JsonOut *j, const Theory *t, Arena *work)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", t->m->name);
    json_put_text(j, "title", t->m->title);
    json_put_count(j, "order", t->order);
    json_put_text(j, "constant", exact_text(t->constant, work));
    json_put_text(j, "astable", verdict_text(&t->a));
    json_put_text(j, "lstable", verdict_text(&t->l));
    json_put_text(j, "angle", arena_printf(work, "%.2f", t->angle));
    json_put_text(j, "function", theory_function(t, work));
    json_put_count(j, "steps", t->nstep);
    if (t->is_rational) {
        put_poly(j, "up", t->up);
        put_poly(j, "down", t->down);
    } else {
        put_numbers(j, "alpha", t->m->alpha, t->m->nback + 1);
        put_numbers(j, "beta", t->m->beta, t->m->nback + 1);
    }
    json_end(j);
}

static void put_modes(JsonOut *j, const Modes *modes)
{
    json_begin_array(j, "modes");
    for (int i = 0; modes && i < modes->n; i++) {
        json_begin_array(j, NULL);
        json_put_number(j, NULL, modes->re[i]);
        json_put_number(j, NULL, modes->im[i]);
        json_end(j);
    }
    json_end(j);
    if (modes && modes->name)
        json_put_text(j, "model", modes->name);
}

void theory_page(const Theory *const *t, int n, const Modes *modes, Window w,
                 FILE *out)
{
    Arena *work = arena_new();
    JsonOut text, *j = &text;
    json_start_text(j, JSON_COMPACT);
    json_begin_object(j, NULL);
    json_begin_object(j, "window");
    json_put_number(j, "left", w.left);
    json_put_number(j, "right", w.right);
    json_put_number(j, "low", w.low);
    json_put_number(j, "high", w.high);
    json_end(j);
    put_modes(j, modes);
    json_begin_array(j, "methods");
    for (int i = 0; i < n; i++)
        put_method(j, t[i], work);
    json_end(j);
    json_end(j);
    fputs(theory_page_head, out);
    fputs(json_finish_text(j, work), out);
    fputs(theory_page_script, out);
    arena_free(work);
}
