/* print_class.c - classes, equations and statements as Modelica text. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "ast/print.h"

#include "base/die.h"

static void put(bool yes, const char *word, FILE *out)
{
    if (yes)
        fputs(word, out);
}

static void new_line(int indent, FILE *out)
{
    fprintf(out, "%*s", 2 * indent, "");
}

/* ---- equations and statements ---- */

static void print_equations(AstEqn *const *eqn, int n, int indent, FILE *out);
static void print_statements(AstStmt *const *s, int n, int indent, FILE *out);

/* The head of branch i of an if or when: `if c then`, `elseif c then`, `else`.
 */
static void print_head(const AstExpr *cond, int i, bool when, int indent,
                       FILE *out)
{
    if (i)
        new_line(indent, out);
    if (!cond) {
        fputs("else\n", out);
        return;
    }
    fputs(i ? "else" : "", out);
    fputs(when ? "when " : "if ", out);
    ast_print_expr(cond, out);
    fputs(" then\n", out);
}

static void print_for_head(const AstIter *it, int n, FILE *out)
{
    fputs("for ", out);
    print_iterators(it, n, out);
    fputs(" loop\n", out);
}

static void print_end(const char *word, int indent, FILE *out)
{
    new_line(indent, out);
    fprintf(out, "end %s", word);
}

static void print_eqn_branches(const AstEqn *q, int indent, FILE *out)
{
    bool when = q->kind == AQ_WHEN;
    for (int i = 0; i < q->nbranch; i++) {
        print_head(q->branch[i].cond, i, when, indent, out);
        print_equations(q->branch[i].eqn, q->branch[i].neqn, indent + 1, out);
    }
    print_end(when ? "when" : "if", indent, out);
}

static void print_equation(const AstEqn *q, int indent, FILE *out)
{
    switch (q->kind) {
    case AQ_EQUAL:
        ast_print_expr(q->lhs, out);
        fputs(" = ", out);
        ast_print_expr(q->rhs, out);
        return;
    case AQ_CALL: ast_print_expr(q->lhs, out); return;
    case AQ_IF:
    case AQ_WHEN: print_eqn_branches(q, indent, out); return;
    case AQ_FOR:
        print_for_head(q->iter, q->niter, out);
        print_equations(q->branch->eqn, q->branch->neqn, indent + 1, out);
        print_end("for", indent, out);
        return;
    case AQ_CONNECT:
        fputs("connect(", out);
        ast_print_ref(q->from, out);
        fputs(", ", out);
        ast_print_ref(q->to, out);
        fputc(')', out);
        return;
    }
    unreachable();
}

static void print_equations(AstEqn *const *eqn, int n, int indent, FILE *out)
{
    for (int i = 0; i < n; i++) {
        new_line(indent, out);
        print_equation(eqn[i], indent, out);
        print_comment(eqn[i]->comment, eqn[i]->annotation, out);
        fputs(";\n", out);
    }
}

static void print_stmt_branches(const AstStmt *s, int indent, FILE *out)
{
    bool when = s->kind == AS_WHEN;
    for (int i = 0; i < s->nbranch; i++) {
        print_head(s->branch[i].cond, i, when, indent, out);
        print_statements(s->branch[i].stmt, s->branch[i].nstmt, indent + 1,
                         out);
    }
    print_end(when ? "when" : "if", indent, out);
}

static void print_loop(const AstStmt *s, const char *word, int indent,
                       FILE *out)
{
    print_statements(s->branch->stmt, s->branch->nstmt, indent + 1, out);
    print_end(word, indent, out);
}

static void print_statement(const AstStmt *s, int indent, FILE *out)
{
    switch (s->kind) {
    case AS_ASSIGN:
    case AS_TUPLE:
        ast_print_expr(s->lhs, out);
        fputs(" := ", out);
        ast_print_expr(s->rhs, out);
        return;
    case AS_CALL: ast_print_expr(s->lhs, out); return;
    case AS_IF:
    case AS_WHEN: print_stmt_branches(s, indent, out); return;
    case AS_FOR:
        print_for_head(s->iter, s->niter, out);
        print_loop(s, "for", indent, out);
        return;
    case AS_WHILE:
        fputs("while ", out);
        ast_print_expr(s->branch->cond, out);
        fputs(" loop\n", out);
        print_loop(s, "while", indent, out);
        return;
    case AS_BREAK: fputs("break", out); return;
    case AS_RETURN: fputs("return", out); return;
    }
    unreachable();
}

static void print_statements(AstStmt *const *s, int n, int indent, FILE *out)
{
    for (int i = 0; i < n; i++) {
        new_line(indent, out);
        print_statement(s[i], indent, out);
        print_comment(s[i]->comment, s[i]->annotation, out);
        fputs(";\n", out);
    }
}

static void print_section(const AstSection *s, int indent, FILE *out)
{
    new_line(indent, out);
    put(s->initial, "initial ", out);
    fputs(s->is_algorithm ? "algorithm\n" : "equation\n", out);
    print_equations(s->eqn, s->neqn, indent + 1, out);
    print_statements(s->stmt, s->nstmt, indent + 1, out);
}

/* ---- elements ---- */

static void print_prefixes(AstFlowKind flow, AstVarKind var, AstDirKind dir,
                           FILE *out)
{
    put(flow == FLOW_FLOW, "flow ", out);
    put(flow == FLOW_STREAM, "stream ", out);
    put(var == VAR_DISCRETE, "discrete ", out);
    put(var == VAR_PARAMETER, "parameter ", out);
    put(var == VAR_CONSTANT, "constant ", out);
    put(dir == DIR_INPUT, "input ", out);
    put(dir == DIR_OUTPUT, "output ", out);
}

static void print_component(const AstComponent *c, FILE *out)
{
    print_prefixes(c->flow, c->variability, c->direction, out);
    ast_print_ref(c->type, out);
    print_subscripts(c->type_sub, c->ntype_sub, out);
    fprintf(out, " %s", c->name);
    print_subscripts(c->sub, c->nsub, out);
    print_modification(c->mod, out);
    if (c->condition) {
        fputs(" if ", out);
        ast_print_expr(c->condition, out);
    }
}

static void print_import(const AstImport *im, FILE *out)
{
    fputs("import ", out);
    if (im->kind == IM_RENAME)
        fprintf(out, "%s = ", im->alias);
    ast_print_ref(im->name, out);
    put(im->kind == IM_ALL, ".*", out);
    if (im->kind != IM_LIST)
        return;
    fputs(".{", out);
    for (int i = 0; i < im->nlist; i++)
        fprintf(out, "%s%s", i ? ", " : "", im->list[i]);
    fputc('}', out);
}

static void print_constraint(const AstElem *e, FILE *out)
{
    if (e->constrained_by) {
        fputs(" constrainedby ", out);
        ast_print_ref(e->constrained_by, out);
        print_arguments(e->constraint_mod, NULL, out);
    }
    print_comment(e->constraint_comment, e->constraint_annotation, out);
}

void print_element_argument(const AstElem *e, FILE *out)
{
    put(e->replaceable, "replaceable ", out);
    if (e->kind == EL_CLASS) {
        ast_print_class(e->cls, 0, out);
    } else {
        print_component(e->component, out);
        print_comment(e->comment, e->annotation, out);
    }
    print_constraint(e, out);
}

static void print_element(const AstElem *e, int indent, FILE *out)
{
    new_line(indent, out);
    put(e->redeclare, "redeclare ", out);
    put(e->final, "final ", out);
    put(e->inner, "inner ", out);
    put(e->outer, "outer ", out);
    put(e->replaceable, "replaceable ", out);
    switch (e->kind) {
    case EL_IMPORT: print_import(e->import, out); break;
    case EL_EXTENDS:
        fputs("extends ", out);
        ast_print_ref(e->extends->base, out);
        print_arguments(e->extends->mod, e->extends, out);
        break;
    case EL_CLASS: ast_print_class(e->cls, indent, out); break;
    case EL_COMPONENT: print_component(e->component, out); break;
    }
    print_comment(e->comment, e->annotation, out);
    print_constraint(e, out);
    fputs(";\n", out);
}

/* ---- classes ---- */

static void print_external(const AstExternal *x, int indent, FILE *out)
{
    new_line(indent, out);
    fputs("external", out);
    if (x->language) {
        fputc(' ', out);
        ast_print_string(x->language, out);
    }
    if (x->result) {
        fputc(' ', out);
        ast_print_ref(x->result, out);
        fputs(" =", out);
    }
    if (x->function) {
        fprintf(out, " %s(", x->function);
        print_exprs(x->arg, x->narg, out);
        fputc(')', out);
    }
    print_comment(NULL, x->annotation, out);
    fputs(";\n", out);
}

static void print_enumeration(const AstClass *c, FILE *out)
{
    fputs("enumeration(", out);
    put(c->enum_colon, ":", out);
    for (int i = 0; i < c->nliteral; i++) {
        fprintf(out, "%s%s", i ? ", " : "", c->literal[i].name);
        print_comment(c->literal[i].comment, c->literal[i].annotation, out);
    }
    fputc(')', out);
}

/* What stands after `class A =`. */
static void print_short(const AstClass *c, FILE *out)
{
    fprintf(out, " %s = ", c->name);
    if (c->form == CF_ENUM) {
        print_enumeration(c, out);
    } else if (c->form == CF_DER) {
        fputs("der(", out);
        ast_print_ref(c->base, out);
        for (int i = 0; i < c->nder_name; i++)
            fprintf(out, ", %s", c->der_name[i]);
        fputc(')', out);
    } else {
        print_prefixes(c->flow, VAR_NONE, c->direction, out);
        ast_print_ref(c->base, out);
        print_subscripts(c->sub, c->nsub, out);
        print_arguments(c->mod, NULL, out);
    }
    print_comment(c->comment, c->annotation, out);
}

static void print_composition(const AstClass *c, int indent, FILE *out)
{
    bool is_protected = false;
    for (int i = 0; i < c->nelem; i++) {
        if (c->elem[i]->is_protected != is_protected) {
            is_protected = !is_protected;
            new_line(indent, out);
            fputs(is_protected ? "protected\n" : "public\n", out);
        }
        print_element(c->elem[i], indent + 1, out);
    }
    for (int i = 0; i < c->nsection; i++)
        print_section(&c->section[i], indent, out);
    if (c->external)
        print_external(c->external, indent, out);
    if (!c->annotation)
        return;
    new_line(indent + 1, out);
    fputs("annotation", out);
    print_arguments(c->annotation, NULL, out);
    fputs(";\n", out);
}

void ast_print_class(const AstClass *c, int indent, FILE *out)
{
    put(c->encapsulated, "encapsulated ", out);
    put(c->partial, "partial ", out);
    put(c->is_pure, "pure ", out);
    put(c->is_impure, "impure ", out);
    fputs(ast_class_kind_name(c->kind), out);
    if (c->form != CF_LONG && c->form != CF_EXTENDS) {
        print_short(c, out);
        return;
    }
    put(c->form == CF_EXTENDS, " extends", out);
    fprintf(out, " %s", c->name);
    print_arguments(c->mod, NULL, out);
    if (c->comment) {
        fputc(' ', out);
        ast_print_string(c->comment, out);
    }
    fputc('\n', out);
    print_composition(c, indent, out);
    new_line(indent, out);
    fprintf(out, "end %s", c->name);
}

void ast_print_file(const AstFile *file, FILE *out)
{
    if (file->has_within) {
        fputs("within", out);
        if (file->within) {
            fputc(' ', out);
            ast_print_ref(file->within, out);
        }
        fputs(";\n", out);
    }
    for (int i = 0; i < file->ncls; i++) {
        put(file->is_final[i], "final ", out);
        ast_print_class(file->cls[i], 0, out);
        fputs(";\n", out);
    }
}
