// Process set-up that makes lost output an error. Tests: tests/cli/robust_test.py.
#pragma once

namespace lem::app {

/// Standard streams that are closed are opened on devices: else the first file that is opened would
/// become standard output. Writing to a closed standard output stays an error.
/// Readers that go away and file size limits become errors of `write`. By handlers that do nothing:
/// unlike SIG_IGN, programs that are started do not inherit them.
void prepare_process();

}  // namespace lem::app
