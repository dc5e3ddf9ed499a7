// Package gemini asks Gemini models through the Gemini API, on the official SDK.
// Only main imports it.
//
// # One answer
//
//	Stream ──► contents, config ── history, system and tools in Gemini's dialect
//	   │
//	   ├── POST …:streamGenerateContent?alt=sse, once: the loop retries, the SDK does not
//	   │        │
//	   │       door ── a refusal becomes an error with its status and headers, which
//	   │        │      the SDK would drop; a stream is cleaned of what the SDK cannot read
//	   │        ▼
//	   ├── piece ── takes chunks that are text and nothing else before the SDK
//	   ├── chunks ──► answer ── parts joined, pieces to on as they come
//	   │       └─ CONTINUATION: the next request of the same answer
//	   │
//	   └── a finish reason, then the end ──► agent.Response
//	       anything else ──► *agent.ProviderError, or ctx's error
//
// Nothing counts as an answer but a stream with a finish reason: a connection
// that closes politely in the middle is an error like any other.
//
// # What is kept for the way back
//
// Thoughts and thought signatures are kept as they came and go back in their
// place, to this provider only. A signature on a call is the call's; one on text
// follows the text as a redacted thought.
//
// # The standard log
//
// The SDK writes to the standard log when a stream is cancelled or breaks, and
// in New when both GOOGLE_API_KEY and GEMINI_API_KEY are set; it offers no way to
// turn that off. main must point the standard log away from the terminal, with
// log.SetOutput, before it calls New. This package does not: the log is not its
// own.
package gemini
