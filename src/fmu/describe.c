/* describe.c - modelDescription.xml of FMI 2 and 3, by expat.
 *
 * Elements are told by their names and by the element around them; what takt
 * has no use for is passed over. Documents that define entities are refused:
 * no description needs any, and they can be made to grow without bound.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/vec.h"
#include "fmu/description.h"

enum { MOST_DEPTH = 32 };

typedef struct Reader {
    XML_Parser parser;
    FmuDescription *d;
    int source;
    Arena *arena;
    Diag *diag;
    const char *open[MOST_DEPTH]; /* names of the elements around */
    int depth;
    bool failed;
    Vec(FmuVariable) variable;
    Vec(FmuDimension) dimension; /* of the variable that is open */
    Vec(FmuUnknown) derivative, output, indicator;
    Vec(FmuSimpleType) type;
    Vec(const char *) item, file;
    Vec(char) text; /* of Start elements */
} Reader;

/* ---- attributes ---- */

static const char *find(const char **atts, const char *name)
{
    for (; *atts; atts += 2)
        if (!strcmp(atts[0], name))
            return atts[1];
    return NULL;
}

static Span here(const Reader *r)
{
    XML_Index at = XML_GetCurrentByteIndex(r->parser);
    int n = XML_GetCurrentByteCount(r->parser);
    return (Span){r->source, (uint32_t)(at < 0 ? 0 : at),
                  (uint32_t)(at < 0 ? 0 : at + (n > 60 ? 60 : n))};
}

static void fail(Reader *r, const char *fmt, const char *a, const char *b)
{
    if (!r->failed) {
        diag_report(r->diag, here(r), DIAG_E0221, "%s",
                    arena_printf(r->arena, fmt, a, b));
    }
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *text(Reader *r, const char **atts, const char *name)
{
    const char *s = find(atts, name);
    return s ? arena_strdup(r->arena, s) : "";
}

static const char *needed(Reader *r, const char **atts, const char *name)
{
    const char *s = find(atts, name);
    if (!s || !*s) {
        fail(r, "the attribute '%s' is missing%s", name, "");
        return "";
    }
    return arena_strdup(r->arena, s);
}

static bool truth(Reader *r, const char **atts, const char *name)
{
    const char *s = find(atts, name);
    if (!s || !strcmp(s, "false") || !strcmp(s, "0"))
        return false;
    if (strcmp(s, "true") != 0 && strcmp(s, "1") != 0)
        fail(r, "'%s' is neither true nor false: '%s'", name, s);
    return true;
}

/* NaN: it is not there. */
static double real(Reader *r, const char **atts, const char *name)
{
    const char *s = find(atts, name);
    char *end;
    if (!s)
        return NAN;
    double x = number_read(s, &end);
    if (end == s || *end)
        fail(r, "'%s' is no number: '%s'", name, s);
    return x;
}

static uint32_t whole(Reader *r, const char *name, const char *s)
{
    char *end;
    unsigned long long x = strtoull(s, &end, 10);
    if (end == s || *end || x > UINT32_MAX || *s == '-')
        fail(r, "'%s' is no whole number: '%s'", name, s);
    return (uint32_t)x;
}

static int word(Reader *r, const char **atts, const char *name,
                const char *const *words, int n, int standard)
{
    const char *s = find(atts, name);
    for (int i = 0; s && i < n; i++)
        if (!strcmp(s, words[i]))
            return i;
    if (s)
        fail(r, "'%s' cannot be '%s'", name, s);
    return standard;
}

/* ---- the FMU ---- */

static void read_root(Reader *r, const char **a)
{
    FmuDescription *d = r->d;
    const char *v = needed(r, a, "fmiVersion");
    d->version = v[0] == '2' && v[1] == '.'   ? 2
                 : v[0] == '3' && v[1] == '.' ? 3
                                              : 0;
    d->model = needed(r, a, "modelName");
    d->comment = text(r, a, "description");
    d->span = here(r);
    if (d->version)
        d->token =
            needed(r, a, d->version == 2 ? "guid" : "instantiationToken");
    else if (!r->failed) {
        diag_report(r->diag, here(r), DIAG_U0224,
                    "not supported: an FMU of FMI '%s' (2.0 and 3.0 are)", v);
        r->failed = true;
        XML_StopParser(r->parser, XML_FALSE);
    }
    const char *n = find(a, "numberOfEventIndicators");
    if (d->version == 2 && n)
        d->nindicator = (int)(whole(r, "numberOfEventIndicators", n) & 0xfffff);
}

static void read_kind(Reader *r, const char **a, FmuKind *k)
{
    bool two = r->d->version == 2;
    k->is_there = true;
    k->identifier = needed(r, a, "modelIdentifier");
    k->has_state =
        truth(r, a, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    k->has_directional = truth(r, a,
                               two ? "providesDirectionalDerivative"
                                   : "providesDirectionalDerivatives");
    k->needs_completed = two ? !truth(r, a, "completedIntegratorStepNotNeeded")
                             : truth(r, a, "needsCompletedIntegratorStep");
    k->needs_tool = truth(r, a, "needsExecutionTool");
    k->varies = truth(r, a, "canHandleVariableCommunicationStepSize");
    k->step = real(r, a, "fixedInternalStepSize");
}

static void read_experiment(Reader *r, const char **a)
{
    r->d->start = real(r, a, "startTime");
    r->d->stop = real(r, a, "stopTime");
    r->d->tolerance = real(r, a, "tolerance");
    r->d->step = real(r, a, "stepSize");
}

/* ---- types ---- */

static FmuType type_of(const FmuDescription *d, const char *element)
{
    static const char *const name[2][FMU_NTYPE] = {{
#define FMU_TYPE(name, xml2, xml3, text, flat) xml2,
#include "fmu/types.def"
                                                   },
                                                   {
#define FMU_TYPE(name, xml2, xml3, text, flat) xml3,
#include "fmu/types.def"
                                                   }};
    for (int i = 0; i < FMU_NTYPE; i++)
        if (!strcmp(name[d->version == 3][i], element))
            return (FmuType)i;
    return FMU_NTYPE;
}

static void read_range(Reader *r, const char **a, FmuSimpleType *t)
{
    t->min = real(r, a, "min");
    t->max = real(r, a, "max");
    t->nominal = real(r, a, "nominal");
    t->has_min = !isnan(t->min);
    t->has_max = !isnan(t->max);
    t->has_nominal = !isnan(t->nominal);
    t->unit = text(r, a, "unit");
    t->quantity = text(r, a, "quantity");
}

static void begin_type(Reader *r, const char **a)
{
    FmuSimpleType t = {
        .name = needed(r, a, "name"), .unit = "", .quantity = ""};
    if (r->d->version == 3)
        read_range(r, a, &t);
    vec_push(r->arena, &r->type, t);
    vec_clear(&r->item);
}

static void in_type(Reader *r, const char *element, const char **a)
{
    FmuSimpleType *t = &vec_last(&r->type);
    if (!strcmp(element, "Item")) {
        vec_push(r->arena, &r->item, needed(r, a, "name"));
        t->nitem = r->item.n;
    } else if (r->d->version == 2) {
        const char *name = t->name;
        read_range(r, a, t);
        t->name = name;
    }
}

static void end_type(Reader *r)
{
    FmuSimpleType *t = &vec_last(&r->type);
    t->item = NEW_ARRAY(r->arena, const char *, t->nitem + 1);
    if (t->nitem)
        memcpy(t->item, r->item.at, (size_t)t->nitem * sizeof *t->item);
}

/* ---- variables ---- */

static FmuVariable common(Reader *r, const char **a)
{
    const char *initial = find(a, "initial");
    FmuVariable v = {.name = needed(r, a, "name"),
                     .comment = text(r, a, "description"),
                     .unit = "",
                     .quantity = "",
                     .n = 1,
                     .alias_of = NONE,
                     .span = here(r)};
    v.reference = whole(r, "valueReference", needed(r, a, "valueReference"));
    v.causality = (FmuCausality)word(r, a, "causality", fmi_causality_text,
                                     FMU_NCAUSALITY, FMU_LOCAL);
    bool parameter = v.causality == FMU_PARAMETER ||
                     v.causality == FMU_CALCULATED ||
                     v.causality == FMU_STRUCTURAL;
    v.variability = (FmuVariability)word(
        r, a, "variability", fmi_variability_text, FMU_NVARIABILITY,
        parameter ? FMU_FIXED : FMU_CONTINUOUS);
    v.is_exact = initial && !strcmp(initial, "exact");
    return v;
}

/* Attributes of the element that names the type. */
static void typed(Reader *r, const char **a, FmuVariable *v, FmuType type)
{
    FmuSimpleType t = {0};
    const char *start = find(a, "start"), *of = find(a, "derivative");
    const char *declared = find(a, "declaredType");
    read_range(r, a, &t);
    v->type = type;
    v->unit = t.unit;
    v->quantity = t.quantity;
    v->has_min = t.has_min;
    v->has_max = t.has_max;
    v->has_nominal = t.has_nominal;
    v->min = t.min;
    v->max = t.max;
    v->nominal = t.nominal;
    v->start = start ? arena_strdup(r->arena, start) : NULL;
    v->declared = declared ? arena_strdup(r->arena, declared) : NULL;
    v->is_derivative = of != NULL;
    if (of)
        v->state = whole(r, "derivative", of);
    if (type != FMU_FLOAT64 && type != FMU_FLOAT32 &&
        v->variability == FMU_CONTINUOUS)
        v->variability = FMU_DISCRETE;
}

static void begin_variable(Reader *r, const char *element, const char **a)
{
    if (r->d->version == 2) {
        if (!strcmp(element, "ScalarVariable")) {
            FmuVariable v = common(r, a);
            v.type = FMU_NTYPE;
            vec_push(r->arena, &r->variable, v);
        }
        return;
    }
    FmuType type = type_of(r->d, element);
    if (type == FMU_NTYPE)
        return;
    FmuVariable v = common(r, a);
    typed(r, a, &v, type);
    vec_push(r->arena, &r->variable, v);
    vec_clear(&r->dimension);
    vec_clear(&r->text);
}

static void in_variable(Reader *r, const char *element, const char **a)
{
    if (r->variable.n == 0)
        return;
    FmuVariable *v = &vec_last(&r->variable);
    if (r->d->version == 2) {
        FmuType type = type_of(r->d, element);
        if (type != FMU_NTYPE)
            typed(r, a, v, type);
    } else if (!strcmp(element, "Dimension")) {
        const char *by = find(a, "valueReference");
        FmuDimension d = {.by_parameter = by != NULL};
        if (by)
            d.parameter = whole(r, "valueReference", by);
        else
            d.size =
                (int)(whole(r, "start", needed(r, a, "start")) & INT32_MAX);
        vec_push(r->arena, &r->dimension, d);
    } else if (!strcmp(element, "Start") && !v->start) {
        v->start = text(r, a, "value"); /* of a String: the first counts */
    } else if (!strcmp(element, "Alias")) {
        FmuVariable alias = *v;
        alias.name = needed(r, a, "name");
        alias.comment = text(r, a, "description");
        alias.alias_of = r->variable.n - 1;
        while (r->variable.at[alias.alias_of].alias_of != NONE)
            alias.alias_of = r->variable.at[alias.alias_of].alias_of;
        alias.span = here(r);
        vec_push(r->arena, &r->variable, alias);
    }
}

/* Dimensions belong to the variable and its aliases. */
static void end_variable(Reader *r)
{
    int n = r->dimension.n;
    FmuDimension *copy = NEW_ARRAY(r->arena, FmuDimension, n + 1);
    if (n)
        memcpy(copy, r->dimension.at, (size_t)n * sizeof *copy);
    for (int i = r->variable.n - 1; i >= 0; i--) {
        r->variable.at[i].dimension = copy;
        r->variable.at[i].ndimension = n;
        if (r->variable.at[i].alias_of == NONE)
            break;
    }
}

/* ---- structure ---- */

static FmuUnknown unknown(Reader *r, const char **a)
{
    bool two = r->d->version == 2;
    const char *name = two ? "index" : "valueReference";
    const char *list = find(a, "dependencies");
    FmuUnknown u = {.all = list == NULL, .span = here(r)};
    Vec(uint32_t) on = {0};
    u.reference = whole(r, name, needed(r, a, name));
    char *copy = arena_strdup(r->arena, list ? list : ""), *rest = NULL;
    for (char *s = strtok_r(copy, " \t\r\n", &rest); s;
         s = strtok_r(NULL, " \t\r\n", &rest))
        vec_push(r->arena, &on, whole(r, "dependencies", s));
    u.depends = on.at;
    u.ndepends = on.n;
    return u;
}

static void read_structure(Reader *r, const char *element, const char **a)
{
    const char *around = r->depth > 0 ? r->open[r->depth - 1] : "";
    bool two = r->d->version == 2;
    if (two && strcmp(element, "Unknown") != 0)
        return;
    if (!strcmp(two ? around : element,
                two ? "Derivatives" : "ContinuousStateDerivative"))
        vec_push(r->arena, &r->derivative, unknown(r, a));
    else if (!strcmp(two ? around : element, two ? "Outputs" : "Output"))
        vec_push(r->arena, &r->output, unknown(r, a));
    else if (!two && !strcmp(element, "EventIndicator"))
        vec_push(r->arena, &r->indicator, unknown(r, a));
}

/* ---- elements ---- */

static bool is_in(const Reader *r, int depth, const char *name)
{
    return r->depth > depth && !strcmp(r->open[depth], name);
}

static void top(Reader *r, const char *element, const char **a)
{
    if (!strcmp(element, "ModelExchange"))
        read_kind(r, a, &r->d->exchange);
    else if (!strcmp(element, "CoSimulation"))
        read_kind(r, a, &r->d->cosim);
    else if (!strcmp(element, "DefaultExperiment"))
        read_experiment(r, a);
}

static void begin(void *user, const char *element, const char **a)
{
    Reader *r = user;
    if (r->failed)
        return;
    if (r->depth == 0 && strcmp(element, "fmiModelDescription") != 0)
        fail(r, "the description of an FMU begins with '%s', not '%s'",
             "fmiModelDescription", element);
    else if (r->depth == 0)
        read_root(r, a);
    else if (r->depth == 1)
        top(r, element, a);
    else if (r->depth == 2 && is_in(r, 1, "ModelVariables"))
        begin_variable(r, element, a);
    else if (r->depth == 3 && is_in(r, 1, "ModelVariables"))
        in_variable(r, element, a);
    else if (r->depth == 2 && is_in(r, 1, "TypeDefinitions"))
        begin_type(r, a);
    else if (r->depth >= 3 && is_in(r, 1, "TypeDefinitions"))
        in_type(r, element, a);
    else if (is_in(r, 1, "ModelStructure"))
        read_structure(r, element, a);
    else if (r->depth == 3 && is_in(r, 2, "SourceFiles") &&
             !strcmp(element, "File"))
        vec_push(r->arena, &r->file, needed(r, a, "name"));
    if (r->depth == MOST_DEPTH - 1)
        fail(r, "elements are nested too deep%s%s", "", "");
    else
        r->open[r->depth++] = arena_strdup(r->arena, element);
}

static void end(void *user, const char *element)
{
    Reader *r = user;
    (void)element;
    if (r->failed)
        return;
    r->depth--;
    if (r->depth == 2 && is_in(r, 1, "ModelVariables") && r->variable.n)
        end_variable(r);
    if (r->depth == 2 && is_in(r, 1, "TypeDefinitions") && r->type.n)
        end_type(r);
}

static void entity(void *user, const XML_Char *name, int is_parameter,
                   const XML_Char *value, int nvalue, const XML_Char *base,
                   const XML_Char *system, const XML_Char *public,
                   const XML_Char *notation)
{
    (void)is_parameter, (void)value, (void)nvalue, (void)base, (void)system,
        (void)public, (void)notation;
    fail(user, "a description defines no entities: '%s'%s", name, "");
}

/* ---- what was read ---- */

static void finish(Reader *r)
{
    FmuDescription *d = r->d;
    d->variable = r->variable.at;
    d->nvariable = r->variable.n;
    d->derivative = r->derivative.at;
    d->nderivative = r->derivative.n;
    d->output = r->output.at;
    d->noutput = r->output.n;
    d->indicator = r->indicator.at;
    if (d->version == 3)
        d->nindicator = r->indicator.n;
    d->type = r->type.at;
    d->ntype = r->type.n;
    d->source = r->file.at;
    d->nsource = r->file.n;
}

/* What a type says holds where the variable says nothing. */
static void inherit(FmuDescription *d)
{
    for (int i = 0; i < d->nvariable; i++) {
        FmuVariable *v = &d->variable[i];
        const FmuSimpleType *t = NULL;
        for (int k = 0; v->declared && k < d->ntype; k++)
            if (!strcmp(d->type[k].name, v->declared))
                t = &d->type[k];
        if (!t)
            continue;
        if (!*v->unit)
            v->unit = t->unit;
        if (!*v->quantity)
            v->quantity = t->quantity;
        if (!v->has_min && t->has_min)
            v->min = t->min, v->has_min = true;
        if (!v->has_max && t->has_max)
            v->max = t->max, v->has_max = true;
        if (!v->has_nominal && t->has_nominal)
            v->nominal = t->nominal, v->has_nominal = true;
    }
}

static bool is_complete(const FmuDescription *d, Diag *diag)
{
    for (int i = 0; i < d->nvariable; i++)
        if (d->variable[i].type == FMU_NTYPE) {
            diag_report(diag, d->variable[i].span, DIAG_E0221,
                        "the variable '%s' has no type", d->variable[i].name);
            return false;
        }
    return true;
}

/* FMI 2: further variables with the same reference are other names. */
static int reference_order(const void *a, const void *b)
{
    const FmuVariable *const *x = a, *const *y = b;
    if ((*x)->reference != (*y)->reference)
        return (*x)->reference < (*y)->reference ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* One space of references for each base type: types are told apart. */
static bool is_same_space(const FmuVariable *a, const FmuVariable *b)
{
    return a->reference == b->reference &&
           (a->type == b->type ||
            (a->type == FMU_ENUMERATION && b->type == FMU_INT32) ||
            (b->type == FMU_ENUMERATION && a->type == FMU_INT32));
}

static int rank(const FmuVariable *v)
{
    return v->causality == FMU_INPUT || v->causality == FMU_PARAMETER ? 3
           : v->is_exact                                              ? 2
           : v->causality == FMU_OUTPUT                               ? 1
                                                                      : 0;
}

static void find_aliases(FmuDescription *d, Arena *arena)
{
    int n = d->nvariable;
    FmuVariable **by = NEW_ARRAY(arena, FmuVariable *, n + 1);
    for (int i = 0; i < n; i++)
        by[i] = &d->variable[i];
    qsort(by, (size_t)n, sizeof *by, reference_order);
    for (int i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && by[j]->reference == by[i]->reference; j++) {
        }
        for (int k = i; k < j; k++) {
            FmuVariable *best = by[k];
            for (int m = i; m < j; m++)
                if (is_same_space(by[m], by[k]) &&
                    (rank(by[m]) > rank(best) ||
                     (rank(by[m]) == rank(best) && by[m] < best)))
                    best = by[m];
            if (best != by[k] && by[k]->causality != FMU_INDEPENDENT)
                by[k]->alias_of = (int)(best - d->variable);
        }
    }
}

/* ---- questions ---- */

int fmu_find_reference(const FmuDescription *d, uint32_t reference)
{
    for (int i = 0; i < d->nvariable; i++)
        if (d->variable[i].reference == reference &&
            d->variable[i].alias_of == NONE)
            return i;
    return NONE;
}

int fmu_find_unknown(const FmuDescription *d, uint32_t which)
{
    if (d->version == 3)
        return fmu_find_reference(d, which);
    return which >= 1 && which <= (uint32_t)d->nvariable ? (int)which - 1
                                                         : NONE;
}

int fmu_state_of(const FmuDescription *d, int i)
{
    return d->variable[i].is_derivative
               ? fmu_find_unknown(d, d->variable[i].state)
               : NONE;
}

/* ---- the entry ---- */

FmuDescription *fmu_describe(const Sources *sources, int number, Arena *arena,
                             Diag *diag)
{
    const Source *s = sources_get(sources, number);
    FmuDescription *d = NEW(arena, FmuDescription);
    *d = (FmuDescription){
        .start = NAN, .stop = NAN, .tolerance = NAN, .step = NAN};
    d->exchange.step = d->cosim.step = NAN;
    Reader r = {.d = d, .source = number, .arena = arena, .diag = diag};
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) {
        diag_report(diag, NO_SPAN, DIAG_E0221, "no memory to read XML with");
        return NULL;
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    XML_SetEntityDeclHandler(r.parser, entity);
    enum XML_Status status =
        XML_Parse(r.parser, s->text, (int)s->size, XML_TRUE);
    if (status != XML_STATUS_OK && !r.failed)
        fail(&r, "the description is no XML: %s%s",
             XML_ErrorString(XML_GetErrorCode(r.parser)), "");
    XML_ParserFree(r.parser);
    if (r.failed)
        return NULL;
    finish(&r);
    inherit(d);
    if (!is_complete(d, diag))
        return NULL;
    if (d->version == 2)
        find_aliases(d, arena);
    return d;
}
