// Package hook handles the user's hooks: programs that are run at certain events and may
// refuse. It starts none itself; package tools does, through internal/app.
//
//	settings ──► Spec                      which event, about what, which program
//	                │ Spec.Wants(input)
//	HookInput ──► Input ──► a line of JSON on the program's standard input
//	                       the program ──► Exit: exit code, both outputs
//	             Judge(event, Exit) ──► agent.HookResult, or why the hook failed
//	             Failed(spec, why) ──► what a failure means: never a yes
//	             Merge ──► one HookResult: deny before ask before allow before pass
//
// The contract with the programs is docs/hooks.md.
package hook
