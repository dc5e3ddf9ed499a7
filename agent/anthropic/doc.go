// Package anthropic asks Claude models through the Messages API.
//
// # One answer
//
//	Stream ──► request ── system, tools and history in Anthropic's format, thinking
//	   │                  if wanted, cache breakpoints where the next request will
//	   │                  look
//	   │
//	   ├── wire.Server: POST /v1/messages, once
//	   │       └─ 400 about thinking ─► lessons ─► the same without it, once for each
//	   │
//	   ├── events ──► answer ── blocks by index, pieces passed to on as they come
//	   │       └─ bytes without a piece (pings, arguments, hidden thinking)
//	   │          are passed to on as an empty Delta, a sign of life
//	   │
//	   └── message_stop ──► agent.Response
//	       anything else ──► *agent.ProviderError, or ctx's error
//
// Only a stream with a stop reason and message_stop is an answer. A connection that closes
// cleanly in the middle is an error like any other.
//
// # What is sent back
//
// Thinking is kept as it came, including hidden and redacted thinking, and is sent back
// verbatim in its place. Other providers' thinking is not sent to Claude.
//
// # Thinking
//
// A model that is known to think is asked to, and to show a summary. From 4.6 on it decides how
// much ("adaptive"), and also thinks between tool calls. Earlier models get a budget, and a
// header for the latter. They are not asked in a turn that began without thinking, for example
// by another provider, because the API would refuse it. Unknown models are not asked at all.
//
// What a server refuses of this is left out from then on: the request to think, for that
// model, or the thinking in a history whose beginning has changed. A compatible server
// that does not know thinking refuses it once, or ignores it.
//
// This package has its own types for requests and events. testdata/oracle compares what is
// sent with Anthropic's own library.
package anthropic
