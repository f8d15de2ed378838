/* efmi.h - an eFMU: manifests around algorithm code and production code.
 *
 *   eFMU/__content.xml                what is there
 *   eFMU/AlgorithmCode/manifest.xml   the variables of block.alg
 *   eFMU/AlgorithmCode/block.alg      the step in GALEC (galec.h)
 *   eFMU/ProductionCode/manifest.xml  how these stand in the C
 *   eFMU/ProductionCode/...           the step in C, with NAME_block.h, which
 *                                     has Startup, Recalibrate and DoStep
 *   eFMU/schemas/...                  those of the standard, which a container
 *                                     has with it, from the folder that the
 *                                     environment variable EFMI_SCHEMAS names
 *
 * eFMI 1.0.0. Digests are of the files as they stand in the container; the
 * same model gives the same bytes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_EFMI_H
#define TAKT_TARGET_EFMI_H

#include "target/galec.h"

/* A manifest that others refer to. */
typedef struct EfmiManifest {
    const char *id;   /* {12345678-...} */
    const char *text; /* the file */
    const char *digest;
} EfmiManifest;

typedef struct Efmi {
    const Galec *galec;
    const char **member; /* of each variable of it: in NAME_block, or NULL */
    const TargetFile *code;
    int ncode; /* files of the production code */
    EfmiManifest algorithm, production;
} Efmi;

/* ---- efmi_manifest.c ---- */
void efmi_describe_algorithm(Efmi *e, Arena *arena);
void efmi_describe_production(Efmi *e, Arena *arena);
const char *efmi_content(const Efmi *e, Arena *arena);

/* ---- efmi_block.c ---- */

/* Members of NAME_block for inputs, outputs and tunable parameters. */
void efmi_name_members(Efmi *e, Arena *arena);
const char *efmi_block_header(const Efmi *e, Arena *arena);
const char *efmi_block_code(const Efmi *e, Arena *arena);

#endif
