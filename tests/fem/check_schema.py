# SPDX-License-Identifier: BSD-3-Clause
"""Every model of cases/ satisfies cases/modeway.schema.json, and broken ones do not.

    check_schema.py CASES TESTS

Reads YAML as the program does: numbers like 1e3, truth values true and false only (PyYAML follows YAML 1.1,
where 1e3 is a text and `on` is true). Of tests/bad/model those files count whose fault a schema can see: not values of
parameters ($), nor what a definition elsewhere says.
"""
import json
import pathlib
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {}


Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:float",
                             re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$"),
                             list("-+.0123456789"))

SEEN = re.compile(r"unknown key|found no |expected a (?:number|whole number|list)|found the name"
                  r"|found both (?:rigid|slide|body)|expected one of: slide|did you mean \"fixed\"|true or false")


def main(cases, tests):
    schema = json.loads((cases / "modeway.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failed = 0
    good = sorted(cases.glob("*.yaml")) + sorted((tests / "fem").glob("model_*.yaml"))
    for path in good:
        for error in validator.iter_errors(yaml.load(path.read_text(), Loader)):
            print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}")
            failed += 1
    refused = 0
    for path in sorted((tests / "bad" / "model").glob("*.yaml")):
        expect = path.read_bytes().split(b"\n", 1)[0].decode()
        if not SEEN.search(expect) or re.search(r"found no (?:supports|inertia|frame|place|parameter)|quoted|coordinates|\$|as in the definition",
                                                     expect):
            continue
        refused += 1
        if validator.is_valid(yaml.load(path.read_text(), Loader)):
            print(f"{path}: the schema accepts it, expected a refusal: {expect}")
            failed += 1
    print(f"{len(good)} models satisfy the schema, {refused} broken ones were offered, {failed} surprises")
    return 1 if failed or len(good) < 5 or refused < 15 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
