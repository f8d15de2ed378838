/* sources.c - the sources of an FMU that has them: SourceFiles of FMI 2, or
 * buildDescription.xml of FMI 3 (section 2.5.1.4). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <expat.h>
#include <string.h>

#include "base/ctext.h"
#include "fmu/fmu_internal.h"

typedef struct Build {
    const char **name; /* of all files of the archive */
    int nname;
    const char *identifier; /* of the configuration that is wanted */
    bool is_in, is_found;
    Arena *arena;
    Vec(const char *) code;
    Vec(char) defines; /* lines of C */
    const char *wrong; /* what cannot be done; NULL: nothing */
} Build;

static const char *attribute(const char **a, const char *name)
{
    for (; a[0]; a += 2)
        if (!strcmp(a[0], name))
            return a[1];
    return NULL;
}

static void add_define(Build *b, const char *name, const char *value)
{
    const char *line =
        arena_printf(b->arena, "#define %s %s\n", name, value ? value : "");
    for (; *line; line++)
        vec_push(b->arena, &b->defines, *line);
}

static void XMLCALL begin(void *context, const char *name, const char **a)
{
    Build *b = context;
    if (!strcmp(name, "BuildConfiguration")) {
        const char *of = attribute(a, "modelIdentifier");
        b->is_in = !b->is_found && of && !strcmp(of, b->identifier);
        b->is_found |= b->is_in;
    }
    if (!b->is_in)
        return;
    const char *is = attribute(a, "name");
    if (!strcmp(name, "SourceFile") && is)
        vec_push(b->arena, &b->code, arena_strdup(b->arena, is));
    else if (!strcmp(name, "PreprocessorDefinition") && is)
        add_define(b, is, attribute(a, "value"));
    else if (!strcmp(name, "IncludeDirectory"))
        b->wrong = "include directories of their own";
    else if (!strcmp(name, "Library") && is && strcmp(is, "m") != 0)
        b->wrong = arena_printf(b->arena, "the library '%s'", is);
    const char *language = attribute(a, "language");
    if (language && language[0] == 'C' && language[1] == '+')
        b->wrong = language[0] ? "C++" : NULL;
}

/* FMI 3: false after a report. Without a description there are no sources. */
static bool read_build(const Fmu *f, Build *b, Diag *diag)
{
    size_t size = 0;
    bool is_there = false;
    for (int i = 0; i < b->nname; i++)
        is_there |= !strcmp(b->name[i], "sources/buildDescription.xml");
    if (!is_there)
        return true;
    char *text = fmu_read_file(f->path, "sources/buildDescription.xml", &size,
                               b->arena, diag);
    XML_Parser parser = text ? XML_ParserCreate(NULL) : NULL;
    if (!parser)
        return false;
    XML_SetUserData(parser, b);
    XML_SetStartElementHandler(parser, begin);
    bool fine = XML_Parse(parser, text, (int)size, XML_TRUE) == XML_STATUS_OK;
    XML_ParserFree(parser);
    if (!fine)
        diag_report(diag, f->d->span, DIAG_E0221,
                    "%s: sources/buildDescription.xml is no XML", f->path);
    return fine;
}

static bool is_listed(const Build *b, const char *name)
{
    for (int i = 0; i < b->code.n; i++)
        if (!strcmp(b->code.at[i], name))
            return true;
    return false;
}

/* The files beneath sources/, those that are compiled with the definitions in
 * front of them. */
static bool read_files(const Fmu *f, Build *b, FmuSources *out, Diag *diag)
{
    static const char folder[] = "sources/";
    int n = b->nname, found = 0;
    FmuSource *file = NEW_ARRAY(b->arena, FmuSource, n + 1);
    const char **name = b->name;
    vec_push(b->arena, &b->defines, '\0');
    for (int i = 0; i < n; i++) {
        size_t size = 0, k = strlen(name[i]);
        if (!strncmp(name[i], "resources/", 10) && name[i][k - 1] != '/')
            b->wrong = "files of resources/, which it reads as it runs";
        if (strncmp(name[i], folder, 8) != 0 || name[i][k - 1] == '/' || k < 10)
            continue;
        const char *own = name[i] + 8;
        bool is_code = is_listed(b, own);
        if (strspn(own, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_.-") != strlen(own)) {
            b->wrong = "sources in folders, or with odd names";
            continue;
        }
        if (!is_code && strcmp(name[i] + k - 2, ".c") != 0 &&
            strcmp(name[i] + k - 2, ".h") != 0)
            continue;
        const char *text =
            fmu_read_file(f->path, name[i], &size, b->arena, diag);
        if (!text)
            return false;
        found += is_code;
        file[out->n++] = (FmuSource){
            own,
            is_code ? arena_printf(b->arena, "%s%s", b->defines.at, text)
                    : text,
            is_code};
    }
    out->file = file;
    if (!b->wrong && found < b->code.n)
        b->wrong = "sources that are not there";
    return true;
}

const FmuSources *fmu_sources(const Fmu *f, Arena *arena, Diag *diag)
{
    const FmuDescription *d = f->system ? NULL : f->d;
    Build b = {.arena = arena};
    FmuSources *out = NEW(arena, FmuSources);
    if (!d) {
        diag_report(diag, fmu_span(f), DIAG_U0224,
                    "not supported: code from FMUs that are connected");
        return NULL;
    }
    const FmuKind *kind = f->use == FMU_AS_BLOCK || !d->exchange.is_there
                              ? &d->cosim
                              : &d->exchange;
    b.identifier = kind->identifier;
    b.nname = fmu_list_files(f->path, &b.name, arena, diag);
    if (b.nname < 0)
        return NULL;
    if (d->version == 2)
        for (int i = 0; i < d->nsource; i++) {
            if (!is_listed(&b, d->source[i])) /* each kind has its list */
                vec_push(arena, &b.code, d->source[i]);
        }
    else if (!read_build(f, &b, diag))
        return NULL;
    out->version = d->version;
    out->identifier = kind->identifier;
    out->folder = f->folder;
    if (!read_files(f, &b, out, diag))
        return NULL;
    if (!c_is_identifier(kind->identifier))
        b.wrong = "an identifier that is none of C";
    else if (b.code.n == 0)
        b.wrong = "no sources: its binary would be needed beside the code";
    if (!b.wrong)
        return out;
    diag_report(diag, d->span, DIAG_U0224,
                "not supported: code from an FMU with %s; check, sim, tune, "
                "run and linearize take it",
                b.wrong);
    return NULL;
}
