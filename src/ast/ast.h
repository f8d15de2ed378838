/* ast.h - the syntax tree of Modelica 3.6, with the place of every node.
 *
 *   made by   parse/parse.h     text -> AstFile
 *   read by   load/load.h       files -> one tree of classes
 *             instance/         classes -> flat model
 *
 * The tree says what was written and nothing more: no name is resolved here. A
 * component clause `Real a, b[2];` becomes two components with the same type;
 * apart from that, comments and white space nothing is lost, so that a printed
 * tree parses to an equal tree (ast_print, ast_equal). All nodes live in the
 * arena of the file and are never changed after parsing. Names are interned
 * (base/intern.h): compare them by address. Quoted identifiers keep their
 * quotes: 'a b' is the name of five characters.
 *
 * Depth: the left operands of AE_BINARY may form a chain of any length (a sum
 * of 100,000 terms leans to the left), so walk them by a loop. All other
 * nesting is limited by the parser (PARSE_DEPTH) and may be walked by
 * recursion.
 *
 * Lists are an array and a count. Section numbers are those of the Modelica
 * Language Specification 3.6.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_AST_AST_H
#define TAKT_AST_AST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

typedef struct AstExpr AstExpr;
typedef struct AstClass AstClass;
typedef struct AstElem AstElem;
typedef struct AstEqn AstEqn;
typedef struct AstStmt AstStmt;
typedef struct AstMod AstMod;

/* ---- names ---- */

/* A part of a reference: name and subscripts, `a[1, :]`. */
typedef struct AstPart {
    const char *name;
    AstExpr **sub; /* AE_COLON for a lone colon */
    int nsub;
    Span span;
} AstPart;

/* A reference `.a.b[1].c`. Type names have no subscripts. */
typedef struct AstRef {
    bool global; /* leading dot */
    AstPart *part;
    int npart;
    Span span;
} AstRef;

/* ---- expressions (A.2.7) ---- */

typedef enum AstExprKind {
    AE_INTEGER, /* value; integer literals too large for 32 bits are AE_REAL */
    AE_REAL,    /* value, text as written */
    AE_STRING,  /* text with the escapes resolved */
    AE_BOOLEAN, /* value 0 or 1 */
    AE_REF,     /* ref */
    AE_UNARY,   /* op, arg[0] */
    AE_BINARY,  /* op, arg[0], arg[1] */
    AE_IF,      /* arg: cond, value, cond, value, ..., value */
    AE_RANGE,   /* arg: start, [step,] stop */
    AE_CALL,    /* ref, arg (positional), named; `der`, `initial`, `pure` are
                   references of one part */
    AE_FOR,     /* `expr for i in r, j in s`: arg[0], iter; stands alone inside
                   AE_CALL (reduction) or AE_ARRAY (constructor) as only arg */
    AE_ARRAY,   /* { arg, ... } */
    AE_MATRIX,  /* [ row; row ]: arg are AE_ROW */
    AE_ROW,     /* a row of AE_MATRIX */
    AE_TUPLE,   /* ( arg, ... ): parentheses around one expression, or several;
                   an absent entry is NULL. Kept, so that printing is exact.
                   `()` has narg 0 */
    AE_PARTIAL, /* `function f(a = 1)` as an argument: ref, named */
    AE_END,     /* `end` in a subscript */
    AE_COLON,   /* `:` as a subscript or array size */
    AE_INDEXED, /* `(e)[sub]`: arg[0] is the base, iter unused; subscripts are
                   arg[1...] (an extension of 3.6 that libraries use) */
} AstExprKind;

typedef enum AstOp {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW, /* + - * / ^ */
    OP_EADD,
    OP_ESUB,
    OP_EMUL,
    OP_EDIV,
    OP_EPOW, /* .+ .- .* ./ .^ */
    OP_POS,
    OP_NEG,
    OP_EPOS,
    OP_ENEG, /* unary + - .+ .- */
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_OR,
    OP_NOT,
} AstOp;

typedef struct AstNamed {
    const char *name;
    AstExpr *value;
    Span span; /* of the name */
} AstNamed;

typedef struct AstIter {
    const char *name;
    AstExpr *range; /* NULL: to be found from the use */
    Span span;
} AstIter;

struct AstExpr {
    AstExprKind kind;
    AstOp op;
    Span span;
    double value;
    const char *text; /* AE_STRING: interned; AE_REAL: as written */
    AstRef *ref;
    AstExpr **arg;
    int narg;
    AstNamed *named;
    int nnamed;
    AstIter *iter;
    int niter;
};

/* ---- modifications (A.2.5) ---- */

typedef enum AstModKind {
    MOD_VALUE,     /* name(...) = value: an element modification */
    MOD_CLASS,     /* [redeclare] [replaceable] class definition: elem */
    MOD_COMPONENT, /* [redeclare] [replaceable] component: elem */
} AstModKind;

/* One argument of a modification. `a.b(c = 1) = 2` has name a.b, one argument
 * c = 1 and the value 2. */
typedef struct AstArg {
    AstModKind kind;
    bool each, final, redeclare, replaceable;
    AstRef *name;        /* MOD_VALUE: without subscripts as a rule */
    AstMod *mod;         /* MOD_VALUE: may be NULL */
    AstElem *elem;       /* MOD_CLASS, MOD_COMPONENT */
    const char *comment; /* may be NULL */
    Span span;
} AstArg;

/* (args) = value, each part optional. */
struct AstMod {
    AstArg *arg;
    int narg;
    bool has_args;  /* parentheses were there, even if empty */
    AstExpr *value; /* NULL: none */
    bool is_break;  /* `= break` (3.6: remove the binding) */
    bool assign;    /* := instead of = (old form, warned) */
    Span span;
};

/* ---- equations (A.2.6) ---- */

typedef enum AstEqnKind {
    AQ_EQUAL,   /* lhs = rhs */
    AQ_CALL,    /* lhs is an AE_CALL: assert, terminate, reinit, function */
    AQ_IF,      /* branches */
    AQ_WHEN,    /* branches */
    AQ_FOR,     /* iter, body in branch[0] */
    AQ_CONNECT, /* from, to */
} AstEqnKind;

/* A branch of if or when: cond is NULL in `else`. */
typedef struct AstEqnBranch {
    AstExpr *cond;
    AstEqn **eqn;
    int neqn;
} AstEqnBranch;

struct AstEqn {
    AstEqnKind kind;
    Span span;
    AstExpr *lhs, *rhs;
    AstRef *from, *to;
    AstIter *iter;
    int niter;
    AstEqnBranch *branch;
    int nbranch;
    const char *comment;
    AstMod *annotation;
};

/* ---- statements ---- */

typedef enum AstStmtKind {
    AS_ASSIGN, /* lhs (AE_REF) := rhs */
    AS_TUPLE,  /* lhs (AE_TUPLE) := rhs (AE_CALL) */
    AS_CALL,   /* lhs is an AE_CALL */
    AS_IF,
    AS_WHEN,
    AS_FOR,   /* iter, body in branch[0] */
    AS_WHILE, /* cond and body in branch[0] */
    AS_BREAK,
    AS_RETURN,
} AstStmtKind;

typedef struct AstStmtBranch {
    AstExpr *cond;
    AstStmt **stmt;
    int nstmt;
} AstStmtBranch;

struct AstStmt {
    AstStmtKind kind;
    Span span;
    AstExpr *lhs, *rhs;
    AstIter *iter;
    int niter;
    AstStmtBranch *branch;
    int nbranch;
    const char *comment;
    AstMod *annotation;
};

/* ---- elements (A.2.3, A.2.4) ---- */

typedef enum AstElemKind {
    EL_IMPORT,
    EL_EXTENDS,
    EL_CLASS,
    EL_COMPONENT,
} AstElemKind;

typedef enum AstImportKind {
    IM_NAME,   /* import A.B; */
    IM_RENAME, /* import X = A.B; */
    IM_ALL,    /* import A.*; */
    IM_LIST,   /* import A.{b, c}; */
} AstImportKind;

typedef struct AstImport {
    AstImportKind kind;
    AstRef *name;
    const char *alias; /* IM_RENAME */
    const char **list; /* IM_LIST */
    int nlist;
} AstImport;

typedef struct AstExtends {
    AstRef *base;
    AstMod *mod;         /* class modification; may hold `break` removals */
    const char **broken; /* `extends A(break x)`: removed components (7.4) */
    int nbroken;
    AstEqn **broken_connect; /* `extends A(break connect(a, b))` */
    int nbroken_connect;
} AstExtends;

typedef enum AstFlowKind { FLOW_NONE, FLOW_FLOW, FLOW_STREAM } AstFlowKind;
typedef enum AstVarKind {
    VAR_NONE,
    VAR_DISCRETE,
    VAR_PARAMETER,
    VAR_CONSTANT
} AstVarKind;
typedef enum AstDirKind { DIR_NONE, DIR_INPUT, DIR_OUTPUT } AstDirKind;

typedef struct AstComponent {
    AstFlowKind flow;
    AstVarKind variability;
    AstDirKind direction;
    AstRef *type;
    AstExpr **type_sub; /* subscripts at the type: Real[3] x */
    int ntype_sub;
    const char *name;
    AstExpr **sub; /* subscripts at the name: Real x[3]. Dimensions of the
                      component: sub first, then type_sub */
    int nsub;
    AstMod *mod;        /* may be NULL */
    AstExpr *condition; /* `if cond`, or NULL */
} AstComponent;

struct AstElem {
    AstElemKind kind;
    Span span; /* the name of what is declared, or the whole clause */
    bool is_protected;
    bool redeclare, final, inner, outer, replaceable;
    AstImport *import;
    AstExtends *extends;
    AstClass *cls;
    AstComponent *component;
    AstRef *constrained_by; /* NULL: none */
    AstMod *constraint_mod;
    const char *comment; /* string comment, concatenated; may be NULL. That of
                            a class is in cls */
    AstMod *annotation;  /* may be NULL */
    const char *constraint_comment; /* after the constraining clause, or */
    AstMod *constraint_annotation;  /* after a replaceable class */
};

/* ---- classes (A.2.2) ---- */

typedef enum AstClassKind {
    CK_CLASS,
    CK_MODEL,
    CK_RECORD,
    CK_OPERATOR_RECORD,
    CK_BLOCK,
    CK_CONNECTOR,
    CK_EXPANDABLE_CONNECTOR,
    CK_TYPE,
    CK_PACKAGE,
    CK_FUNCTION,
    CK_OPERATOR_FUNCTION,
    CK_OPERATOR,
} AstClassKind;

typedef enum AstClassForm {
    CF_LONG,    /* class A ... end A; */
    CF_EXTENDS, /* class extends A(mod) ... end A; */
    CF_SHORT,   /* class A = prefix B[sub](mod); */
    CF_ENUM,    /* type A = enumeration(...); */
    CF_DER,     /* function A = der(B, x, y); */
} AstClassForm;

typedef struct AstEnumLiteral {
    const char *name;
    const char *comment;
    AstMod *annotation;
    Span span;
} AstEnumLiteral;

/* An equation or algorithm section, in the order of the text. */
typedef struct AstSection {
    bool initial;
    bool is_algorithm;
    AstEqn **eqn; /* equations */
    int neqn;
    AstStmt **stmt; /* algorithm */
    int nstmt;
} AstSection;

/* external "C" y = f(x) annotation(...); */
typedef struct AstExternal {
    const char *language; /* NULL: not given */
    AstRef *result;       /* NULL: none */
    const char *function; /* NULL: as the Modelica name */
    AstExpr **arg;
    int narg;
    AstMod *annotation;
    Span span;
} AstExternal;

struct AstClass {
    AstClassKind kind;
    AstClassForm form;
    bool encapsulated, partial;
    bool is_pure, is_impure; /* prefix of a function */
    const char *name;
    Span span;      /* of the name */
    Span full_span; /* of the whole definition */
    AstElem **elem; /* CF_LONG, CF_EXTENDS: in the order of the text */
    int nelem;
    AstSection *section;
    int nsection;
    AstExternal *external;
    /* CF_SHORT: base, mod, sub and the prefixes; CF_EXTENDS: mod;
     * CF_DER: base and the names in der_name */
    AstRef *base;
    AstMod *mod;
    AstExpr **sub;
    int nsub;
    AstDirKind direction;
    AstFlowKind flow;
    AstEnumLiteral *literal; /* CF_ENUM */
    int nliteral;
    bool enum_colon; /* enumeration(:) */
    const char **der_name;
    int nder_name;
    const char *comment;
    AstMod *annotation;
};

/* A file: `within A.B;` and the classes of it. */
typedef struct AstFile {
    int source; /* number in Sources */
    bool has_within;
    AstRef *within; /* NULL: none, or `within ;` */
    AstClass **cls;
    bool *is_final; /* `final` before the class, size ncls */
    int ncls;
    int nerror; /* errors found by the parser: if any, the tree is what it
                   could make out */
} AstFile;

/* ---- reading the tree ---- */

/* Prints as Modelica text that parses to an equal tree. */
void ast_print_file(const AstFile *file, FILE *out);
void ast_print_class(const AstClass *cls, int indent, FILE *out);
void ast_print_expr(const AstExpr *e, FILE *out);
/* The text of an expression or reference, in `arena`: for messages. */
const char *ast_expr_text(const AstExpr *e, Arena *arena);
const char *ast_ref_text(const AstRef *r, Arena *arena);
/* Prints the tree as indented nodes: `takt parse --ast`. */
void ast_dump_file(const AstFile *file, FILE *out);
/* Are the two equal but for places? */
bool ast_equal_file(const AstFile *a, const AstFile *b);
bool ast_equal_class(const AstClass *a, const AstClass *b);
bool ast_equal_ref(const AstRef *a, const AstRef *b);
bool ast_equal_expr(const AstExpr *a, const AstExpr *b);

const char *ast_class_kind_name(AstClassKind kind); /* "model", ... */
const char *ast_op_text(AstOp op);                  /* "+", ".*", ... */

/* The argument `name` of a modification or annotation, or NULL:
 * ast_mod_find(cls->annotation, "Evaluate") */
const AstArg *ast_mod_find(const AstMod *mod, const char *name);

#endif
