/* ast.c - names of kinds and operators, texts for messages, and finding an
 * argument of a modification. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "ast/ast.h"

#include <stdlib.h>
#include <string.h>

#include "ast/ast_internal.h"
#include "base/die.h"

const char *ast_class_kind_name(AstClassKind kind)
{
    switch (kind) {
    case CK_CLASS: return "class";
    case CK_MODEL: return "model";
    case CK_RECORD: return "record";
    case CK_OPERATOR_RECORD: return "operator record";
    case CK_BLOCK: return "block";
    case CK_CONNECTOR: return "connector";
    case CK_EXPANDABLE_CONNECTOR: return "expandable connector";
    case CK_TYPE: return "type";
    case CK_PACKAGE: return "package";
    case CK_FUNCTION: return "function";
    case CK_OPERATOR_FUNCTION: return "operator function";
    case CK_OPERATOR: return "operator";
    }
    unreachable();
}

const char *ast_op_text(AstOp op)
{
    switch (op) {
    case OP_ADD:
    case OP_POS: return "+";
    case OP_SUB:
    case OP_NEG: return "-";
    case OP_MUL: return "*";
    case OP_DIV: return "/";
    case OP_POW: return "^";
    case OP_EADD:
    case OP_EPOS: return ".+";
    case OP_ESUB:
    case OP_ENEG: return ".-";
    case OP_EMUL: return ".*";
    case OP_EDIV: return "./";
    case OP_EPOW: return ".^";
    case OP_LT: return "<";
    case OP_LE: return "<=";
    case OP_GT: return ">";
    case OP_GE: return ">=";
    case OP_EQ: return "==";
    case OP_NE: return "<>";
    case OP_AND: return "and";
    case OP_OR: return "or";
    case OP_NOT: return "not";
    }
    unreachable();
}

const AstArg *ast_mod_find(const AstMod *mod, const char *name)
{
    for (int i = 0; mod && i < mod->narg; i++) {
        const AstArg *a = &mod->arg[i];
        if (a->kind == MOD_VALUE && a->name->npart == 1 &&
            strcmp(a->name->part[0].name, name) == 0)
            return a;
    }
    return NULL;
}

/* What `print` writes, as a text in `arena`. */
static const char *text_of(void (*print)(const void *node, FILE *out),
                           const void *node, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    print(node, out);
    if (fclose(out) != 0)
        die("out of memory");
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}

static void print_expr(const void *node, FILE *out)
{
    ast_print_expr(node, out);
}

static void print_ref(const void *node, FILE *out)
{
    ast_print_ref(node, out);
}

const char *ast_expr_text(const AstExpr *e, Arena *arena)
{
    return text_of(print_expr, e, arena);
}

const char *ast_ref_text(const AstRef *r, Arena *arena)
{
    if (r->npart == 1 && !r->global && r->part->nsub == 0)
        return arena_strdup(arena, r->part->name);
    return text_of(print_ref, r, arena);
}

/* ---- chains of binary operators ---- */

void spine_open(AstSpine *s, const AstExpr *e)
{
    s->n = 0;
    s->arena = NULL;
    s->node = s->few;
    int cap = SPINE_FEW;
    for (; e->kind == AE_BINARY; e = e->arg[0]) {
        if (s->n == cap) {
            if (!s->arena)
                s->arena = arena_new();
            const AstExpr **more =
                NEW_ARRAY(s->arena, const AstExpr *, 2 * (size_t)cap);
            memcpy(more, s->node, (size_t)cap * sizeof *more);
            s->node = more;
            cap *= 2;
        }
        s->node[s->n++] = e;
    }
    s->first = e;
}

void spine_close(AstSpine *s)
{
    arena_free(s->arena);
}
