/* report_plan.c - decisions, evidence, cost certificate, error estimates. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pages/cost_sheet.h"
#include "pages/report_internal.h"

enum { MOST_VALUE = 160 }; /* bytes that are shown unasked */

/* ---- the plan ---- */

static void put_value(ReportPage *p, const cJSON *x)
{
    if (cJSON_IsString(x)) {
        report_text(p, x->valuestring);
        return;
    }
    char *text = cJSON_PrintUnformatted(x);
    bool is_long = text && strlen(text) > MOST_VALUE;
    if (is_long)
        fprintf(p->out, "<details><summary>%d %s</summary>",
                cJSON_GetArraySize(x),
                cJSON_IsArray(x) ? "entries" : "members");
    report_text(p, text ? text : "");
    fputs(is_long ? "</details>" : "", p->out);
    free(text);
}

/* Members as rows; what is long is folded. */
static void put_members(ReportPage *p, const cJSON *object, const char *skip)
{
    const cJSON *x;
    cJSON_ArrayForEach(x, object)
    {
        if (!strcmp(x->string, skip))
            continue;
        fputs("<tr><th class='t'>", p->out);
        report_text(p, x->string);
        fputs("</th><td class='t'>", p->out);
        put_value(p, x);
        fputs("</td></tr>\n", p->out);
    }
}

static void put_evidence(ReportPage *p, const char *text)
{
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    if (!root) {
        fputs("<p>The plan has no evidence; <code>takt tune</code> writes "
              "it.</p>\n",
              p->out);
        return;
    }
    fputs("<h3>Evidence in the plan</h3><div class='wide'><table>\n", p->out);
    put_members(p, root, "tried");
    fputs("</table></div>\n", p->out);
    cJSON_Delete(root);
}

void report_plan(ReportPage *p)
{
    const Plan *plan = p->r->c->plan;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    Plan bare = *plan;
    bare.has[PLAN_EVIDENCE] = bare.has[PLAN_SAMPLES] = false;
    if (!f)
        return;
    plan_write(&bare, false, f);
    fclose(f);
    fputs("<p>Decisions that are not the defaults; the rest is in "
          "<code>docs/guide/plan.md</code>.</p>\n",
          p->out);
    cJSON *root = cJSON_Parse(text);
    fputs("<div class='wide'><table id='plan-decisions'>\n", p->out);
    put_members(p, root, "");
    fputs("</table></div>\n<details><summary>the plan as JSON</summary><pre>",
          p->out);
    report_text(p, text);
    fputs("</pre></details>\n", p->out);
    cJSON_Delete(root);
    free(text);
    put_evidence(p, plan->has[PLAN_EVIDENCE] ? plan->evidence : NULL);
}

/* ---- the certificate ---- */

static void put_cost(ReportPage *p, const char *name, const Cost *c,
                     const char *class)
{
    fprintf(p->out, "<tr class='%s'><td class='t mono'>", class);
    report_text(p, name);
    fprintf(p->out,
            "</td><td>%ld</td><td>%ld</td><td>%ld</td><td>%ld</td><td>%ld</td>"
            "<td>%ld</td><td>%ld</td><td>%ld</td></tr>\n",
            c->add, c->mul, c->div, c->call, c->select, c->load, c->store,
            c->instructions);
}

void report_cost(ReportPage *p)
{
    const CostSheet *k = sheet_make(p->r->c, p->work);
    const CostTable *t = k->table;
    fprintf(p->out,
            "<p>Work of every step, counted on the code that is written "
            "(%s): the same in each. Code about %ld bytes, data %ld bytes, "
            "stack about %ld bytes; pivots fixed for %d blocks from %d points, "
            "the weakest %.2g.</p>\n<div class='wide'><table id='certificate'>"
            "<thead><tr><th class='t'>part</th><th>add</th><th>mul</th><th>div"
            "</th><th>call</th><th>select</th><th>load</th><th>store</th><th>"
            "instructions</th></tr></thead><tbody>\n",
            k->scalar, k->code_bytes, k->data_bytes, k->stack_bytes,
            k->pivots.nblock, k->pivots.nsample, k->pivots.weakest);
    for (int i = 0; i < t->nblock; i++) {
        int b = t->block[i].block;
        put_cost(p, b == NONE ? "outside of blocks" : k->tape->block.at[b].name,
                 &t->block[i].cost, "");
    }
    for (int i = 0; i < TO_NROLE; i++)
        if (t->watch[i].instructions > 0)
            put_cost(p, cost_watch_name((TapeRole)i), &t->watch[i], "");
    put_cost(p, "in all", &t->total, "best");
    fputs("</tbody></table></div>\n", p->out);
}

/* ---- estimates ---- */

void report_trust(ReportPage *p)
{
    const Report *r = p->r;
    if (!r->has_trust) {
        fputs("<p>The model was not run at the desk: it is large, has no span "
              "of time, or its plan is direct.</p>\n",
              p->out);
        return;
    }
    if (!r->trust_name) {
        fputs("<p>There is no estimate for this method and model.</p>\n",
              p->out);
        return;
    }
    fprintf(p->out,
            "<p>Run at the desk with the same steps, watched in full, to time "
            "%g s.</p><div class='wide'><table>\n",
            r->ran_to);
    report_fact(p, "estimated error", "%s%.3g %% of the range of %s, at %g s",
                r->trust.is_local ? "of a step: " : "", 100 * r->trust.error,
                r->trust_name, r->trust.time);
    if (r->late_name)
        report_fact(p, "events",
                    "act up to %.3g s late: %.3g %% of the range "
                    "of %s",
                    r->trust.late, 100 * r->trust.late_cost, r->late_name);
    fputs("</table></div>\n", p->out);
}
