// Package anthropic asks Claude models through the Messages API, on the official
// SDK. Only main imports it.
//
// # One answer
//
//	Stream ──► request ── system, tools, history in Anthropic's dialect,
//	   │                  cache breakpoints where the next request will look
//	   │
//	   ├── POST /v1/messages, once: the loop retries, the SDK does not
//	   │
//	   ├── wire.Clean ──► events ──► answer ── blocks by their index, pieces to on
//	   │       │                              as they come
//	   │       └─ wire.Pulse ── bytes that carry no piece (pings, arguments, hidden
//	   │                   thinking) reach on as an empty Delta, a sign of life
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
// Pawl asks for no extended thinking of its own: models think as they do by
// default.
//
// The SDK writes nothing to the terminal in what is used here.
package anthropic
