"""Assertions from what the interpreter saw: at each probe one that holds of exactly the values that occur, and
one that excludes a combination of values that does."""
import re

from kinds import Enumeration

PROBE = re.compile(r"^(\s*)//#PROBE (\w+) (.*)\n\s*//$", re.MULTILINE)
MOST_CASES = 8


def equal(expression, value, of_type):
    if isinstance(value, bool):
        return expression if value else f"NOT {expression}"
    if isinstance(of_type, Enumeration):
        return f"{expression} = {of_type.name}#{of_type.literals[value]}"
    return f"{expression} = {value}"


def among(expressions, types, tuples):
    """That the values are one of the combinations."""
    if not tuples:
        return "FALSE"
    cases = [" AND ".join(f"({equal(*one)})" for one in zip(expressions, values, types)) for values in tuples]
    return " OR ".join(f"({case})" for case in cases)


def bounded(expressions, types, tuples):
    """That each value is between the least and the greatest; nothing is said of enumerations and truth values."""
    parts = []
    for place, (expression, of_type) in enumerate(zip(expressions, types)):
        values = [one[place] for one in tuples]
        if not isinstance(of_type, Enumeration) and of_type.kind != "bool":
            parts.append(f"{expression} >= {min(values)} AND {expression} <= {max(values)}")
    return " AND ".join(parts) or "TRUE"


def without_probes(text):
    return PROBE.sub(r"\1//\n\1//", text)


def with_assertions(text, explored, types, random):
    """The program with assertions in place of its probes. What holds is asserted only if all runs were seen."""
    def replace(match):
        indent, name, rest = match.groups()
        if name not in types:  # in a unit that nothing calls
            return f"{indent}//\n{indent}//"
        expressions = [part.strip() for part in rest.split(", ")]
        tuples = sorted(explored.seen.get(name, ()))
        claim = among if len(tuples) <= MOST_CASES else bounded
        holds = claim(expressions, types[name], tuples)
        first = f"{indent}//#ASSERT {holds} : {name}_holds" if explored.exact else f"{indent}//"
        if not tuples:
            return f"{first}\n{indent}//"
        without = random.choice(tuples)
        if len(tuples) <= MOST_CASES and random.random() < 0.5:
            fails = among(expressions, types[name], [one for one in tuples if one != without])
        else:
            fails = f"NOT ({among(expressions, types[name], [without])})"
        return f"{first}\n{indent}//#ASSERT {fails} : {name}_fails"
    return PROBE.sub(replace, text)
