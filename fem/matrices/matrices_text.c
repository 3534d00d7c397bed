// SPDX-License-Identifier: BSD-3-Clause
// matrices_text.c: lines and numbers of text files, and the growing lists their readers fill.
//
// Files are read line by line, so that memory holds what they say and not their text. O(file size).
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrices_layer.h"

enum { WORD = 64 };

mw_code mx_open(const char *path, mx_text *t, mw_error *err)
{
  *t = (mx_text){ .path = path, .f = fopen(path, "rb") };
  t->pos = t->buf;
  if (t->f != NULL) return MW_OK;
  return mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be opened: %s", strerror(errno));
}

void mx_close(mx_text *t)
{
  if (t->f != NULL) fclose(t->f);
  t->f = NULL;
}

bool mx_next(mx_text *t)
{
  t->pos = t->buf;
  t->cut = false;
  if (fgets(t->buf, sizeof t->buf, t->f) == NULL) {
    t->buf[0] = '\0';
    return false;
  }
  t->line++;
  size_t n = strlen(t->buf);
  if (n > 0 && t->buf[n - 1] == '\n') {
    t->buf[--n] = '\0';
    if (n > 0 && t->buf[n - 1] == '\r') t->buf[n - 1] = '\0';
    return true;
  }
  if (n + 1 <
      sizeof t->buf) {  // the file ends without a newline, or a zero byte stands in the line
    t->cut = !feof(t->f);
    return true;
  }
  for (int c = 0; (c = getc(t->f)) != EOF && c != '\n';) t->cut = true;
  return true;
}

mw_at mx_at(const mx_text *t)
{
  return (mw_at){ .file = t->path, .line = t->line, .col = (int)(t->pos - t->buf) + 1 };
}

bool mx_blank(mx_text *t)
{
  while (*t->pos == ' ' || *t->pos == '\t' || *t->pos == ',') t->pos++;
  return *t->pos == '\0';
}

// the word at pos, for messages
static const char *word_at(const mx_text *t, char word[WORD])
{
  int n = 0;
  while (n < 40 && t->pos[n] != '\0' && strchr(" \t,", t->pos[n]) == NULL) {
    word[n] = isprint((unsigned char)t->pos[n]) ? t->pos[n] : '?';
    n++;
  }
  word[n] = '\0';
  return word;
}

static mw_code wrong(const mx_text *t, const char *what, mw_error *err)
{
  char word[WORD];
  if (t->cut)
    return mw_fail(err, MW_ERR_INPUT, mx_at(t), "the line is longer than %d characters",
                   MX_LINE - 2);
  if (*t->pos == '\0')
    return mw_fail(err, MW_ERR_INPUT, mx_at(t), "the line ends here, expected %s", what);
  return mw_fail(err, MW_ERR_INPUT, mx_at(t), "found '%s', expected %s", word_at(t, word), what);
}

static bool ends_word(const char *s) { return *s == '\0' || *s == ' ' || *s == '\t' || *s == ','; }

mw_code mx_int(mx_text *t, const char *what, int *i, mw_error *err)
{
  char *end;
  if (mx_blank(t) || t->cut) return wrong(t, what, err);
  errno = 0;
  long v = strtol(t->pos, &end, 10);
  if (end == t->pos || !ends_word(end) || errno != 0 || v > INT_MAX || v < INT_MIN)
    return wrong(t, what, err);
  *i = (int)v;
  t->pos = end;
  return MW_OK;
}

mw_code mx_real(mx_text *t, const char *what, double *x, mw_error *err)
{
  char *end;
  if (mx_blank(t) || t->cut) return wrong(t, what, err);
  *x = strtod(t->pos, &end);
  // no hexadecimal numbers, no "inf", no "nan"
  bool plain = strspn(t->pos, "+-.0123456789eE") == (size_t)(end - t->pos);
  if (end == t->pos || !plain || !ends_word(end) || !isfinite(*x)) return wrong(t, what, err);
  t->pos = end;
  return MW_OK;
}

mw_code mx_end(mx_text *t, mw_error *err)
{
  if (mx_blank(t) && !t->cut) return MW_OK;
  return wrong(t, "the end of the line", err);
}

mw_code mx_room(void **list, int n, int *cap, size_t size, mw_error *err)
{
  if (n < *cap) return MW_OK;
  size_t more = *cap > 0 ? 2 * (size_t)*cap : 64;
  void *p = more <= INT_MAX ? realloc(*list, more * size) : NULL;
  if (p == NULL) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  *list = p;
  *cap = (int)more;
  return MW_OK;
}

mw_code mx_add_entry(mx_list *l, int row, int col, int line, double val, mw_error *err)
{
  void *e = l->e;
  mw_code rc = mx_room(&e, l->n, &l->cap, sizeof *l->e, err);
  l->e = e;
  if (rc == MW_OK) l->e[l->n++] = (mx_entry){ row, col, line, val };
  return rc;
}

mw_code mx_add_node(mx_reader *r, const mx_text *t, int tag, const double x[3], mw_error *err)
{
  if (tag <= 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = t->line },
                   "node number %d, must be positive", tag);
  void *p = r->node;
  mw_code rc = mx_room(&p, r->n_node, &r->cap_node, sizeof *r->node, err);
  r->node = p;
  if (rc == MW_OK) r->node[r->n_node++] = (mx_node){ tag, t->line, { x[0], x[1], x[2] } };
  return rc;
}

// order of nodes by tag
typedef struct by_tag {
  int tag, node;
} by_tag;

static int compare_tags(const void *a, const void *b)
{
  const by_tag *p = a, *q = b;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return p->node < q->node ? -1 : 1;
}

mw_code mx_sort_nodes(mx_reader *r, const char *path, mw_error *err)
{
  if (r->n_node == 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "no nodes in this file");
  by_tag *t = malloc((size_t)r->n_node * sizeof *t);
  r->order = malloc((size_t)r->n_node * sizeof *r->order);
  mw_code rc = t != NULL && r->order != NULL
                   ? MW_OK
                   : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (int i = 0; i < r->n_node && rc == MW_OK; i++) t[i] = (by_tag){ r->node[i].tag, i };
  if (rc == MW_OK) qsort(t, (size_t)r->n_node, sizeof *t, compare_tags);
  for (int i = 0; i < r->n_node && rc == MW_OK; i++) {
    r->order[i] = t[i].node;
    if (i > 0 && t[i].tag == t[i - 1].tag)
      rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path, .line = r->node[t[i].node].line },
                   "node %d is defined twice, first in line %d", t[i].tag,
                   r->node[t[i - 1].node].line);
  }
  free(t);
  return rc;
}

int mx_find_node(const mx_reader *r, int tag)
{
  int lo = 0, hi = r->n_node;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (r->node[r->order[mid]].tag < tag)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < r->n_node && r->node[r->order[lo]].tag == tag ? r->order[lo] : -1;
}

bool mx_ends_with(const char *path, const char *ending)
{
  size_t n = strlen(path), m = strlen(ending);
  if (n < m) return false;
  for (size_t i = 0; i < m; i++)
    if (tolower((unsigned char)path[n - m + i]) != ending[i]) return false;
  return true;
}
