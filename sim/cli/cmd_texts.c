// SPDX-License-Identifier: BSD-3-Clause
// cmd_texts.c: modeway manual, modeway completion: manual pages and what shells complete, from the
// table of commands.
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "reduction/ncfile.h"

// Text as man reads it: lines as they are, no character of it a request.
static void put_roff(const char *text, FILE *f)
{
  for (bool start = true; *text; text++) {
    if (start && (*text == '.' || *text == '\'')) fputs("\\&", f);
    if (*text == '\\')
      fputs("\\e", f);
    else if (*text == '-')
      fputs("\\-", f);
    else
      fputc(*text, f);
    start = *text == '\n';
  }
}

static void put_title(const char *command, const char *summary, FILE *f)
{
  fprintf(f, ".TH \"MODEWAY%s%s\" 1 \"\" \"modeway " MW_VERSION "\" \"modeway\"\n",
          command ? "\\-" : "", command ? command : "");
  fprintf(f, ".SH NAME\nmodeway%s%s \\- ", command ? "\\-" : "", command ? command : "");
  put_roff(summary, f);
  fputc('\n', f);
}

static void put_page(const mw_command *c, FILE *f)
{
  const mw_option *o;
  put_title(c->name, c->summary, f);
  fprintf(f, ".SH SYNOPSIS\n.B modeway %s\n", c->name);
  if (c->operand) fprintf(f, ".I %s%s\n", c->operand, c->topic ? " WHAT" : "");
  for (int k = 0; (o = mw_command_option(c, k)) != NULL; k++)
    if (o->what & MW_OPT_REQUIRED) fprintf(f, ".B \\-\\-%s\n.I %s\n", o->name, o->arg);
  fputs("[options]\n.SH DESCRIPTION\n.nf\n", f);
  put_roff(c->doc, f);
  for (const mw_topic *const *t = c->topic; t && *t; t++) {
    fprintf(f, ".SS %s\n", (*t)->name);
    put_roff((*t)->summary, f);
    fputs("\n\n", f);
    put_roff((*t)->doc, f);
  }
  fputs(".fi\n.SH OPTIONS\n", f);
  for (int k = 0; (o = mw_command_option(c, k)) != NULL; k++) {
    if (!o->help) continue;
    fputs(".TP\n.B ", f);
    if (o->letter) fprintf(f, "\\-%c, ", o->letter);
    put_roff("--", f);
    put_roff(o->name, f);
    if (o->arg) fprintf(f, " \\fI%s\\fR", o->arg);
    fputc('\n', f);
    put_roff(o->help, f);
    fputc('\n', f);
  }
  fputs(".SH EXIT STATUS\n0 done, 1 numerical failure or a certificate that missed its tolerance\n"
        "(of what reduce makes, of what simulate and compare run, components included; the files "
        "are\nwritten all the same), 2 wrong input.\n"
        ".SH SEE ALSO\n.BR modeway (1)\n",
        f);
}

static void put_overview(FILE *f)
{
  put_title(NULL, "reduced models of flexible mechanisms whose connection points move", f);
  fputs(".SH SYNOPSIS\n.B modeway\n.I COMMAND\n\\&...\n.SH COMMANDS\n", f);
  for (const mw_command *const *c = mw_commands; *c; c++) {
    fprintf(f, ".TP\n.BR modeway\\-%s (1)\n", (*c)->name);
    put_roff((*c)->summary, f);
    fputc('\n', f);
  }
  fputs(".SH FILES\nModel files are YAML; \\fBmodeway keys\\fR prints all of their keys.\n", f);
}

static mw_code write_page(const char *folder, const mw_command *c, mw_error *err)
{
  char path[1024], *text = NULL;
  size_t n = 0;
  snprintf(path, sizeof path, "%s/modeway%s%s.1", folder, c ? "-" : "", c ? c->name : "");
  FILE *f = open_memstream(&text, &n);
  if (f && c) put_page(c, f);
  if (f && !c) put_overview(f);
  mw_code rc = MW_OK;
  if (!f || fclose(f) != 0)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a manual page");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  free(text);
  return rc;
}

static int run_manual(const mw_args *a)
{
  mw_error err = { 0 };
  const char *folder = mw_args_value(a, "output");
  mw_code rc = write_page(folder, NULL, &err);
  for (const mw_command *const *c = mw_commands; *c && rc == MW_OK; c++)
    rc = write_page(folder, *c, &err);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

// The options of a command that are shown, "--name" with a blank before each.
static void put_options(const mw_command *c, FILE *f)
{
  for (const mw_topic *const *t = c->topic; t && *t; t++) fprintf(f, " %s", (*t)->name);
  const mw_option *o;
  for (int k = 0; (o = mw_command_option(c, k)) != NULL; k++)
    if (o->help) fprintf(f, " --%s", o->name);
}

static void put_bash(FILE *f)
{
  fputs("# completion of modeway for bash\n_modeway()\n{\n  local words\n"
        "  case $COMP_CWORD/${COMP_WORDS[1]} in\n  1/*) words=\"",
        f);
  for (const mw_command *const *c = mw_commands; *c; c++) fprintf(f, "%s ", (*c)->name);
  fputs("--help --version\" ;;\n", f);
  for (const mw_command *const *c = mw_commands; *c; c++) {
    fprintf(f, "  */%s) words=\"", (*c)->name);
    put_options(*c, f);
    fputs("\" ;;\n", f);
  }
  fputs(
      "  esac\n"
      "  if [[ $COMP_CWORD == 1 || ${COMP_WORDS[COMP_CWORD]} == -* ||\n"
      "        ($COMP_CWORD == 3 && $words == ' '[a-z]*) ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
      "  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\")\n  fi\n}\n"
      "complete -o filenames -F _modeway modeway\n",
      f);
}

// Text within '...' of a specification of zsh's _arguments or _describe.
static void put_zsh(const char *text, FILE *f)
{
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", f);
    else if (strchr("[]:\\", *text))
      fprintf(f, "\\%c", *text);
    else
      fputc(*text, f);
  }
}

static void put_zsh_option(const mw_option *o, FILE *f)
{
  const char *action =
      o->what & MW_OPT_FOLDER && !(o->what & MW_OPT_WRITES) ? "_files -/" : "_files";
  for (int form = o->letter ? 0 : 1; form < 2; form++) {
    fputs("      '", f);
    if (o->what & MW_OPT_SET) fputc('*', f);
    if (form == 0)
      fprintf(f, "-%c[", o->letter);
    else
      fprintf(f, "--%s%s[", o->name, o->arg ? "=" : "");
    put_zsh(o->help, f);
    fputc(']', f);
    if (o->arg) {
      fputc(':', f);
      put_zsh(o->arg, f);
      fprintf(f, ":%s", o->what & (MW_OPT_READS | MW_OPT_WRITES | MW_OPT_FOLDER) ? action : "");
    }
    fputs("' \\\n", f);
  }
}

static void put_zsh_topics(const mw_topic *const *t, FILE *f)
{
  fputs(" '2:what:(", f);
  for (; *t; t++) fprintf(f, "%s%s", (*t)->name, t[1] ? " " : ")'");
}

static void put_zsh_all(FILE *f)
{
  fputs("#compdef modeway\n# completion of modeway for zsh\nlocal -a commands=(\n", f);
  for (const mw_command *const *c = mw_commands; *c; c++) {
    fprintf(f, "  '%s:", (*c)->name);
    put_zsh((*c)->summary, f);
    fputs("'\n", f);
  }
  fputs(")\nif ((CURRENT == 2)); then\n  _describe command commands\n  return\nfi\n"
        "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n",
        f);
  for (const mw_command *const *c = mw_commands; *c; c++) {
    const mw_option *o;
    fprintf(f, "  %s)\n    _arguments \\\n", (*c)->name);
    for (int k = 0; (o = mw_command_option(*c, k)) != NULL; k++)
      if (o->help) put_zsh_option(o, f);
    fprintf(f, "      %s", (*c)->operand ? "'1:file:_files'" : "");
    if ((*c)->topic) put_zsh_topics((*c)->topic, f);
    fputs("\n    ;;\n", f);
  }
  fputs("esac\n", f);
}

static int run_completion(const mw_args *a)
{
  mw_error err = { 0 };
  if (strcmp(a->operand, "bash") == 0) {
    put_bash(stdout);
  } else if (strcmp(a->operand, "zsh") == 0) {
    put_zsh_all(stdout);
  } else {
    (void)mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "found the shell \"%.40s\", expected bash or zsh",
                  a->operand);
    return mw_cmd_fail(&err);
  }
  return EXIT_SUCCESS;
}

const mw_command mw_cmd_manual = {
  .name = "manual",
  .summary = "write the manual pages",
  .doc = "Writes modeway.1 and modeway-COMMAND.1 of every command into a folder that is there. An\n"
         "installed modeway has them in its share/man. Prints nothing, with or without --json.\n",
  .option = { { 'o', "output", "FOLDER", "where the pages go",
                MW_OPT_REQUIRED | MW_OPT_FOLDER | MW_OPT_THERE } },
  .run = run_manual,
};

const mw_command mw_cmd_completion = {
  .name = "completion",
  .operand = "SHELL",
  .summary = "print what completes commands and options in bash or zsh",
  .doc = "For bash, in ~/.bashrc:  eval \"$(modeway completion bash)\"\n"
         "For zsh, in a folder of fpath:  modeway completion zsh > _modeway\n"
         "An installed modeway brings both. The output is the same with --json.\n",
  .run = run_completion,
};
