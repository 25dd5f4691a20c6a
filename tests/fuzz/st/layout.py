"""How a random program is written down: units in any order, globals outside or in a configuration, comments
between any two tokens, keywords in either case."""
import re

COMMENTS = ["(* c *)", "/* c */", "(**)", "(* a (* b *) c *)", "/* END_IF; */", "(* := ; // *)", "/**/",
            "{attribute 'a'}"]
WORD = re.compile(r"[A-Za-z_]\w*(?:#[-+]?\w+(?:#\w+)?)?|[0-9]+#[0-9A-Fa-f_]+|[0-9]+|:=|=>|<>|<=|>=|\.\.|\s+|.")
KEYWORDS = """AND OR XOR NOT MOD IF THEN ELSE ELSIF END_IF CASE OF END_CASE FOR TO BY DO END_FOR WHILE END_WHILE REPEAT UNTIL END_REPEAT
VAR END_VAR VAR_INPUT VAR_OUTPUT VAR_IN_OUT VAR_TEMP RETURN EXIT CONTINUE TRUE FALSE INT BOOL DINT SINT ARRAY""".split()


class Layout:
    """A mixin of the generator."""

    def type_lines(self):
        lines = []
        for one in self.enums:
            lines.append(f"  {one.name} : ({', '.join(one.parts)});")
        for one in self.subranges:
            if one.name:
                lines.append(f"  {one.name} : {one.base}({one.low}..{one.high});")
        for one in self.structs:
            fields = [f"    {field} : {inner.text()};" for field, inner in one.parts]
            lines += [f"  {one.name} : STRUCT", *fields, "  END_STRUCT;"]
        for one in self.arrays:
            if one.name:
                lines.append(f"  {one.name} : ARRAY [{one.low}..{one.high}] OF {one.base.text()};")
        return ["TYPE", *lines, "END_TYPE"] if lines else []

    def global_lines(self):
        return (self.declare("VAR_GLOBAL CONSTANT", self.constants) +
                self.declare("VAR_GLOBAL", self.global_declarations) +
                self.declare("VAR_GLOBAL RETAIN", self.kept_globals))

    def configuration(self):
        lines = ["CONFIGURATION Conf"]
        inside_resource = self.chance(0.5)
        if not inside_resource:
            lines += self.global_lines()
        lines.append("RESOURCE Res ON PLC")
        if inside_resource:
            lines += self.global_lines()
        task = self.chance(0.7)
        if task:
            lines.append("TASK Cyclic(INTERVAL := T#10ms, PRIORITY := 1);")
        for instance, name in self.instance_names:
            lines.append(f"PROGRAM {instance}{' WITH Cyclic' if task else ''} : {name};")
        return lines + ["END_RESOURCE", "END_CONFIGURATION"]

    def laid_out(self):
        parts = [self.type_lines()] + [one.lines for one in self.callables + self.blocks + self.programs]
        parts.append(self.configuration() if self.instance_names else self.global_lines())
        if self.chance(0.4):
            self.random.shuffle(parts)
        lines = [line for part in parts for line in part]
        return "\n".join(self.decorated(line) for line in lines) + "\n"

    def decorated(self, line):
        if line.strip()[:1] == "{" or line.startswith("//") or not self.odd_comments:
            return line
        made = ""
        for token in WORD.findall(line):
            if token in KEYWORDS and self.chance(0.2):
                token = self.random.choice([token.lower(), token.capitalize()])
            if self.chance(0.03) and not made.endswith(".") and token not in (".", "^") and not token.isspace():
                made += self.random.choice(COMMENTS)
            made += token
        if self.chance(0.05):
            made += " // END_PROGRAM (* {"
        return made
