// Checks expressions in assertions: every name is declared, every function has a meaning.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "frontend/verilog/syntax.h"

namespace lem::verilog {

/// Whether a name is a net of one bit that its use in a port connection or left of `assign`
/// declares (IEEE 1800, 6.10).
bool is_implicit_net(const Syntax& design, ScopeId scope, const Token& token);

/// Errors name the word: an undeclared name, a property inside an expression, operators of
/// sequences and properties; and a name that means something else in the scope `place`, where the
/// expression is written to.
Status check_expression(const Syntax& design, Range range, ScopeId scope, ScopeId place);

/// Whether the value is known before the first step: it has only constants and functions, and
/// `known` names.
bool is_constant(const Syntax& design, Range range, ScopeId scope,
                 const std::function<bool(const std::string&)>& known);

/// The innermost module, generate block or routine around a word.
ScopeId scope_of(const Syntax& design, std::size_t token);

/// Refuses a select of a member of a struct that may lie outside of the member, which Yosys takes
/// from the member beside it: all but constant indices into members of a constant range.
Status check_member_selects(const Syntax& design);

/// Whether a scope is another or lies in it.
bool is_inside(const Syntax& design, ScopeId inner, ScopeId outer);

/// Whether a routine, or a block in it, declares the name.
bool is_local(const Syntax& design, ScopeId routine, const std::string& name);

/// Functions of earlier clock ticks, whose arguments are sampled: $past, $rose, ...
bool is_sampling(const std::string& function);

/// The call of a system function: with its arguments, if it has any.
Range call_at(const Syntax& design, std::size_t at);

}  // namespace lem::verilog
