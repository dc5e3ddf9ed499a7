// Package mcp lets models use the tools of MCP servers: programs that are spoken
// to over their standard input and output, and addresses that speak streamable
// HTTP. The protocol is the official SDK's; what starts, how long anything may
// take and what is believed of a server is decided here.
//
// One server, from its configuration to a call:
//
//	main                  Servers                server                     the server's process
//	 │ Start(specs…) ─────►│ one goroutine each ───►│ expand: ${VAR}            │
//	 │                     │                        │ reach: launcher, or HTTP ─►│ starts
//	 │                     │                        │ initialize, tools/list ◄──►│
//	 │ Watch(fn) ◄─────────│◄──── starting, ready, down, and why ────────────────│ standard error: its last line
//	 │ Tools(ctx) ────────►│ waits 5 s for what starts for the first time,       │
//	 │                     │ without a screen as long as that may take           │
//	 │ Instructions(tools) ►│ what they say of their tools, bounded               │
//	loop                   │                        │                            │
//	 │ Effect, Run(ctx) ───┼───────────────────────►│ tools/call ───────────────►│
//	 │◄─ Report ───────────┼────────────────────────│◄─ progress ────────────────│ begins the limit anew
//	 │◄─ Ask ──────────────┼────────────────────────│◄─ elicitation ─────────────│ the limit stands still
//	 │ ctx ends ───────────┼───────────────────────►│ cancelled ────────────────►│ or is given up, within 2 s
//	 │◄─ Result ───────────┼────────────────────────│◄─ content ─────────────────│
//	 │                     │                        │ gone: down ◄──────────────╳│ dies
//	 │ the next call ──────┼───────────────────────►│ starts it again, at most every 10 s
//	main Close ───────────►│ all side by side ─────►│ end of input, TERM, KILL ─►│ gone, within 3 s
//
// A server is somebody else's program. What it calls its tools is made fit and
// unique, what it says is bounded, that it only reads is not believed, and
// nothing that it does or fails to do keeps a run waiting beyond its limits. Lines on its
// standard output that are no messages never reach the SDK, which would end the session.
package mcp
