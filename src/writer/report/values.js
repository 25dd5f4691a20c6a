// A trace as a list of steps with the values of all variables at each, whatever the model is.

// Words come as hexadecimal digits.
function formatWord(variable, digits, radix) {
  const names = variable.names;
  if (names && radix === "name" && names[digits] !== undefined) return names[digits];
  if (variable.bits === 1) return digits;
  const number = BigInt("0x" + digits);
  if (radix === "bin") return "0b" + number.toString(2).padStart(variable.bits, "0");
  if (radix === "dec") return number.toString();
  if (radix === "signed") return BigInt.asIntN(variable.bits, number).toString();
  return "0x" + number.toString(16).padStart(Math.ceil(variable.bits / 4), "0");
}

function formatValue(variable, value, radix) {
  if (value === null || value === undefined) return "";
  return variable.bits ? formatWord(variable, value, radix) : value;
}

function fullName(variable) {
  if (variable.role === "property") return variable.name;
  return (variable.scope ? variable.scope + "." : "") + variable.name + (variable.range || "");
}

// Runs of programs name what each step assigns. `at` starts from the nearest snapshot.
function programTrace(raw) {
  const every = 32;
  const snapshots = [];
  const current = raw.variables.map(() => null);
  const apply = (values, step) => {
    for (const [variable, value, mark] of raw.steps[step].set) values[variable] = [value, mark];
  };
  raw.steps.forEach((_, step) => {
    if (step % every === 0) snapshots.push(current.slice());
    apply(current, step);
  });
  const state = (step) => {
    const values = snapshots[Math.floor(step / every)].slice();
    for (let i = step - (step % every); i <= step; ++i) apply(values, i);
    return values;
  };
  return {
    kind: raw.kind, raw, variables: raw.variables, length: raw.steps.length, first: 0,
    at: (step) => state(step).map((entry) => (entry ? entry[0] : null)),
    // By variable where its value is from: 0 the program, 1 an input, 2 an input that the failure
    // depends on.
    marks: (step) => state(step).map((entry) => (entry ? entry[1] : 0)),
  };
}

// Runs of circuits and transition systems have all values at all steps.
function systemTrace(raw) {
  return {
    kind: raw.kind, raw, variables: raw.variables, length: raw.length, first: raw.first,
    at: (step) => raw.variables.map((variable) => variable.values[step]),
    marks: () => raw.variables.map((variable) => (variable.role === "input" ? 1 : 0)),
  };
}

function makeTrace(raw) {
  return raw.steps ? programTrace(raw) : systemTrace(raw);
}

// The step that is shown, and who wants to know when it changes.
function makeCursor(length) {
  const listeners = [];
  const cursor = {
    step: length - 1,
    length,
    listen(listener) { listeners.push(listener); },
    go(step) {
      cursor.step = Math.max(0, Math.min(length - 1, step));
      for (const listener of listeners) listener(cursor.step);
    },
  };
  return cursor;
}
