/* describe.c - help, manual page and completion from the table of a verb. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/describe.h"

#include <ctype.h>
#include <string.h>

#include "base/die.h"
#include "plan/method.h"

enum { LINE = 79, LEFT_MOST = 24 }; /* columns: of a line, of an option */

bool description_find(const char *name, Description *out)
{
    static const char *const known[] = {"", "man", "bash", "zsh"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, known[i])) {
            *out = (Description)i;
            return true;
        }
    return false;
}

static const char *dashes(const Option *o)
{
    return o->name[1] ? "--" : "-";
}

/* "--step TIME" */
static const char *left_side(const Option *o, Arena *arena)
{
    return arena_printf(arena, "%s%s%s%s", dashes(o), o->name,
                        o->metavar ? " " : "", o->metavar ? o->metavar : "");
}

static bool has_method(const Command *c)
{
    for (const Option *o = c->option; o->name; o++)
        if (option_kind(o) == OPT_METHOD)
            return true;
    return false;
}

/* The methods of the table, with `between` from one to the next. */
static const char *all_methods(const char *between, Arena *arena)
{
    const char *all = method_name(0);
    for (int i = 1; i < method_count(); i++)
        all = arena_printf(arena, "%s%s%s", all, between, method_name(i));
    return all;
}

/* What can be written after `o`, separated by spaces; "" if that is open. A
 * word of its metavar in capitals stands for something else. */
static const char *values_of(const Option *o, Arena *arena)
{
    if (option_kind(o) != OPT_WORD && option_kind(o) != OPT_METHOD)
        return "";
    const char *all =
        option_kind(o) == OPT_METHOD ? all_methods(" ", arena) : "";
    for (const char *at = o->metavar; *at;) {
        int n = (int)strcspn(at, "|");
        if (!isupper((unsigned char)*at))
            all = arena_printf(arena, "%s%s%.*s", all, *all ? " " : "", n, at);
        at += n + (at[n] == '|');
    }
    return all;
}

/* ---- help ---- */

/* `text` in lines of at most LINE columns, the first of which goes on at
 * column `at`, the others begin at column `left`. */
static void print_wrapped(const char *text, int at, int left, FILE *out)
{
    for (bool first = true; *text; first = false) {
        int n = (int)strcspn(text, " ");
        if (!first && at + 1 + n > LINE) {
            fprintf(out, "\n%*s", left, "");
            at = left;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", n, text);
        at += n;
        text += n + (text[n] == ' ');
    }
    fputc('\n', out);
}

static void print_option(const char *left, const char *help, int width,
                         FILE *out)
{
    int n = (int)strlen(left);
    fprintf(out, "  %s", left);
    if (n > width)
        fprintf(out, "\n%*s", width + 4, "");
    else
        fprintf(out, "%*s", width - n + 2, "");
    print_wrapped(help, width + 4, width + 4, out);
}

/* Each line of `text` after two spaces. */
static void print_lines(const char *text, FILE *out)
{
    while (*text) {
        int n = (int)strcspn(text, "\n");
        fprintf(out, "  %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

static void print_help(const Command *c, Arena *arena, FILE *out)
{
    int width = (int)strlen("--help");
    for (const Option *o = c->option; o->name; o++) {
        int n = (int)strlen(left_side(o, arena));
        if (n > width && n <= LEFT_MOST)
            width = n;
    }
    fprintf(out, "usage: takt %s %s [options]\n\n%s\n\n", c->verb, c->args,
            c->summary);
    for (const Option *o = c->option; o->name; o++)
        print_option(left_side(o, arena), o->help, width, out);
    print_option("--help", "print this", width, out);
    if (has_method(c)) {
        fprintf(out, "\nmethods, or FILE.json with a tableau:\n  ");
        print_wrapped(all_methods(", ", arena), 2, 2, out);
        fputs("  'takt method' tells their orders and stability\n", out);
    }
    fprintf(out, "\n%s\n", strchr(c->example, '\n') ? "examples:" : "example:");
    print_lines(c->example, out);
}

/* ---- manual page ---- */

static void roff_char(char ch, FILE *out)
{
    switch (ch) {
    case '-': fputs("\\-", out); break;
    case '\\': fputs("\\e", out); break;
    case '\'': fputs("\\(aq", out); break;
    case '^': fputs("\\(ha", out); break;
    case '~': fputs("\\(ti", out); break;
    default: fputc(ch, out);
    }
}

static void roff(const char *text, FILE *out)
{
    for (bool starts = true; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", out); /* else a request */
        roff_char(*text, out);
        starts = *text == '\n';
    }
}

void describe_roff(const char *text, FILE *out)
{
    roff(text, out);
    fputc('\n', out);
}

static void roff_option(const Option *o, FILE *out)
{
    fputs(".TP\n\\fB", out);
    roff(dashes(o), out);
    roff(o->name, out);
    fputs("\\fR", out);
    if (o->metavar) {
        fputs(" \\fI", out);
        roff(o->metavar, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    describe_roff(o->help, out);
}

static void print_man(const Command *c, Arena *arena, FILE *out)
{
    fprintf(out, ".SH SYNOPSIS\n\\fBtakt %s\\fR \\fI", c->verb);
    roff(c->args, out);
    fputs("\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n", out);
    describe_roff(c->summary, out);
    fputs(".SH OPTIONS\n", out);
    for (const Option *o = c->option; o->name; o++)
        roff_option(o, out);
    const Option help = {"help", NULL, "print the options", OPT_FLAG, NULL};
    roff_option(&help, out);
    if (has_method(c)) {
        fputs(".SH METHODS\n", out);
        describe_roff(all_methods(", ", arena), out);
        fputs(".PP\nA name that ends in .json is a file with a tableau. "
              "takt method tells of order and stability.\n",
              out);
    }
    fputs(".SH EXAMPLES\n.nf\n", out);
    describe_roff(c->example, out);
    fputs(".fi\n", out);
}

/* ---- completion ---- */

void describe_quoted(const char *text, const char *special, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* Cases of VERB,WORD BEFORE,WORD. */
static void print_bash(const Command *c, Arena *arena, FILE *out)
{
    for (const Option *o = c->option; o->name; o++) {
        const char *values = values_of(o, arena);
        if (*values)
            fprintf(out, "    %s,%s%s,*) words='%s' ;;\n", c->verb, dashes(o),
                    o->name, values);
        else if (o->metavar && !strcmp(o->metavar, "DIR"))
            fprintf(out, "    %s,%s%s,*) kind=directory ;;\n", c->verb,
                    dashes(o), o->name);
    }
    fprintf(out, "    %s,*,-*) words='", c->verb);
    for (const Option *o = c->option; o->name; o++)
        fprintf(out, "%s%s ", dashes(o), o->name);
    fputs("--help' ;;\n", out);
}

/* What zsh offers for the value of `o`, as in _arguments. */
static void zsh_value(const Option *o, Arena *arena, FILE *out)
{
    const char *values = values_of(o, arena);
    fputc(':', out);
    describe_quoted(o->metavar, ":", out);
    fputc(':', out);
    if (*values)
        fprintf(out, "(%s)", values);
    else if (!strcmp(o->metavar, "DIR"))
        fputs("_files -/", out);
    else if (!strcmp(o->metavar, "FILE"))
        fputs("_files", out);
    else
        fputc(' ', out);
}

static void print_zsh(const Command *c, Arena *arena, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments", c->verb);
    for (const Option *o = c->option; o->name; o++) {
        const char *glue = !o->metavar ? "" : o->name[1] ? "=" : "+";
        fprintf(out, " \\\n            '%s%s%s%s[",
                o->kind == OPT_LIST ? "*" : "", dashes(o), o->name, glue);
        describe_quoted(o->help, "[]:", out);
        fputc(']', out);
        if (o->metavar)
            zsh_value(o, arena, out);
        fputc('\'', out);
    }
    fputs(" \\\n            '--help[print the options]'"
          " \\\n            '*: :_files' ;;\n",
          out);
}

void describe(const Command *c, Description how, Arena *arena, FILE *out)
{
    switch (how) {
    case DESCRIBE_HELP: print_help(c, arena, out); return;
    case DESCRIBE_MAN: print_man(c, arena, out); return;
    case DESCRIBE_BASH: print_bash(c, arena, out); return;
    case DESCRIBE_ZSH: print_zsh(c, arena, out); return;
    }
    unreachable();
}
