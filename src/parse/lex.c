/* lex.c - text to tokens.
 *
 * One pass, no backtracking: the text ends with a NUL, so one byte more may
 * always be looked at. Names, numbers and strings are interned as they come.
 * A string without escapes, which nearly all are, is interned from the text
 * itself; only others are copied to a buffer first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/lex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

typedef struct Keyword {
    const char *text;
    unsigned char size;
    TokenKind kind;
} Keyword;

static const Keyword keywords[] = {
#define KEYWORD(kind, text) {text, sizeof text - 1, TK_##kind},
#include "parse/token.def"
};
enum { NKEYWORD = sizeof keywords / sizeof keywords[0] };

static const char *const kind_text[] = {
#define TOKEN(kind, text) text,
#include "parse/token.def"
};

const char *lex_kind_text(TokenKind kind)
{
    return kind_text[kind];
}

bool lex_is_keyword(TokenKind kind)
{
    return kind >= TK_ALGORITHM && kind < TK_COUNT;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static Span span_of(const Lexer *lex, uint32_t begin, uint32_t end)
{
    return (Span){lex->source, begin, end};
}

#define lex_error(lex, begin, end, ...)                                        \
    ((lex)->nerror++,                                                          \
     diag_report((lex)->diag, span_of((lex), (begin), (end)), __VA_ARGS__))

void lex_init(Lexer *lex, const Source *text, int source, Intern *names,
              Arena *scratch, Diag *diag)
{
    *lex = (Lexer){.text = text->text,
                   .size = text->size,
                   .source = source,
                   .names = names,
                   .arena = scratch,
                   .diag = diag};
    if (text->size >= 3 && memcmp(text->text, "\xEF\xBB\xBF", 3) == 0)
        lex->at = 3;
    int k = 0;
    for (int letter = 0; letter < 27; letter++) {
        while (k < NKEYWORD && keywords[k].text[0] < 'a' + letter)
            k++;
        lex->keyword[letter] = (unsigned char)k;
    }
}

/* The length of the UTF-8 character at s, 0 if there is none. */
static int utf8_size(const unsigned char *s, const unsigned char *end)
{
    int n = *s < 0x80   ? 1
            : *s < 0xC2 ? 0
            : *s < 0xE0 ? 2
            : *s < 0xF0 ? 3
            : *s < 0xF5 ? 4
                        : 0;
    if (n == 0 || end - s < n)
        return 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if (n == 3 &&
        ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)))
        return 0; /* longer than needed, or half of a pair */
    if (n == 4 &&
        ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)))
        return 0;
    return n;
}

/* Is the character at offset i whole? Warns once in a file that is not
 * UTF-8. Returns its size, 0 if it is not whole. */
static int check_utf8(Lexer *lex, uint32_t i)
{
    const unsigned char *s = (const unsigned char *)lex->text;
    int n = utf8_size(s + i, s + lex->size);
    if (n == 0 && !lex->said_utf8) {
        lex->said_utf8 = true;
        diag_report(lex->diag, span_of(lex, i, i + 1), DIAG_W0101,
                    "this file is not UTF-8 (byte 0x%02X here); save it as "
                    "UTF-8",
                    s[i]);
    }
    return n;
}

/* ---- white space and comments ---- */

static void skip_comment(Lexer *lex)
{
    uint32_t begin = lex->at;
    uint32_t i = begin + 2;
    for (;;) {
        const char *star = memchr(lex->text + i, '*', lex->size - i);
        if (!star) {
            lex_error(lex, begin, begin + 2, DIAG_E0104,
                      "this comment is not closed; '*/' is missing");
            lex->cut = true;
            lex->at = lex->size;
            return;
        }
        i = (uint32_t)(star - lex->text) + 1;
        if (lex->text[i] == '/') {
            lex->at = i + 1;
            return;
        }
    }
}

static void skip_line(Lexer *lex)
{
    const char *nl = memchr(lex->text + lex->at, '\n', lex->size - lex->at);
    lex->at = nl ? (uint32_t)(nl - lex->text) : lex->size;
}

/* Skips to the next token. Returns whether a line ended on the way. */
static bool skip_space(Lexer *lex)
{
    bool line = lex->at == 0;
    for (;;) {
        switch (lex->text[lex->at]) {
        case '\n':
            line = true;
            lex->at++;
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\f':
        case '\v': lex->at++; break;
        case '/':
            if (lex->text[lex->at + 1] == '*')
                skip_comment(lex);
            else if (lex->text[lex->at + 1] == '/')
                skip_line(lex);
            else
                return line;
            break;
        default: return line;
        }
    }
}

/* ---- strings ---- */

static void buffer_add(Lexer *lex, size_t *n, const char *s, size_t size)
{
    if (*n + size > lex->buffer_size) {
        size_t want = 2 * (*n + size) + 256;
        lex->buffer =
            arena_grow(lex->arena, lex->buffer, lex->buffer_size, want);
        lex->buffer_size = want;
    }
    memcpy(lex->buffer + *n, s, size);
    *n += size;
}

/* The character that the escape \c stands for; 0 if there is no such. */
static char escaped(char c)
{
    switch (c) {
    case '\'':
    case '"':
    case '?':
    case '\\': return c;
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return 0;
    }
}

static bool is_plain(char c)
{
    return (unsigned char)c < 0x80 && c != '\\' && c != '\r';
}

/* The text between begin and end with escapes resolved, CR LF made LF and
 * bytes that are not UTF-8 replaced. The first bad escape is reported. */
static const char *cook(Lexer *lex, uint32_t begin, uint32_t end)
{
    size_t n = 0;
    bool said = false;
    for (uint32_t i = begin; i < end;) {
        char c = lex->text[i];
        if (c == '\\' && i + 1 < end) {
            char e = escaped(lex->text[i + 1]);
            if (!e) {
                if (!said)
                    lex_error(lex, i, i + 2, DIAG_E0106,
                              "unknown escape in a string; write '\\\\' for a "
                              "backslash");
                said = true;
                e = '\\';
                i--;
            }
            buffer_add(lex, &n, &e, 1);
            i += 2;
        } else if (c == '\r' && lex->text[i + 1] == '\n') {
            i++;
        } else if ((unsigned char)c < 0x80) {
            uint32_t run = i + 1;
            while (run < end && is_plain(lex->text[run]))
                run++;
            buffer_add(lex, &n, lex->text + i, run - i);
            i = run;
        } else {
            int size = check_utf8(lex, i);
            if (size)
                buffer_add(lex, &n, lex->text + i, (size_t)size);
            else
                buffer_add(lex, &n, "\xEF\xBF\xBD", 3);
            i += size ? (uint32_t)size : 1;
        }
    }
    return intern(lex->names, n ? lex->buffer : "", n);
}

static Token lex_string(Lexer *lex, Token t)
{
    uint32_t i = t.begin + 1;
    bool plain = true;
    for (;; i++) {
        char c = lex->text[i];
        if (c == '"')
            break;
        if (c == '\\' && i + 1 < lex->size)
            i++, plain = false;
        else if (c == '\r' || (unsigned char)c >= 0x80)
            plain = false;
        else if (c == 0 && i >= lex->size)
            break;
        else if (c == 0) {
            lex_error(lex, i, i + 1, DIAG_E0108, "a NUL byte in a string");
            lex->size = i; /* what follows is no text */
            lex->cut = true;
            break;
        }
    }
    t.kind = TK_STRING;
    if (i >= lex->size) {
        if (!lex->cut)
            lex_error(lex, t.begin, t.begin + 1, DIAG_E0105,
                      "the string that begins here is not closed; '\"' is "
                      "missing");
        lex->cut = true;
        t.end = lex->at = lex->size;
        t.text = intern(lex->names, "", 0);
        return t;
    }
    t.text = plain
                 ? intern(lex->names, lex->text + t.begin + 1, i - t.begin - 1)
                 : cook(lex, t.begin + 1, i);
    t.end = lex->at = i + 1;
    return t;
}

/* A quoted name keeps its quotes and escapes: it is compared as written. */
static Token lex_quoted(Lexer *lex, Token t)
{
    uint32_t i = t.begin + 1;
    for (; lex->text[i] != '\''; i++) {
        if (lex->text[i] == '\n' || lex->text[i] == 0) {
            lex_error(lex, t.begin, t.begin + 1, DIAG_E0105,
                      "the quoted name that begins here is not closed on its "
                      "line; \"'\" is missing");
            break;
        }
        if (lex->text[i] == '\\') {
            if (!escaped(lex->text[i + 1]))
                lex_error(lex, i, i + 1, DIAG_E0106,
                          "unknown escape in a quoted name");
            else
                i++;
        } else if ((unsigned char)lex->text[i] >= 0x80) {
            int n = check_utf8(lex, i);
            i += n ? (uint32_t)n - 1 : 0;
        } else if ((unsigned char)lex->text[i] < 32 || lex->text[i] == 127) {
            lex_error(lex, i, i + 1, DIAG_E0108,
                      "a quoted name cannot hold a control character");
        }
    }
    bool closed = lex->text[i] == '\'';
    t.kind = closed ? TK_IDENT : TK_BAD;
    if (closed && i == t.begin + 1)
        lex_error(lex, t.begin, i + 1, DIAG_E0105, "a quoted name is empty");
    t.end = lex->at = closed ? i + 1 : i;
    t.text = intern(lex->names, lex->text + t.begin, t.end - t.begin);
    return t;
}

/* ---- names and numbers ---- */

/* A word with characters that names cannot have. It counts as a name, so that
 * this is the only message about it. */
static Token lex_foreign_name(Lexer *lex, Token t)
{
    uint32_t i = t.begin;
    while (is_letter(lex->text[i]) || is_digit(lex->text[i]) ||
           (unsigned char)lex->text[i] >= 0x80)
        i += 1;
    int n = i - t.begin < 40 ? (int)(i - t.begin) : 40;
    const char *s = lex->text + t.begin;
    t.kind = TK_IDENT;
    t.end = lex->at = i;
    lex_error(lex, t.begin, t.end, DIAG_E0108,
              "'%.*s' is no name in Modelica; names are made of a-z, A-Z, 0-9 "
              "and '_'; others stand in quotes",
              n, s);
    t.text = intern(lex->names, s, i - t.begin);
    return t;
}

static Token lex_name(Lexer *lex, Token t)
{
    uint32_t i = t.begin;
    while (is_letter(lex->text[i]) || is_digit(lex->text[i]))
        i++;
    if ((unsigned char)lex->text[i] >= 0xC3 && check_utf8(lex, i))
        return lex_foreign_name(lex, t);
    const char *s = lex->text + t.begin;
    size_t n = i - t.begin;
    t.end = lex->at = i;
    t.kind = TK_IDENT;
    if (*s >= 'a' && *s <= 'z') {
        int last = lex->keyword[*s - 'a' + 1];
        for (int k = lex->keyword[*s - 'a']; k < last; k++)
            if (keywords[k].size == n && memcmp(keywords[k].text, s, n) == 0) {
                t.kind = keywords[k].kind;
                return t;
            }
    }
    t.text = intern(lex->names, s, n);
    return t;
}

/* The value of a number with the decimal digits `digits` (fewer than 16) times
 * 10^scale, exact for a scale of at most 22 (Clinger 1990), else NAN. */
static double exact_value(double digits, int ndigit, int scale)
{
    static const double power[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (ndigit > 15 || scale > 22 || scale < -22)
        return NAN;
    return scale < 0 ? digits / power[-scale] : digits * power[scale];
}

/* strtod on a copy, as the text may go on with characters strtod would take
 * ("0x", "1e5" is a number but "1exp" was refused before). */
static double number_value(Lexer *lex, const char *s, size_t n)
{
    size_t size = 0;
    buffer_add(lex, &size, s, n);
    buffer_add(lex, &size, "", 1);
    return number_read(lex->buffer, NULL);
}

/* UNSIGNED-INTEGER and UNSIGNED-REAL. Digits, point, digits, exponent; digits
 * are needed before or after the point. */
static Token lex_number(Lexer *lex, Token t)
{
    const char *s = lex->text;
    uint32_t i = t.begin;
    double digits = 0;
    int ndigit = 0, scale = 0;
    t.kind = TK_INTEGER;
    for (; is_digit(s[i]); i++)
        if (ndigit < 100 && (digits > 0 || s[i] != '0'))
            digits = 10 * digits + (s[i] - '0'), ndigit++;
    if (s[i] == '.') {
        t.kind = TK_REAL;
        for (i++; is_digit(s[i]); i++) {
            if (ndigit < 100 && (digits > 0 || s[i] != '0'))
                digits = 10 * digits + (s[i] - '0'), ndigit++;
            scale--;
        }
    }
    if (s[i] == 'e' || s[i] == 'E') {
        uint32_t e = i + 1;
        bool minus = s[e] == '-';
        if (s[e] == '+' || s[e] == '-')
            e++;
        int x = 0;
        t.kind = TK_REAL;
        if (!is_digit(s[e]))
            lex_error(lex, t.begin, e, DIAG_E0107,
                      "the exponent of a number needs digits");
        for (; is_digit(s[e]); e++)
            x = x > 100000 ? x : 10 * x + (s[e] - '0');
        scale += minus ? -x : x;
        i = e;
    }
    if (is_letter(s[i])) {
        uint32_t e = i;
        while (is_letter(s[e]) || is_digit(s[e]))
            e++;
        lex_error(lex, t.begin, e, DIAG_E0107,
                  "'%.*s' is neither a number nor a name; a name begins with "
                  "a letter",
                  (int)(e - t.begin < 40 ? e - t.begin : 40), s + t.begin);
        t.kind = TK_BAD;
        t.end = lex->at = e;
        return t;
    }
    t.end = lex->at = i;
    t.value = exact_value(digits, ndigit, scale);
    if (isnan(t.value))
        t.value = number_value(lex, s + t.begin, i - t.begin);
    if (isinf(t.value)) {
        lex_error(lex, t.begin, i, DIAG_E0107,
                  "this number is too large; the largest is about 1.8e308");
        t.value = 0;
    }
    if (t.kind == TK_INTEGER && t.value > 2147483647.0)
        t.kind = TK_REAL;
    t.text = intern(lex->names, s + t.begin, i - t.begin);
    return t;
}

/* ---- operators ---- */

/* A character that begins no token: says what the user may have meant. */
static Token lex_bad(Lexer *lex, Token t)
{
    static const struct {
        const char *text, *hint;
    } hints[] = {
        {"!=", "write '<>' for 'not equal'"},
        {"&&", "write 'and'"},
        {"||", "write 'or'"},
        {"!", "write 'not'"},
        {"&", "write 'and'"},
        {"|", "write 'or'"},
        {"%", "write 'mod(a, b)' for a remainder"},
        {"#", "a comment begins with '//'"},
        {"\xC2\xA0", "this is a no-break space; use a plain one"},
        {"\xE2\x80\x9C", "use the plain quote '\"'"},
        {"\xE2\x80\x9D", "use the plain quote '\"'"},
        {"\xE2\x80\x98", "use the plain quote \"'\""},
        {"\xE2\x80\x99", "use the plain quote \"'\""},
        {"\xE2\x88\x92", "use the plain '-'"},
        {"\xE2\x80\x93", "use the plain '-'"},
    };
    const char *s = lex->text + t.begin;
    t.kind = TK_BAD;
    for (size_t k = 0; k < sizeof hints / sizeof hints[0]; k++) {
        size_t n = strlen(hints[k].text);
        if (strncmp(s, hints[k].text, n) != 0)
            continue;
        t.end = lex->at = t.begin + (uint32_t)n;
        lex_error(lex, t.begin, t.end, DIAG_E0108,
                  "'%s' has no meaning in Modelica; %s", hints[k].text,
                  hints[k].hint);
        return t;
    }
    int n = (unsigned char)*s < 0x80 ? 1 : check_utf8(lex, t.begin);
    if (n > 1 && is_letter(s[n]))
        return lex_foreign_name(lex, t);
    t.end = lex->at = t.begin + (n ? (uint32_t)n : 1);
    if ((unsigned char)*s < 0x20 || *s == 0x7F || n == 0)
        lex_error(lex, t.begin, t.end, DIAG_E0108,
                  "the byte 0x%02X has no meaning in Modelica",
                  (unsigned char)*s);
    else if (n > 1)
        lex_error(lex, t.begin, t.end, DIAG_E0108,
                  "'%.*s' has no meaning in Modelica", n, s);
    else
        lex_error(lex, t.begin, t.end, DIAG_E0108,
                  "'%c' has no meaning in Modelica", *s);
    return t;
}

static Token symbol(Lexer *lex, Token t, TokenKind kind, uint32_t size)
{
    t.kind = kind;
    t.end = lex->at = t.begin + size;
    return t;
}

static Token lex_dot(Lexer *lex, Token t)
{
    switch (lex->text[t.begin + 1]) {
    case '+': return symbol(lex, t, TK_EADD, 2);
    case '-': return symbol(lex, t, TK_ESUB, 2);
    case '*': return symbol(lex, t, TK_DOT_STAR, 2);
    case '/': return symbol(lex, t, TK_EDIV, 2);
    case '^': return symbol(lex, t, TK_EPOW, 2);
    default:
        if (is_digit(lex->text[t.begin + 1]))
            return lex_number(lex, t);
        return symbol(lex, t, TK_DOT, 1);
    }
}

static Token lex_star(Lexer *lex, Token t)
{
    if (lex->text[t.begin + 1] != '/')
        return symbol(lex, t, TK_MUL, 1);
    lex_error(lex, t.begin, t.begin + 2, DIAG_E0104,
              "'*/' closes no comment here; a comment ends at its first '*/', "
              "comments do not nest");
    return symbol(lex, t, TK_BAD, 2);
}

Token lex_next(Lexer *lex)
{
    bool line = skip_space(lex);
    Token t = {.begin = lex->at, .end = lex->at, .first_on_line = line};
    char c = lex->text[lex->at];
    char d = c ? lex->text[lex->at + 1] : 0;
    if (lex->at >= lex->size) {
        t.kind = TK_EOF;
        return t;
    }
    if (is_letter(c))
        return lex_name(lex, t);
    if (is_digit(c))
        return lex_number(lex, t);
    switch (c) {
    case '"': return lex_string(lex, t);
    case '\'': return lex_quoted(lex, t);
    case '(': return symbol(lex, t, TK_LPAREN, 1);
    case ')': return symbol(lex, t, TK_RPAREN, 1);
    case '[': return symbol(lex, t, TK_LBRACKET, 1);
    case ']': return symbol(lex, t, TK_RBRACKET, 1);
    case '{': return symbol(lex, t, TK_LBRACE, 1);
    case '}': return symbol(lex, t, TK_RBRACE, 1);
    case ';': return symbol(lex, t, TK_SEMICOLON, 1);
    case ',': return symbol(lex, t, TK_COMMA, 1);
    case '.': return lex_dot(lex, t);
    case '+': return symbol(lex, t, TK_ADD, 1);
    case '-': return symbol(lex, t, TK_SUB, 1);
    case '*': return lex_star(lex, t);
    case '/': return symbol(lex, t, TK_DIV, 1);
    case '^': return symbol(lex, t, TK_POW, 1);
    case ':':
        return d == '=' ? symbol(lex, t, TK_ASSIGN, 2)
                        : symbol(lex, t, TK_COLON, 1);
    case '=':
        return d == '=' ? symbol(lex, t, TK_EQ, 2)
                        : symbol(lex, t, TK_EQUAL, 1);
    case '<':
        return d == '='   ? symbol(lex, t, TK_LE, 2)
               : d == '>' ? symbol(lex, t, TK_NE, 2)
                          : symbol(lex, t, TK_LT, 1);
    case '>':
        return d == '=' ? symbol(lex, t, TK_GE, 2) : symbol(lex, t, TK_GT, 1);
    default: return lex_bad(lex, t);
    }
}
