// The files of this folder that are on every page; the build makes their definitions
// (assets.cpp.in).
#pragma once

namespace lem::writer::report {

extern const char* const kTemplate;
extern const char* const kStyle;
extern const char* const kScript;

}  // namespace lem::writer::report
