// Package project reads what the files of a folder ask of Pawl, and knows which of it the user
// has agreed to.
//
//	.mcp.json, .pawl/config.toml, types, git's settings ─► Parts, one for each file
//	  ─► Read: what the user has said about exactly this content, by internal/trust
//	  ─► trusted parts are used; Question asks about the others once, or LeftOut names them
//	a command runs ─► CommandChanges: what it changed of these files needs a new answer
//	the branch ─► Surroundings, which every prompt has
package project
