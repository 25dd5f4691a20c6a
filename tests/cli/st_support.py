"""What the suites about PLC programs share."""
from support import ProgramTest

LATCH = """PROGRAM Latch
VAR_INPUT Set : BOOL; Reset : BOOL; Level : INT; END_VAR
VAR_OUTPUT Out : BOOL; Seen : BOOL; END_VAR
VAR Count : INT; END_VAR
IF Reset THEN Out := FALSE; ELSIF Set THEN Out := TRUE; END_IF;
Seen := Seen OR Set;
IF Set AND Count < 5 THEN Count := Count + 1; END_IF;
END_PROGRAM
"""


class St(ProgramTest):
    def st(self, text):
        return self.write("test.st", text)

    def verdicts(self, text, *options, code=None):
        """Verdict lines of a program given as text."""
        got, out, errors = self.run_program("check", self.st(text), "--timeout", "60", *options)
        if code is not None:
            self.assertEqual(got, code, errors)
        return out.splitlines()
