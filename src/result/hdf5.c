/* hdf5.c - trajectories by libhdf5, which is loaded when the first is written.
 * Rows are kept until there are CHUNK of them; then each dataset grows by a
 * chunk. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/hdf5.h"

#include <errno.h>
#include <hdf5.h>
#include <string.h>

#include "base/dynamic.h"

enum { CHUNK = 1024 };

/* the functions of the library that are used */
#define FUNCTIONS(F)                                                           \
    F(H5open)                                                                  \
    F(H5Eset_auto2)                                                            \
    F(H5Fcreate)                                                               \
    F(H5Fclose)                                                                \
    F(H5Tcopy)                                                                 \
    F(H5Tset_size)                                                             \
    F(H5Tset_cset)                                                             \
    F(H5Tclose)                                                                \
    F(H5Screate)                                                               \
    F(H5Screate_simple)                                                        \
    F(H5Sselect_hyperslab)                                                     \
    F(H5Sclose)                                                                \
    F(H5Acreate2)                                                              \
    F(H5Awrite)                                                                \
    F(H5Aclose)                                                                \
    F(H5Pcreate)                                                               \
    F(H5Pset_chunk)                                                            \
    F(H5Pclose)                                                                \
    F(H5Dcreate2)                                                              \
    F(H5Dset_extent)                                                           \
    F(H5Dget_space)                                                            \
    F(H5Dwrite)                                                                \
    F(H5Dclose)

typedef struct Library {
#define MEMBER(f) __typeof__(&f) f;
    FUNCTIONS(MEMBER)
#undef MEMBER
    /* types and kinds, which have their numbers once it is open */
    hid_t text, number, as_written, dataset;
} Library;

struct Hdf5 {
    Library l;
    hid_t file;
    hid_t *set; /* 1 + nsignal: the time first; below 0: none */
    const ResultSignal *signal;
    int nsignal;
    double *kept; /* CHUNK numbers of each */
    int nkept;
    hsize_t nrow;
    bool failed;
};

static void note(Hdf5 *h, bool is_fine)
{
    h->failed |= !is_fine;
}

static void describe(Hdf5 *h, hid_t set, const char *name, const char *text)
{
    hid_t type = h->l.H5Tcopy(h->l.text), space = h->l.H5Screate(H5S_SCALAR);
    h->l.H5Tset_size(type, strlen(text) + 1);
    h->l.H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t at =
        h->l.H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    note(h, at >= 0 && h->l.H5Awrite(at, type, text) >= 0);
    h->l.H5Aclose(at);
    h->l.H5Sclose(space);
    h->l.H5Tclose(type);
}

static const char *name_of(const char *name, Arena *arena)
{
    char *out = arena_strdup(arena, name);
    for (char *s = out; *s; s++)
        if (*s == '/')
            *s = '\\';
    return out;
}

/* A dataset that grows, or a number. */
static hid_t make(Hdf5 *h, const char *name, const char *text,
                  const double *value, Arena *arena)
{
    hsize_t none = 0, most = H5S_UNLIMITED, chunk = CHUNK;
    hid_t space = value ? h->l.H5Screate(H5S_SCALAR)
                        : h->l.H5Screate_simple(1, &none, &most);
    hid_t how = h->l.H5Pcreate(h->l.dataset);
    if (!value)
        h->l.H5Pset_chunk(how, 1, &chunk);
    hid_t set = h->l.H5Dcreate2(h->file, name_of(name, arena), h->l.as_written,
                                space, H5P_DEFAULT, how, H5P_DEFAULT);
    note(h, set >= 0);
    if (set >= 0 && *text)
        describe(h, set, "description", text);
    if (set >= 0 && value) {
        describe(h, set, "parameter", "yes");
        note(h, h->l.H5Dwrite(set, h->l.number, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                              value) >= 0);
    }
    h->l.H5Pclose(how);
    h->l.H5Sclose(space);
    return set;
}

/* A number that the library has under `name`. In a program that is linked with
 * the library too it may stand in a copy that belongs to the program. */
static bool take_id(void *library, const char *name, hid_t *id)
{
    const hid_t *at = NULL;
    if (!dynamic_take(dynamic_open(NULL), name, &at) &&
        !dynamic_take(library, name, &at))
        return false;
    *id = *at;
    return true;
}

static bool open_library(Library *l)
{
    void *library = dynamic_open(TAKT_LATER_hdf5);
    if (!library)
        return false;
#define TAKE(f) dynamic_take(library, #f, &l->f) &&
    return FUNCTIONS(TAKE) l->H5open() >= 0 &&
           take_id(library, "H5T_C_S1_g", &l->text) &&
           take_id(library, "H5T_NATIVE_DOUBLE_g", &l->number) &&
           take_id(library, "H5T_IEEE_F64LE_g", &l->as_written) &&
           take_id(library, "H5P_CLS_DATASET_CREATE_ID_g", &l->dataset);
#undef TAKE
}

Hdf5 *hdf5_open(const char *path, const ResultSignal *signal, int nsignal,
                Arena *arena)
{
    enum { TRUNCATE = 2 }; /* H5F_ACC_TRUNC, which calls the library */
    Hdf5 *h = NEW(arena, Hdf5);
    if (!open_library(&h->l)) {
        errno = ELIBACC;
        return NULL;
    }
    h->l.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it would print */
    h->file = h->l.H5Fcreate(path, TRUNCATE, H5P_DEFAULT, H5P_DEFAULT);
    if (h->file < 0) {
        errno = EIO;
        return NULL;
    }
    h->signal = signal;
    h->nsignal = nsignal;
    h->set = NEW_ARRAY(arena, hid_t, nsignal + 1);
    h->kept = NEW_ARRAY(arena, double, (size_t)CHUNK *(size_t)(nsignal + 1));
    h->set[0] = make(h, "time", "s", NULL, arena);
    for (int i = 0; i < nsignal; i++) {
        double value = signal[i].sign * signal[i].value;
        h->set[i + 1] = make(h, signal[i].name, signal[i].description,
                             signal[i].column == NONE ? &value : NULL, arena);
    }
    return h;
}

static void grow(Hdf5 *h, hid_t set, const double *kept)
{
    hsize_t from = h->nrow, n = (hsize_t)h->nkept, all = from + n;
    if (set < 0 || h->l.H5Dset_extent(set, &all) < 0) {
        h->failed = true;
        return;
    }
    hid_t space = h->l.H5Dget_space(set),
          memory = h->l.H5Screate_simple(1, &n, NULL);
    h->l.H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &n, NULL);
    note(h, h->l.H5Dwrite(set, h->l.number, memory, space, H5P_DEFAULT, kept) >=
                0);
    h->l.H5Sclose(memory);
    h->l.H5Sclose(space);
}

static void flush(Hdf5 *h)
{
    if (h->nkept == 0)
        return;
    grow(h, h->set[0], h->kept);
    for (int i = 0; i < h->nsignal; i++)
        if (h->signal[i].column != NONE)
            grow(h, h->set[i + 1], h->kept + (size_t)(i + 1) * CHUNK);
    h->nrow += (hsize_t)h->nkept;
    h->nkept = 0;
}

void hdf5_row(Hdf5 *h, double time, const double *value)
{
    h->kept[h->nkept] = time;
    for (int i = 0; i < h->nsignal; i++) {
        const ResultSignal *s = &h->signal[i];
        if (s->column != NONE)
            h->kept[(size_t)(i + 1) * CHUNK + (size_t)h->nkept] =
                s->sign * value[s->column];
    }
    if (++h->nkept == CHUNK)
        flush(h);
}

bool hdf5_close(Hdf5 *h)
{
    flush(h);
    for (int i = 0; i <= h->nsignal; i++)
        if (h->set[i] >= 0)
            h->l.H5Dclose(h->set[i]);
    note(h, h->l.H5Fclose(h->file) >= 0);
    return !h->failed;
}
