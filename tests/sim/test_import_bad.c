// SPDX-License-Identifier: BSD-3-Clause
// test_import_bad.c: what import does not take over is named, wrong files are refused at their line
// and column.
#include <stdio.h>
#include <string.h>

#include "fixture_import.h"
#include "mw_test.h"

// ---- what is not taken over ---------------------------------------------------------------------

static bool is_noted(const mw_import_result *r, int line, const char *text)
{
  for (int k = 0; k < r->n_note; k++)
    if (r->note[k].at.line == line && strstr(r->note[k].text, text)) return true;
  printf("  no note at line %d: %s\n", line, text);
  return false;
}

static void what_is_not_taken_over_is_named(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result r;
  mw_import_opt opt = { .density = 0.0 };
  const char *urdf =
      "<robot name=\"r\">\n<link name=\"a b\"/>\n<link name=\"c\"><inertial><mass value=\"1\"/>"
      "<inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial>\n<visual/><collision/></link>\n"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a b\"/><child link=\"c\"/>\n<mimic "
      "joint=\"j\"/>\n<limit effort=\"5\" velocity=\"6\"/></joint>\n<gazebo/>\n</robot>\n";
  const char *mjcf =
      "<mujoco>\n<option timestep=\"1\"/>\n<asset/>\n<worldbody>\n<body name=\"b\" "
      "gravcomp=\"1\">\n<joint name=\"j\" armature=\"2\"/>\n<geom size=\"1\"/><site/></body>\n"
      "<replicate/></worldbody>\n<equality>\n<weld/></equality>\n<actuator>\n<motor "
      "name=\"m\"/></actuator></mujoco>\n";
  if (MW_CHECK(fixture_import(urdf, ".urdf", &opt, &mem, &r, &err))) {
    MW_CHECK(is_noted(&r, 2, "\"a b\" is called a_b") && is_noted(&r, 2, "fixed to ground"));
    MW_CHECK(is_noted(&r, 3, "exceeds the sum") && is_noted(&r, 4, "visual of link c"));
    MW_CHECK(is_noted(&r, 4, "collision of link c") && is_noted(&r, 6, "mimic of joint j"));
    MW_CHECK(is_noted(&r, 7, "effort 5 velocity 6") && is_noted(&r, 8, "gazebo"));
    MW_CHECK(strstr(r.text, "unphysical_inertia: true") != NULL);
  }
  if (MW_CHECK(fixture_import(mjcf, ".xml", &opt, &mem, &r, &err))) {
    MW_CHECK(is_noted(&r, 2, "timestep") && is_noted(&r, 3, "asset"));
    MW_CHECK(is_noted(&r, 5, "gravcomp") && is_noted(&r, 6, "armature 2"));
    MW_CHECK(is_noted(&r, 5, "geoms (1)") && is_noted(&r, 5, "sites (1)"));
    MW_CHECK(is_noted(&r, 8, "replicate") && is_noted(&r, 10, "weld of equality"));
    MW_CHECK(is_noted(&r, 12, "motor m of actuator"));
  }
  mw_arena_free(&mem);
}

// ---- wrong files --------------------------------------------------------------------------------

#define LINK(name)                                                                                 \
  "<link name=\"" name "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "                       \
  "iyy=\"1\" izz=\"1\"/></inertial></link>\n"
#define JOINT(name, a, b)                                                                          \
  "<joint name=\"" name "\" type=\"revolute\"><parent link=\"" a "\"/><child link=\"" b "\"/>"     \
  "</joint>\n"
#define WORLD(body) "<mujoco><worldbody>\n" body "</worldbody></mujoco>"

static void wrong_files_are_refused_where_they_are_wrong(void)
{
  static const struct {
    const char *text;
    int line, col;
    const char *msg;
  } W[] = {
    { "", 1, 1, "found no element" },
    { "robot", 1, 1, "found text, expected an XML file" },
    { "<robot>", 1, 1, "without end, expected </robot>: truncated?" },
    { "<robot>\n <a></b></robot>", 2, 5, "found </b>, expected </a>" },
    { "<robot name=r/>", 1, 13, "without quotes" },
    { "<robot name=\"r/>", 1, 13, "without end" },
    { "<robot name=\"&x;\"/>", 1, 14, "&amp;" },
    { "<robot a=\"1\" a=\"2\"/>", 1, 14, "twice" },
    { "<robot/><robot/>", 1, 9, "second element" },
    { "<robot><!-- </robot>", 1, 8, "a comment without end" },
    { "<!DOCTYPE robot [<!ENTITY a \"b\">]><robot/>", 1, 1, "declarations" },
    { "<sdf/>", 1, 1, "found <sdf>, expected <robot> (URDF) or <mujoco> (MJCF)" },
    { "<robot/>", 1, 1, "found no link" },
    { "<robot>\n<xacro:macro/></robot>", 2, 1, "xacro FILE > robot.urdf" },
    { "<robot>\n<link/></robot>", 2, 1, "found no name" },
    { "<robot>\n" LINK("a") LINK("a") "</robot>", 3, 1, "second link a" },
    { "<robot>\n" LINK("a") LINK("b") "</robot>", 3, 1, "expected one root" },
    { "<robot>\n" LINK("a") JOINT("j", "a", "c") "</robot>", 3, 64, "expected the name of a link" },
    { "<robot>\n" LINK("a") LINK("b") JOINT("j", "a", "b") JOINT("k", "b", "a") "</robot>", 2, 1,
      "the joints form a loop" },
    { "<robot>\n" LINK("a") LINK("b") LINK("c") JOINT("j", "b", "c")
          JOINT("k", "c", "b") "</robot>",
      3, 1, "hangs in a loop" },
    { "<robot>\n" LINK("a") LINK("b") JOINT("j", "a", "b") JOINT("k", "a", "b") "</robot>", 5, 1,
      "child of joint j already, expected a tree" },
    { "<robot>\n" LINK("a") "<link name=\"b\"/>\n" JOINT("j", "a", "b") "</robot>", 3, 1,
      "moves and has no mass" },
    { "<robot>\n<link name=\"b\"><inertial><mass value=\"-1\"/></inertial></link></robot>", 2, 26,
      "mass is -1 kg" },
    { "<robot>\n<link name=\"b\"><inertial><mass value=\"1\"/></inertial></link></robot>", 2, 16,
      "found no inertia" },
    { "<robot>\n<link name=\"b\"><inertial><mass value=\"x\"/></inertial></link></robot>", 2, 39,
      "found \"x\", expected numbers" },
    { "<robot>\n<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"-1\" iyy=\"1\" "
      "izz=\"1\"/></inertial></link></robot>",
      2, 43, "principal moment of inertia is -1" },
    { "<robot>\n<link name=\"b\"><inertial><origin xyz=\"1 2\"/><mass value=\"1\"/><inertia "
      "ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link></robot>",
      2, 39, "found 2 numbers, expected 3" },
    { "<mujoco/>", 1, 1, "found no worldbody" },
    { "<mujoco><worldbody/></mujoco>", 1, 1, "found no body that moves" },
    { WORLD("<body name=\"b\"><joint/></body>"), 2, 1, "moves and has no mass" },
    { WORLD("<body><joint/><geom type=\"mesh\" mesh=\"m\"/></body>"), 2, 15,
      "the mass of type mesh is not known" },
    { WORLD("<body><joint type=\"bolt\"/></body>"), 2, 20, "expected hinge, slide, ball or free" },
    { WORLD("<body><joint axis=\"0 0 0\"/></body>"), 2, 20, "axis of length 0" },
    { WORLD("<body><joint/><joint pos=\"1 0 0\"/><geom size=\"1\"/></body>"), 2, 7,
      "make no joint of the model file together" },
    { WORLD("<body quat=\"0 0 0 0\"/>"), 2, 13, "vector of length 0" },
    { WORLD("<joint/>"), 2, 1, "a joint of the world" },
    { WORLD("<include/>"), 2, 1, "found no file" },
    { WORLD("<include file=\"test_import.tmp.none\"/>"), 0, 0, "cannot be read" },
    { WORLD("<include file=\"test_import.tmp.xml\"/>"), 2, 1, "does one include itself?" },
    { "<mujoco><compiler coordinate=\"global\"/><worldbody/></mujoco>", 1, 31, "expected local" },
    { WORLD("<body><geom size=\"1\" mass=\"-1\"/><joint/></body>"), 2, 28, "mass is -1 kg" },
    { WORLD("<body><joint class=\"c\"/><geom size=\"1\"/></body>"), 2, 21,
      "found c, expected the" },
    { WORLD("<body childclass=\"c\"><joint/><geom size=\"1\"/></body>"), 2, 19,
      "childclass: found c, expected the class of a default" },
    { "<mujoco><compiler angle=\"deg\"/><worldbody/></mujoco>", 1, 26,
      "expected radian or degree" },
  };
  for (size_t k = 0; k < sizeof W / sizeof *W; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_import_result r;
    mw_import_opt opt = { .density = 0.0 };
    bool okay = fixture_import(W[k].text, ".xml", &opt, &mem, &r, &err);
    if (!MW_CHECK(!okay && err.code == MW_ERR_INPUT && err.line == W[k].line &&
                  err.col == W[k].col && strstr(err.msg, W[k].msg)))
      printf("  %s\n  want %d:%d: %s\n  got  %d:%d: %s\n", W[k].text, W[k].line, W[k].col, W[k].msg,
             err.line, err.col, okay ? "no error" : err.msg);
    mw_arena_free(&mem);
  }
}

// Every beginning of a good file is refused or read, whatever is cut off: no crash, no leak.
static void cut_files_do_no_harm(void)
{
  static const char *const text[] = {
    "<?xml version=\"1.0\"?><robot name=\"r\"><!-- c --><link name=\"a\"/>" LINK("b")
        JOINT("j", "a", "b") "</robot>",
    WORLD(
        "<body name=\"b\" euler=\"1 2 3\"><freejoint/><geom size=\"&#49;\"/><![CDATA[x]]></body>"),
  };
  for (size_t t = 0; t < 2; t++)
    for (size_t n = 0; n < strlen(text[t]); n++) {
      char cut[1024];
      mw_arena mem = { 0 };
      mw_error err = { 0 };
      mw_import_result r;
      mw_import_opt opt = { .density = 0.0 };
      snprintf(cut, sizeof cut, "%.*s", (int)n, text[t]);
      MW_CHECK(!fixture_import(cut, ".xml", &opt, &mem, &r, &err) && err.code == MW_ERR_INPUT);
      mw_arena_free(&mem);
    }
}

static const mw_test_case cases[] = {
  { "what_is_not_taken_over_is_named", what_is_not_taken_over_is_named },
  { "wrong_files_are_refused_where_they_are_wrong", wrong_files_are_refused_where_they_are_wrong },
  { "cut_files_do_no_harm", cut_files_do_no_harm },
};

int main(void) { return mw_test_run("import_bad", cases, (int)(sizeof cases / sizeof *cases)); }
