// Package hook knows the user's hooks: programs that are asked at certain moments, and
// may say no. It starts none; package tools does, and main joins the two.
//
//	settings ──► Spec                      which event, about what, which program
//	                │ Spec.Wants(occasion)
//	occasion ──► Input ──► a line of JSON on the program's standard input
//	                       the program ──► Ran: exit code, both outputs
//	             Judge(event, Ran) ──► agent.HookResult, or why the hook failed
//	             Failed(event, why) ─► what a failure means: never a yes
//	             Merge ──► one HookResult: deny before ask before allow before nothing
//
// The contract with the programs is docs/hooks.md.
package hook
