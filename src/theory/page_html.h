/* page_html.h - the texts of the page around its data. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_PAGE_HTML_H
#define TAKT_THEORY_PAGE_HTML_H

extern const char theory_page_head[], theory_page_script[];

#endif
