// Package acp is the front end for editors: the Agent Client Protocol, JSON-RPC over standard
// input and output. The SDK implements the protocol; this package decides how a session's
// records appear in it.
//
//	editor                  editor (agent.go)        session            publisher
//	  │ initialize ─────────────►│                      │                  │
//	  │ session/new, load ──────►│ Options.Open ───────►│ Watch ──────────►│ from record 0 on
//	  │◄─ session/update ────────┼──────────────────────┼──────────────────│ load: the history first
//	  │ session/prompt ─────────►│ Do(Send) ───────────►│ turn             │
//	  │◄─ text, thoughts ────────┼──────────────────────┼── text_stream ───│ as it streams, each once
//	  │◄─ tool calls, plan ──────┼──────────────────────┼── call.go ───────│
//	  │◄─ subagents ─────────────┼──────────────────────┼── card ──────────│ on the calls that started them
//	  │◄─ request_permission ────┼──────────────────────┼── questions ─────│
//	  │   the answer ───────────►│ Do(Resolve)          │                  │
//	  │ session/cancel ─────────►│ Do(Stop) ───────────►│                  │
//	  │◄─ the prompt's result ───┼──────────────────────│ the parent idles │
//	  │ end of input ───────────►│ Session.Close, all: running runs are interrupted
//
// A prompt is over when the parent is idle, as on the screen: background subagents go on, and
// updates outside of any prompt tell what they do and what the parent makes of their ends.
//
// One goroutine a session, its publisher's, sends all of the session's updates, so they come in the
// order of the records, and those of a prompt before its result.
package acp
