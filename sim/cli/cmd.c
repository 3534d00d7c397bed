// SPDX-License-Identifier: BSD-3-Clause
// cmd.c: command lines: options from a command's table, in any order with the operand, "--" ends
// them.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_layer.h"
#include "fem/suggest.h"
#include "run/reach_layer.h"

static const mw_option common[] = {
  { 0, "json", NULL, "print one JSON object instead of text", 0 },
  { 'q', "quiet", NULL, "no progress on stderr; warnings stay", 0 },
  { 'h', "help", NULL, "print this text", 0 },
};
enum { N_COMMON = 3 };

static int n_options(const mw_command *c)
{
  int n = 0;
  while (n < MW_CMD_MAX_OPTION && c->option[n].name) n++;
  return n;
}

const mw_option *mw_command_option(const mw_command *c, int k)
{
  int n = n_options(c);
  return k < n ? &c->option[k] : k < n + N_COMMON ? &common[k - n] : NULL;
}

const char *mw_args_value(const mw_args *a, const char *name)
{
  for (int k = 0; k < n_options(a->command); k++)
    if (strcmp(a->command->option[k].name, name) == 0) return a->value[k];
  return NULL;
}

static mw_code not_a_number(const char *name, const char *text, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%s\", expected a number", name,
                 text);
}

mw_code mw_args_f64(const mw_args *a, const char *name, double lo, double hi, double *x,
                    mw_error *err)
{
  const char *text = mw_args_value(a, name);
  if (!text) return MW_OK;
  char *end;
  double v = strtod(text, &end);
  if (end == text || *end != '\0') return not_a_number(name, text, err);
  if (!(v >= lo && v <= hi))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found %s, expected %g to %g", name, text,
                   lo, hi);
  *x = v;
  return MW_OK;
}

mw_code mw_args_int(const mw_args *a, const char *name, int lo, int hi, int *x, mw_error *err)
{
  double v = *x;
  mw_code rc = mw_args_f64(a, name, lo, hi, &v, err);
  if (rc == MW_OK && v != floor(v)) return not_a_number(name, mw_args_value(a, name), err);
  if (rc == MW_OK) *x = (int)v;
  return rc;
}

static mw_code set(mw_args *a, int k, const char *value, mw_error *err)
{
  int n = n_options(a->command);
  if (k < n && a->command->option[k].what & MW_OPT_SET) {
    if (a->n_set == MW_CMD_MAX_SET)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: expected at most %d of them",
                     a->command->option[k].name, MW_CMD_MAX_SET);
    a->set[a->n_set++] = value;
  } else if (k < n) {
    if (a->value[k])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s is given twice",
                     a->command->option[k].name);
    a->value[k] = value;
  } else {
    a->json = a->json || k == n;
    a->quiet = a->quiet || k == n + 1;
    a->help = a->help || k == n + 2;
  }
  return MW_OK;
}

// Which option argv[i] is; *value is what stands behind "=" or the letter, NULL if nothing.
static int find(const mw_command *c, const char *arg, const char **value)
{
  *value = NULL;
  const mw_option *o;
  for (int k = 0; (o = mw_command_option(c, k)) != NULL; k++) {
    size_t n = strlen(o->name);
    if (arg[1] == '-') {
      if (strncmp(arg + 2, o->name, n) != 0 || (arg[2 + n] != '\0' && arg[2 + n] != '=')) continue;
      if (arg[2 + n] == '=') *value = arg + 3 + n;
      return k;
    }
    if (!o->letter || arg[1] != o->letter) continue;
    if (arg[2] != '\0') *value = arg + 2;
    return k;
  }
  return -1;
}

static mw_code read_option(mw_args *a, int argc, char **argv, int *i, mw_error *err)
{
  const char *value;
  int k = find(a->command, argv[*i], &value);
  if (k < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: unknown option %s; see modeway %s --help",
                   a->command->name, argv[*i], a->command->name);
  const mw_option *o = mw_command_option(a->command, k);
  if (!o->arg && value)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "option %s takes no value", argv[*i]);
  if (o->arg && !value) {
    if (*i + 1 >= argc)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "option %s needs %s", argv[*i], o->arg);
    value = argv[++*i];
  }
  return set(a, k, o->arg ? value : "", err);
}

// Appends one argument as a shell reads it, quoted where it has to be; false: it does not fit.
static bool add_quoted(const char *arg, char *out, size_t n)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "_-./:=,+@%";
  size_t used = strlen(out), length = strlen(arg);
  if (length > 0 && strspn(arg, plain) == length)
    return (size_t)snprintf(out + used, n - used, "%s", arg) < n - used;
  for (size_t k = 0; k < length + 2; k++) {
    bool inside = k > 0 && k <= length;
    const char one[2] = { inside ? arg[k - 1] : '\'', '\0' },
               *piece = inside && one[0] == '\'' ? "'\\''" : one;
    size_t put = strlen(piece);
    if (used + put >= n) return false;
    memcpy(out + used, piece, put + 1);
    used += put;
  }
  return true;
}

// The command for histories. How results are shown does not belong there: same inputs, same bytes.
static void write_line(int argc, char **argv, char *out, size_t n)
{
  static const char cut[] = " ...";
  size_t room = n - sizeof cut;
  snprintf(out, n, "modeway");
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "-q") == 0 ||
        strcmp(argv[i], "--quiet") == 0)
      continue;
    size_t used = strlen(out);
    bool fits = used + 2 < room;
    if (fits) memcpy(out + used, " ", 2);
    if (fits && add_quoted(argv[i], out, room)) continue;
    memcpy(out + used, cut, sizeof cut);
    return;
  }
}

static mw_code read_topic(mw_args *a, const char *name, mw_error *err)
{
  char known[256] = "";
  for (const mw_topic *const *t = a->command->topic; *t; t++) {
    if (strcmp((*t)->name, name) == 0) a->topic = *t;
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", (*t)->name);
  }
  if (a->topic) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: found \"%s\", expected one of: %s",
                 a->command->name, name, known);
}

// Options that belong to another topic are refused.
static mw_code check_topic(const mw_args *a, mw_error *err)
{
  const mw_command *c = a->command;
  char word[64];
  if (!a->topic)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: WHAT is missing; see modeway %s --help",
                   c->name, c->name);
  for (int k = 0; k < n_options(c); k++) {
    snprintf(word, sizeof word, " %s ", c->option[k].name);
    if (a->value[k] && !strstr(a->topic->options, word))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s %s: --%s does not belong to it", c->name,
                     a->topic->name, c->option[k].name);
  }
  return MW_OK;
}

mw_code mw_args_read(const mw_command *c, int argc, char **argv, mw_args *a, mw_error *err)
{
  *a = (mw_args){ .command = c };
  write_line(argc, argv, a->line, sizeof a->line);
  bool options = true;
  for (int i = 2; i < argc; i++) {
    mw_code rc = MW_OK;
    if (options && strcmp(argv[i], "--") == 0)
      options = false;
    else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
      rc = read_option(a, argc, argv, &i, err);
    else if (c->topic && a->operand && !a->topic)
      rc = read_topic(a, argv[i], err);
    else if (!c->operand || a->operand)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: unexpected argument \"%s\"", c->name,
                   argv[i]);
    else
      a->operand = argv[i];
    if (rc != MW_OK) return rc;
  }
  if (a->help) return MW_OK;
  if (c->operand && !a->operand)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: %s is missing; see modeway %s --help",
                   c->name, c->operand, c->name);
  if (c->topic && check_topic(a, err) != MW_OK) return MW_ERR_INPUT;
  for (int k = 0; k < n_options(c); k++)
    if (c->option[k].what & MW_OPT_REQUIRED && !a->value[k])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "%s: option --%s %s is missing; see modeway %s --help", c->name,
                     c->option[k].name, c->option[k].arg, c->name);
  return MW_OK;
}

// Is there a scenario of this name in the file, which the model was read with?
static mw_code check_file(const mw_model *m, const char *file, const char *name, mw_error *err)
{
  char known[256] = "";
  mw_suggest near = mw_suggest_init(name);
  for (int k = 0; k < m->n_scenario; k++) {
    const mw_scenario *sc = &m->scenario[k];
    if (strcmp(sc->at.file, file) != 0) continue;
    if (strcmp(sc->name, name) == 0) return MW_OK;
    mw_suggest_add(&near, sc->name);
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", sc->name);
  }
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file },
                 "there is no scenario \"%s\"%s%s%s; there are: %s", name,
                 near.best ? ", did you mean \"" : "", near.best ? near.best : "",
                 near.best ? "\"?" : "", known[0] ? known : "none");
}

mw_code mw_args_case(const mw_args *a, const char *path, mw_case *c, const char **name,
                     mw_error *err)
{
  const char *scenario = mw_args_value(a, "scenario"),
             *colon = scenario ? strrchr(scenario, ':') : NULL;
  char file[1024];
  mw_model_edit edit = { .n_set = a->n_set, .set = a->set };
  if (name) *name = colon ? colon + 1 : scenario;
  if (colon) {
    if (colon == scenario || (size_t)(colon - scenario) >= sizeof file)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--scenario: found %.200s, expected FILE:NAME",
                     scenario);
    snprintf(file, sizeof file, "%.*s", (int)(colon - scenario), scenario);
    edit.scenarios = file;
  }
  mw_code rc = mw_case_read_edited(path, &edit, c, err);
  if (rc != MW_OK || !colon) return rc;
  rc = check_file(&c->model, file, colon + 1, err);
  if (rc != MW_OK) mw_case_free(c);
  return rc;
}

mw_code mw_args_rom(const mw_args *a, mw_rom_file *rom, mw_error *err)
{
  char model[1024];
  mw_case c;
  bool set = a->n_set > 0;
  mw_code rc = set ? mw_cmd_model_of(a->operand, model, sizeof model, err)
                   : mw_rom_file_read(a->operand, rom, err);
  if (rc == MW_OK && set) rc = mw_args_case(a, model, &c, NULL, err);
  if (rc != MW_OK) return rc;
  if (set) {
    rc = mw_rom_of_case(&c, a->operand, rom, err);
    if (rc == MW_OK && (rc = mw_cmd_kept_left(a, &c.model, rom, err)) != MW_OK)
      mw_rom_file_free(rom);
    mw_case_free(&c);
  }
  if (rc == MW_OK) mw_cmd_warn_missed(rom, a->operand);
  return rc;
}

mw_code mw_args_case_middle(const mw_args *a, const char *path, mw_case *c, mw_error *err)
{
  mw_model_edit edit = { .n_set = a->n_set, .set = a->set };
  return mw_case_read_middle(path, &edit, c, err);
}

const char *mw_cmd_unit(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] ? f->unit[i] : "";
}

mw_code mw_cmd_model_of(const char *rom_path, char *model, size_t n, mw_error *err)
{
  mw_rom_file rom = { 0 };
  mw_code rc = mw_rom_file_read(rom_path, &rom, err);
  if (rc != MW_OK) return rc;
  const char *slash = strrchr(rom.model_file, '/');
  snprintf(model, n, "%s", rom.model_file);
  if (access(model, R_OK) != 0)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = rom_path },
                 "was made from the model %.200s, which is not there, nor is %.100s beside the "
                 "reduced model; expected it there, or as in simulate MODEL --rom %.100s",
                 model, slash ? slash + 1 : model, rom_path);
  mw_rom_file_free(&rom);
  return rc;
}

static void print_option(const mw_option *o, FILE *f)
{
  char text[64], letter[8] = "   ";
  if (!o->help) return;
  if (o->letter) snprintf(letter, sizeof letter, "-%c,", o->letter);
  snprintf(text, sizeof text, "%s --%s%s%s", letter, o->name, o->arg ? " " : "",
           o->arg ? o->arg : "");
  fprintf(f, "  %-30s %s\n", text, o->help);
}

void mw_command_print_help(const mw_command *c, FILE *f)
{
  fprintf(f, "usage: modeway %s%s%s%s", c->name, c->operand ? " " : "",
          c->operand ? c->operand : "", c->topic ? " WHAT" : "");
  for (int k = 0; k < n_options(c); k++)
    if (c->option[k].what & MW_OPT_REQUIRED)
      fprintf(f, " --%s %s", c->option[k].name, c->option[k].arg);
  fprintf(f, " [options]\n%s\n\n%s", c->summary, c->doc);
  for (const mw_topic *const *t = c->topic; t && *t; t++)
    fprintf(f, "\n%s: %s\n%s", (*t)->name, (*t)->summary, (*t)->doc);
  fputs("\noptions\n", f);
  const mw_option *o;
  for (int k = 0; (o = mw_command_option(c, k)) != NULL; k++) print_option(o, f);
}

// What is not judged of coordinates that were taken for prescribed, "": nothing
static void free_note(const mw_rom_file *f, char *text, size_t n)
{
  const mw_certificate *c = &f->certificate;
  bool third = f->swing.n > 0 && c->third_held, stuck = c->stuck_free > c->stuck;
  char names[384] = "", singular[96] = "";
  text[0] = '\0';
  if (!third && !stuck) return;
  for (int i = 0; third && i < f->rom.s; i++) {
    size_t at = strlen(names);
    if (c->third_held >> i & 1u)
      snprintf(names + at, sizeof names - at, "%s%.60s", at > 0 ? ", " : " ", f->coordinate[i]);
  }
  if (stuck)
    snprintf(singular, sizeof singular, "%sinertia is singular at rest in %.3g %% of places",
             third ? ", and " : "", 100.0 * c->stuck_free);
  snprintf(
      text, n,
      "prescribed coordinates%s: where a run leaves them free, %s%s; a scenario of the model that "
      "does, or a largest force that is declared (reduction.inputs), makes the certificate judge "
      "that",
      names, third ? "what third order makes of the phases is not judged" : "", singular);
}

bool mw_cmd_rom_note(const mw_rom_file *f, int k, char text[MW_NOTE_SIZE])
{
  char moved[16], free[768];
  snprintf(moved, sizeof moved, "%d", f->rom.n_G);
  free_note(f, free, sizeof free);
  const struct {
    const char *before, *what, *after;
  } note[] = {
    { "grid: ", f->grid_note, "" },
    { "", f->modes_note, "" },
    { "table: ", f->table_note, "" },
    { "", f->followed, "" },
    { "modes of the mechanism with loads fixed (set: craig-bampton): ", f->fixed, "" },
    { "static patterns lost: ", f->lost, "" },
    { "without a column of their own, for other columns leave out little of them: ", f->held, "" },
    { "without a column, for they cannot be followed over the grid, but within the tolerance: ",
      f->given_up, "" },
    { "the mass of ", f->rom.n_G > 0 ? moved : NULL, " columns changes with deflection" },
    { "second order and damping left out: ", f->left_out, "" },
    { "second order of the motion and convective dissipation: ", f->thinned, "" },
    { "stresses of ", f->stressless, " stiffen nothing: matrices say nothing of elements" },
    { "", f->light,
      ": less than a twentieth of the inertia is not moved by the columns; where the coordinate is "
      "free (not prescribed), its rate errs most of all, and its friction, if sharp, with it: "
      "what third order makes of that is judged at the declared ranges alone" },
    { "", free[0] ? free : NULL, "" },
  };
  for (size_t i = 0; i < sizeof note / sizeof *note; i++) {
    if (!note[i].what || k-- > 0) continue;
    snprintf(text, MW_NOTE_SIZE, "%s%.1024s%s", note[i].before, note[i].what, note[i].after);
    return true;
  }
  for (int kind = 0; kind < MW_REACH_N; kind++)
    if (mw_reach_note(f, kind, text, MW_NOTE_SIZE) && k-- == 0) return true;
  return false;
}

void mw_cmd_json_notes(const mw_rom_file *f, mw_json *j)
{
  char text[MW_NOTE_SIZE];
  mw_json_array(j, "notes");
  for (int k = 0; mw_cmd_rom_note(f, k, text); k++) mw_json_str(j, NULL, text);
  mw_json_end(j, ']');
}

void mw_cmd_turns_note(const char *name, double value, double lo, double hi)
{
  double turn = hi - lo, beyond = fmax(lo - value, value - hi);
  if (beyond > turn)
    fprintf(stderr,
            "modeway: note: --at: %s is %g rad, %.1f turns outside of its range [%g, %g]; angles "
            "are in rad, %g degrees are %.6g rad\n",
            name, value, beyond / turn, lo, hi, value, value * acos(-1.0) / 180.0);
}

mw_code mw_cmd_rom_theta(const mw_rom_file *f, const char *text, double *theta, mw_error *err)
{
  mw_code rc = mw_rom_theta_read(f, text, theta, err);
  for (int i = 0; rc == MW_OK && i < f->rom.s; i++)
    if (f->rom.cyclic >> i & 1u)
      mw_cmd_turns_note(f->coordinate[i], theta[i], f->rom.lo[i], f->rom.hi[i]);
  return rc;
}

int mw_cmd_fail(const mw_error *err)
{
  char text[1024];
  mw_error_print(err, text, (int)sizeof text);
  if (err->msg[0]) fputs(text, stderr);
  return err->code == MW_ERR_INPUT ? MW_EXIT_INPUT : MW_EXIT_FAILURE;
}
