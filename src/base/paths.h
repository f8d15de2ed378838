/* paths.h - where takt's own files are, and where others may be made. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_PATHS_H
#define TAKT_BASE_PATHS_H

/* The directory of takt's own Modelica packages (Takt, ModelicaServices,
 * gallery). The first of these that exists: the environment variable
 * TAKT_MODELS; ../share/takt/models beside the directory of the running
 * program; models/ of the source tree this program was built from; the place
 * given at installation. NULL if there is none. The string lives as long as
 * the program. */
const char *models_dir(void);

/* Where files for a while go: the environment variable TMPDIR, or /tmp. */
const char *temp_dir(void);

#endif
