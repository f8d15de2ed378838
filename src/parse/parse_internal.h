/* parse_internal.h - what the files of the parser share.
 *
 * After a mistake `panic` is set: every function then returns at once with a
 * node that is complete but means nothing, until the list that holds the
 * element, equation or statement skips to its end (parse_sync) and goes on.
 * A list is collected on a stack of bytes and copied to the arena when its
 * length is known.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PARSE_PARSE_INTERNAL_H
#define TAKT_PARSE_PARSE_INTERNAL_H

#include "base/vec.h"
#include "parse/lex.h"
#include "parse/parse.h"

/* A class or statement that is open, for messages about its `end`. */
typedef struct Open {
    const char *what; /* "model", "if" */
    const char *name; /* of a class, else NULL */
    Span span;        /* where it begins */
} Open;

typedef struct Parser {
    Lexer lex;
    Token tok;  /* the token at hand */
    Token next; /* the one after it, if has_next */
    bool has_next;
    uint32_t prev_end; /* end of the token before tok */
    bool panic;        /* a mistake was reported and not yet skipped */
    bool said_end;     /* that the file ends too early was reported */
    bool closed;       /* a class without its `end` was reported */
    bool stopped;      /* too deep or too many errors: nothing more is read */
    int depth;
    int subscripts; /* open brackets of subscripts, where `end` is a number */
    int nerror;
    int source;
    AstExpr *nothing; /* stands for an expression with a mistake */
    const char *der, *initial, *pure;
    Vec(char) list;
    Vec(Open) open;
    Intern *names;
    Arena *arena;
    Arena *scratch;
    Diag *diag;
} Parser;

/* ---- tokens (parse.c) ---- */

void parse_advance(Parser *p);
TokenKind parse_peek(Parser *p); /* the kind of the token after tok */
/* If tok is of this kind, takes it. */
bool parse_accept(Parser *p, TokenKind kind);
/* Takes a token of this kind, or reports what was expected. `where` continues
 * the sentence ("in a call"), NULL: nothing. */
bool parse_expect(Parser *p, TokenKind kind, const char *where);
/* A name; a keyword in its place is reported as such. */
const char *parse_name(Parser *p, const char *what);
/* The `;` after something. A missing one at the end of a line is reported
 * and read on as if it stood there. */
void parse_semicolon(Parser *p, const char *after);

Span parse_span(const Parser *p);                      /* of tok */
Span parse_span_from(const Parser *p, uint32_t begin); /* to the last token */

/* Reports at tok and sets panic; quiet if panic is set already. */
void parse_fail(Parser *p, DiagCode code, const char *fmt, ...)
    TAKT_PRINTF(3, 4);
/* "expected WHAT, found TOK" */
void parse_expected(Parser *p, const char *what);
/* Reports at a place and goes on. */
void parse_complain(Parser *p, Span span, DiagCode code, const char *fmt, ...)
    TAKT_PRINTF(4, 5);
/* Skips past the next ';', or to what ends a list. Clears panic. */
void parse_sync(Parser *p);
/* `then` or `loop` after a head; skips to it after a mistake in the head. */
void parse_head_end(Parser *p, TokenKind kind, const char *what);
/* `end WORD` of the innermost open thing; takes it off. */
void parse_close(Parser *p, TokenKind word);

/* A level deeper; false (reported, stopped) if that is too deep. */
bool parse_enter(Parser *p);
#define parse_leave(p) ((p)->depth--)

/* ---- lists ---- */

int parse_list_begin(const Parser *p);
void parse_list_add(Parser *p, const void *item, size_t size);
/* The items since `begin`, in the arena; NULL if there are none. */
void *parse_list_end(Parser *p, int begin, size_t size, int *n);

/* ---- the grammar ---- */

AstExpr *parse_expression(Parser *p);
AstExpr *parse_simple_expression(Parser *p); /* with ranges, without `if` */
AstExpr *parse_primary(Parser *p);
AstRef *parse_reference(Parser *p);            /* with subscripts */
AstRef *parse_type_name(Parser *p);            /* without */
AstExpr **parse_subscripts(Parser *p, int *n); /* [ ... ] or nothing */
AstExpr **parse_expression_list(Parser *p, int *n);
AstIter *parse_iterators(Parser *p, int *n);
AstExpr *parse_call(Parser *p, AstRef *name);

/* Each gives NULL if there is none. */
AstMod *parse_modification(Parser *p);
AstMod *parse_annotation(Parser *p);
const char *parse_string_comment(Parser *p);
void parse_comment(Parser *p, const char **comment, AstMod **annotation);
/* tok is '('. With `breaks` the arguments `break x` are put there. */
AstMod *parse_class_modification(Parser *p, AstExtends *breaks);

AstEqn **parse_equations(Parser *p, int *n); /* up to what ends the list */
AstStmt **parse_statements(Parser *p, int *n);
AstEqn *parse_connect(Parser *p);

AstClass *parse_class(Parser *p);   /* class-definition; never NULL */
bool parse_class_begins(Parser *p); /* is tok the begin of a class? */
/* After a class: are all its nodes complete? A mistake inside a long class was
 * skipped there; a short one is lost with it. */
bool parse_class_is_whole(const Parser *p, const AstClass *cls);
/* The parts of elements that modifications use, too. */
AstClass *parse_short_class(Parser *p);
void parse_constraint(Parser *p, AstElem *e); /* constrainedby ..., if there */
void parse_type_prefix(Parser *p, AstComponent *c);
void parse_type(Parser *p, AstComponent *c); /* name and subscripts */
void parse_declaration(Parser *p, AstComponent *c, Span *span);

#endif
