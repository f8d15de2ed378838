/* takt_fmu_external.h - what external functions of the model ask of an
 * instance: objects, paths of resources, a place for messages.
 *
 * NAME_fmu.c defines, before takt_fmu_core.h includes this once,
 *
 *   FMU_X(f)      NAME_xf, a function of the wrappers
 *   FMU_NOBJECT, FMU_NFILE   external objects; files of resources/
 *   fmu_file[]    their names there
 *   FMU_ONCE      1: functions remember calls, so there is one instance
 *
 * External functions do not know for whom they are called: the instance whose
 * function the importer has called last, in this thread, is the one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

#if defined(__GNUC__)
#define FMU_THREAD __thread
#elif defined(_MSC_VER)
#define FMU_THREAD __declspec(thread)
#else
#define FMU_THREAD
#endif

static FMU_THREAD Fmu *fmu_current;
static int fmu_instances;

int FMU_X(open)(void);
void FMU_X(close)(void);
void **FMU_X(objects)(void);
const char *FMU_X(file)(int k);
void FMU_X(say)(int level, const char *text);

void **FMU_X(objects)(void)
{
    return fmu_current->object;
}

const char *FMU_X(file)(int k)
{
    return fmu_current->path[k];
}

void FMU_X(say)(int level, const char *text)
{
    static const int status[] = {FMU_OK, FMU_WARNING, FMU_ERROR};
    if (fmu_current)
        fmu_say(fmu_current, status[level], "%s", text);
}

/* ---- where resources are ---- */

static int fmu_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The path that file:///tmp/x%20y is; not changed if it is no URI. `to` has
 * room for all of it. Returns 0 for a URI of another kind. */
static int fmu_path_of(const char *uri, char *to)
{
    int is_uri = strncmp(uri, "file:", 5) == 0;
    if (!is_uri && strstr(uri, "://"))
        return 0;
    if (is_uri) {
        uri += 5;
        if (strncmp(uri, "//", 2) == 0) {
            uri += 2;
            if (strncmp(uri, "localhost/", 10) == 0)
                uri += 9;
            if (*uri != '/')
                return 0; /* another computer */
        }
        if (uri[0] == '/' && uri[1] && uri[2] == ':') /* file:///C:/ */
            uri++;
    }
    for (; *uri; uri++) {
        int high = is_uri && *uri == '%' ? fmu_hex(uri[1]) : -1;
        int low = high >= 0 ? fmu_hex(uri[2]) : -1;
        *to++ = (char)(low >= 0 ? high * 16 + low : *uri);
        uri += low >= 0 ? 2 : 0;
    }
    *to = '\0';
    return 1;
}

/* The paths of all files, in one piece of memory that path[0] begins. */
static const char *fmu_locate(Fmu *f, const char *place)
{
    size_t room = 1, base;
    if (FMU_NFILE == 0)
        return NULL;
    if (!place || !*place)
        return "external functions of the model read files of resources/: the "
               "importer has to say where that is";
    for (int i = 0; i < FMU_NFILE; i++)
        room += strlen(place) + strlen(fmu_file[i]) + 2;
    char *to = calloc(1, room);
    if (!to)
        return "there is no memory for paths";
    f->path[0] = to;
    if (!fmu_path_of(place, to))
        return "the location of the resources is not a path of this computer";
    base = strlen(to);
    while (base > 1 && (to[base - 1] == '/' || to[base - 1] == '\\'))
        base--;
    for (int i = 0; i < FMU_NFILE; i++) {
        if (i > 0)
            memcpy(to, f->path[0], base);
        f->path[i] = to;
        to[base] = '/';
        strcpy(to + base + 1, fmu_file[i]);
        to += base + 1 + strlen(fmu_file[i]) + 1;
    }
    return NULL;
}

/* ---- life ---- */

/* What keeps the instance from being; NULL: nothing does. */
static const char *fmu_open(Fmu *f, const char *place)
{
    if (FMU_ONCE && fmu_instances > 0)
        return "external functions of the model remember their calls: there "
               "can be one instance only";
    fmu_current = f;
    fmu_instances++;
    f->is_open = 1;
    const char *wrong = fmu_locate(f, place);
    if (!wrong && FMU_X(open)() != 0)
        wrong = "an external object of the model cannot be made";
    return wrong;
}

static void fmu_close(Fmu *f)
{
    if (!f->is_open)
        return;
    fmu_current = f;
    FMU_X(close)();
    free(f->path[0]);
    fmu_current = NULL;
    fmu_instances--;
}
