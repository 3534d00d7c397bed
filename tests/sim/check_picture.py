#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_picture.py FILE...: decodes .png files (eight-bit RGB, by the PNG specification, with nothing but zlib) and .svg
files with one such image in them, animated ones frame by frame; prints sizes, colours and texts as JSON. Exit status 1: a file is not what it should be."""
import base64
import json
import struct
import sys
import xml.etree.ElementTree as ET
import zlib


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def png(raw):
    assert raw[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    at, frames, size, last, number, played = 8, [], None, None, 0, None
    while at < len(raw):
        length, kind = struct.unpack_from(">I4s", raw, at)
        body = raw[at + 8 : at + 8 + length]
        (crc,) = struct.unpack_from(">I", raw, at + 8 + length)
        assert crc == zlib.crc32(kind + body), "checksum of " + kind.decode()
        if kind == b"IHDR":
            w, h, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (depth, color, interlace) == (8, 2, 0)
            size = [w, h]
        if kind == b"acTL":
            played, plays = struct.unpack(">II", body)
            assert plays == 0 and not frames
        if kind in (b"fcTL", b"fdAT"):
            assert struct.unpack_from(">I", body)[0] == number, "numbers go on"
            number += 1
        if kind == b"fcTL":
            assert list(struct.unpack_from(">IIII", body, 4)) == size + [0, 0]
            frames.append(b"")
        if kind == b"IDAT":
            frames = frames or [b""]
            frames[0] += body
        if kind == b"fdAT":
            frames[-1] += body[4:]
        at, last = at + 12 + length, kind
    assert last == b"IEND" and len(frames) == (played or 1)
    all_ = [pixels(data, size) for data in frames]
    return {**all_[0], "frames": len(frames), "different": len({json.dumps(x) for x in all_})}


def pixels(data, size):
    data, line, colors = zlib.decompress(data), 3 * size[0] + 1, {}
    assert len(data) == line * size[1]
    above = bytearray(line - 1)
    for y in range(size[1]):
        how, row = data[y * line], bytearray(data[y * line + 1 : (y + 1) * line])
        for i in range(len(row)) if how else ():
            left = row[i - 3] if i > 2 else 0
            corner = above[i - 3] if i > 2 else 0
            guess = (0, left, above[i], (left + above[i]) // 2, 0)[how] if how < 4 else paeth(left, above[i], corner)
            row[i] = (row[i] + guess) & 255
        above = row
        for i in range(0, len(row), 3):
            c = bytes(row[i : i + 3])
            colors[c] = colors.get(c, 0) + 1
    often = sorted(colors.items(), key=lambda x: -x[1])[:12]
    return {"size": size, "colors": len(colors), "white": colors.get(b"\xff\xff\xff", 0),
            "often": [[c.hex(), n] for c, n in often]}


def read(path):
    raw = open(path, "rb").read()
    if not path.endswith(".svg"):
        return png(raw)
    tree = ET.fromstring(raw)
    space = "{http://www.w3.org/2000/svg}"
    assert tree.tag == space + "svg"
    (image,) = tree.findall(space + "image")
    head, code = image.get("{http://www.w3.org/1999/xlink}href").split(",")
    assert head == "data:image/png;base64"
    found = png(base64.b64decode(code, validate=True))
    assert found["size"] == [int(tree.get("width")), int(tree.get("height"))]
    found["texts"] = [t.text for t in tree.iter(space + "text")]
    return found


def main():
    print(json.dumps([read(path) for path in sys.argv[1:]]))


main()
