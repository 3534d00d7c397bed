#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_vtu.py FILE...: reads .vtu files as VTK's description of the format says, with nothing of ours, and prints what is
in them as JSON. Exit status 1: a file is not well-formed, an array does not fit, a cell has the wrong number of points."""
import json
import math
import struct
import sys
import xml.etree.ElementTree as ET

SIZE = {"Float64": ("d", 8), "Float32": ("f", 4), "Int32": ("i", 4), "UInt8": ("B", 1)}
NODES = {1: 1, 3: 2, 5: 3, 9: 4, 10: 4, 12: 8, 13: 6, 24: 10, 25: 20, 26: 15}


def read(path):
    raw = open(path, "rb").read()
    begin = raw.index(b'<AppendedData encoding="raw">')
    first = raw.index(b"_", begin) + 1
    end = raw.rindex(b"</AppendedData>")
    tree = ET.fromstring(raw[:first] + raw[end:])
    assert tree.get("byte_order") == "LittleEndian" and tree.get("header_type") == "UInt64"
    piece = tree.find("UnstructuredGrid/Piece")
    n_point, n_cell = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))
    arrays, covered = {}, []
    for group in piece:
        for a in group:
            at = first + int(a.get("offset"))
            letter, size = SIZE[a.get("type")]
            (length,) = struct.unpack_from("<Q", raw, at)
            assert length % size == 0 and at + 8 + length <= end, a.get("Name")
            comp = int(a.get("NumberOfComponents"))
            values = struct.unpack_from("<%d%s" % (length // size, letter), raw, at + 8)
            want = {"Points": 3 * n_point, "PointData": comp * n_point, "CellData": comp * n_cell}
            assert len(values) == want.get(group.tag, len(values)), a.get("Name")
            arrays[group.tag + "/" + a.get("Name")] = (comp, values)
            covered.append((at, at + 8 + length))
    covered.sort()
    assert covered[0][0] == first, "something before the first array"
    assert all(a[1] == b[0] for a, b in zip(covered, covered[1:])), "arrays overlap or leave gaps"
    assert raw[covered[-1][1] : end].strip() == b"", "something behind the last array"
    points = arrays["Points/points"][1]
    connectivity = arrays["Cells/connectivity"][1]
    offsets = arrays["Cells/offsets"][1]
    types = arrays["Cells/types"][1]
    assert all(math.isfinite(x) for x in points)
    assert len(offsets) == len(types) == n_cell and offsets[-1] == len(connectivity)
    assert all(0 <= k < n_point for k in connectivity)
    last, kinds = 0, {}
    for t, o in zip(types, offsets):
        assert o - last == NODES[t], "cell of type %d has %d points" % (t, o - last)
        kinds[str(t)] = kinds.get(str(t), 0) + 1
        last = o
    fields = {}
    for name, (comp, values) in arrays.items():
        if name.startswith("PointData/"):
            finite = [abs(x) for x in values if math.isfinite(x)]
            fields[name[10:]] = {"components": comp, "finite": len(finite), "largest": max(finite, default=0)}
    box = [[min(points[i::3]), max(points[i::3])] for i in range(3)]
    return {"points": n_point, "cells": n_cell, "kinds": kinds, "box": box, "fields": fields,
            "bodies": sorted(set(arrays["CellData/body"][1]))}


def main():
    print(json.dumps([read(path) for path in sys.argv[1:]]))


main()
