// Package permission decides which effects of a tool call go ahead, which are
// asked about, and which are refused.
//
//	effect ──► Rules.Decide(mode, effect)
//	             deny rules ─► the plan ceiling ─► ask rules ─► what is protected ─► allow rules ─► the mode
//	                ├─► Allow ──► the call runs
//	                ├─► Ask ────► hooks, then a person, through the supervisor: see grants below this room
//	                └─► Deny ───► the model is told why
//
// A rule is read with suspicion of the effect: deny and ask take it to mean all that
// it may mean, allow only what it plainly says. So what cannot be understood, a
// command with a substitution in it say, is never allowed by a rule, and is asked
// about where a rule might deny it.
//
// A line is read as bash reads it, and allowed only where a plain sh reads the same. The
// parser is not believed alone: a tokenizer that knows only what all shells read alike has
// to find the same words and ends of commands. Where it does not, no rule allows the line,
// and each that denies may mean it.
//
//	command line ─► syntax tree, and tokens that agree with it ─► its simple commands, those
//	of substitutions and of programs that run others too ─► each matched with each rule
//
// A denied command is looked for where a line may yet make one: in what bash expands a
// second time, in what is fed to a program that runs text, behind programs that no table
// knows to be harmless. A star of an allow rule stands for listed options alone. A line
// whose commands are all in the table of those that only read is told by Rules.Reads;
// the caller knows whether the folder is trusted and the sandbox in force.
//
// What is asked about can be allowed for good, where a rule says no more than that:
//
//	effect ──► Rules.Propose ──► the narrowest rules of use ──► Decide allows it with them, or none is proposed
package permission
