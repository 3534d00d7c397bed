// SPDX-License-Identifier: BSD-3-Clause
// json.h: writing one JSON object; commas, escapes and non-finite numbers (null) are seen to.
#ifndef MW_BASE_JSON_H
#define MW_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/api.h"

MW_API_BEGIN

typedef struct mw_json {
  FILE *f;
  int depth;
  bool first[32];  // nothing written yet at this depth
} mw_json;

// key is NULL inside arrays and for the outermost object.
void mw_json_object(mw_json *j, const char *key);
void mw_json_array(mw_json *j, const char *key);
void mw_json_end(mw_json *j, char bracket);  // '}' or ']'; a newline after the outermost
void mw_json_num(mw_json *j, const char *key, double x);  // %.17g, integers without a point
void mw_json_str(mw_json *j, const char *key, const char *s);
void mw_json_bool(mw_json *j, const char *key, bool b);

MW_API_END

#endif
