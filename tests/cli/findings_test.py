#!/usr/bin/env python3
"""SARIF, JUnit and gcc's diagnostics: what continuous integration and editors read.

SARIF is held against the rules of the standard that its users rely on (`SarifRules`). If the schema of
SARIF 2.1.0 is there, named by LEMMATA_SARIF_SCHEMA, every document is validated against it as well
(Debian's python3-jsonschema)."""
import json
import os
import pathlib
import re
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

import support
from support import HARD, MIXED, ROOT, SAFE, UNSAFE, ProgramTest

C_UNSAFE = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int twice(int x) {
  return 2 * x;
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  /* käse */ assert(twice(a) != 14);
  int b[3] = {0, 0, 0};
  return b[0];
}
"""
LUSTRE_UNSAFE = """node main(up: bool) returns (n: int);
let
  n = 0 -> if up then pre n + 1 else pre n;
  --%PROPERTY "small" n < 3;
tel
"""
ST_UNSAFE = """FUNCTION_BLOCK Count
VAR_INPUT Go : BOOL; END_VAR
VAR n : INT; END_VAR
IF Go THEN
  n := n + 1;
END_IF;
//#ASSERT n < 2 : small
END_FUNCTION_BLOCK
"""
VERILOG_UNSAFE = """module top(input clk, input up);
  reg [3:0] n = 0;
  always @(posedge clk) if (up) n <= n + 1;
  always @(posedge clk) small: assert (n < 3);
endmodule
"""
DIAGNOSTIC = re.compile(r"^([^:\n]+):([1-9]\d*):([1-9]\d*): (error|warning|note): (.+)$")


def lines_of(text):
    """Diagnostics as (file, line, column, kind, text)."""
    rows = []
    for line in text.splitlines():
        match = DIAGNOSTIC.match(line)
        assert match, f"no diagnostic: {line!r}"
        rows.append((match[1], int(match[2]), int(match[3]), match[4], match[5]))
    return rows


class SarifRules:
    """What the standard (OASIS SARIF 2.1.0) demands of what we write; raises AssertionError."""

    def __init__(self, document):
        assert document["version"] == "2.1.0" and document["$schema"].endswith("2.1.0.json")
        (run,) = document["runs"]
        self.rules = run["tool"]["driver"]["rules"]
        assert run["tool"]["driver"]["name"]  # 3.19.8
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.17
        ids = [rule["id"] for rule in self.rules]
        assert len(ids) == len(set(ids)), ids  # 3.19.23: unique
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)  # 3.20.14
            for notice in invocation.get("toolExecutionNotifications", []):
                assert notice["message"]["text"]
        for result in run["results"]:
            self.result(result)

    def result(self, result):
        assert self.rules[result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.6
        assert result["kind"] in ("pass", "open", "informational", "notApplicable", "review", "fail")
        assert result["level"] in ("none", "note", "warning", "error")
        assert (result["kind"] == "fail") == (result["level"] != "none")  # 3.27.10
        assert result["message"]["text"]
        assert result["locations"]
        for location in result["locations"]:
            self.location(location)
        for flow in result.get("codeFlows", []):
            assert flow["threadFlows"]  # 3.36.3
            for thread in flow["threadFlows"]:
                assert thread["locations"]  # 3.37.6
                orders = [step["executionOrder"] for step in thread["locations"]]
                assert orders == sorted(orders) and min(orders) >= 0
                for step in thread["locations"]:
                    self.location(step["location"])
                    assert step["location"]["message"]["text"]

    def location(self, location):
        physical = location["physicalLocation"]
        uri = physical["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", uri), uri  # RFC 3986
        region = physical.get("region", {"startLine": 1})
        assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1  # 3.30.5


class FindingsTest(ProgramTest):
    def sarif(self, path):
        document = json.loads(pathlib.Path(path).read_text())
        SarifRules(document)
        schema = os.environ.get("LEMMATA_SARIF_SCHEMA")
        if schema:
            import jsonschema
            text = json.loads(pathlib.Path(schema).read_text())
            jsonschema.validators.validator_for(text)(text).validate(document)
        return document["runs"][0]

    def check(self, *arguments, expect):
        code, out, err = self.run_program("check", *arguments, "--timeout", 60)
        self.assertEqual(code, expect, out + err)
        return out, err


class Sarif(FindingsTest):
    def test_a_failed_assertion_of_c_has_rule_place_and_run(self):
        self.write("main.c", C_UNSAFE)
        out, _ = self.check("main.c", "--sarif", "out.sarif", expect=1)
        self.assertTrue(out.startswith("unsafe "), "verdict lines stay")
        run = self.sarif(self.folder / "out.sarif")
        (result,) = run["results"]
        self.assertEqual((result["ruleId"], result["kind"], result["level"]), ("assert", "fail", "error"))
        self.assertEqual(result["message"]["text"], "assertion may fail: twice(a) != 14")
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "main.c")
        # Characters, although the compiler counts bytes: there is an umlaut before.
        self.assertEqual(place["region"], {"startLine": 8, "startColumn": C_UNSAFE.splitlines()[7].index("assert") + 1})
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        texts = [(step["location"]["physicalLocation"]["region"]["startLine"], step["location"]["message"]["text"])
                 for step in steps]
        self.assertEqual([line for line, _ in texts], [7, 8])
        self.assertRegex(texts[0][1], r"^a = 7\b.* <- __VERIFIER_nondet_int$")

    def test_one_rule_for_each_kind_of_property(self):
        self.write("main.c", "int main(void) { int a[2] = {1, 2}; int i = 2, j = 3, z = 0; return a[i] + a[j] + i / z; }\n")
        self.check("main.c", "--check", "bounds,division", "--sarif", "out.sarif", expect=1)
        run = self.sarif(self.folder / "out.sarif")
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(sorted(rules), ["bounds", "division"])
        self.assertEqual(sorted(result["ruleId"] for result in run["results"]), ["bounds", "bounds", "division"])

    def test_safe_properties_are_no_results(self):
        self.write("mixed.aag", MIXED)
        self.check("mixed.aag", "--sarif", "out.sarif", expect=1)
        run = self.sarif(self.folder / "out.sarif")
        self.assertEqual([result["properties"]["property"] for result in run["results"]], ["rises"])

    def test_unknown_is_open(self):
        self.write("hard.aag", HARD)
        code, _, _ = self.run_program("check", "hard.aag", "--timeout", 1, "--sarif", "out.sarif", "--junit", "out.xml")
        self.assertEqual(code, 2)
        (result,) = self.sarif(self.folder / "out.sarif")["results"]
        self.assertEqual((result["kind"], result["level"]), ("open", "none"))
        self.assertIn("timeout", result["message"]["text"])
        suite = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual(suite.get("errors"), "1", "unknown is not passed")

    def test_every_format_is_valid(self):
        for folder in ("aiger", "btor2", "vmt", "chc", "lustre", "st", "c"):
            for path in sorted((ROOT / "examples" / folder).glob("*_unsafe.*"))[:1]:
                with self.subTest(path.name):
                    self.check(path, "--sarif", "out.sarif", expect=1)
                    run = self.sarif(self.folder / "out.sarif")
                    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                    self.assertEqual(urllib.parse.unquote(uri), f"file://{path}")
                    self.assertTrue(run["results"][0]["codeFlows"])

    def test_strange_names_and_standard_output(self):
        name = "100% a:b é.aag"
        self.write(name, UNSAFE)
        out, err = self.check(name, "--sarif", "-", expect=1)
        self.assertTrue(err.startswith("unsafe "))
        document = json.loads(out)
        SarifRules(document)
        uri = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(urllib.parse.unquote(uri), "./" + name)

    def test_one_document_on_standard_output(self):
        self.write("a.aag", UNSAFE)
        self.check("a.aag", "--sarif", "-", "--junit", "-", expect=64)

    def test_outputs_never_overwrite_the_input(self):
        self.write("a.aag", UNSAFE)
        self.check("a.aag", "--sarif", "a.aag", expect=64)
        self.check("a.aag", "--sarif", "x", "--junit", "x", expect=64)
        self.assertEqual((self.folder / "a.aag").read_text(), UNSAFE)

    def test_bad_input_writes_nothing(self):
        self.write("a.aag", "aag 1 2\n")
        self.check("a.aag", "--sarif", "x.sarif", "--junit", "x.xml", expect=65)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.aag"])


class Junit(FindingsTest):
    def test_a_test_case_for_each_property(self):
        self.write("mixed.aag", MIXED)
        self.check("mixed.aag", "--junit", "out.xml", expect=1)
        root = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual(root.tag, "testsuites")
        (suite,) = root
        self.assertEqual((suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")),
                         ("mixed.aag", "2", "1", "0"))
        safe, unsafe = suite
        self.assertEqual((safe.get("name"), len(safe)), ("stays", 0))
        self.assertEqual(unsafe.get("name"), "rises")
        self.assertEqual(unsafe[0].tag, "failure")
        self.assertIn("note: step 1", unsafe[0].text)

    def test_names_that_xml_cannot_have(self):
        self.write("odd.aag", b"aag 2 0 2 0 0 2\n2 2\n4 1\n2\n4\nb0 a<b>&\"c\nb1 \xff\x01\xe2\x82\xac\n")
        code, _, err = self.run_program("check", "odd.aag", "--junit", "out.xml", "--json", "-", errors="replace")
        self.assertEqual(code, 1, err)
        (suite,) = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual([case.get("name") for case in suite], ['a<b>&"c', "��€"])


class Gcc(FindingsTest):
    def first_error(self, out):
        rows = lines_of(out)
        self.assertEqual(rows[0][3], "error", out)
        return rows[0], rows[1:]

    def test_c(self):
        self.write("main.c", C_UNSAFE)
        out, _ = self.check("main.c", "--format", "gcc", expect=1)
        error, notes = self.first_error(out)
        self.assertEqual(error[:2] + error[3:], ("main.c", 8, "error", "assertion may fail: twice(a) != 14 [assert]"))
        self.assertEqual({note[3] for note in notes}, {"note"})
        self.assertEqual([note[:2] for note in notes], [("main.c", 7), ("main.c", 8)])
        self.assertRegex(notes[0][4], r"^a = 7\b.* <- __VERIFIER_nondet_int$")

    def test_steps_in_other_files_are_at_the_call(self):
        self.write("half.c", "/* a\n   long\n   comment */\nint half(int x) {\n  int y = x / 2;\n  return y;\n}\n")
        self.write("main.c", "#include <assert.h>\nextern int half(int);\nextern int __VERIFIER_nondet_int(void);\n"
                   "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  int h = half(n);\n  assert(h != 21);\n}\n")
        out, _ = self.check("main.c", "half.c", "--format", "gcc", expect=1)
        _, notes = self.first_error(out)
        self.assertEqual({note[0] for note in notes}, {"main.c"})
        (there,) = [note for note in notes if note[4].startswith("line 5 of half.c: ")]
        self.assertEqual(there[1], 6)
        self.assertTrue(there[4].endswith("y = 21"), there)

    def test_structured_text(self):
        self.write("count.st", ST_UNSAFE)
        out, _ = self.check("count.st", "--format", "gcc", expect=1)
        error, notes = self.first_error(out)
        self.assertEqual((error[1], error[4]), (7, "assertion may fail: n < 2 [assertion]"))
        self.assertEqual(sum("begins" in note[4] for note in notes), 2)
        self.assertIn("the property fails in cycle 2", notes[-1][4])

    def test_checks_of_structured_text_say_what_was_expected(self):
        self.write("share.st", "PROGRAM p VAR_INPUT n : INT; END_VAR VAR x : INT; END_VAR\nx := 10 / n;\nEND_PROGRAM\n")
        out, _ = self.check("share.st", "--check", "division", "--format", "gcc", expect=1)
        error, _ = self.first_error(out)
        self.assertEqual(error[4], "division may fail: expected: the divisor is not zero [division]")

    def test_lustre(self):
        self.write("count.lus", LUSTRE_UNSAFE)
        out, _ = self.check("count.lus", "--format", "gcc", expect=1)
        error, notes = self.first_error(out)
        self.assertEqual((error[1], error[4]), (4, "property may fail: small [property]"))
        self.assertEqual([note[4].split(":")[0] for note in notes], ["step 0", "step 1", "step 2", "step 3"])
        self.assertIn("n = 3", notes[-1][4])
        self.assertNotIn("%init", out)

    def test_verilog(self):
        self.write("top.sv", VERILOG_UNSAFE)
        out, _ = self.check("top.sv", "--format", "gcc", expect=1)
        error, notes = self.first_error(out)
        self.assertEqual(error[1], 4)
        self.assertIn("n = 4'd3", notes[-1][4])

    def test_safe_is_silent_and_unknown_a_warning(self):
        self.write("safe.aag", SAFE)
        self.assertEqual(self.check("safe.aag", "--format", "gcc", expect=0)[0], "")
        self.write("hard.aag", HARD)
        code, out, _ = self.run_program("check", "hard.aag", "--timeout", 1, "--format", "gcc")
        self.assertEqual(code, 2)
        self.assertEqual([row[3] for row in lines_of(out)], ["warning"])

    def test_a_model_without_places(self):
        self.write("counter.btor2", "1 sort bitvec 3\n2 zero 1\n3 state 1 n\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n"
                   "7 next 1 3 6\n8 ones 1\n9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10\n")
        out, _ = self.check("counter.btor2", "--format", "gcc", expect=1)
        lines_of(out)

    def test_a_cover_that_is_never_reached_is_an_error(self):
        self.write("top.sv", VERILOG_UNSAFE.replace("assert (n < 3)", "cover (n != n)"))
        out, _ = self.check("top.sv", "--format", "gcc", expect=1)
        self.assertIn("cover is never reached", out)

    def test_unknown_format_is_a_usage_error(self):
        self.write("safe.aag", SAFE)
        self.check("safe.aag", "--format", "html", expect=64)


class Json(FindingsTest):
    def test_places_are_there_on_request(self):
        self.write("count.lus", LUSTRE_UNSAFE)
        out, _ = self.check("count.lus", "--json", "-", expect=1)
        self.assertNotIn("places", json.loads(out)["results"][0])
        out, _ = self.check("count.lus", "--json", "-", "--places", expect=1)
        places = json.loads(out)["results"][0]["places"]
        self.assertEqual((places["rule"], places["file"], places["line"]), ("property", "count.lus", 4))
        self.assertEqual(len(places["steps"]), 4)

    def test_invariants_are_at_their_lines(self):
        self.write("loop.c", "#include <assert.h>\nint main(void) {\n  unsigned x = 0;\n  while (1) {\n"
                   "    x = (x + 2) % 10;\n    assert(x != 7);\n  }\n}\n")
        out, _ = self.check("loop.c", "--json", "-", "--places", "--engine", "ic3cfa", expect=0)
        invariants = json.loads(out)["results"][0]["places"]["invariants"]
        self.assertTrue(invariants)
        self.assertTrue(all(1 <= one["line"] <= 8 for one in invariants), invariants)


if __name__ == "__main__":
    support.main()
