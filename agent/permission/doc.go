// Package permission decides which effects of a tool call go ahead, which are
// asked about, and which are refused.
//
//	effect ──► Rules.Decide(mode, effect)
//	             deny rules ─► the plan ceiling ─► ask rules ─► what is protected ─► allow rules ─► the mode
//	                ├─► Allow ──► the call runs
//	                ├─► Ask ────► hooks, then a person, through the supervisor
//	                └─► Deny ───► the model is told why
//
// A rule is read with suspicion of the effect: deny and ask take it to mean all that
// it may mean, allow only what it plainly says. So what cannot be understood, a
// command with a substitution in it say, is never allowed by a rule, and is asked
// about where a rule might deny it.
//
// A line is read as bash reads it, and allowed only where a plain sh reads the same.
//
//	command line ─► syntax tree ─► its simple commands, those of substitutions and
//	of programs that run others too ─► each matched with each rule
//
// What is asked about can be allowed for good, where a rule says no more than that:
//
//	effect ──► Rules.Propose ──► the narrowest rules of use ──► Decide allows it with them, or none is proposed
package permission
