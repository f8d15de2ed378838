/* print_expr.c - expressions and modifications as Modelica text.
 *
 * Parentheses are nodes of the tree (AE_TUPLE), so operators are printed as
 * they stand. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "ast/print.h"

#include "base/die.h"

void ast_print_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (const char *s = text; *s; s++) {
        switch (*s) {
        case '"': fputs("\\\"", out); break;
        case '\\': fputs("\\\\", out); break;
        case '\a': fputs("\\a", out); break;
        case '\b': fputs("\\b", out); break;
        case '\f': fputs("\\f", out); break;
        case '\r': fputs("\\r", out); break;
        case '\v': fputs("\\v", out); break;
        default: fputc(*s, out);
        }
    }
    fputc('"', out);
}

void print_exprs(AstExpr *const *e, int n, FILE *out)
{
    for (int i = 0; i < n; i++) {
        if (i)
            fputs(", ", out);
        if (e[i])
            ast_print_expr(e[i], out);
    }
}

void print_subscripts(AstExpr *const *sub, int n, FILE *out)
{
    if (n == 0)
        return;
    fputc('[', out);
    print_exprs(sub, n, out);
    fputc(']', out);
}

void ast_print_ref(const AstRef *r, FILE *out)
{
    for (int i = 0; i < r->npart; i++) {
        if (i || r->global)
            fputc('.', out);
        fputs(r->part[i].name, out);
        print_subscripts(r->part[i].sub, r->part[i].nsub, out);
    }
}

void print_iterators(const AstIter *it, int n, FILE *out)
{
    for (int i = 0; i < n; i++) {
        fprintf(out, "%s%s", i ? ", " : "", it[i].name);
        if (it[i].range) {
            fputs(" in ", out);
            ast_print_expr(it[i].range, out);
        }
    }
}

static void print_binary(const AstExpr *e, FILE *out)
{
    AstSpine s;
    spine_open(&s, e);
    ast_print_expr(s.first, out);
    for (int i = s.n - 1; i >= 0; i--) {
        fprintf(out, " %s ", ast_op_text(s.node[i]->op));
        ast_print_expr(s.node[i]->arg[1], out);
    }
    spine_close(&s);
}

static void print_if(const AstExpr *e, FILE *out)
{
    for (int i = 0; i + 1 < e->narg; i += 2) {
        fputs(i ? " elseif " : "if ", out);
        ast_print_expr(e->arg[i], out);
        fputs(" then ", out);
        ast_print_expr(e->arg[i + 1], out);
    }
    fputs(" else ", out);
    ast_print_expr(e->arg[e->narg - 1], out);
}

static void print_call(const AstExpr *e, FILE *out)
{
    ast_print_ref(e->ref, out);
    fputc('(', out);
    print_exprs(e->arg, e->narg, out);
    for (int i = 0; i < e->nnamed; i++) {
        fprintf(out, "%s%s = ", i || e->narg ? ", " : "", e->named[i].name);
        ast_print_expr(e->named[i].value, out);
    }
    fputc(')', out);
}

static void print_joined(const AstExpr *e, const char *between, FILE *out)
{
    for (int i = 0; i < e->narg; i++) {
        if (i)
            fputs(between, out);
        ast_print_expr(e->arg[i], out);
    }
}

static void print_bracketed(const AstExpr *e, char open, char close, FILE *out)
{
    fputc(open, out);
    print_exprs(e->arg, e->narg, out);
    fputc(close, out);
}

void ast_print_expr(const AstExpr *e, FILE *out)
{
    switch (e->kind) {
    case AE_INTEGER: fprintf(out, "%.0f", e->value); return;
    case AE_REAL: fputs(e->text, out); return;
    case AE_STRING: ast_print_string(e->text, out); return;
    case AE_BOOLEAN: fputs(e->value != 0 ? "true" : "false", out); return;
    case AE_REF: ast_print_ref(e->ref, out); return;
    case AE_UNARY:
        fprintf(out, "%s%s", ast_op_text(e->op), e->op == OP_NOT ? " " : "");
        ast_print_expr(e->arg[0], out);
        return;
    case AE_BINARY: print_binary(e, out); return;
    case AE_IF: print_if(e, out); return;
    case AE_RANGE: print_joined(e, ":", out); return;
    case AE_CALL: print_call(e, out); return;
    case AE_FOR:
        ast_print_expr(e->arg[0], out);
        fputs(" for ", out);
        print_iterators(e->iter, e->niter, out);
        return;
    case AE_ARRAY: print_bracketed(e, '{', '}', out); return;
    case AE_MATRIX:
        fputc('[', out);
        print_joined(e, "; ", out);
        fputc(']', out);
        return;
    case AE_ROW: print_exprs(e->arg, e->narg, out); return;
    case AE_TUPLE: print_bracketed(e, '(', ')', out); return;
    case AE_PARTIAL:
        fputs("function ", out);
        print_call(e, out);
        return;
    case AE_END: fputs("end", out); return;
    case AE_COLON: fputc(':', out); return;
    case AE_INDEXED:
        ast_print_expr(e->arg[0], out);
        print_subscripts(e->arg + 1, e->narg - 1, out);
        return;
    }
    unreachable();
}

/* ---- modifications ---- */

static void print_argument(const AstArg *a, FILE *out)
{
    if (a->redeclare)
        fputs("redeclare ", out);
    if (a->each)
        fputs("each ", out);
    if (a->final)
        fputs("final ", out);
    if (a->kind != MOD_VALUE) {
        print_element_argument(a->elem, out);
        return;
    }
    ast_print_ref(a->name, out);
    print_modification(a->mod, out);
    if (a->comment) {
        fputc(' ', out);
        ast_print_string(a->comment, out);
    }
}

static void print_breaks(const AstExtends *x, FILE *out)
{
    for (int i = 0; i < x->nbroken; i++)
        fprintf(out, "%sbreak %s", i ? ", " : "", x->broken[i]);
    for (int i = 0; i < x->nbroken_connect; i++) {
        fprintf(out, "%sbreak connect(", i || x->nbroken ? ", " : "");
        ast_print_ref(x->broken_connect[i]->from, out);
        fputs(", ", out);
        ast_print_ref(x->broken_connect[i]->to, out);
        fputc(')', out);
    }
}

void print_arguments(const AstMod *m, const AstExtends *breaks, FILE *out)
{
    if (!m || !m->has_args)
        return;
    fputc('(', out);
    if (breaks) {
        print_breaks(breaks, out);
        if (m->narg && (breaks->nbroken || breaks->nbroken_connect))
            fputs(", ", out);
    }
    for (int i = 0; i < m->narg; i++) {
        if (i)
            fputs(", ", out);
        print_argument(&m->arg[i], out);
    }
    fputc(')', out);
}

void print_modification(const AstMod *m, FILE *out)
{
    if (!m)
        return;
    print_arguments(m, NULL, out);
    if (!m->value && !m->is_break)
        return;
    fputs(m->assign ? " := " : " = ", out);
    if (m->is_break)
        fputs("break", out);
    else
        ast_print_expr(m->value, out);
}

void print_comment(const char *comment, const AstMod *annotation, FILE *out)
{
    if (comment) {
        fputc(' ', out);
        ast_print_string(comment, out);
    }
    if (annotation) {
        fputs(" annotation", out);
        print_arguments(annotation, NULL, out);
    }
}
