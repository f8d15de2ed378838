/* ast_dump.c - the tree as indented nodes, for `takt parse --ast`.
 *
 * One line a class, element, equation or statement; expressions and
 * modifications stand on it in prefix form, (+ a (* b c)), so that a long sum
 * stays one line. Comments are left out, and annotations but those of
 * classes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ast/ast_internal.h"

static void dump_expr(const AstExpr *e, FILE *out);
static void dump_class(const AstClass *c, int depth, FILE *out);
static void dump_elem_head(const AstElem *e, FILE *out);

static void line(int depth, FILE *out)
{
    fprintf(out, "%*s", 2 * depth, "");
}

static void dump_exprs(AstExpr *const *e, int n, FILE *out)
{
    for (int i = 0; i < n; i++) {
        fputc(' ', out);
        if (e[i])
            dump_expr(e[i], out);
        else
            fputc('_', out);
    }
}

static void dump_subscripts(AstExpr *const *sub, int n, FILE *out)
{
    if (n == 0)
        return;
    fputc('[', out);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        dump_expr(sub[i], out);
    }
    fputc(']', out);
}

static void dump_ref(const AstRef *r, FILE *out)
{
    for (int i = 0; i < r->npart; i++) {
        fprintf(out, "%s%s", i || r->global ? "." : "", r->part[i].name);
        dump_subscripts(r->part[i].sub, r->part[i].nsub, out);
    }
}

static void dump_iterators(const AstIter *it, int n, FILE *out)
{
    for (int i = 0; i < n; i++) {
        fprintf(out, " (in %s", it[i].name);
        if (it[i].range) {
            fputc(' ', out);
            dump_expr(it[i].range, out);
        }
        fputc(')', out);
    }
}

static void dump_binary(const AstExpr *e, FILE *out)
{
    AstSpine s;
    spine_open(&s, e);
    for (int i = 0; i < s.n; i++)
        fprintf(out, "(%s ", ast_op_text(s.node[i]->op));
    dump_expr(s.first, out);
    for (int i = s.n - 1; i >= 0; i--) {
        fputc(' ', out);
        dump_expr(s.node[i]->arg[1], out);
        fputc(')', out);
    }
    spine_close(&s);
}

/* (WORD ref args named iterators) */
static void dump_node(const char *word, const AstExpr *e, FILE *out)
{
    fprintf(out, "(%s", word);
    if (e->ref) {
        fputc(' ', out);
        dump_ref(e->ref, out);
    }
    dump_exprs(e->arg, e->narg, out);
    for (int i = 0; i < e->nnamed; i++) {
        fprintf(out, " (%s = ", e->named[i].name);
        dump_expr(e->named[i].value, out);
        fputc(')', out);
    }
    dump_iterators(e->iter, e->niter, out);
    fputc(')', out);
}

/* On one line. */
static void dump_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (const char *s = text; *s; s++) {
        if (*s == '\n')
            fputs("\\n", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            fprintf(out, "\\x%02X", *s);
        else
            fputc(*s, out);
    }
    fputc('"', out);
}

static void dump_expr(const AstExpr *e, FILE *out)
{
    static const char *const word[] = {
        [AE_IF] = "if",           [AE_RANGE] = "range",
        [AE_CALL] = "call",       [AE_FOR] = "for",
        [AE_ARRAY] = "array",     [AE_MATRIX] = "matrix",
        [AE_ROW] = "row",         [AE_TUPLE] = "tuple",
        [AE_END] = "end",         [AE_COLON] = "colon",
        [AE_INDEXED] = "indexed", [AE_PARTIAL] = "partial",
    };
    switch (e->kind) {
    case AE_STRING: dump_string(e->text, out); return;
    case AE_INTEGER:
    case AE_REAL:
    case AE_BOOLEAN:
    case AE_END:
    case AE_COLON: ast_print_expr(e, out); return;
    case AE_REF: dump_ref(e->ref, out); return;
    case AE_UNARY: dump_node(ast_op_text(e->op), e, out); return;
    case AE_BINARY: dump_binary(e, out); return;
    default: dump_node(word[e->kind], e, out);
    }
}

static void dump_mod(const AstMod *m, FILE *out)
{
    for (int i = 0; i < m->narg; i++) {
        const AstArg *a = &m->arg[i];
        fprintf(out, " (%s", a->each ? "each " : "");
        if (a->kind == MOD_VALUE) {
            fputs(a->final ? "final " : "", out);
            dump_ref(a->name, out);
        } else {
            dump_elem_head(a->elem, out);
        }
        if (a->mod)
            dump_mod(a->mod, out);
        fputc(')', out);
    }
    if (m->is_break)
        fputs(" = break", out);
    if (m->value) {
        fputs(" = ", out);
        dump_expr(m->value, out);
    }
}

/* ---- equations and statements ---- */

static void dump_equations(AstEqn *const *eqn, int n, int depth, FILE *out);
static void dump_statements(AstStmt *const *s, int n, int depth, FILE *out);

static void dump_condition(const AstExpr *cond, int depth, FILE *out)
{
    line(depth, out);
    if (cond) {
        fputs("then ", out);
        dump_expr(cond, out);
    } else {
        fputs("else", out);
    }
    fputc('\n', out);
}

static void dump_equation(const AstEqn *q, int depth, FILE *out)
{
    static const char *const word[] = {
        [AQ_EQUAL] = "equal ", [AQ_CALL] = "",   [AQ_IF] = "if",
        [AQ_WHEN] = "when",    [AQ_FOR] = "for", [AQ_CONNECT] = "connect ",
    };
    line(depth, out);
    fputs(word[q->kind], out);
    if (q->lhs)
        dump_expr(q->lhs, out);
    if (q->rhs)
        dump_exprs(&q->rhs, 1, out);
    if (q->from) {
        dump_ref(q->from, out);
        fputc(' ', out);
        dump_ref(q->to, out);
    }
    dump_iterators(q->iter, q->niter, out);
    fputc('\n', out);
    for (int i = 0; i < q->nbranch; i++) {
        if (q->kind != AQ_FOR)
            dump_condition(q->branch[i].cond, depth + 1, out);
        dump_equations(q->branch[i].eqn, q->branch[i].neqn, depth + 2, out);
    }
}

static void dump_equations(AstEqn *const *eqn, int n, int depth, FILE *out)
{
    for (int i = 0; i < n; i++)
        dump_equation(eqn[i], depth, out);
}

static void dump_statement(const AstStmt *s, int depth, FILE *out)
{
    static const char *const word[] = {
        [AS_ASSIGN] = "assign ", [AS_TUPLE] = "assign ", [AS_CALL] = "",
        [AS_IF] = "if",          [AS_WHEN] = "when",     [AS_FOR] = "for",
        [AS_WHILE] = "while",    [AS_BREAK] = "break",   [AS_RETURN] = "return",
    };
    line(depth, out);
    fputs(word[s->kind], out);
    if (s->lhs)
        dump_expr(s->lhs, out);
    if (s->rhs)
        dump_exprs(&s->rhs, 1, out);
    dump_iterators(s->iter, s->niter, out);
    fputc('\n', out);
    for (int i = 0; i < s->nbranch; i++) {
        if (s->kind != AS_FOR)
            dump_condition(s->branch[i].cond, depth + 1, out);
        dump_statements(s->branch[i].stmt, s->branch[i].nstmt, depth + 2, out);
    }
}

static void dump_statements(AstStmt *const *s, int n, int depth, FILE *out)
{
    for (int i = 0; i < n; i++)
        dump_statement(s[i], depth, out);
}

/* ---- elements and classes ---- */

static const char *const flow[] = {"", " flow", " stream"};
static const char *const var[] = {"", " discrete", " parameter", " constant"};
static const char *const dir[] = {"", " input", " output"};

static void dump_component(const AstComponent *c, FILE *out)
{
    fprintf(out, "component%s%s%s ", flow[c->flow], var[c->variability],
            dir[c->direction]);
    dump_ref(c->type, out);
    dump_subscripts(c->type_sub, c->ntype_sub, out);
    fprintf(out, " %s", c->name);
    dump_subscripts(c->sub, c->nsub, out);
    if (c->mod)
        dump_mod(c->mod, out);
    if (c->condition) {
        fputs(" if ", out);
        dump_expr(c->condition, out);
    }
}

static void dump_class_head(const AstClass *c, FILE *out)
{
    fprintf(out, "%s%s%s%s%s%s %s", c->encapsulated ? "encapsulated " : "",
            c->partial ? "partial " : "", c->is_pure ? "pure " : "",
            c->is_impure ? "impure " : "", ast_class_kind_name(c->kind),
            c->form == CF_EXTENDS ? " extends" : "", c->name);
    if (c->base) {
        fprintf(out, " =%s%s%s ", c->form == CF_DER ? " der" : "",
                flow[c->flow], dir[c->direction]);
        dump_ref(c->base, out);
    }
    for (int i = 0; i < c->nder_name; i++)
        fprintf(out, " %s", c->der_name[i]);
    dump_subscripts(c->sub, c->nsub, out);
    if (c->mod)
        dump_mod(c->mod, out);
    if (c->form == CF_ENUM)
        fputs(c->enum_colon ? " = enumeration :" : " = enumeration", out);
    for (int i = 0; i < c->nliteral; i++)
        fprintf(out, " %s", c->literal[i].name);
}

static void dump_import(const AstImport *im, FILE *out)
{
    fputs("import ", out);
    if (im->alias)
        fprintf(out, "%s = ", im->alias);
    dump_ref(im->name, out);
    fputs(im->kind == IM_ALL ? ".*" : "", out);
    for (int i = 0; i < im->nlist; i++)
        fprintf(out, " %s", im->list[i]);
}

/* The element on one line; the parts of a class follow elsewhere. */
static void dump_elem_head(const AstElem *e, FILE *out)
{
    fprintf(out, "%s%s%s%s%s%s", e->is_protected ? "protected " : "",
            e->redeclare ? "redeclare " : "", e->final ? "final " : "",
            e->inner ? "inner " : "", e->outer ? "outer " : "",
            e->replaceable ? "replaceable " : "");
    switch (e->kind) {
    case EL_IMPORT: dump_import(e->import, out); break;
    case EL_EXTENDS:
        fputs("extends ", out);
        dump_ref(e->extends->base, out);
        for (int i = 0; i < e->extends->nbroken; i++)
            fprintf(out, " (break %s)", e->extends->broken[i]);
        for (int i = 0; i < e->extends->nbroken_connect; i++) {
            fputs(" (break connect ", out);
            dump_ref(e->extends->broken_connect[i]->from, out);
            fputc(' ', out);
            dump_ref(e->extends->broken_connect[i]->to, out);
            fputc(')', out);
        }
        if (e->extends->mod)
            dump_mod(e->extends->mod, out);
        break;
    case EL_CLASS: dump_class_head(e->cls, out); break;
    case EL_COMPONENT: dump_component(e->component, out); break;
    }
    if (e->constrained_by) {
        fputs(" constrainedby ", out);
        dump_ref(e->constrained_by, out);
        if (e->constraint_mod)
            dump_mod(e->constraint_mod, out);
    }
}

static void dump_external(const AstExternal *x, int depth, FILE *out)
{
    line(depth, out);
    fprintf(out, "external \"%s\"", x->language ? x->language : "C");
    if (x->result) {
        fputc(' ', out);
        dump_ref(x->result, out);
        fputs(" =", out);
    }
    fprintf(out, " %s", x->function ? x->function : "");
    dump_exprs(x->arg, x->narg, out);
    fputc('\n', out);
}

/* What is inside a class, after the line of its head. */
static void dump_class(const AstClass *c, int depth, FILE *out)
{
    for (int i = 0; i < c->nelem; i++) {
        line(depth, out);
        dump_elem_head(c->elem[i], out);
        fputc('\n', out);
        if (c->elem[i]->kind == EL_CLASS)
            dump_class(c->elem[i]->cls, depth + 1, out);
    }
    for (int i = 0; i < c->nsection; i++) {
        const AstSection *s = &c->section[i];
        line(depth, out);
        fprintf(out, "%s%s\n", s->initial ? "initial " : "",
                s->is_algorithm ? "algorithm" : "equation");
        dump_equations(s->eqn, s->neqn, depth + 1, out);
        dump_statements(s->stmt, s->nstmt, depth + 1, out);
    }
    if (c->external)
        dump_external(c->external, depth, out);
    if (c->annotation) {
        line(depth, out);
        fputs("annotation", out);
        dump_mod(c->annotation, out);
        fputc('\n', out);
    }
}

void ast_dump_file(const AstFile *file, FILE *out)
{
    if (file->has_within) {
        fputs("within ", out);
        if (file->within)
            dump_ref(file->within, out);
        fputc('\n', out);
    }
    for (int i = 0; i < file->ncls; i++) {
        fputs(file->is_final[i] ? "final " : "", out);
        dump_class_head(file->cls[i], out);
        fputc('\n', out);
        dump_class(file->cls[i], 1, out);
    }
}
