// Package anthropic asks Claude models through the Messages API.
//
// # One answer
//
//	Stream ──► request ── system, tools, history in Anthropic's dialect, the wish
//	   │                  for thinking, cache breakpoints where the next request
//	   │                  will look
//	   │
//	   ├── wire.Server: POST /v1/messages, once
//	   │       └─ 400 about thinking ─► lessons ─► the same without, once for each
//	   │
//	   ├── events ──► answer ── blocks by their index, pieces to on as they come
//	   │       └─ bytes that carry no piece (pings, arguments, hidden thinking)
//	   │          reach on as an empty Delta, a sign of life
//	   │
//	   └── message_stop ──► agent.Response
//	       anything else ──► *agent.ProviderError, or ctx's error
//
// Nothing counts as an answer but a stream with a stop reason and message_stop:
// a connection that closes politely in the middle is an error like any other.
//
// # What is kept for the way back
//
// Thinking is kept as it came, hidden and redacted thinking too, and goes back
// verbatim and in its place; other providers' thinking is not shown to Claude.
//
// # Thinking
//
// A model that is known to think is asked to, and to show a summary of it: since 4.6
// it measures that itself ("adaptive"), and thinks between tools too; earlier ones
// get a budget, and a header for the latter. One of those is not asked in a turn that
// began without thinking, another provider's say, since the API would refuse it. Of
// models of which nothing is known nobody asks anything.
//
// What a server refuses of it is left out from then on: the wish, for that model, or
// the thinking in a history whose beginning has changed since. A compatible server
// that knows nothing of thinking refuses it once or passes it over.
//
// The types of requests and events are of this package. testdata/oracle holds what
// goes out against Anthropic's own library.
package anthropic
