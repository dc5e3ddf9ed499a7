// Package doctor says what would hinder Pawl on this machine and in this folder. It changes
// nothing and never shows the value of a variable that holds a key. It asks the model servers
// for their lists, and starts the MCP servers that Pawl would start.
//
//	folders ─► settings ─► this folder ─► models ─► agent types ─► commands, skills ─► permissions ─► hooks ─► telemetry ─► terminal
//	        ─► database ─► sessions ─► hosts ─► servers ─► checkout ─► changes ─► machines ─► processes ─► sandbox ─► Report, or text
package doctor
