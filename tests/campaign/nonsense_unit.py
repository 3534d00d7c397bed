#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""nonsense_unit.py FILE.unit K: nonsense that belongs to K in a finished unit, its digest made right (reduction/work/work_store.c).

Bytes of the unit become the ends of what integers and doubles can be, or the unit gets longer or shorter.
"""
import hashlib
import random
import struct
import sys

HEAD = struct.Struct("<8s2iQ32s")  # magic, shard and shards, bytes that follow, digest

path, k = sys.argv[1], int(sys.argv[2])
data = open(path, "rb").read()
magic, shard, shards, n, digest = HEAD.unpack_from(data)
body = bytearray(data[HEAD.size:])
name = bytes.fromhex(path.rsplit("-", 1)[1].removesuffix(".unit"))
if n != len(body) or hashlib.sha256(name + struct.pack("<Q", n) + body).digest() != digest:
    sys.exit(f"{path}: found a unit with another digest")
r = random.Random(k)
words = [struct.pack("<q", w) for w in (0, 1, -1, 2**31 - 1, -2**31, 2**62, -2**63, 4096)]
words += [struct.pack("<d", w) for w in (float("nan"), float("inf"), -1e308, 5e-324, -0.0)]
kind = r.randrange(6)
if kind == 0:
    body = body[:r.randrange(len(body) + 1)]
elif kind == 1:
    body += bytes(r.randrange(256) for _ in range(r.randrange(1, 100)))
elif body:
    for _ in range(r.randrange(1, 4)):
        # half of them at the beginning, where sizes are
        at = r.randrange(min(len(body), 64)) if r.random() < 0.5 else r.randrange(len(body))
        at -= at % 4
        word = r.choice(words)[: r.choice((4, 8))]
        body[at:at + len(word)] = word[: len(body) - at]
digest = hashlib.sha256(name + struct.pack("<Q", len(body)) + body).digest()
with open(path, "wb") as f:
    f.write(HEAD.pack(magic, shard, shards, len(body), digest) + body)
