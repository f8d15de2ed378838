/* report_model.c - what the model is: counts, interface, parameters, states,
 * blocks, messages. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages/report_internal.h"
#include "report/blt.h"

enum { MOST_ROWS = 400 };

/* ---- the model ---- */

static void put_name(ReportPage *p, const char *name)
{
    fputs("<td class='t mono'>", p->out);
    report_text(p, name);
    fputs("</td>", p->out);
}

static void put_var(ReportPage *p, const FlatVar *v, const char *value)
{
    fputs("<tr>", p->out);
    put_name(p, v->name);
    fputs("<td>", p->out);
    report_text(p, value);
    fputs("</td><td class='t'>", p->out);
    report_text(p, v->unit);
    fputs("</td><td class='t'>", p->out);
    report_text(p, v->comment);
    fputs("</td><td class='t'>", p->out);
    book_put_link(p->book, v->span, p->out);
    fputs("</td></tr>\n", p->out);
}

/* The value of an expression without variables, else its text. */
static const char *value_text(ReportPage *p, const Flat *f, Expr e)
{
    double x;
    if (e == EXPR_NONE)
        return "";
    if (expr_is_const(f->dag, e, &x))
        return arena_printf(p->work, "%.6g", x);
    return expr_text(f->dag, e, flat_var_name, (void *)f, 60, p->work);
}

static void put_interface(ReportPage *p)
{
    const Flat *f = p->r->c->flat;
    static const char *const word[] = {"input", "output"};
    static const FlatCausality kind[] = {FC_INPUT, FC_OUTPUT};
    int shown = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < f->nvar; i++) {
            if (f->var[i].causality != kind[k])
                continue;
            if (shown++ == 0)
                fputs("<h3>Inputs and outputs</h3><div class='wide'><table>"
                      "<thead><tr><th class='t'>name</th><th></th><th "
                      "class='t'>unit</th><th class='t'>meaning</th><th "
                      "class='t'>declared</th></tr></thead><tbody>\n",
                      p->out);
            put_var(p, &f->var[i], word[k]);
        }
    if (shown)
        fputs("</tbody></table></div>\n", p->out);
}

static void put_parameters(ReportPage *p)
{
    const Flat *f = p->r->c->flat;
    int n = 0;
    for (int i = 0; i < f->nvar; i++)
        n += f->var[i].variability == FV_PARAMETER;
    if (n == 0)
        return;
    fprintf(p->out,
            "<h3>Parameters</h3><details%s><summary>%d parameters</summary>"
            "<div class='bar'><input type='search' data-search='parameters' "
            "placeholder='search' aria-label='search parameters'></div><div "
            "class='wide'><table id='parameters'><thead><tr><th class='t'>name"
            "</th><th>value</th><th class='t'>unit</th><th class='t'>meaning"
            "</th><th class='t'>declared</th></tr></thead><tbody>\n",
            n <= 20 ? " open" : "", n);
    for (int i = 0, shown = 0; i < f->nvar && shown < MOST_ROWS; i++)
        if (f->var[i].variability == FV_PARAMETER && ++shown)
            put_var(p, &f->var[i], value_text(p, f, f->var[i].binding));
    fputs("</tbody></table></div>", p->out);
    if (n > MOST_ROWS)
        fprintf(p->out, "<p>and %d more</p>", n - MOST_ROWS);
    fputs("</details>\n", p->out);
}

void report_model(ReportPage *p)
{
    const Flat *f = p->r->c->flat;
    int inputs = 0, outputs = 0;
    for (int i = 0; i < f->nvar; i++) {
        inputs += f->var[i].causality == FC_INPUT;
        outputs += f->var[i].causality == FC_OUTPUT;
    }
    fputs("<div class='wide'><table class='facts'>\n", p->out);
    report_fact(p, "components", "%d", f->ncomponent);
    report_fact(p, "equations, unknowns", "%d, %d", flat_count_equations(f),
                flat_count_unknowns(f));
    report_fact(p, "parameters", "%d", flat_count_parameters(f));
    report_fact(p, "inputs, outputs", "%d, %d", inputs, outputs);
    if (f->nwhen)
        report_fact(p, "when clauses", "%d", f->nwhen);
    report_fact(p, "run", "from %g s to %g s", p->r->c->start, p->r->c->stop);
    fputs("<tr><th class='t'>written in</th><td class='t'>", p->out);
    book_put_link(p->book, f->span, p->out);
    fputs("</td></tr>\n</table></div>\n", p->out);
    put_interface(p);
    put_parameters(p);
}

/* ---- states ---- */

/* The flat variable of a name such as der(x). */
static const FlatVar *var_of(const Flat *f, const char *name)
{
    int v = flat_find(f, name);
    return v == NONE ? NULL : &f->var[v];
}

static void put_state(ReportPage *p, const char *name)
{
    const Flat *f = p->r->c->flat;
    const FlatVar *v = var_of(f, name);
    fputs("<tr>", p->out);
    put_name(p, name);
    fputs("<td class='t'>", p->out);
    report_text(p, flat_unit(f, name, p->work));
    fputs("</td><td>", p->out);
    report_text(p, v ? value_text(p, f, v->start) : "");
    fputs("</td><td class='t'>", p->out);
    report_text(p, v ? v->comment : "");
    fputs("</td><td class='t'>", p->out);
    if (v)
        book_put_link(p->book, v->span, p->out);
    fputs("</td></tr>\n", p->out);
}

static void put_dummies(ReportPage *p, const Dae *d)
{
    fprintf(p->out,
            "<p>%d dummy derivatives, which were states before the index was "
            "reduced: <span class='mono'>",
            d->ndummy);
    for (int i = 0; i < d->ndummy && i < 60; i++) {
        fputs(i ? ", " : "", p->out);
        report_text(p, dae_leaf_text(d, d->dummy[i], p->work));
    }
    fprintf(p->out, "%s</span></p>\n", d->ndummy > 60 ? ", ..." : "");
}

void report_states(ReportPage *p)
{
    const Dae *d = p->r->c->dae;
    if (!d) {
        fputs("<p>The plan is direct: the index is left as it is.</p>\n",
              p->out);
        return;
    }
    fprintf(p->out, "<p>Index %d", d->index);
    if (d->structural_index != d->index)
        fprintf(p->out, " (structural index %d)", d->structural_index);
    fprintf(p->out, ", %d states", d->nstate);
    if (d->nset > 0)
        fprintf(p->out, ", %d sets of states that are chosen while running",
                d->nset);
    fputs(".</p>\n<details open><summary>states</summary><div class='wide'>"
          "<table id='state-list'><thead><tr><th class='t'>state</th><th "
          "class='t'>unit</th><th>start</th><th class='t'>meaning</th><th "
          "class='t'>declared</th></tr></thead><tbody>\n",
          p->out);
    for (int i = 0; i < d->nstate && i < MOST_ROWS; i++)
        put_state(p, dae_leaf_text(d, dae_state_shown(d, i), p->work));
    fputs("</tbody></table></div></details>\n", p->out);
    if (d->nstate > MOST_ROWS)
        fprintf(p->out, "<p>and %d more</p>\n", d->nstate - MOST_ROWS);
    if (d->ndummy > 0)
        put_dummies(p, d);
}

/* ---- structure ---- */

void report_structure(ReportPage *p)
{
    const Compilation *c = p->r->c;
    const Inlined *d = c->step->inlined;
    if (d->ncycle == 0) {
        fputs("<p>There is no step.</p>\n", p->out);
        return;
    }
    fputs("<p>The blocks of the step that <code>takt build</code> writes with "
          "this plan.</p>\n",
          p->out);
    blt_section(c->step->schedule[d->cycle[0]], p->book, c->sources, p->out);
}

/* ---- messages ---- */

void report_messages(ReportPage *p)
{
    const Diag *d = p->r->c->diag;
    int n = diag_nmessage(d);
    if (n == 0) {
        fputs("<p class='good'>No warnings.</p>\n", p->out);
        return;
    }
    fputs("<div class='wide'><table><thead><tr><th class='t'>code</th><th "
          "class='t'>message</th><th class='t'>place</th></tr></thead><tbody>"
          "\n",
          p->out);
    for (int i = 0; i < n; i++) {
        DiagMessage m = diag_message(d, i);
        fprintf(p->out, "<tr><td class='t %s'>%s</td><td class='t'>",
                m.kind == DIAG_WARNING ? "warn" : "bad", m.code);
        report_text(p, m.text);
        fputs("</td><td class='t'>", p->out);
        book_put_link(p->book, m.span, p->out);
        fputs("</td></tr>\n", p->out);
    }
    fputs("</tbody></table></div>\n", p->out);
}
