// Package mcp lets models use the tools of MCP servers: programs that speak over their standard
// input and output, and addresses that speak streamable HTTP. The official SDK implements the
// protocol; this package decides what is started, how long anything may take and what is
// believed of a server.
//
// One server, from its configuration to a call:
//
//	main                  Servers                server                     the server's process
//	 │ Start(specs…) ─────►│ one goroutine each ───►│ expand: ${VAR}            │
//	 │                     │                        │ reach: launcher, or HTTP ─►│ starts
//	 │                     │                        │ initialize, tools/list ◄──►│
//	 │ Watch(fn) ◄─────────│◄──── starting, ready, down, and why ────────────────│ standard error: its last line
//	 │ Tools(ctx) ────────►│ waits 5 s for first starts, and without a screen    │
//	 │                     │ as long as they may take                            │
//	 │ Instructions(tools) ►│ what they say about their tools, shortened          │
//	loop                   │                        │                            │
//	 │ Effect, Run(ctx) ───┼───────────────────────►│ tools/call ───────────────►│
//	 │◄─ Report ───────────┼────────────────────────│◄─ progress ────────────────│ restarts the limit
//	 │◄─ Ask ──────────────┼────────────────────────│◄─ elicitation ─────────────│ pauses the limit
//	 │ ctx ends ───────────┼───────────────────────►│ cancelled ────────────────►│ or is given up, within 2 s
//	 │◄─ Result ───────────┼────────────────────────│◄─ content ─────────────────│
//	 │                     │                        │ gone: down ◄──────────────╳│ dies
//	 │ the next call ──────┼───────────────────────►│ restarts it, at most every 10 s
//	main Close ───────────►│ all in parallel ──────►│ end of input, TERM, KILL ─►│ gone, within 3 s
//
// A server is foreign code. The names of its tools are made valid and unique, its texts are cut,
// its claim that a tool only reads is not believed, and nothing that it does or fails to do
// keeps a run waiting beyond its limits. Lines on its standard output that are not messages
// never reach the SDK, which would end the session.
package mcp
