/* hdf5.c - trajectories by libhdf5. Rows are kept until there are CHUNK of
 * them; then each dataset grows by a chunk. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/hdf5.h"

#include <hdf5.h>
#include <string.h>

enum { CHUNK = 1024 };

struct Hdf5 {
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
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t at = H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    note(h, at >= 0 && H5Awrite(at, type, text) >= 0);
    H5Aclose(at);
    H5Sclose(space);
    H5Tclose(type);
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
    hid_t space =
        value ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &none, &most);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (!value)
        H5Pset_chunk(how, 1, &chunk);
    hid_t set = H5Dcreate2(h->file, name_of(name, arena), H5T_IEEE_F64LE, space,
                           H5P_DEFAULT, how, H5P_DEFAULT);
    note(h, set >= 0);
    if (set >= 0 && *text)
        describe(h, set, "description", text);
    if (set >= 0 && value) {
        describe(h, set, "parameter", "yes");
        note(h, H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         value) >= 0);
    }
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

Hdf5 *hdf5_open(const char *path, const ResultSignal *signal, int nsignal,
                Arena *arena)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it would print */
    Hdf5 *h = NEW(arena, Hdf5);
    h->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (h->file < 0)
        return NULL;
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
    if (set < 0 || H5Dset_extent(set, &all) < 0) {
        h->failed = true;
        return;
    }
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &n, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &n, NULL);
    note(h, H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
                     kept) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
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
            H5Dclose(h->set[i]);
    note(h, H5Fclose(h->file) >= 0);
    return !h->failed;
}
