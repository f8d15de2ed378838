/* load_version.c - versions of libraries (section 18.8).
 *
 * A version is numbers with dots, and perhaps a word after them: "4.2.0 dev"
 * comes before "4.2.0". A library fits where another version is asked for if
 * it says so (conversion(noneFromVersion = ...)); with the same first number
 * and not older it may fit, with a warning.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "load/load_internal.h"

int version_compare(const char *a, const char *b)
{
    for (;;) {
        char *a_end, *b_end;
        unsigned long x = strtoul(a, &a_end, 10);
        unsigned long y = strtoul(b, &b_end, 10);
        if (x != y)
            return x < y ? -1 : 1;
        bool more_a = *a_end == '.' && a_end != a;
        bool more_b = *b_end == '.' && b_end != b;
        a = a_end + more_a;
        b = b_end + more_b;
        if (!more_a && !more_b)
            break;
    }
    if (!*a || !*b) /* a word after the numbers: before the release */
        return *a ? -1 : *b ? 1 : 0;
    return strcmp(a, b);
}

/* The string that an argument of an annotation is set to, or NULL. */
static const char *string_of(const AstArg *a)
{
    if (!a || a->kind != MOD_VALUE || !a->mod || !a->mod->value ||
        a->mod->value->kind != AE_STRING)
        return NULL;
    return a->mod->value->text;
}

const char *load_version(const LoadClass *top)
{
    return string_of(ast_mod_find(top->ast->annotation, "version"));
}

/* Does the library declare that users of `want` need no change? */
static bool declared_to_fit(const LoadClass *cls, const char *want)
{
    const AstArg *c = ast_mod_find(cls->ast->annotation, "conversion");
    for (int i = 0; c && c->mod && i < c->mod->narg; i++) {
        const AstArg *a = &c->mod->arg[i];
        const char *from = string_of(a);
        if (from && strcmp(from, want) == 0 &&
            strcmp(a->name->part[0].name, "noneFromVersion") == 0)
            return true;
    }
    return false;
}

int version_fits(const LoadClass *cls, const char *want)
{
    const char *have = load_version(cls);
    if (!have)
        return 1;
    if (version_compare(have, want) == 0 || declared_to_fit(cls, want))
        return 2;
    return version_compare(have, want) > 0 && atoi(have) == atoi(want);
}

const char *version_wanted(const Library *lib, const char *name)
{
    for (int i = 0; i < lib->use.n; i++)
        if (lib->use.at[i].name == name && lib->use.at[i].version)
            return lib->use.at[i].version;
    return NULL;
}

/* A use that `cls` satisfies, or NULL. */
static const Use *content(const Library *lib, const LoadClass *cls)
{
    for (int i = 0; i < lib->use.n; i++) {
        const Use *u = &lib->use.at[i];
        if (u->name == cls->name && u->version && version_fits(cls, u->version))
            return u;
    }
    return NULL;
}

static const char *path_of(const Library *lib, const LoadClass *cls)
{
    return sources_get(lib->sources, cls->source)->path;
}

static void check_use(Library *lib, const LoadClass *cls, const Use *u)
{
    int fits = version_fits(cls, u->version);
    const char *have = load_version(cls);
    if (fits == 2 || cls->name == lib->services)
        return;
    if (fits == 1) {
        diag_report(lib->diag, u->span, DIAG_W0202,
                    "'%s' asks for version %s of '%s', found %s", u->by,
                    u->version, u->name, have ? have : "no version");
        diag_note(lib->diag, cls->ast->span, "this is '%s' %s", u->name,
                  have ? have : "without a version");
        return;
    }
    const Use *other = content(lib, cls);
    if (other) {
        diag_report(lib->diag, u->span, DIAG_E0207,
                    "'%s' needs version %s of '%s', but '%s' needs version %s",
                    u->by, u->version, u->name, other->by, other->version);
        diag_note(lib->diag, other->span, "version %s is asked for here",
                  other->version);
    } else {
        diag_report(lib->diag, u->span, DIAG_E0208,
                    "'%s' needs version %s of '%s', found version %s; name a "
                    "directory that has it with -L",
                    u->by, u->version, u->name, have ? have : "?");
    }
    diag_note(lib->diag, cls->ast->span, "version %s was read from %s", have,
              path_of(lib, cls));
}

void version_check(Library *lib, const LoadClass *cls)
{
    for (int i = 0; i < lib->use.n; i++)
        if (lib->use.at[i].name == cls->name && lib->use.at[i].version)
            check_use(lib, cls, &lib->use.at[i]);
}

void version_add_uses(Library *lib, const LoadClass *cls)
{
    const AstArg *uses = ast_mod_find(cls->ast->annotation, "uses");
    if (!uses || !uses->mod || cls->name == lib->services)
        return;
    for (int i = 0; i < uses->mod->narg; i++) {
        const AstArg *a = &uses->mod->arg[i];
        if (a->kind != MOD_VALUE)
            continue;
        Use u = {.name = a->name->part[0].name,
                 .version = string_of(ast_mod_find(a->mod, "version")),
                 .by = cls->full_name,
                 .span = a->span};
        vec_push(lib->arena, &lib->use, u);
        const LoadClass *there = map_find(&lib->top, u.name);
        if (there && u.version)
            check_use(lib, there, &u);
    }
}
