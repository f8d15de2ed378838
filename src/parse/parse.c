/* parse.c - the entry of the parser, its tokens, and what it does after a
 * mistake.
 *
 * Recovery: a mistake inside an element, equation or statement is reported
 * once; the rest up to its ';' is skipped. Words that end a list (end,
 * equation, public, ...) are never skipped, so that the structure of the class
 * is kept. The head of an if, for, when or while recovers by itself at `then`
 * or `loop`: its `end` would be orphaned otherwise.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>

#include "parse/parse_internal.h"

/* ---- tokens ---- */

/* Nothing more is read: the rest of the text counts as its end. */
static void stop(Parser *p)
{
    p->tok.kind = TK_EOF;
    p->has_next = false;
    p->panic = true;
    p->stopped = true;
}

static void check_error_count(Parser *p, uint32_t at)
{
    if (p->stopped || p->nerror + p->lex.nerror < PARSE_ERRORS)
        return;
    diag_report(p->diag, (Span){p->source, at, at + 1}, DIAG_E0109,
                "%d errors in this file; the rest is not read", PARSE_ERRORS);
    stop(p);
}

void parse_advance(Parser *p)
{
    if (p->stopped)
        return;
    p->prev_end = p->tok.end;
    p->tok = p->has_next ? p->next : lex_next(&p->lex);
    p->has_next = false;
    if (p->lex.nerror)
        check_error_count(p, p->tok.begin);
}

TokenKind parse_peek(Parser *p)
{
    if (p->stopped)
        return TK_EOF;
    if (!p->has_next)
        p->next = lex_next(&p->lex);
    p->has_next = true;
    return p->next.kind;
}

Span parse_span(const Parser *p)
{
    return (Span){p->source, p->tok.begin, p->tok.end};
}

Span parse_span_from(const Parser *p, uint32_t begin)
{
    uint32_t end = p->prev_end > begin ? p->prev_end : begin + 1;
    return (Span){p->source, begin, end};
}

bool parse_accept(Parser *p, TokenKind kind)
{
    if (p->tok.kind != kind || p->panic)
        return false;
    parse_advance(p);
    return true;
}

/* ---- mistakes ---- */

static void count_error(Parser *p)
{
    p->nerror++;
    check_error_count(p, p->tok.begin);
}

/* The token at hand as a message shows it. */
static const char *found(Parser *p)
{
    const Token *t = &p->tok;
    int n = t->end - t->begin < 40 ? (int)(t->end - t->begin) : 40;
    if (t->kind == TK_EOF)
        return lex_kind_text(TK_EOF);
    if (t->kind == TK_STRING)
        return "a string";
    return arena_printf(p->scratch, "'%.*s'", n, p->lex.text + t->begin);
}

/* The file ends inside something: says so once, for the innermost. */
static void report_end_of_file(Parser *p)
{
    if (p->lex.cut || p->said_end)
        return;
    const Open *o = &vec_last(&p->open);
    p->said_end = true;
    if (!o->name)
        diag_report(p->diag, parse_span(p), DIAG_E0103,
                    "the file ends inside '%s'; 'end %s;' is missing", o->what,
                    o->what);
    else if (*o->name)
        diag_report(p->diag, parse_span(p), DIAG_E0103,
                    "the file ends inside %s '%s'; 'end %s;' is missing",
                    o->what, o->name, o->name);
    else
        return; /* a class without a name was reported before */
    diag_note(p->diag, o->span, "it begins here");
}

void parse_fail(Parser *p, DiagCode code, const char *fmt, ...)
{
    if (p->panic)
        return;
    p->panic = true;
    if (p->tok.kind == TK_BAD) /* reported by the lexer */
        return;
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(p->scratch, fmt, ap);
    va_end(ap);
    if (p->tok.kind == TK_EOF && (p->open.n > 0 || p->lex.cut)) {
        report_end_of_file(p);
    } else {
        diag_report(p->diag, parse_span(p), code, "%s", text);
    }
    count_error(p);
}

void parse_expected(Parser *p, const char *what)
{
    if (p->panic)
        return;
    parse_fail(p, DIAG_E0101, "expected %s, found %s", what, found(p));
}

void parse_complain(Parser *p, Span span, DiagCode code, const char *fmt, ...)
{
    if (p->panic)
        return;
    va_list ap;
    va_start(ap, fmt);
    diag_report(p->diag, span, code, "%s", arena_vprintf(p->scratch, fmt, ap));
    va_end(ap);
    if (diag_code_name(code)[0] != 'W')
        count_error(p);
}

bool parse_expect(Parser *p, TokenKind kind, const char *where)
{
    if (parse_accept(p, kind))
        return true;
    if (!p->panic)
        parse_expected(p,
                       arena_printf(p->scratch, "'%s'%s%s", lex_kind_text(kind),
                                    where ? " " : "", where ? where : ""));
    return false;
}

const char *parse_name(Parser *p, const char *what)
{
    const char *name = p->tok.text;
    TokenKind kind = p->tok.kind;
    if (parse_accept(p, TK_IDENT))
        return name;
    if (p->panic || !lex_is_keyword(kind) ||
        (kind == TK_END && p->tok.first_on_line)) {
        parse_expected(p, what);
        return "";
    }
    parse_fail(p, DIAG_E0111,
               "expected %s, found '%s', which is a keyword and cannot be a "
               "name",
               what, lex_kind_text(kind));
    if (kind == TK_END)
        parse_advance(p);
    return "";
}

/* After the token before, where something is missing. */
static Span gap(const Parser *p)
{
    return (Span){p->source, p->prev_end, p->prev_end};
}

void parse_semicolon(Parser *p, const char *after)
{
    bool closed = p->closed;
    p->closed = false;
    if (parse_accept(p, TK_SEMICOLON) || p->panic || closed)
        return;
    if (p->tok.kind == TK_BAD || p->tok.kind == TK_EOF ||
        !p->tok.first_on_line) {
        parse_expected(p, arena_printf(p->scratch, "';' after %s", after));
        return;
    }
    parse_complain(p, gap(p), DIAG_E0101, "';' is missing after %s", after);
}

/* Does this token end a list of elements, equations or statements? */
static bool ends_list(TokenKind kind)
{
    switch (kind) {
    case TK_END:
    case TK_EQUATION:
    case TK_ALGORITHM:
    case TK_PUBLIC:
    case TK_PROTECTED:
    case TK_EOF:
    case TK_ELSEIF:
    case TK_ELSEWHEN: return true;
    default: return false;
    }
}

void parse_sync(Parser *p)
{
    if (!p->panic)
        return;
    while (p->tok.kind != TK_SEMICOLON && !ends_list(p->tok.kind))
        parse_advance(p);
    p->panic = p->stopped;
    parse_accept(p, TK_SEMICOLON);
}

void parse_head_end(Parser *p, TokenKind kind, const char *what)
{
    if (parse_accept(p, kind))
        return;
    parse_expect(p, kind, what);
    while (p->tok.kind != kind && p->tok.kind != TK_SEMICOLON &&
           !ends_list(p->tok.kind))
        parse_advance(p);
    p->panic = p->stopped;
    if (!parse_accept(p, kind))
        parse_accept(p, TK_SEMICOLON);
}

/* Is a class of this name open further out? */
static bool is_open(const Parser *p, const char *name)
{
    for (int i = 0; i < p->open.n - 1; i++)
        if (p->open.at[i].name == name)
            return true;
    return false;
}

/* `end WORD` where tok is `end` and something else follows than expected. */
static void close_wrong(Parser *p, const Open *o)
{
    const char *want = o->name ? o->name : o->what;
    bool is_name = parse_peek(p) == TK_IDENT;
    uint32_t begin = p->tok.begin;
    Span place = {p->source, begin, p->next.end};
    const char *got = is_name ? p->next.text : lex_kind_text(p->next.kind);
    if (is_name ? is_open(p, got) : p->next.kind == TK_SEMICOLON) {
        parse_complain(p, place, DIAG_E0102,
                       "'end %s;' is missing before "
                       "this 'end%s%s'",
                       want, is_name ? " " : "", is_name ? got : "");
        diag_note(p->diag, o->span, "'%s' begins here", want);
        if (is_name) { /* the one further out takes it */
            p->closed = true;
            return;
        }
        parse_advance(p);
        return;
    }
    parse_complain(p, place, DIAG_E0102, "expected 'end %s', found 'end %s'",
                   want, got);
    diag_note(p->diag, o->span, "'%s' begins here", want);
    parse_advance(p);
    if (p->tok.kind != TK_SEMICOLON && p->tok.kind != TK_EOF)
        parse_advance(p);
}

void parse_close(Parser *p, TokenKind word)
{
    Open o = vec_last(&p->open);
    if (p->panic) {
        p->open.n--;
        return;
    }
    if (p->tok.kind != TK_END) {
        parse_expected(
            p, arena_printf(p->scratch, "'end %s'", o.name ? o.name : o.what));
    } else if (parse_peek(p) == word &&
               (!o.name || !*o.name || p->next.text == o.name)) {
        parse_advance(p);
        parse_advance(p);
    } else {
        close_wrong(p, &o);
    }
    p->open.n--;
}

bool parse_enter(Parser *p)
{
    p->depth++;
    if (p->depth <= PARSE_DEPTH)
        return true;
    if (!p->stopped) {
        p->nerror++;
        diag_report(p->diag, parse_span(p), DIAG_E0109,
                    "this is nested more than %d levels deep; takt reads no "
                    "deeper",
                    PARSE_DEPTH);
    }
    stop(p);
    return false;
}

/* ---- lists ---- */

int parse_list_begin(const Parser *p)
{
    return p->list.n;
}

void parse_list_add(Parser *p, const void *item, size_t size)
{
    int n = p->list.n;
    vec_reserve(p->scratch, &p->list, n + (int)size);
    memcpy(p->list.at + n, item, size);
    p->list.n = n + (int)size;
}

void *parse_list_end(Parser *p, int begin, size_t size, int *n)
{
    size_t bytes = (size_t)(p->list.n - begin);
    *n = (int)(bytes / size);
    p->list.n = begin;
    if (bytes == 0)
        return NULL;
    return memcpy(arena_alloc(p->arena, bytes), p->list.at + begin, bytes);
}

/* ---- entry ---- */

/* stored-definition : [ within [ name ] ";" ] { [ final ] class-definition ";"
 * } */
static void stored_definition(Parser *p, AstFile *file)
{
    if (parse_accept(p, TK_WITHIN)) {
        file->has_within = true;
        if (p->tok.kind != TK_SEMICOLON)
            file->within = parse_type_name(p);
        if (p->panic)
            file->within = NULL;
        parse_semicolon(p, "the 'within' clause");
        parse_sync(p);
    }
    int classes = parse_list_begin(p);
    Vec(bool) final = {0};
    while (p->tok.kind != TK_EOF) {
        bool is_final = parse_accept(p, TK_FINAL);
        if (!parse_class_begins(p)) {
            if (p->tok.kind == TK_WITHIN)
                parse_fail(p, DIAG_E0112,
                           "'within' stands once, at the begin of a file");
            else
                parse_expected(p, "a class ('model', 'package', ...)");
            while (p->tok.kind != TK_EOF && !parse_class_begins(p))
                parse_advance(p);
            p->panic = p->stopped;
            continue;
        }
        AstClass *cls = parse_class(p);
        if (parse_class_is_whole(p, cls)) {
            vec_push(p->scratch, &final, is_final);
            parse_list_add(p, &cls, sizeof cls);
        }
        parse_semicolon(p,
                        arena_printf(p->scratch, "the class '%s'", cls->name));
        parse_sync(p);
    }
    file->cls = parse_list_end(p, classes, sizeof(AstClass *), &file->ncls);
    file->is_final = NEW_ARRAY(p->arena, bool, file->ncls ? file->ncls : 1);
    if (file->ncls)
        memcpy(file->is_final, final.at, (size_t)file->ncls * sizeof(bool));
}

static void parser_init(Parser *p, const Sources *sources, int source,
                        Intern *names, Arena *arena, Diag *diag)
{
    *p = (Parser){.names = names,
                  .arena = arena,
                  .diag = diag,
                  .source = source,
                  .scratch = arena_new()};
    p->der = intern_str(names, "der");
    p->initial = intern_str(names, "initial");
    p->pure = intern_str(names, "pure");
    p->nothing = NEW(arena, AstExpr);
    p->nothing->kind = AE_TUPLE;
    p->nothing->span = (Span){source, 0, 0};
    lex_init(&p->lex, sources_get(sources, source), source, names, p->scratch,
             diag);
    p->tok = lex_next(&p->lex);
}

AstFile *parse_file(const Sources *sources, int source, Intern *names,
                    Arena *arena, Diag *diag)
{
    Parser p;
    parser_init(&p, sources, source, names, arena, diag);
    AstFile *file = NEW(arena, AstFile);
    file->source = source;
    stored_definition(&p, file);
    file->nerror = p.nerror + p.lex.nerror;
    arena_free(p.scratch);
    return file;
}

AstExpr *parse_expr(const Sources *sources, int source, Intern *names,
                    Arena *arena, Diag *diag)
{
    Parser p;
    parser_init(&p, sources, source, names, arena, diag);
    AstExpr *e = parse_expression(&p);
    if (p.tok.kind != TK_EOF)
        parse_expected(&p, "the end of the expression");
    bool good = p.nerror + p.lex.nerror == 0 && !p.panic;
    arena_free(p.scratch);
    return good ? e : NULL;
}
