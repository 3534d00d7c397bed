// SPDX-License-Identifier: BSD-3-Clause
// flexible.c: an instance of a component whose inside is a reduced model: memory, what is seen of
// it, what it remembers.
//
// Frames: ports and drives, which are the border, then outputs, then those that carry z = (θ, δ).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible_priv.h"

static const double RK4_LIMIT = 2.78;  // h ω up to which RK4 is stable: 2.828, less 2 %

// ---- life ---------------------------------------------------------------------------------------

static void close_flexible(void *p)
{
  mw_flexible *c = p;
  if (!c) return;
  mw_arena_free(&c->mem);
  free(c);
}

// The model in its own copy of the block.
static mw_code open_block(mw_flexible *c, const void *block, size_t n, mw_error *err)
{
  const mw_rom_flat *flat = NULL;
  size_t size = 0;
  void *bytes = mw_arena_alloc(&c->mem, n, 1), *memory = NULL;
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(bytes, block, n);
  mw_rom_flat_code code = mw_rom_flat_open(bytes, n, NULL, &size, &flat);
  if (code == MW_FLAT_OK) {
    memory = mw_arena_alloc(&c->mem, size, 1);
    rc = mw_arena_check(&c->mem, err);
    if (rc == MW_OK) code = mw_rom_flat_open(bytes, n, memory, &size, &flat);
  }
  if (rc == MW_OK && code != MW_FLAT_OK)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found no reduced model inside (%s)",
                 mw_rom_flat_code_name(code));
  if (rc != MW_OK) return rc;
  c->promised = &flat->rom;
  c->rom = flat->rom;
  c->opt = mw_rom_opt_default();
  c->opt.inertia = flat->inertia;
  return MW_OK;
}

// Every field is an input; ranges are noted (accept), not refused.
static mw_code open_inputs(mw_flexible *c, mw_error *err)
{
  mw_rom *r = &c->rom;
  double *no_limit = mw_arena_f64(&c->mem, (size_t)r->m);
  c->input = mw_arena_int(&c->mem, (size_t)r->n_y);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < r->n_y; k++) c->input[k] = k;
  for (int k = 0; k < r->m; k++) no_limit[k] = INFINITY;
  r->n_u = r->n_y;
  r->u_field = c->input;
  r->delta_max = no_limit;
  r->rate_max = r->u_max = NULL;
  return MW_OK;
}

static mw_code take_memory(mw_flexible *c, mw_error *err)
{
  mw_arena *mem = &c->mem;
  size_t s = (size_t)c->rom.s, n = (size_t)c->n, n_y = (size_t)c->rom.n_y,
         n_seen = (size_t)c->text.n_seen;
  c->port = mw_arena_alloc(mem, n_seen, sizeof *c->port);
  c->work = mw_arena_alloc(mem, mw_rom_sens_bytes(&c->rom), 1);
  c->x = mw_arena_f64(mem, 2 * n);
  c->z = mw_arena_f64(mem, 2 * n);
  c->Y = mw_arena_f64(mem, 3 * n_y);
  c->Y_u = mw_arena_f64(mem, 3 * n_y * n_y);
  c->acc = mw_arena_f64(mem, n);
  c->acc_u = mw_arena_f64(mem, n * n_y);
  c->acc_x = mw_arena_f64(mem, 2 * n * n);
  c->rigid = mw_arena_f64(mem, n_y);
  c->gap = mw_arena_f64(mem, n_seen * TWIST);
  c->u = mw_arena_f64(mem, n_y);
  c->r = mw_arena_f64(mem, n_y);
  c->y = mw_arena_f64(mem, n_y);
  c->start = mw_arena_f64(mem, n_seen);
  c->place = mw_arena_f64(mem, n_seen * FRAME);
  c->force = mw_arena_f64(mem, n_seen);
  c->G = mw_arena_f64(mem, s * n_y);
  c->A = mw_arena_f64(mem, s * s);
  c->record = mw_arena_f64(mem, (size_t)c->rom.n_field);
  return mw_arena_check(mem, err);
}

static mw_code check_place(const mw_flexible *c, mw_error *err)
{
  static const double SAME = 1e-9;  // of 1 g: gravity in the component's axes, after roundings
  const double *g = c->text.gravity;
  double is[3];
  if (c->in.mirror)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found mirror, expected none: its inside is a reduced model of one hand");
  mw_mul33tv(c->in.A, c->in.gravity, is);
  double apart = 0.0;
  for (int i = 0; i < 3; i++) apart = fmax(apart, fabs(is[i] - g[i]));
  if (c->in.look || apart <= SAME * 9.81) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "found gravity [%.6g, %.6g, %.6g] m/s² in its own axes, expected [%.6g, %.6g, "
                 "%.6g], which it was reduced with",
                 is[0], is[1], is[2], g[0], g[1], g[2]);
}

static mw_code check_start(const mw_flexible *c, mw_error *err)
{
  for (int i = 0; i < c->rom.s; i++) {
    double x = c->text.start[i];
    if (!(c->rom.cyclic >> i & 1u) && !(x >= c->rom.lo[i] && x <= c->rom.hi[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found coordinate %d at %g in the reference configuration, expected it in its "
                     "range, %g to %g",
                     i + 1, x, c->rom.lo[i], c->rom.hi[i]);
  }
  return MW_OK;
}

static mw_code check_fields(const mw_flexible *c, mw_error *err)
{
  static const int width[] = { [MW_FLEXIBLE_PORT] = PORT_FIELDS,
                               [MW_FLEXIBLE_TRAVEL] = 1,
                               [MW_FLEXIBLE_ANGLE] = 1,
                               [MW_FLEXIBLE_OUTPUT] = STATES };
  bool ports = false;
  for (int k = 0; k < c->text.n_seen; k++) {
    const mw_flexible_seen *s = &c->text.seen[k];
    ports = ports || s->kind == MW_FLEXIBLE_PORT;
    if (s->field < 0 || s->field + width[s->kind] > c->rom.n_y)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found field %d of %d", s->field, c->rom.n_y);
    if (s->kind == MW_FLEXIBLE_PORT && !(s->arm > 0.0))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found a port with an arm of %g m", s->arm);
  }
  return ports ? MW_OK
               : mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found no ports, expected one or more");
}

// ---- sizes --------------------------------------------------------------------------------------

// Largest frequency, rad/s, of M⁻¹K at c->x by power iteration on −∂z̈/∂z.
static double fastest(mw_flexible *c)
{
  enum { ITERATIONS = 100 };
  int n = c->n;
  double *w = c->z, *to = c->z + n, rho = 0.0;
  mw_flexible_eval(c, true);
  if (c->code != MW_ROM_OK) return 0.0;
  for (int i = 0; i < n; i++) w[i] = 1.0 + 0.1 * (double)(i % 7);
  for (int k = 0; k < ITERATIONS; k++) {
    double size = 0.0;
    for (int i = 0; i < n; i++) {
      to[i] = 0.0;
      for (int j = 0; j < n; j++) to[i] -= c->acc_x[2 * n * i + j] * w[j];
      size += to[i] * to[i];
    }
    rho = sqrt(size);
    if (!(rho > 0.0)) return 0.0;
    for (int i = 0; i < n; i++) w[i] = to[i] / rho;
  }
  return sqrt(rho);
}

static void along_diagonal(mw_flexible *c, double share)
{
  memset(c->x, 0, 2 * (size_t)c->n * sizeof(double));
  for (int i = 0; i < c->rom.s; i++) c->x[i] = (1.0 - share) * c->rom.lo[i] + share * c->rom.hi[i];
}

// The longest step of what swings inside, looked at along the diagonal of the ranges.
static void find_step(mw_flexible *c)
{
  enum { PLACES = 5 };
  double most = 0.0;
  if (c->in.kinematics) return;
  for (int k = 0; k < PLACES; k++) {
    along_diagonal(c, (double)k / (PLACES - 1));
    most = fmax(most, fastest(c));
  }
  c->size.step = most > 0.0 ? RK4_LIMIT / most : 0.0;
}

static mw_code find_sizes(mw_flexible *c, mw_error *err)
{
  mw_component_size *z = &c->size;
  int *border = mw_arena_int(&c->mem, (size_t)c->text.n_seen);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  *z = (mw_component_size){ .springs = 1,
                            .grounded = 1,
                            .n_memory = sizeof c->memory,
                            .hash = c->hash,
                            .border = border,
                            .n_state = c->n,
                            .state0 = c->text.n_seen,
                            .n_parameter = c->text.kept.n,
                            .promise = c->text.promise };
  z->n_frame = c->text.n_seen + (c->n + STATES - 1) / STATES;
  z->n_row = TWIST * z->n_frame - c->rom.s;  // degrees of freedom are those of θ
  for (int k = 0; k < c->text.kept.n; k++)
    c->value[k] = mw_arena_printf(&c->mem, "%.17g", c->text.parameter[k].value);
  rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  find_step(c);
  memset(c->x, 0, 2 * (size_t)c->n * sizeof(double));
  memcpy(c->x, c->text.start, (size_t)c->rom.s * sizeof(double));
  mw_flexible_eval(c, false);
  for (int k = 0; k < c->text.n_seen; k++) {
    double *p = c->place + FRAME * k;
    mw_flexible_kind kind = c->text.seen[k].kind;
    mw_flexible_place(c, k, p);
    c->start[k] = c->Y[c->text.seen[k].field];
    if (kind == MW_FLEXIBLE_PORT || kind == MW_FLEXIBLE_OUTPUT)
      z->size = fmax(z->size, mw_norm3(p));
    if (kind != MW_FLEXIBLE_OUTPUT) border[z->n_border++] = k;
    z->n_port += kind == MW_FLEXIBLE_PORT;
    z->n_drive += kind == MW_FLEXIBLE_TRAVEL || kind == MW_FLEXIBLE_ANGLE;
    z->n_output += kind == MW_FLEXIBLE_OUTPUT;
  }
  return MW_OK;
}

mw_code mw_flexible_open(const void *block, size_t n, const mw_flexible_text *text,
                         const char *hash, const mw_component_in *in, void **out, mw_error *err)
{
  mw_flexible *c = calloc(1, sizeof *c);
  if (!c) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  const char *described = NULL;
  mw_code rc = open_block(c, block, n, err);
  c->in = *in;
  snprintf(c->hash, sizeof c->hash, "%s", hash);
  // a copy of its own: as text and back
  if (rc == MW_OK) rc = mw_flexible_text_write(text, &c->mem, &described, err);
  if (rc == MW_OK) rc = mw_flexible_text_read(described, strlen(described), &c->mem, &c->text, err);
  if (rc == MW_OK) c->n = c->rom.s + c->rom.m;
  if (rc == MW_OK) rc = check_place(c, err);
  if (rc == MW_OK) rc = check_start(c, err);
  if (rc == MW_OK) rc = check_fields(c, err);
  if (rc == MW_OK) rc = mw_flexible_set(c, &text->kept, err);
  if (rc == MW_OK) rc = open_inputs(c, err);
  if (rc == MW_OK) rc = take_memory(c, err);
  if (rc == MW_OK) rc = find_sizes(c, err);
  if (rc == MW_OK)
    *out = c;
  else
    close_flexible(c);
  return rc;
}

// ---- what is seen of it -------------------------------------------------------------------------

static void size(const void *p, mw_component_size *out) { *out = ((const mw_flexible *)p)->size; }

static void port(const void *p, int k, mw_component_port *out)
{
  const mw_flexible *c = p;
  *out = (mw_component_port){ .name = c->text.seen[k].name, .frame = k };
}

static void drive(const void *p, int k, mw_component_drive *out)
{
  const mw_flexible *c = p;
  int frame = c->size.n_port + k;
  const mw_flexible_seen *s = &c->text.seen[frame];
  bool angle = s->kind == MW_FLEXIBLE_ANGLE;
  *out = (mw_component_drive){ .name = s->name,
                               .coordinate = s->coordinate,
                               .angle = angle,
                               .a = -1,
                               .b = frame,
                               .start = c->start[frame],
                               .limits = { s->limits[0], s->limits[1] } };
  out->z[angle ? 2 : 0] = 1.0;
  out->x[angle ? 0 : 1] = 1.0;
}

static void output(const void *p, int k, mw_component_output *out)
{
  const mw_flexible *c = p;
  int frame = c->size.n_border + k;
  *out =
      (mw_component_output){ .name = c->text.seen[frame].name, .kind = "position", .frame = frame };
}

// A frame in the reference configuration, without deflection. Of seen ones as they are found there
// (find_sizes), since the instance may stand elsewhere by now.
static void body(const void *p, int frame, mw_component_body *out)
{
  const mw_flexible *c = p;
  *out = (mw_component_body){ .p = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                              .R = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  if (frame < c->text.n_seen) {
    memcpy(out->p, c->place + FRAME * frame, sizeof out->p);
    return;
  }
  for (int i = 0; i < STATES; i++) {
    int k = STATES * (frame - c->text.n_seen) + i;
    if (k < c->rom.s) out->p[i] = c->text.start[k];
  }
}

// ---- what it remembers --------------------------------------------------------------------------

static void normals(void *p, double *change, double *largest)
{
  (void)p;
  *change = *largest = 0.0;
}

// Notes how much of what is promised the step made use of.
static void accept(void *p, const double *q)
{
  mw_flexible *c = p;
  int s = c->rom.s;
  const mw_rom *r = c->promised;
  mw_flexible_state_of(c, q, c->z);
  c->memory.column = fmax(c->memory.column, mw_flexible_reach(c, c->z + s));
  for (int i = 0; r->rate_max && i < s; i++)
    c->memory.rate[i] = fmax(c->memory.rate[i], fabs(c->x[c->n + i]) / r->rate_max[i]);
  for (int k = 0; k < c->size.n_drive && k < MW_ROM_MAX_S; k++) {
    int frame = c->size.n_port + k;
    c->memory.force[k] = fmax(c->memory.force[k], fabs(c->force[frame]) / c->text.seen[frame].most);
  }
}

// Nothing inside has a direction of its own to keep. Columns turn what they move to first order:
// what a port is turned by against θ is noted, and refused where it is far.
static int turns(void *p, double t, const double *q, char *why, size_t n_why)
{
  mw_flexible *c = p;
  int port;
  double angle = mw_flexible_turned(c, q, &port);
  (void)t;
  if (angle > c->memory.turn) {
    c->memory.turn = angle;
    c->memory.turned = port;
  }
  if (!(angle > MW_FLEXIBLE_FAR)) return 0;
  snprintf(why, n_why,
           "port %s has turned by %.3g rad against what coordinates inside say; its reduced model "
           "turns with what carries it by %g rad at most, farther along its coordinates alone",
           c->text.seen[port].name, angle, MW_FLEXIBLE_FAR);
  return 1;
}

static void save(void *p, void *memory)
{
  memcpy(memory, &((mw_flexible *)p)->memory, sizeof(mw_flexible_memory));
}

static void restore(void *p, const void *memory)
{
  memcpy(&((mw_flexible *)p)->memory, memory, sizeof(mw_flexible_memory));
}

static void say(char *what, size_t n, const char *format, const char *name, double times)
{
  size_t used = strlen(what);
  if (used + 1 >= n) return;
  if (used > 0) used += (size_t)snprintf(what + used, n - used, ", ");
  if (used < n) snprintf(what + used, n - used, format, name, times);
}

static int left(const void *p, char *what, size_t n)
{
  static const double PATH = 1.01;  // rates of a path with corners overshoot, as in rom.h
  // rad, φ²/2 = 1e-3: what is of second order in the angle, over what it moves
  static const double TURN = 0.0447;
  const mw_flexible *c = p;
  if (n == 0) return 0;
  what[0] = '\0';
  if (c->memory.column > 1.0)
    say(what, n, "deflections%s %.3g times as large", "", c->memory.column);
  for (int i = 0; i < c->rom.s; i++) {
    char name[24];
    snprintf(name, sizeof name, "%d", i + 1);
    if (c->memory.rate[i] > PATH)
      say(what, n, "a rate of coordinate %s %.3g times as large", name, c->memory.rate[i]);
  }
  for (int k = 0; k < c->size.n_drive && k < MW_ROM_MAX_S; k++)
    if (c->memory.force[k] > 1.0)
      say(what, n, "a force of %s %.3g times as large", c->text.seen[c->size.n_port + k].name,
          c->memory.force[k]);
  if (c->memory.turn > TURN)
    say(what, n,
        "port %s turned by %.3g rad against its coordinates, which errs by half the square",
        c->text.seen[c->memory.turned].name, c->memory.turn);
  return what[0] != '\0';
}

const mw_component_calls mw_flexible_calls = { .close = close_flexible,
                                               .size = size,
                                               .port = port,
                                               .drive = drive,
                                               .output = output,
                                               .parameter = mw_flexible_parameter_of,
                                               .body = body,
                                               .load = mw_flexible_load,
                                               .factor = mw_flexible_factor,
                                               .border = mw_flexible_border,
                                               .solve = mw_flexible_solve,
                                               .normals = normals,
                                               .power = mw_flexible_power,
                                               .energy = mw_flexible_energy,
                                               .residual = mw_flexible_residual,
                                               .accept = accept,
                                               .turns = turns,
                                               .save = save,
                                               .restore = restore,
                                               .left = left };
