/* print.c - the flat model as one Modelica class.
 *
 * Names such as `load.C1.v` or `x[3]` are no identifiers and stand in quotes.
 * In the flat model an enumeration value is its number: a variable of that type
 * is printed as an Integer, with the type and its literals as a comment.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat/flat.h"

#include "base/file.h"

#include <ctype.h>

typedef struct Printer {
    const Flat *flat;
    const char **name; /* of each variable, quoted where needed */
    FILE *out;
} Printer;

static bool is_identifier(const char *s)
{
    if (*s == '\'') { /* quoted already, as a whole? */
        for (s++; *s && *s != '\''; s++)
            s += s[0] == '\\' && s[1];
        return s[0] == '\'' && !s[1];
    }
    if (!isalpha((unsigned char)*s) && *s != '_')
        return false;
    for (s++; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

/* The name in quotes; quotes inside are escaped. */
static const char *quoted(const char *s, Arena *arena)
{
    if (is_identifier(s))
        return s;
    char *q = arena_alloc(arena, 2 * strlen(s) + 3);
    char *p = q;
    *p++ = '\'';
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            *p++ = '\\';
        *p++ = *s;
    }
    *p++ = '\'';
    *p = 0;
    return q;
}

static const char *name_of(void *context, int var)
{
    const Printer *p = context;
    return p->name[var];
}

static void print_expr(const Printer *p, Expr e)
{
    expr_print(p->flat->dag, e, name_of, (void *)p, 1 << 20, p->out);
}

static void print_string(const Printer *p, const char *s)
{
    fputc('"', p->out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', p->out);
        if (*s == '\n')
            fputs("\\n", p->out);
        else
            fputc(*s, p->out);
    }
    fputc('"', p->out);
}

/* ---- variables ---- */

/* " // Mode: off, slow, fast" */
static void print_literals(const Printer *p, const FlatEnumeration *e)
{
    fprintf(p->out, " // %s:", e->name);
    for (int k = 0; k < e->nliteral; k++)
        fprintf(p->out, "%s %s", k ? "," : "", e->literal[k]);
}

static void attribute(const Printer *p, int *n, const char *name)
{
    fprintf(p->out, "%s%s = ", (*n)++ ? ", " : "(", name);
}

static void print_attributes(const Printer *p, const FlatVar *v)
{
    static const char *const select[] = {"",        "never",  "avoid",
                                         "default", "prefer", "always"};
    int n = 0;
    const struct {
        const char *name;
        const char *text;
    } texts[] = {{"quantity", v->quantity},
                 {"unit", v->unit},
                 {"displayUnit", v->display_unit}};
    for (int i = 0; i < 3; i++)
        if (*texts[i].text) {
            attribute(p, &n, texts[i].name);
            print_string(p, texts[i].text);
        }
    const struct {
        const char *name;
        Expr value;
    } numbers[] = {{"min", v->min},
                   {"max", v->max},
                   {"start", v->start},
                   {"nominal", v->nominal}};
    for (int i = 0; i < 4; i++)
        if (numbers[i].value != EXPR_NONE) {
            attribute(p, &n, numbers[i].name);
            print_expr(p, numbers[i].value);
        }
    if (v->has_fixed) {
        attribute(p, &n, "fixed");
        fputs(v->fixed ? "true" : "false", p->out);
    }
    if (v->state_select != SS_DEFAULT && v->state_select >= SS_NEVER &&
        v->state_select <= SS_ALWAYS) {
        attribute(p, &n, "stateSelect");
        fprintf(p->out, "StateSelect.%s", select[v->state_select]);
    }
    if (n)
        fputc(')', p->out);
}

static void print_var(const Printer *p, int i)
{
    static const char *const variability[] = {"constant ", "parameter ",
                                              "discrete ", ""};
    static const char *const causality[] = {"", "input ", "output "};
    static const char *const type[] = {"Real",   "Integer", "Boolean",
                                       "String", "Integer", "Clock"};
    const FlatVar *v = &p->flat->var[i];
    fputs("  ", p->out);
    if (v->is_final)
        fputs("final ", p->out);
    if (v->variability != FV_DISCRETE || v->type == FT_REAL)
        fputs(variability[v->variability], p->out);
    fputs(causality[v->causality], p->out);
    fprintf(p->out, "%s %s", type[v->type], p->name[i]);
    print_attributes(p, v);
    if (v->binding != EXPR_NONE) {
        fputs(" = ", p->out);
        print_expr(p, v->binding);
    }
    if (v->comment && *v->comment) {
        fputc(' ', p->out);
        print_string(p, v->comment);
    }
    fputs(";", p->out);
    if (v->type == FT_ENUM)
        print_literals(p, &p->flat->enumeration[v->enumeration]);
    fputs("\n", p->out);
}

/* ---- equations ---- */

static void print_eqn(const Printer *p, const FlatEqn *e)
{
    fputs("  ", p->out);
    print_expr(p, e->lhs);
    fputs(" = ", p->out);
    print_expr(p, e->rhs);
    fputs(";\n", p->out);
}

static void print_assert(const Printer *p, const FlatAssert *a,
                         const char *indent)
{
    fprintf(p->out, "%sassert(", indent);
    print_expr(p, a->condition);
    fputs(", ", p->out);
    if (a->message == EXPR_NONE)
        fputs("\"\"", p->out);
    else
        print_expr(p, a->message);
    if (a->is_warning)
        fputs(", AssertionLevel.warning", p->out);
    fputs(");\n", p->out);
}

static void print_action(const Printer *p, const FlatAction *a)
{
    switch (a->kind) {
    case FA_ASSIGN:
        fprintf(p->out, "    %s = ", p->name[a->var]);
        print_expr(p, a->value);
        fputs(";\n", p->out);
        break;
    case FA_REINIT:
        fprintf(p->out, "    reinit(%s, ", p->name[a->var]);
        print_expr(p, a->value);
        fputs(");\n", p->out);
        break;
    case FA_ASSERT: {
        FlatAssert as = {.condition = a->value,
                         .message = a->message,
                         .is_warning = a->is_warning};
        print_assert(p, &as, "    ");
        break;
    }
    case FA_TERMINATE:
        fputs("    terminate(", p->out);
        if (a->message == EXPR_NONE)
            fputs("\"\"", p->out);
        else
            print_expr(p, a->message);
        fputs(");\n", p->out);
        break;
    }
}

static void print_when(const Printer *p, const FlatWhen *w)
{
    for (int b = 0; b < w->nbranch; b++) {
        const FlatWhenBranch *br = &w->branch[b];
        fputs(b ? "  elsewhen " : "  when ", p->out);
        if (br->ncondition != 1)
            fputc('{', p->out);
        for (int i = 0; i < br->ncondition; i++) {
            fputs(i ? ", " : "", p->out);
            print_expr(p, br->condition[i]);
        }
        fputs(br->ncondition != 1 ? "} then\n" : " then\n", p->out);
        for (int i = 0; i < br->naction; i++)
            print_action(p, &br->action[i]);
    }
    fputs("  end when;\n", p->out);
}

static void print_sections(const Printer *p)
{
    const Flat *f = p->flat;
    if (f->ninitial + f->ninitial_assertion)
        fputs("initial equation\n", p->out);
    for (int i = 0; i < f->ninitial; i++)
        print_eqn(p, &f->initial[i]);
    for (int i = 0; i < f->ninitial_assertion; i++)
        print_assert(p, &f->initial_assertion[i], "  ");
    if (f->neqn + f->nwhen + f->nassertion)
        fputs("equation\n", p->out);
    for (int i = 0; i < f->neqn; i++)
        print_eqn(p, &f->eqn[i]);
    for (int i = 0; i < f->nwhen; i++)
        print_when(p, &f->when[i]);
    for (int i = 0; i < f->nassertion; i++)
        print_assert(p, &f->assertion[i], "  ");
}

static void print_experiment(const Printer *p)
{
    const FlatExperiment *x = &p->flat->experiment;
    const struct {
        const char *name;
        bool has;
        double value;
    } part[] = {{"StartTime", x->has_start, x->start},
                {"StopTime", x->has_stop, x->stop},
                {"Tolerance", x->has_tolerance, x->tolerance},
                {"Interval", x->has_interval, x->interval}};
    int n = 0;
    char text[32];
    for (int i = 0; i < 4; i++)
        if (part[i].has)
            fprintf(p->out, "%s%s = %s",
                    n++ ? ", " : "  annotation(experiment(", part[i].name,
                    number_text(part[i].value, text));
    if (n)
        fputs("));\n", p->out);
}

void flat_print(const Flat *f, FILE *out)
{
    Arena *arena = arena_new();
    Printer p = {f, NEW_ARRAY(arena, const char *, f->nvar + 1), out};
    for (int v = 0; v < f->nvar; v++)
        p.name[v] = quoted(f->var[v].name, arena);
    const char *name = quoted(f->model, arena);
    fprintf(out, "model %s", name);
    if (f->comment && *f->comment) {
        fputc(' ', out);
        print_string(&p, f->comment);
    }
    fputc('\n', out);
    for (int v = 0; v < f->nvar; v++)
        print_var(&p, v);
    print_sections(&p);
    print_experiment(&p);
    fprintf(out, "end %s;\n", name);
    arena_free(arena);
}
