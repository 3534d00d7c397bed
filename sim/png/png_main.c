// SPDX-License-Identifier: BSD-3-Clause
// png_main.c: modeway-png: SVG on standard input becomes PNG on standard output. A program of its
// own, so that commands that draw nothing load neither librsvg nor fonts; modeway starts it
// (draw/plot_png.c).
#include <cairo.h>
#include <librsvg/rsvg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "modeway-png"

enum { SCALE = 2, MOST = 32767 };  // samples a px; samples that cairo takes, either way

#if defined(__SANITIZE_ADDRESS__) || defined(MW_PNG_SANITIZE)
// what librsvg and its libraries keep until the process ends is not ours
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libfontconfig\nleak:libpango\nleak:librsvg\nleak:libglib\nleak:libcairo\n";
}
#endif

static int fail(const char *what, const char *why)
{
  fprintf(stderr, NAME ": error: %s%s%s\n", what, why ? ": " : "", why ? why : "");
  return EXIT_FAILURE;
}

// All of f: [*n] bytes to be freed; NULL: no memory, or f cannot be read.
static unsigned char *read_all(FILE *f, size_t *n)
{
  size_t room = 1 << 16;
  unsigned char *bytes = malloc(room);
  for (*n = 0; bytes;) {
    *n += fread(bytes + *n, 1, room - *n, f);
    if (ferror(f)) break;
    if (*n < room) return bytes;
    unsigned char *more = realloc(bytes, room *= 2);
    if (!more) break;
    bytes = more;
  }
  free(bytes);
  return NULL;
}

static cairo_status_t put(void *f, const unsigned char *data, unsigned n)
{
  return fwrite(data, 1, n, f) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

// The picture w × h px on white.
static int draw(RsvgHandle *svg, double w, double h)
{
  cairo_surface_t *s =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(SCALE * w), (int)(SCALE * h));
  cairo_t *c = cairo_create(s);
  RsvgRectangle all = { 0.0, 0.0, w, h };
  GError *why = NULL;
  cairo_set_source_rgb(c, 1.0, 1.0, 1.0);
  cairo_paint(c);
  cairo_scale(c, SCALE, SCALE);
  int rc = EXIT_SUCCESS;
  if (!rsvg_handle_render_document(svg, c, &all, &why))
    rc = fail("the picture cannot be drawn", why ? why->message : NULL);
  else if (cairo_surface_write_to_png_stream(s, put, stdout) != CAIRO_STATUS_SUCCESS ||
           fflush(stdout) != 0)
    rc = fail("the PNG cannot be written", NULL);
  g_clear_error(&why);
  cairo_destroy(c);
  cairo_surface_destroy(s);
  return rc;
}

int main(int argc, char **argv)
{
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    puts("usage: " NAME " < PICTURE.svg > PICTURE.png\n"
         "\n"
         "Draws an SVG of a size in px as PNG, two samples a px, on white. modeway --picture\n"
         "starts it where a name ends in .png. Exit status 0, 1: an error, 2: wrong arguments.");
    return EXIT_SUCCESS;
  }
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    printf(NAME " " MW_VERSION " librsvg %u.%u.%u\n", rsvg_major_version, rsvg_minor_version,
           rsvg_micro_version);
    return EXIT_SUCCESS;
  }
  if (argc != 1) {
    fputs(NAME ": error: found arguments, expected none, --help or --version\n", stderr);
    return 2;
  }
  size_t n = 0;
  unsigned char *bytes = read_all(stdin, &n);
  if (!bytes) return fail("standard input cannot be read", NULL);
  GError *why = NULL;
  RsvgHandle *svg = rsvg_handle_new_from_data(bytes, n, &why);
  double w = 0.0, h = 0.0;
  int rc = EXIT_FAILURE;
  if (!svg)
    fail("standard input is no SVG", why ? why->message : NULL);
  else if (!rsvg_handle_get_intrinsic_size_in_pixels(svg, &w, &h) || !(w >= 1.0) || !(h >= 1.0) ||
           SCALE * w > MOST || SCALE * h > MOST)
    fail("found an SVG without a size in px, or with one beyond 16383, expected one", NULL);
  else
    rc = draw(svg, w, h);
  g_clear_error(&why);
  if (svg) g_object_unref(svg);
  free(bytes);
  return rc;
}
