/* What xmp_desc_of(NAME) is, for programs with and without xmp.h. */
#ifndef XMP_DESC_H
#define XMP_DESC_H
typedef void *xmp_desc_t;
#ifdef XACC_PARSING
xmp_desc_t xmp_desc_of();
#endif
#endif
