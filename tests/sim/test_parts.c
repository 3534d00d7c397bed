// SPDX-License-Identifier: BSD-3-Clause
// test_parts.c: the certificate of a machine from what its components say of theirs.
#include <math.h>
#include <string.h>

#include "mw_test.h"
#include "verdict/wholetext_layer.h"

#define HEAD "certificate: met; 16 samples off the grid, 2 of them on the meshes\n"

static mw_model model_of(mw_component_use *use, int n, const char *const *name,
                         const char *const *promise)
{
  mw_model m = { .n_component = n, .component = use };
  for (int k = 0; k < n; k++) {
    use[k] = (mw_component_use){ .name = name[k] };
    use[k].size.promise = promise[k];
  }
  return m;
}

static const mw_parts_line *line_of(const mw_parts *p, const char *name)
{
  for (int k = 0; k < p->n_line; k++)
    if (strcmp(p->line[k].name, name) == 0) return &p->line[k];
  return NULL;
}

static void each_line_is_that_of_the_part_that_errs_most(void)
{
  static const char *const name[] = { "left", "rigid", "right" };
  static const char *const promise[] = {
    HEAD "  mode shapes (1 - assurance)  7.63e-09 (tolerance 2.00e-03: met)\n"
         "  static compliance            2.69e-04 (tolerance 2.00e-03: met)\n"
         "  rigid positions of outputs   2.29e-16 m (tolerance 8.67e-07: met)\n"
         "  up to 1734 Hz\n  rates of x up to 1.5 m/s\n",
    NULL,
    HEAD "  mode shapes (1 - assurance)  6.00e-09 (tolerance 2.00e-03: met)\n"
         // errs less, of a smaller tolerance more
         "  static compliance            1.00e-04 (tolerance 2.00e-04: met)\n"
         "  frequencies, coordinates free 2.26e-04 (tolerance 1.00e-03: met)\n"
         "  up to 820.5 Hz\n",
  };
  mw_component_use use[3];
  mw_arena mem = { 0 };
  mw_model m = model_of(use, 3, name, promise);
  mw_parts p;
  mw_parts_of(&m, &mem, &p);
  const mw_parts_line *shape = line_of(&p, "mode shapes (1 - assurance)"),
                      *compliance = line_of(&p, "static compliance"),
                      *place = line_of(&p, "rigid positions of outputs"),
                      *free = line_of(&p, "frequencies, coordinates free");
  MW_CHECK(p.n_part == 2 && p.n_missed == 0 && !p.missed && p.n_line == 4);
  MW_CHECK(shape && shape->error == 7.63e-09 && strcmp(shape->part, "left") == 0);
  MW_CHECK(compliance && compliance->error == 1e-4 && strcmp(compliance->part, "right") == 0);
  MW_CHECK(place && strcmp(place->unit, "m") == 0 && place->met);
  MW_CHECK(free && free->tolerance == 1e-3);
  MW_CHECK(p.band == 820.5 && strcmp(p.band_of, "right") == 0);
  const char *text = mw_parts_text(&p, &mem);
  MW_CHECK(text && strcmp(text, "certificate of the whole, by those of 2 components: met; up to "
                                "820.5 Hz (right)") == 0);
  mw_arena_free(&mem);
}

static void one_part_that_misses_makes_the_whole_miss(void)
{
  static const char *const name[] = { "left", "right" };
  static const char *const promise[] = {
    HEAD "  static compliance            2.69e-04 (tolerance 2.00e-03: met)\n",
    "certificate: missed; 16 samples off the grid\n"
    "  static compliance            1.00e-03 (tolerance 2.00e-03: met)\n"
    "  receptances                  3.21e-02 (tolerance 5.00e-06: missed)\n"
  };
  mw_component_use use[2];
  mw_arena mem = { 0 };
  mw_model m = model_of(use, 2, name, promise);
  mw_parts p;
  mw_parts_of(&m, &mem, &p);
  const mw_parts_line *r = line_of(&p, "receptances");
  MW_CHECK(p.n_part == 2 && p.n_missed == 1 && isinf(p.band));
  MW_CHECK(p.missed && strcmp(p.missed, "right (receptances 3.21e-02, tolerance 5.00e-06)") == 0);
  MW_CHECK(r && !r->met && line_of(&p, "static compliance")->met);
  mw_arena_free(&mem);
}

// Objects can be of anybody's making.
static void lines_of_nobody_knows_what_are_passed_over(void)
{
  static const char *const name[] = { "a", "b", "c", "d" };
  static const char *const promise[] = {
    "", "warranty void\n  x 1 (tolerance 2: met)\n", "certificate: missed",
    HEAD "  (tolerance 1: met)\n  1 (tolerance 1: met)\n\n  up to Hz\n  x y (tolerance z: met)\n"
         "  a name that is far too long to be that of any line of a certificate 1 (tolerance 1: "
         "met)\n  x 1 (tolerance 2: met"
  };
  mw_component_use use[4];
  mw_arena mem = { 0 };
  mw_model m = model_of(use, 4, name, promise);
  mw_parts p;
  mw_parts_of(&m, &mem, &p);
  MW_CHECK(p.n_part == 2 && p.n_missed == 1 && p.n_line == 1);
  MW_CHECK(p.missed && strcmp(p.missed, "c (of what, it does not say)") == 0);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "each_line_is_that_of_the_part_that_errs_most",
      each_line_is_that_of_the_part_that_errs_most },
    { "one_part_that_misses_makes_the_whole_miss", one_part_that_misses_makes_the_whole_miss },
    { "lines_of_nobody_knows_what_are_passed_over", lines_of_nobody_knows_what_are_passed_over },
  };
  return mw_test_run("parts", cases, (int)(sizeof cases / sizeof *cases));
}
