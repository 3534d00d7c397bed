// SPDX-License-Identifier: BSD-3-Clause
// test_base_sha256.c: SHA-256 against the examples of FIPS 180 (abc, two blocks, a million a) and
// the empty message.
#include <string.h>

#include "base/sha256.h"
#include "mw_test.h"

static void digest(const void *data, size_t n, size_t part, char hex[65])
{
  mw_sha256 s;
  uint8_t out[32];
  mw_sha256_init(&s);
  for (size_t at = 0; at < n; at += part)
    mw_sha256_add(&s, (const char *)data + at, n - at < part ? n - at : part);
  mw_sha256_end(&s, out);
  mw_sha256_hex(out, hex);
}

static void standard_examples_are_met(void)
{
  static const char *const two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char hex[65];
  digest("", 0, 1, hex);
  MW_CHECK(!strcmp(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  digest("abc", 3, 3, hex);
  MW_CHECK(!strcmp(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  digest(two, strlen(two), 64, hex);
  MW_CHECK(!strcmp(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
}

static void a_million_letters_in_parts_of_any_size_give_one_digest(void)
{
  static char a[1000000];
  static const size_t part[] = { 1, 7, 63, 64, 65, 1000000 };
  char hex[65];
  memset(a, 'a', sizeof a);
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    digest(a, sizeof a, part[i], hex);
    MW_CHECK(!strcmp(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
  }
}

// the padding changes its number of blocks between 55 and 56 bytes; digests by sha256sum of
// coreutils 9.1
static void padding_is_right_around_a_block(void)
{
  char a[64], hex[65];
  memset(a, 'a', sizeof a);
  digest(a, 55, 55, hex);
  MW_CHECK(!strcmp(hex, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"));
  digest(a, 56, 56, hex);
  MW_CHECK(!strcmp(hex, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"));
  digest(a, 64, 64, hex);
  MW_CHECK(!strcmp(hex, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"));
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "standard_examples_are_met", standard_examples_are_met },
    { "a_million_letters_in_parts_of_any_size_give_one_digest",
      a_million_letters_in_parts_of_any_size_give_one_digest },
    { "padding_is_right_around_a_block", padding_is_right_around_a_block },
  };
  return mw_test_run("base_sha256", cases, (int)(sizeof cases / sizeof *cases));
}
