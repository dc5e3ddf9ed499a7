// Package gemini asks Gemini models through the Gemini API, with a key. Vertex AI, which
// signs in to Google Cloud, is another server with other addresses, and not asked.
//
// # One answer
//
//	Stream ──► request, contents ── history, system and tools in Gemini's dialect
//	   │
//	   ├── wire.Server: POST …:streamGenerateContent?alt=sse, once
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
// The types of requests and chunks are of this package. testdata/oracle holds what
// goes out against Google's own library.
package gemini
