// Package permission decides which effects of a tool call are allowed, asked about or denied.
//
//	effect ──► Rules.Decide(mode, effect)
//	             deny rules ─► plan mode ─► ask rules ─► protected files ─► allow rules ─► the mode
//	                ├─► Allow ──► the call runs
//	                ├─► Ask ────► hooks, then a person, through the supervisor: see grants below this room
//	                └─► Deny ───► the model is told why
//
// Every doubt counts against the effect. Deny and ask rules match whatever an effect might
// do; allow rules match only what it plainly does. A command that cannot be understood,
// for example one with a substitution, is never allowed by a rule, and is asked about if a
// deny rule might match it.
//
// A line is parsed as bash would parse it, and allowed only if a plain sh reads it the
// same way. The parser is not trusted alone: a tokenizer that knows only what all shells
// agree on must find the same words and the same ends of commands. If it does not, no rule
// allows the line, and every deny rule might match it.
//
//	command line ─► syntax tree, checked against the tokens ─► its simple commands, with those in
//	substitutions and behind wrappers such as sudo ─► each matched against each rule
//
// Deny rules also look where a line could still build the denied command: in text that
// bash expands a second time, in input fed to a program that executes it, and in the
// arguments of programs that no table lists as harmless. A star in an allow rule covers
// listed options only. Rules.Reads recognises lines that only read; its caller checks that
// the folder is trusted and the sandbox is on.
//
// Propose suggests rules that would allow for good what is being asked about:
//
//	effect ──► Rules.Propose ──► the narrowest useful rules ──► kept only if Decide then allows the effect
package permission
