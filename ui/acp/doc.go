// Package acp is the front end for editors: the Agent Client Protocol, JSON-RPC over
// standard input and output. The protocol is the published SDK's; what a session's
// records look like in it is decided here.
//
//	editor                  editor (agent.go)        session            teller
//	  │ initialize ─────────────►│                      │                  │
//	  │ session/new, load ──────►│ Options.Open ───────►│ Watch ──────────►│ from record 0 on
//	  │◄─ session/update ────────┼──────────────────────┼──────────────────│ load: the history first
//	  │ session/prompt ─────────►│ Do(Send) ───────────►│ turn             │
//	  │◄─ text, thoughts ────────┼──────────────────────┼── voice ─────────│ as it streams, each once
//	  │◄─ tool calls, plan ──────┼──────────────────────┼── call.go ───────│
//	  │◄─ subagents ─────────────┼──────────────────────┼── card ──────────│ on the call that began them
//	  │◄─ request_permission ────┼──────────────────────┼── questions ─────│
//	  │   the answer ───────────►│ Do(Resolve)          │                  │
//	  │ session/cancel ─────────►│ Do(Stop) ───────────►│                  │
//	  │◄─ the prompt's result ───┼──────────────────────│ the parent idles │
//	  │ end of input ───────────►│ Session.Close, all: what runs is interrupted
//
// A prompt is over when the parent is idle, as on the screen: subagents in the
// background go on, and what they do, and what the parent makes of their ends, is told
// by updates outside of any prompt.
//
// One goroutine a session, its teller's, sends all of the session's updates, so they
// come in the order of the records, and those of a prompt before its result.
package acp
