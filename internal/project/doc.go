// Package project reads what a folder's own files want of Pawl, and knows which of it the
// user has agreed to.
//
//	.mcp.json, .pawl/config.toml, types, git's settings ─► Parts, a file each
//	  ─► Read: what the user has said about just this content, by internal/trust
//	  ─► trusted ones are used; of the others Question asks once, or LeftOut names them
//	a command runs ─► Leavings: what it changed of these files needs an answer anew
//	AGENTS.md, the branch ─► Surroundings, which every prompt has
package project
