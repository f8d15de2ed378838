/* parse_elem.h - lists of a class that grow while it is read. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PARSE_PARSE_ELEM_H
#define TAKT_PARSE_PARSE_ELEM_H

#include "parse/parse_internal.h"

typedef Vec(AstElem *) ElemList;
typedef Vec(AstSection) SectionList;

/* Reads an element with its ';' and adds it, or as many as it declares. */
void parse_element(Parser *p, bool is_protected, ElemList *out);

#endif
