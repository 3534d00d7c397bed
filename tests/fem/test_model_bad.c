// SPDX-License-Identifier: BSD-3-Clause
// test_model_bad.c: broken model files are refused at the right place, and no bytes bring the
// reader down.
//
// Each file of tests/bad/model begins with `# expect: LINE:COL: part of the message`.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/model.h"
#include "mw_test.h"

#define BAD MW_TESTS_DIR "/bad/model"

static const char *const GOOD[] = { MW_TESTS_DIR "/fem/model_full.yaml",
                                    MW_TESTS_DIR "/fem/model_rigid.yaml" };

enum { AT_LEAST = 160 };  // files, so that an empty folder does not pass

static int ends_in_yaml(const struct dirent *d)
{
  size_t n = strlen(d->d_name);
  return n > 5 && strcmp(d->d_name + n - 5, ".yaml") == 0;
}

static void check_bad(const char *path)
{
  char want[256] = "", text[200] = "";
  int line = 0, col = 0;
  FILE *f = fopen(path, "rb");
  if (!MW_CHECK(f != NULL)) return;
  bool head = fgets(want, sizeof want, f) != NULL;
  fclose(f);
  if (!MW_CHECK(head && sscanf(want, "# expect: %d:%d: %199[^\n]", &line, &col, text) == 3)) return;
  mw_model m = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_model_read(path, &m, &err);
  bool okay = rc != MW_OK && err.code == rc && err.line == line && err.col == col;
  if (!MW_CHECK(okay && strstr(err.msg, text) && strcmp(err.file, path) == 0))
    printf("%s\n  want %d:%d: %s\n  got  %d:%d: %s\n", path, line, col, text, err.line, err.col,
           err.msg);
  mw_model_free(&m);
}

static void every_broken_file_is_refused_where_it_is_broken(void)
{
  struct dirent **list = NULL;
  int n = scandir(BAD, &list, ends_in_yaml, alphasort);
  MW_CHECK(n >= AT_LEAST);
  for (int i = 0; i < n; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", BAD, list[i]->d_name);
    check_bad(path);
    free(list[i]);
  }
  free(list);
}

// A file on disk that is written over and over, and what it is made from.
typedef struct bench {
  char path[64];
  char text[16384];
  size_t n;
  int refused, read;
} bench;

static bool bench_init(bench *b, const char *good)
{
  *b = (bench){ .path = "/tmp/mw_model_XXXXXX" };
  FILE *f = fopen(good, "rb");
  if (!MW_CHECK(f != NULL)) return false;
  b->n = fread(b->text, 1, sizeof b->text, f);
  fclose(f);
  int fd = mkstemp(b->path);
  if (fd >= 0) close(fd);
  return MW_CHECK(fd >= 0 && b->n > 1000 && b->n < sizeof b->text);
}

static void bench_read(bench *b, const char *text, size_t n)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_test_write(b->path, text, n))) return;
  mw_code rc = mw_model_read(b->path, &m, &err);
  // an error says what and, but for missing files, where
  if (rc != MW_OK && (err.msg[0] == '\0' || (rc == MW_ERR_INPUT && err.line < 1))) MW_CHECK(false);
  if (rc == MW_OK || rc == MW_ERR_IO)
    b->read++;
  else
    b->refused++;
  mw_model_free(&m);
}

static void read_prefixes(const char *good)
{
  bench b;
  if (!bench_init(&b, good)) return;
  for (size_t n = 0; n <= b.n; n++) bench_read(&b, b.text, n);
  MW_CHECK(b.refused > 0 && b.read > 0);
  remove(b.path);
}

static void read_flipped(const char *good)
{
  static const unsigned char flip[] = { 0x01, 0x10, 0x80 };
  bench b;
  if (!bench_init(&b, good)) return;
  for (size_t i = 0; i < b.n; i++) {
    unsigned char was = (unsigned char)b.text[i];
    b.text[i] = (char)(was ^ flip[i % 3]);
    bench_read(&b, b.text, b.n);
    b.text[i] = (char)was;
  }
  MW_CHECK(b.refused > 0 && b.read > 0);
  remove(b.path);
}

// Lines left out one by one: what refers to them is missed.
static void read_without_lines(const char *good)
{
  bench b;
  static char text[sizeof b.text];
  if (!bench_init(&b, good)) return;
  for (size_t i = 0; i < b.n;) {
    const char *end = memchr(b.text + i, '\n', b.n - i);
    size_t next = end ? (size_t)(end - b.text) + 1 : b.n;
    memcpy(text, b.text, i);
    memcpy(text + i, b.text + next, b.n - next);
    bench_read(&b, text, b.n - (next - i));
    i = next;
  }
  MW_CHECK(b.refused > 0 && b.read > 0);
  remove(b.path);
}

static void no_prefix_brings_the_reader_down(void)
{
  for (int i = 0; i < 2; i++) read_prefixes(GOOD[i]);
}

static void no_flipped_byte_brings_the_reader_down(void)
{
  for (int i = 0; i < 2; i++) read_flipped(GOOD[i]);
}

static void no_missing_line_brings_the_reader_down(void)
{
  for (int i = 0; i < 2; i++) read_without_lines(GOOD[i]);
}

static void deep_and_wide_files_are_refused_in_time(void)
{
  bench b;
  if (!bench_init(&b, GOOD[0])) return;
  size_t n = 1 << 20;
  char *text = malloc(n);
  if (MW_CHECK(text != NULL)) {
    memset(text, '[', n);
    bench_read(&b, text, n);
    memset(text, '-', n);
    bench_read(&b, text, n);
    size_t used = 0;  // one map with some 80 000 keys, the last one twice
    for (int i = 0; used + 64 < n; i++) used += (size_t)sprintf(text + used, "key%d: {}\n", i);
    memcpy(text + used, "key0: {}\n", 9);
    bench_read(&b, text, used + 9);
    MW_CHECK(b.refused == 3);
  }
  free(text);
  remove(b.path);
}

static const mw_test_case cases[] = {
  { "every_broken_file_is_refused_where_it_is_broken",
    every_broken_file_is_refused_where_it_is_broken },
  { "no_prefix_brings_the_reader_down", no_prefix_brings_the_reader_down },
  { "no_flipped_byte_brings_the_reader_down", no_flipped_byte_brings_the_reader_down },
  { "no_missing_line_brings_the_reader_down", no_missing_line_brings_the_reader_down },
  { "deep_and_wide_files_are_refused_in_time", deep_and_wide_files_are_refused_in_time },
};

int main(void) { return mw_test_run("model_bad", cases, (int)(sizeof cases / sizeof *cases)); }
