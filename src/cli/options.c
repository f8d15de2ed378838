/* options.c - reads the options of a verb from a table. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"

#include <stdio.h>

#include "base/die.h"
#include "base/distance.h"
#include "base/quantity.h"
#include "cli/describe.h"
#include "plan/keys.h"

OptionKind option_kind(const Option *o)
{
    return (OptionKind)(o->kind & ~OPT_DECISION);
}

static const char *dashes(const Option *o)
{
    return o->name[1] ? "--" : "-";
}

int options_wrong(const Command *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("takt: ", stderr);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "\nnote: 'takt %s --help' lists the options\n", c->verb);
    va_end(ap);
    return EXIT_USAGE;
}

static int unknown_option(const Command *c, const char *arg, Arena *arena)
{
    size_t n = strcspn(arg, "=");
    const char *name = arena_strndup(arena, arg, n);
    TextList all = {0};
    for (const Option *o = c->option; o->name; o++)
        vec_push(arena, &all, arena_printf(arena, "%s%s", dashes(o), o->name));
    const char *near = distance_nearest(name, all.at, all.n);
    if (near)
        return options_wrong(c,
                             "takt %s has no option '%s'; did you mean "
                             "'%s'?",
                             c->verb, name, near);
    return options_wrong(c, "takt %s has no option '%s'", c->verb, name);
}

/* The option that `arg` names, NULL if none. *value is the text glued to it,
 * NULL if the value is the next argument. */
static const Option *find(const Command *c, const char *arg, const char **value)
{
    bool is_long = arg[1] == '-';
    const char *name = arg + (is_long ? 2 : 1);
    size_t n = is_long ? strcspn(name, "=") : 1;
    for (const Option *o = c->option; o->name; o++) {
        if ((o->name[1] != '\0') != is_long || strlen(o->name) != n ||
            memcmp(o->name, name, n) != 0)
            continue;
        if (is_long)
            *value = name[n] == '=' ? name + n + 1 : NULL;
        else
            *value = name[1] ? name + 1 + (name[1] == '=') : NULL;
        return o;
    }
    return NULL;
}

static const char *const expected[] = {
    [OPT_INT] = "a whole number",
    [OPT_NUMBER] = "a number",
    [OPT_TIME] = "a time such as 1ms, 50us or 0.2",
};

static bool set(const Option *o, const char *value, Arena *arena)
{
    switch (option_kind(o)) {
    case OPT_FLAG: *(bool *)o->value = true; return true;
    case OPT_TEXT:
    case OPT_WORD:
    case OPT_METHOD: *(const char **)o->value = value; return true;
    case OPT_LIST: vec_push(arena, (TextList *)o->value, value); return true;
    case OPT_INT: return quantity_count(value, o->value);
    case OPT_NUMBER: return quantity_number(value, o->value);
    case OPT_TIME: return quantity_time(value, o->value);
    case OPT_DECISION: break;
    }
    unreachable();
}

/* Whether `value` is a word of "one|two|three". */
static bool is_word(const char *value, const char *words)
{
    size_t length = strlen(value);
    for (size_t n; *words; words += n + (words[n] == '|')) {
        n = strcspn(words, "|");
        if (n == length && memcmp(words, value, n) == 0)
            return true;
    }
    return false;
}

/* "one|two|three" -> "one, two or three" */
static const char *enumerate(const char *words, Arena *arena)
{
    const char *text = "";
    for (size_t n; *words; words += n + (words[n] == '|')) {
        n = strcspn(words, "|");
        const char *joint = !*text                       ? ""
                            : strchr(words, '|') == NULL ? " or "
                                                         : ", ";
        text = arena_printf(arena, "%s%s%.*s", text, joint, (int)n, words);
    }
    return text;
}

/* A decision: an edit of the plan, if the text is in the range of its key. */
static int add_edit(const Command *c, const Option *o, const char *value,
                    Arena *arena)
{
    PlanEdit edit = {plan_find_option(o->name), value};
    const char *wrong = plan_edit_wrong(&edit, arena);
    if (wrong)
        return options_wrong(c, "%s", wrong);
    plan_add_edit(o->value, edit.key, value, arena);
    return EXIT_FINE;
}

/* Reads the option at argv[*k] and moves *k to its last argument. Returns
 * EXIT_FINE or, when it was wrong, EXIT_USAGE. */
static int read_option(const Command *c, int argc, char **argv, int *k,
                       Arena *arena)
{
    const char *value;
    const char *arg = argv[*k];
    const Option *o = find(c, arg, &value);
    if (!o)
        return unknown_option(c, arg, arena);
    if (option_kind(o) == OPT_FLAG && value)
        return options_wrong(c, "%s%s takes no value", dashes(o), o->name);
    if (option_kind(o) != OPT_FLAG && !value) {
        if (*k + 1 == argc)
            return options_wrong(c, "%s%s needs a value: %s", dashes(o),
                                 o->name, o->metavar);
        value = argv[++*k];
    }
    if (o->kind & OPT_DECISION)
        return add_edit(c, o, value, arena);
    if (o->kind == OPT_WORD && !is_word(value, o->metavar))
        return options_wrong(c, "%s%s takes %s, not '%s'", dashes(o), o->name,
                             enumerate(o->metavar, arena), value);
    if (!set(o, value, arena))
        return options_wrong(c, "%s%s: '%s' is not %s", dashes(o), o->name,
                             value, expected[o->kind]);
    return EXIT_FINE;
}

/* "--help", "-h", "--help=man" ... False if `arg` is none of these. */
static bool is_help(const char *arg, Description *how)
{
    *how = DESCRIBE_HELP;
    if (strncmp(arg, "--help=", 7) == 0)
        return description_find(arg + 7, how);
    return strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0;
}

bool options_read(const Command *c, int argc, char **argv, TextList *args,
                  Arena *arena, int *exit_code)
{
    bool options_end = false;
    Description how;
    for (int k = 1; k < argc; k++) {
        const char *arg = argv[k];
        if (options_end || arg[0] != '-' || arg[1] == '\0') {
            vec_push(arena, args, arg);
        } else if (strcmp(arg, "--") == 0) {
            options_end = true;
        } else if (is_help(arg, &how)) {
            describe(c, how, arena, stdout);
            *exit_code = EXIT_FINE;
            return false;
        } else {
            *exit_code = read_option(c, argc, argv, &k, arena);
            if (*exit_code != EXIT_FINE)
                return false;
        }
    }
    return true;
}
