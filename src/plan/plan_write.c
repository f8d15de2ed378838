/* plan_write.c - a plan as JSON: one key a line, the same bytes for the same
 * plan. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/file.h"
#include "plan/plan.h"
#include "plan/words.h"

static void put_text(const char *s, FILE *out)
{
    putc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void put_number(double x, FILE *out)
{
    char text[32];
    fputs(number_text(x, text), out);
}

static void put_texts(const char *const *text, int n, FILE *out)
{
    putc('[', out);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        put_text(text[i], out);
    }
    putc(']', out);
}

static void put_newton(const Plan *p, FILE *out)
{
    if (p->newton_tol > 0) {
        fputs("{\"tol\": ", out);
        put_number(p->newton_tol, out);
        putc('}', out);
    } else {
        fprintf(out, "%d", p->newton);
    }
}

static void put_tearing(const Plan *p, FILE *out)
{
    putc('{', out);
    for (int i = 0; i < p->ntearing; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        put_text(p->tearing[i].block, out);
        fputs(": ", out);
        put_texts(p->tearing[i].var, p->tearing[i].nvar, out);
    }
    putc('}', out);
}

static void put_modes(const Plan *p, FILE *out)
{
    putc('{', out);
    for (int i = 0; i < p->nmode; i++) {
        fputs(i ? ", " : "", out);
        put_text(p->mode[i].var, out);
        fprintf(out, ": \"%s\"", plan_mode_word[p->mode[i].mode]);
    }
    putc('}', out);
}

static void put_cuts(const Plan *p, FILE *out)
{
    putc('[', out);
    for (int i = 0; i < p->ncut; i++) {
        const PlanCut *c = &p->cut[i];
        fprintf(out, "%s\n    {\"kind\": \"%s\", \"eq\": ", i ? "," : "",
                plan_cut_word[c->kind]);
        put_text(c->eqn, out);
        fputs(", \"var\": ", out);
        put_text(c->var, out);
        if (!isnan(c->value)) {
            fputs(", \"value\": ", out);
            put_number(c->value, out);
        }
        putc('}', out);
    }
    putc(']', out);
}

static void put_force(const Plan *p, FILE *out)
{
    putc('[', out);
    for (int i = 0; i < p->nforce; i++) {
        const char *pair[] = {p->force[i].eqn, p->force[i].var};
        fputs(i ? ", " : "", out);
        put_texts(pair, 2, out);
    }
    putc(']', out);
}

static void put_factor(const Plan *p, FILE *out)
{
    putc('{', out);
    for (int i = 0; i < p->nfactor; i++) {
        fputs(i ? ", " : "", out);
        put_text(p->factor[i].block, out);
        fprintf(out, ": {\"kind\": \"%s\"",
                plan_factor_word[p->factor[i].factor]);
        if (p->factor[i].has_unroll)
            fprintf(out, ", \"unroll\": %s",
                    p->factor[i].unroll ? "true" : "false");
        if (p->factor[i].refine)
            fputs(", \"refine\": true", out);
        if (p->factor[i].no_monitor)
            fputs(", \"monitor\": false", out);
        putc('}', out);
    }
    putc('}', out);
}

static void put_damping(const Plan *p, FILE *out)
{
    putc('{', out);
    if (p->damping > 0) {
        fputs("\"factor\": ", out);
        put_number(p->damping, out);
    }
    putc('}', out);
}

static void put_word(const char *word, FILE *out)
{
    fprintf(out, "\"%s\"", word);
}

static void put_field(const Plan *p, PlanField field, FILE *out)
{
    switch (field) {
    case PLAN_VERSION: putc('1', out); break;
    case PLAN_MODEL: put_text(p->model, out); break;
    case PLAN_METHOD: put_text(p->method, out); break;
    case PLAN_STEP: put_number(p->step, out); break;
    case PLAN_NEWTON: put_newton(p, out); break;
    case PLAN_DIRECT: fputs(p->direct ? "true" : "false", out); break;
    case PLAN_ALGEBRAIC:
        put_word(plan_algebraic_word[p->algebraic], out);
        break;
    case PLAN_TEARER: put_word(plan_tearer_word[p->tearer], out); break;
    case PLAN_GROWTH_BOUND: put_number(p->growth_bound, out); break;
    case PLAN_TEARING: put_tearing(p, out); break;
    case PLAN_STATES: put_texts(p->state, p->nstate, out); break;
    case PLAN_MODES: put_modes(p, out); break;
    case PLAN_CUTS: put_cuts(p, out); break;
    case PLAN_FORCE: put_force(p, out); break;
    case PLAN_DAMPING: put_damping(p, out); break;
    case PLAN_SCALAR: put_word(plan_scalar_word[p->scalar], out); break;
    case PLAN_MATH: put_word(plan_math_word[p->math], out); break;
    case PLAN_FACTOR: put_factor(p, out); break;
    case PLAN_PIVOTS: fputs(p->pivots, out); break;
    case PLAN_EVENTS: fprintf(out, "{\"max\": %d}", p->events_max); break;
    case PLAN_SAMPLES: fputs(p->samples, out); break;
    case PLAN_EVIDENCE: fputs(p->evidence, out); break;
    case PLAN_NFIELD: break;
    }
}

/* Can the field be written although it was not given? */
static bool has_value(const Plan *p, PlanField field)
{
    switch (field) {
    case PLAN_MODEL: return p->model[0] != '\0';
    case PLAN_STEP: return p->step > 0;
    case PLAN_NEWTON: return p->newton > 0 || p->newton_tol > 0;
    case PLAN_STATES: return p->nstate > 0;
    case PLAN_PIVOTS: return p->pivots != NULL;
    case PLAN_SAMPLES: return p->samples != NULL;
    case PLAN_EVIDENCE: return p->evidence != NULL;
    default: return true;
    }
}

void plan_write(const Plan *p, bool all, FILE *out)
{
    static const char *const key[PLAN_NFIELD] = {
#define FIELD(text, name) text,
#include "plan/fields.def"
#undef FIELD
    };
    const char *between = "{\n  ";
    for (int f = 0; f < PLAN_NFIELD; f++) {
        bool wanted = all || p->has[f] || f == PLAN_VERSION;
        if (!wanted || !has_value(p, (PlanField)f))
            continue;
        fprintf(out, "%s\"%s\": ", between, key[f]);
        put_field(p, (PlanField)f, out);
        between = ",\n  ";
    }
    fputs("\n}\n", out);
}
