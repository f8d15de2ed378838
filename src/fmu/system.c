/* system.c - FMUs that are connected: SystemStructure.ssd of SSP 1.0.
 *
 *   <System name="...">
 *     <Connectors> <Connector name="..." kind="input|output"/> </Connectors>
 *     <Elements> <Component name="engine" source="Engine.fmu"/> </Elements>
 *     <Connections> <Connection startElement="engine" startConnector="w"
 *                               endElement="load" endConnector="w"/>
 *
 * The part of SSP that is needed to run FMUs together: components that are
 * FMUs, connections between them, the default experiment. What would change a
 * value on its way (transformations, parameter bindings, systems within
 * systems) is refused, not passed over. Connectors of the system itself are
 * other names for those inside.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/number.h"
#include "fmu/fmu_internal.h"

typedef struct Reader {
    XML_Parser parser;
    FmuSystem *s;
    const char *base; /* folder of the file, with its / */
    Sources *sources;
    int source;
    Arena *arena;
    Diag *diag;
    int depth; /* of System elements */
    bool failed;
    Vec(Fmu *) part;
    Vec(FmuLink) link;
} Reader;

static Span here(const Reader *r)
{
    XML_Index at = XML_GetCurrentByteIndex(r->parser);
    int n = XML_GetCurrentByteCount(r->parser);
    return (Span){r->source, (uint32_t)(at < 0 ? 0 : at),
                  (uint32_t)(at < 0 ? 0 : at + (n > 60 ? 60 : n))};
}

static void stop(Reader *r)
{
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void fail(Reader *r, const char *what)
{
    if (!r->failed)
        diag_report(r->diag, here(r), DIAG_E0223, "%s", what);
    stop(r);
}

static void refuse(Reader *r, const char *what)
{
    if (!r->failed)
        diag_report(r->diag, here(r), DIAG_U0224,
                    "not supported: %s in the description of a system", what);
    stop(r);
}

static const char *find(const char **a, const char *name)
{
    for (; *a; a += 2)
        if (!strcmp(a[0], name))
            return a[1];
    return NULL;
}

static const char *needed(Reader *r, const char **a, const char *name)
{
    const char *s = find(a, name);
    if (!s || !*s)
        fail(r, arena_printf(r->arena, "the attribute '%s' is missing", name));
    return s ? arena_strdup(r->arena, s) : "";
}

static double real(Reader *r, const char **a, const char *name)
{
    const char *s = find(a, name);
    char *end;
    if (!s)
        return NAN;
    double x = number_read(s, &end);
    if (end == s || *end)
        fail(r, arena_printf(r->arena, "'%s' is no number: '%s'", name, s));
    return x;
}

static bool has_name(const char *name)
{
    return *name && strlen(name) == strcspn(name, " =\t\r\n");
}

static void add_component(Reader *r, const char **a)
{
    const char *name = needed(r, a, "name"), *from = needed(r, a, "source");
    const char *kind = find(a, "type"), *as = find(a, "implementation");
    if (r->failed)
        return;
    if (kind && strcmp(kind, "application/x-fmu-sharedlibrary") != 0)
        refuse(r, "a component that is no FMU");
    if (!has_name(name) || !fmu_is_name(from) || strchr(from, ':') ||
        from[0] == '/')
        fail(r, "a component needs a name, and as its source the path of an "
                "FMU beside this file");
    for (int i = 0; i < r->part.n; i++)
        if (!strcmp(r->part.at[i]->prefix, arena_printf(r->arena, "%s.", name)))
            fail(r, arena_printf(r->arena, "two components have the name '%s'",
                                 name));
    if (r->failed)
        return;
    const char *use = as && !strcmp(as, "CoSimulation")    ? ":cosim"
                      : as && !strcmp(as, "ModelExchange") ? ":exchange"
                                                           : "";
    const char *path = arena_printf(r->arena, "%s%s%s", r->base, from, use);
    Fmu *f = fmu_open(path, r->sources, r->arena, r->diag);
    if (!f || f->system) {
        stop(r);
        return;
    }
    f->prefix = arena_printf(r->arena, "%s.", name);
    f->number = r->part.n;
    vec_push(r->arena, &r->part, f);
}

/* An end without an element is a connector of the system itself. */
static const char *end_name(Reader *r, const char **a, const char *element,
                            const char *connector)
{
    const char *in = find(a, element), *name = needed(r, a, connector);
    return in ? arena_printf(r->arena, "%s.%s", in, name) : NULL;
}

static void add_connection(Reader *r, const char **a)
{
    FmuLink l = {.from = end_name(r, a, "startElement", "startConnector"),
                 .to = end_name(r, a, "endElement", "endConnector"),
                 .span = here(r)};
    if (l.from && l.to)
        vec_push(r->arena, &r->link, l);
}

static void XMLCALL begin(void *user, const char *element, const char **a)
{
    Reader *r = user;
    const char *colon = strrchr(element, ':');
    const char *name = colon ? colon + 1 : element;
    if (!strcmp(name, "System") && ++r->depth > 1)
        refuse(r, "a system within a system");
    else if (!strcmp(name, "System"))
        r->s->name = needed(r, a, "name");
    else if (!strcmp(name, "Component"))
        add_component(r, a);
    else if (!strcmp(name, "Connection"))
        add_connection(r, a);
    else if (!strcmp(name, "DefaultExperiment")) {
        r->s->start = real(r, a, "startTime");
        r->s->stop = real(r, a, "stopTime");
    } else if (strstr(name, "Transformation"))
        refuse(r, "a transformation of a value");
    else if (!strcmp(name, "ParameterBinding"))
        refuse(r, "a parameter binding (--set sets values)");
    else if (!strcmp(name, "SignalDictionary") ||
             !strcmp(name, "SignalDictionaryReference"))
        refuse(r, "a signal dictionary");
}

static void XMLCALL entity(void *user, const XML_Char *name, int is_parameter,
                           const XML_Char *value, int length,
                           const XML_Char *base, const XML_Char *system,
                           const XML_Char *public, const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base;
    (void)system, (void)public, (void)notation;
    fail(user, "it defines entities");
}

static bool parse(Reader *r)
{
    const Source *s = sources_get(r->sources, r->source);
    r->parser = XML_ParserCreate(NULL);
    if (!r->parser)
        return false;
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, begin, NULL);
    XML_SetEntityDeclHandler(r->parser, entity);
    if (XML_Parse(r->parser, s->text, (int)s->size, XML_TRUE) !=
            XML_STATUS_OK &&
        !r->failed)
        fail(r, XML_ErrorString(XML_GetErrorCode(r->parser)));
    XML_ParserFree(r->parser);
    return !r->failed;
}

/* The description, and the folder its paths begin at. NULL after a report. */
static const char *description_path(const char *path, FmuSystem *s,
                                    Arena *arena, Diag *diag)
{
    static const char *const part[] = {"SystemStructure.ssd", "resources/",
                                       NULL};
    size_t n = strlen(path);
    if (n < 4 || strcasecmp(path + n - 4, ".ssp") != 0)
        return path;
    s->folder = fmu_unpack(path, part, arena, diag);
    return s->folder ? arena_printf(arena, "%s/SystemStructure.ssd", s->folder)
                     : NULL;
}

FmuSystem *fmu_open_system(const char *path, Sources *sources, Arena *arena,
                           Diag *diag)
{
    FmuSystem *s = NEW(arena, FmuSystem);
    *s = (FmuSystem){.name = "System", .start = NAN, .stop = NAN};
    const char *file = description_path(path, s, arena, diag);
    if (!file)
        return NULL;
    int number = sources_read(sources, file);
    if (number == NONE) {
        diag_report(diag, NO_SPAN, DIAG_E0220, "%s: it cannot be read", file);
    } else {
        const char *slash = strrchr(file, '/');
        Reader r = {.s = s,
                    .base = slash ? arena_strndup(arena, file,
                                                  (size_t)(slash - file) + 1)
                                  : "",
                    .sources = sources,
                    .source = number,
                    .arena = arena,
                    .diag = diag};
        s->span = (Span){number, 0, 1};
        bool fine = parse(&r);
        s->part = r.part.at;
        s->npart = r.part.n;
        s->link = r.link.at;
        s->nlink = r.link.n;
        if (fine && s->npart > 0)
            return s;
        if (fine)
            diag_report(diag, s->span, DIAG_E0223,
                        "the system has no components");
    }
    if (s->folder)
        fmu_remove(s->folder);
    return NULL;
}

/* ---- loops ---- */

void fmu_note_direct(Fmu *f, const FmuShape *s, Arena *arena)
{
    Vec(FmuLink) direct = {0};
    const FmuMap *m = &s->value_map;
    const FmuVariable *v = s->d->variable;
    int row = 0;
    for (int i = 0; !s->is_block && i < s->y.n; row += v[s->y.at[i++]].n) {
        int column = 1 + s->state.count;
        for (int k = 0; k < s->u.n; column += v[s->u.at[k++]].n)
            if (m->depends[(size_t)row * (size_t)m->narg + (size_t)column])
                vec_push(arena, &direct,
                         ((FmuLink){arena_printf(arena, "%s%s", f->prefix,
                                                 v[s->u.at[k]].name),
                                    arena_printf(arena, "%s%s", f->prefix,
                                                 v[s->y.at[i]].name),
                                    s->d->span}));
    }
    f->direct = direct.at;
    f->ndirect = direct.n;
}

typedef struct Search {
    const FmuLink **edge;
    int n;
    char *state; /* of each edge: 0 not seen, 1 on the path, 2 done */
    int *path;
    int depth;
} Search;

/* A path of edges that comes back to where it began. */
static bool find_loop(Search *s, int edge)
{
    s->state[edge] = 1;
    s->path[s->depth++] = edge;
    for (int i = 0; i < s->n; i++) {
        if (strcmp(s->edge[i]->from, s->edge[edge]->to) != 0)
            continue;
        if (s->state[i] == 1) { /* it begins there */
            int first = 0;
            while (s->path[first] != i)
                first++;
            memmove(s->path, s->path + first,
                    (size_t)(s->depth - first) * sizeof *s->path);
            s->depth -= first;
            return true;
        }
        if (s->state[i] == 0 && find_loop(s, i))
            return true;
    }
    s->state[edge] = 2;
    s->depth--;
    return false;
}

void fmu_name_loops(const FmuSystem *s, Arena *arena, Diag *diag)
{
    int n = s->nlink;
    for (int i = 0; i < s->npart; i++)
        n += s->part[i]->ndirect;
    Search f = {.edge = NEW_ARRAY(arena, const FmuLink *, n + 1),
                .state = NEW_ARRAY(arena, char, n + 1),
                .path = NEW_ARRAY(arena, int, n + 1)};
    for (int i = 0; i < s->nlink; i++)
        f.edge[f.n++] = &s->link[i];
    for (int i = 0; i < s->npart; i++)
        for (int k = 0; k < s->part[i]->ndirect; k++)
            f.edge[f.n++] = &s->part[i]->direct[k];
    for (int i = 0; i < s->nlink; i++) {
        f.depth = 0;
        if (f.state[i] != 0 || !find_loop(&f, i))
            continue;
        const char *text = f.edge[f.path[0]]->from;
        for (int k = 0; k < f.depth; k++)
            text = arena_printf(arena, "%s -> %s", text, f.edge[f.path[k]]->to);
        diag_report(diag, f.edge[f.path[0]]->span, DIAG_W0226,
                    "the connections form a loop in which nothing is delayed, "
                    "an equation that every step solves: %s",
                    text);
        for (int k = 0; k < f.n; k++)
            f.state[k] = f.state[k] == 1 ? 2 : f.state[k];
    }
}
