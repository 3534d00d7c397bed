// SPDX-License-Identifier: BSD-3-Clause
// test_picture.c: triangles, lines and the picture of a box against their areas; what hides what;
// outlines of beams; files.
//
// The files are decoded with nothing of ours by check_picture.py (test_cli).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/case.h"
#include "view/picture_layer.h"
#include "view/vtu_layer.h"

static const mw_rgb WHITE = { 255, 255, 255 }, RED = { 200, 0, 0 }, BLUE = { 0, 0, 200 };

static bool same(mw_rgb a, mw_rgb b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

static int count(const mw_raster *r, mw_rgb color)
{
  int n = 0;
  for (int i = 0; i < r->w * r->h; i++) n += same(r->color[i], color);
  return n;
}

// ---- samples ------------------------------------------------------------------------------------

// Samples whose centres lie within: off by those the outline passes, at most one a sample of its
// length and some.
static void triangles_and_lines_cover_their_areas(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_raster r;
  double a[3] = { 20.3, 10.1, 0 }, b[3] = { 180.7, 60.2, 1 }, c[3] = { 60.4, 170.9, 2 }, u[3], v[3],
         n[3];
  if (!MW_OKAY(mw_raster_init(200, 200, WHITE, &mem, &r, &err))) return;
  mw_raster_triangle(&r, a, b, c, RED);
  for (int i = 0; i < 3; i++) u[i] = i < 2 ? b[i] - a[i] : 0.0, v[i] = i < 2 ? c[i] - a[i] : 0.0;
  mw_cross3(u, v, n);
  double around = hypot(u[0], u[1]) + hypot(v[0], v[1]) + hypot(b[0] - c[0], b[1] - c[1]);
  MW_NEAR(count(&r, RED), 0.5 * fabs(n[2]), sqrt(0.5) * around);
  // a line of width w and length l: w l + π w²/4
  double l = hypot(160.4, 50.1), w = 9.0, area = w * l + 0.25 * acos(-1.0) * w * w;
  double e[3] = { a[0], a[1], 10.0 }, f[3] = { a[0] + 160.4, a[1] + 50.1, 10.0 };
  mw_raster_line(&r, e, f, w, BLUE);
  MW_NEAR(count(&r, BLUE), area, sqrt(0.5) * (2.0 * l + acos(-1.0) * w));
  mw_arena_free(&mem);
}

static void shared_edges_leave_no_gap_and_the_picture_ends_at_its_border(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_raster r;
  double a[3] = { -50, -30, 0 }, b[3] = { 160, -40, 0 }, c[3] = { 170, 150, 0 },
         d[3] = { -45, 140, 0 };
  if (!MW_OKAY(mw_raster_init(100, 90, WHITE, &mem, &r, &err))) return;
  mw_raster_triangle(&r, a, b, c, RED);
  mw_raster_triangle(&r, a, c, d, RED);
  MW_CHECK(count(&r, RED) == 100 * 90);
  mw_raster_line(&r, a, c, 1000.0, BLUE);  // as deep: hidden
  MW_CHECK(count(&r, BLUE) == 0);
  mw_raster_disc(&r, 0.0, 0.0, 3.0, BLUE);
  mw_raster_rect(&r, 98.0, 88.0, 50.0, 50.0, BLUE);
  MW_CHECK(same(r.color[0], BLUE) && same(r.color[100 * 90 - 1], BLUE));
  mw_arena_free(&mem);
}

static void nearer_triangles_hide_others_in_any_order(void)
{
  for (int order = 0; order < 2; order++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_raster r;
    // two triangles that pass through each other along x = 50
    double p[3] = { 0, 0, 0 }, q[3] = { 100, 0, 10 }, s[3] = { 50, 100, 5 };
    double t[3] = { 0, 0, 10 }, u[3] = { 100, 0, 0 };
    if (!MW_OKAY(mw_raster_init(100, 100, WHITE, &mem, &r, &err))) return;
    for (int k = 0; k < 2; k++) {
      if (k == order)
        mw_raster_triangle(&r, p, q, s, RED);
      else
        mw_raster_triangle(&r, t, u, s, BLUE);
    }
    MW_CHECK(same(r.color[10 * 100 + 30], BLUE) && same(r.color[10 * 100 + 70], RED));
    mw_arena_free(&mem);
  }
}

static void letters_are_six_dots_apart_and_seven_high(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_raster r;
  if (!MW_OKAY(mw_raster_init(100, 40, WHITE, &mem, &r, &err))) return;
  mw_raster_text(&r, 2.0, 3.0, 2.0, "|I\xc3\xa9", RED);  // é is not among the letters: one ?
  MW_CHECK(same(r.color[3 * 100 + 2 + 4], RED) && same(r.color[16 * 100 + 2 + 5], RED));
  MW_CHECK(!same(r.color[17 * 100 + 2 + 4], RED));
  // a bar of 7 dots; an I of 3 + 5 + 3; a question mark of 3 + 2 + 1 + 1 + 1 + 0 + 1, four samples
  // each
  MW_CHECK(count(&r, RED) == 4 * (7 + 11 + 9));
  mw_arena_free(&mem);
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct boxes {
  double X[2][24], p[36];
  int tri[36];
  mw_body_in in[3];
  mw_body body[3];
  mw_model model;
  mw_mech mech;
} boxes;

// n boxes of edges l, the second one moved by d.
static void make(boxes *b, int n, const double l[3], const double d[3])
{
  static const int face[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                  { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  static const double E[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  *b = (boxes){ .model = { .name = "boxes & <more>", .path = "boxes.yaml" } };
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 6; k++) b->tri[6 * f + k] = face[f][(int[]){ 0, 1, 2, 0, 2, 3 }[k]];
  for (int i = 0; i < 36; i++) b->p[i] = E[i % 12];
  b->body[0] = (mw_body){ .name = "ground", .ground = true };
  for (int k = 0; k < n; k++) {
    for (int v = 0; v < 8; v++)
      for (int c = 0; c < 3; c++) b->X[k][3 * v + c] = (v >> c & 1 ? l[c] : 0.0);
    for (int c = 0; c < 3; c++) b->p[12 * (k + 1) + c] = k * d[c];
    b->body[k + 1] = (mw_body){
      .name = k ? "far" : "near", .n_u = 1, .n_node = 8, .n_tri = 12, .X = b->X[k], .tri = b->tri
    };
  }
  b->model.body = b->in;
  b->mech = (mw_mech){ .model = &b->model, .n_body = n + 1, .body = b->body, .p0 = b->p };
}

// The shadow of a box l along the unit vector d has the area Σ |d_i| l_j l_k and the outline 2 Σ
// |l_i| √(1 − d_i²). Edges are drawn 1.2 px wide, half of it beyond the outline; a sample's centre
// is up to √½ of a sample off.
static void a_box_has_the_area_of_its_shadow_from_every_side(void)
{
  static const double l[3] = { 1.0, 0.6, 0.4 }, none[3] = { 0 };
  static const double eye[5][3] = {
    { 1, -1, 1 }, { 0, 0, 1 }, { 3, 1, 0.5 }, { -1, -2, -3 }, { 0, -1, 0 }
  };
  for (int k = 0; k < 5; k++) {
    boxes b;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_picture pic;
    mw_picture_opt opt = mw_picture_opt_default();
    memcpy(opt.eye, eye[k], sizeof opt.eye);
    make(&b, 1, l, none);
    if (!MW_OKAY(mw_picture_draw(&b.mech, b.p, NULL, &opt, &mem, &pic, &err))) return;
    double n = mw_norm3(eye[k]), area = 0.0, around = 0.0, s = pic.scale * MW_PICTURE_SAMPLES;
    for (int i = 0; i < 3; i++) {
      double di = eye[k][i] / n;
      area += fabs(di) * l[(i + 1) % 3] * l[(i + 2) % 3] * s * s;
      around += 2.0 * l[i] * sqrt(fmax(0.0, 1.0 - di * di)) * s;
    }
    int seen = 0;
    for (int i = 0; i < pic.r.w * pic.r.h; i++) seen += fabs((double)pic.r.z[i]) < 1e20;
    double half = 0.6 * MW_PICTURE_SAMPLES;
    MW_NEAR(seen, area + half * around, (half + sqrt(0.5)) * around * 0.5 + 50.0);
    // it fills what the margins leave, in one direction at least
    MW_CHECK(area > 0.1 * pic.r.w * pic.r.h);
    mw_arena_free(&mem);
  }
}

// Each visible face has one shade of the body's colour.
static void a_box_shows_three_shades_of_its_colour(void)
{
  static const double l[3] = { 1.0, 0.8, 0.6 }, none[3] = { 0 };
  boxes b;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_picture pic;
  mw_picture_opt opt = mw_picture_opt_default();
  mw_rgb shade[8], base;
  int n = 0;
  make(&b, 1, l, none);
  base = mw_scene_color(&b.mech, 1);
  if (!MW_OKAY(mw_picture_draw(&b.mech, b.p, NULL, &opt, &mem, &pic, &err))) return;
  for (int i = 0; i < pic.r.w * pic.r.h; i++) {
    if (!(fabs((double)pic.r.z[i]) < 1e20)) continue;
    int k = 0;
    while (k < n && !same(shade[k], pic.r.color[i])) k++;
    if (k == n && n < 8) shade[n++] = pic.r.color[i];
  }
  MW_CHECK(n == 4);  // and the edges
  // each is the base times one factor: off by the rounding down of one unit a channel
  for (int k = 0; k < n; k++) {
    double f = (shade[k].r + 0.5) / base.r;
    MW_NEAR(shade[k].g, f * base.g - 0.5, 1.5);
    MW_NEAR(shade[k].b, f * base.b - 0.5, 2.5);
  }
  mw_arena_free(&mem);
}

static void the_nearer_of_two_boxes_hides_the_other(void)
{
  static const double l[3] = { 1.0, 1.0, 1.0 }, behind[3] = { -3.0, 0.0, 0.0 };
  boxes b;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_picture pic;
  mw_picture_opt opt = mw_picture_opt_default();
  memcpy(opt.eye, (double[3]){ 1, 0, 0 }, sizeof opt.eye);
  make(&b, 2, l, behind);
  if (!MW_OKAY(mw_picture_draw(&b.mech, b.p, NULL, &opt, &mem, &pic, &err))) return;
  mw_rgb near = mw_scene_color(&b.mech, 1);
  int others = 0;
  for (int i = 0; i < pic.r.w * pic.r.h; i++) {
    if (!(fabs((double)pic.r.z[i]) < 1e20)) continue;
    mw_rgb c = pic.r.color[i];
    others += abs((int)c.r * near.g - (int)c.g * near.r) > 3 * 255;
  }
  MW_CHECK(others == 0);
  MW_CHECK(!same(near, mw_scene_color(&b.mech, 2)));
  mw_arena_free(&mem);
}

static void creases_are_the_twelve_edges_of_a_box(void)
{
  static const double l[3] = { 1.0, 0.8, 0.6 }, none[3] = { 0 };
  boxes b;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  int *edge, n;
  make(&b, 1, l, none);
  if (MW_OKAY(mw_scene_creases(&b.body[1], &mem, &edge, &n, &err))) MW_CHECK(n == 12);
  // one triangle less: its diagonal has a rim now, the other two of its edges are drawn as before
  b.body[1].n_tri = 11;
  if (MW_OKAY(mw_scene_creases(&b.body[1], &mem, &edge, &n, &err))) MW_CHECK(n == 13);
  mw_arena_free(&mem);
}

// ---- beams --------------------------------------------------------------------------------------

// Builds the scene of a beam of 1 m along x, one element: all triangles are the beam's.
static bool beam_scene(const char *section, mw_fixture *f, mw_scene *out)
{
  char text[1024];
  mw_error err = { 0 };
  (void)snprintf(text, sizeof text,
                 "modeway: 1\nmaterials: { m: { E: 2e11, nu: 0.3, rho: 7800 } }\n"
                 "sections: { s: %s }\n"
                 "bodies: { beam: { ground: true, beams: { points: { a: [0, 0, 0], b: [1, 0, 0] }, "
                 "members: [{ from: a, to: b, section: s, material: m, elements: 1 }] }, "
                 "supports: [{ nodes: a }] } }\n",
                 section);
  if (!MW_CHECK(mw_fixture_text(text, f))) return false;
  return MW_OKAY(mw_scene_build(&f->mech, f->mech.p0, f->mech.s0, &f->mem, out, &err));
}

// Corners of triangles are those of the section itself. The beam's line is at y = z = 0 exactly:
// what is left is the rounding of a dozen products and roots of the half edge.
static void beams_have_the_outlines_of_their_sections(void)
{
  static const struct {
    const char *section;
    double y, z;  // m, half edges of a rectangle
    double R;     // m, 0: a rectangle
  } SEEN[] = { { "{ rectangle: { width: 0.03, height: 0.03 } }", 0.015, 0.015, 0.0 },
               { "{ rectangle: { width: 0.02, height: 0.04 } }", 0.010, 0.020, 0.0 },
               { "{ circle: { diameter: 0.04 } }", 0.0, 0.0, 0.020 },
               { "{ tube: { diameter: 0.04, wall: 0.002 } }", 0.0, 0.0, 0.020 } };
  for (size_t k = 0; k < sizeof SEEN / sizeof *SEEN; k++) {
    mw_fixture f = { 0 };
    mw_scene c = { 0 };
    double eps = 16 * DBL_EPSILON * fmax(SEEN[k].R, SEEN[k].z);
    if (beam_scene(SEEN[k].section, &f, &c)) {
      MW_CHECK(SEEN[k].R > 0.0 ? c.n_tri > 12 : c.n_tri == 12);
      for (int v = 0; v < 3 * c.n_tri; v++) {
        const double *x = c.tri[v / 3].x + 3 * (v % 3);
        double r = hypot(x[1], x[2]);
        if (SEEN[k].R > 0.0)
          MW_NEAR(r < eps ? SEEN[k].R : r, SEEN[k].R, eps);  // a rod's ends have a centre
        else
          MW_CHECK(fabs(fabs(x[1]) - SEEN[k].y) <= eps && fabs(fabs(x[2]) - SEEN[k].z) <= eps);
      }
    }
    mw_fixture_free(&f);
  }
}

// ---- displacements as shape ---------------------------------------------------------------------

// Unit motions of a free body: R of its rigid modes, 3 translations, 3 rotations about its origin.
static void points_of_elastic_bodies_move_as_rigid_modes_say(void)
{
  mw_case c = { 0 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_vtu_grid g;
  mw_mech moved;
  double *p;
  int judged = 0;
  if (!MW_OKAY(mw_case_read(MW_CASES_DIR "/gantry-mpc/small.yaml", &c, &err)) ||
      !MW_OKAY(mw_vtu_grid_build(&c.mech, &mem, &g, &err)))
    return;
  double *x = mw_arena_f64(&mem, (size_t)g.n_x);
  for (int b = 0; b < c.mech.n_body; b++) {
    const mw_body *body = &c.mech.body[b];
    for (int k = 0; body->R && k < 6; k++) {
      memset(x, 0, (size_t)g.n_x * sizeof *x);
      for (int i = 0; i < body->n_u; i++) x[g.x0[b] + i] = body->R[6 * i + k];
      if (!MW_OKAY(mw_moved_build(&c.mech, c.mech.p0, x, 2.0, &mem, &moved, &p, &err))) break;
      const double e[3] = { k % 3 == 0, k % 3 == 1, k % 3 == 2 };
      for (int i = 0; i < body->n_node + body->n_frame; i++) {
        bool node = i < body->n_node;
        const double *X = node ? body->X + 3 * i : body->frame[i - body->n_node].X,
                     *Y = node ? moved.body[b].X + 3 * i : moved.body[b].frame[i - body->n_node].X;
        double d[3] = { e[0], e[1], e[2] };
        if (k >= 3) mw_cross3(e, X, d);
        // a metre, a few products of weights
        for (int j = 0; j < 3; j++)
          MW_WITHIN(Y[j], X[j] + 2.0 * d[j], 1e-13, "rounding of weights");
        judged++;
      }
    }
  }
  MW_CHECK(judged > 100);
  mw_arena_free(&mem);
  mw_case_free(&c);
}

// A turn about an axis of the body moves its origin not, its axes across; slides stand where the
// reference has them.
static void frames_of_rigid_bodies_turn_and_slides_stand_where_they_are(void)
{
  mw_case c = { 0 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_vtu_grid g;
  mw_mech moved;
  mw_film film;
  double *p;
  if (!MW_OKAY(mw_case_read(MW_CASES_DIR "/gantry-mpc/small.yaml", &c, &err)) ||
      !MW_OKAY(mw_vtu_grid_build(&c.mech, &mem, &g, &err)))
    return;
  double *x = mw_arena_f64(&mem, (size_t)g.n_x);
  const double *p0 = c.mech.p0;
  for (int b = 0; b < c.mech.n_body; b++)
    if (c.mech.body[b].n_u == 0 && !c.mech.body[b].ground) x[g.x0[b] + 5] = 1.0;  // about z
  MW_OKAY(mw_moved_build(&c.mech, p0, x, 0.5, &mem, &moved, &p, &err));
  for (int b = 0; b < c.mech.n_body; b++) {
    bool turns = c.mech.body[b].n_u == 0 && !c.mech.body[b].ground;
    for (int i = 0; i < 3; i++) {
      const double *E = p0 + 12 * b + 3, *F = p + 12 * b + 3;
      MW_CHECK(p[12 * b + i] == p0[12 * b + i]);
      MW_NEAR(F[3 * i], E[3 * i] + (turns ? 0.5 * E[3 * i + 1] : 0.0), 4.0 * DBL_EPSILON);
      MW_NEAR(F[3 * i + 1], E[3 * i + 1] - (turns ? 0.5 * E[3 * i] : 0.0), 4.0 * DBL_EPSILON);
    }
  }
  if (MW_OKAY(mw_film_open(&film, &c.mech, g.n_x, 1, &err))) {
    mw_film_add(&film, 0.0, p0, NULL, x);
    for (int k = 0; k < c.mech.n_joint; k++)
      if (c.mech.joint[k].guide)
        MW_WITHIN(film.s[c.mech.joint[k].coord], c.mech.s0[c.mech.joint[k].coord], 1e-12,
                  "gaps of the reference");
    mw_film_free(&film);
  }
  mw_arena_free(&mem);
  mw_case_free(&c);
}

// ---- files --------------------------------------------------------------------------------------

static void files_have_the_signature_and_size_of_a_png(void)
{
  static const double l[3] = { 1.0, 1.0, 1.0 }, none[3] = { 0 };
  static const unsigned char want[24] = {
    0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
    'I',  'H', 'D', 'R', 0,    0,    2,    0x58, 0, 0, 1, 0xc2
  };
  unsigned char got[24] = { 0 };
  boxes b;
  mw_error err = { 0 };
  mw_picture_opt opt = mw_picture_opt_default();
  opt.width = 600;
  opt.height = 450;
  make(&b, 1, l, none);
  if (MW_OKAY(mw_picture_write(&b.mech, b.p, NULL, &opt, "test_picture.tmp.png", &err))) {
    FILE *f = fopen("test_picture.tmp.png", "rb");
    if (MW_CHECK(f && fread(got, 1, sizeof got, f) == sizeof got))
      MW_CHECK(memcmp(got, want, sizeof got) == 0);
    if (f) fclose(f);
  }
  remove("test_picture.tmp.png");
  MW_FAILS(mw_picture_write(&b.mech, b.p, NULL, &opt, "test_picture.tmp.jpg", &err), MW_ERR_INPUT);
  MW_FAILS(mw_picture_write(&b.mech, b.p, NULL, &opt, "no/such/folder.png", &err), MW_ERR_IO);
  opt.eye[0] = opt.eye[1] = opt.eye[2] = 0.0;
  MW_FAILS(mw_picture_write(&b.mech, b.p, NULL, &opt, "test_picture.tmp.png", &err), MW_ERR_INPUT);
  opt = mw_picture_opt_default();
  b.mech.n_body = 1;
  MW_FAILS(mw_picture_write(&b.mech, b.p, NULL, &opt, "test_picture.tmp.png", &err), MW_ERR_INPUT);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "triangles_and_lines_cover_their_areas", triangles_and_lines_cover_their_areas },
    { "shared_edges_leave_no_gap_and_the_picture_ends_at_its_border",
      shared_edges_leave_no_gap_and_the_picture_ends_at_its_border },
    { "nearer_triangles_hide_others_in_any_order", nearer_triangles_hide_others_in_any_order },
    { "letters_are_six_dots_apart_and_seven_high", letters_are_six_dots_apart_and_seven_high },
    { "a_box_has_the_area_of_its_shadow_from_every_side",
      a_box_has_the_area_of_its_shadow_from_every_side },
    { "a_box_shows_three_shades_of_its_colour", a_box_shows_three_shades_of_its_colour },
    { "the_nearer_of_two_boxes_hides_the_other", the_nearer_of_two_boxes_hides_the_other },
    { "creases_are_the_twelve_edges_of_a_box", creases_are_the_twelve_edges_of_a_box },
    { "beams_have_the_outlines_of_their_sections", beams_have_the_outlines_of_their_sections },
    { "points_of_elastic_bodies_move_as_rigid_modes_say",
      points_of_elastic_bodies_move_as_rigid_modes_say },
    { "frames_of_rigid_bodies_turn_and_slides_stand_where_they_are",
      frames_of_rigid_bodies_turn_and_slides_stand_where_they_are },
    { "files_have_the_signature_and_size_of_a_png", files_have_the_signature_and_size_of_a_png },
  };
  return mw_test_run("picture", cases, (int)(sizeof cases / sizeof *cases));
}
