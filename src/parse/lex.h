/* lex.h - the tokens of a text, one at a time (section 2 and A.1).
 *
 * White space and comments are skipped. Mistakes in a token are reported here:
 * a character without meaning gives TK_BAD, so that the parser can stay quiet
 * about it; every other mistake still gives a token of its kind.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PARSE_LEX_H
#define TAKT_PARSE_LEX_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

typedef enum TokenKind {
#define TOKEN(kind, text) TK_##kind,
#include "parse/token.def"
    TK_COUNT
} TokenKind;

typedef struct Token {
    TokenKind kind;
    uint32_t begin, end; /* offsets */
    bool first_on_line;
    const char *text; /* TK_IDENT: the name, TK_STRING: the text with escapes
                         resolved, TK_REAL: as written; all interned */
    double value;     /* TK_INTEGER, TK_REAL */
} Token;

typedef struct Lexer {
    const char *text; /* size bytes and a NUL */
    uint32_t size;
    uint32_t at; /* the next byte */
    int source;
    int nerror;
    bool said_utf8; /* bad UTF-8 was reported */
    bool cut;       /* the text ends inside a comment or string (reported) */
    unsigned char keyword[27]; /* where the keywords with this letter begin */
    Intern *names;
    Arena *arena; /* for texts with escapes, until the file is read */
    Diag *diag;
    char *buffer; /* of the string at hand */
    size_t buffer_size;
} Lexer;

/* Starts at the begin of the text; skips a byte order mark. `scratch` must
 * live as long as the lexer. */
void lex_init(Lexer *lex, const Source *text, int source, Intern *names,
              Arena *scratch, Diag *diag);
Token lex_next(Lexer *lex);

/* The text of a keyword or symbol; of others, what they are. */
const char *lex_kind_text(TokenKind kind);
bool lex_is_keyword(TokenKind kind);

#endif
