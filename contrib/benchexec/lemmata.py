"""BenchExec tool-info module for Lemmata: copy it to benchexec/tools/, or put its folder on the Python path
and name it as `contrib.benchexec.lemmata`. Tested in tests/cli/tools_test.py."""
import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """The verdict lines (`safe NAME`, `unsafe NAME`, `unknown NAME: reason`) and exit codes are frozen."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("lemmata", subdir="build")

    def name(self):
        return "Lemmata"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lemmata")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(rlimits.cputime)]
        if rlimits.memory and "--memory" not in options:
            # A margin, so that Lemmata ends by itself.
            command += ["--memory", str(max(1, rlimits.memory * 9 // 10 // 1_000_000))]
        data_model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        code = run.exit_code.value
        verdicts, reason = set(), ""
        for line in run.output:
            word, _, rest = line.strip().partition(" ")
            if word in ("safe", "unsafe", "unknown"):
                verdicts.add(word)
                if word == "unknown":
                    reason = rest.rpartition(": ")[2]
        if "unsafe" in verdicts and code == 1:
            return result.RESULT_FALSE_PROP
        if verdicts == {"safe"} and code == 0:
            return result.RESULT_TRUE_PROP
        if "unknown" in verdicts and code == 2:
            if run.was_timeout or reason == "timeout":
                return "TIMEOUT"
            return "OUT OF MEMORY" if reason == "memory" else result.RESULT_UNKNOWN
        names = {64: "usage", 65: "input", 66: "file", 70: "internal"}
        return result.RESULT_ERROR if code not in names else f"{result.RESULT_ERROR}({names[code]})"
