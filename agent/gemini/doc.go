// Package gemini asks Gemini models through the Gemini API, with a key. Vertex AI, which has other
// addresses and uses Google Cloud accounts, is internal/models' affair, but for what it lacks.
//
// # One answer
//
//	Stream ──► request, contents ── history, system and tools in Gemini's format
//	   │
//	   ├── wire.Server: POST …:streamGenerateContent?alt=sse, once
//	   ├── chunks ──► answer ── parts joined, pieces passed to on as they come
//	   │       └─ CONTINUATION: the next request of the same answer
//	   │
//	   └── a finish reason, then the end ──► agent.Response
//	       anything else ──► *agent.ProviderError, or ctx's error
//
// Only a stream with a finish reason is an answer. A connection that closes cleanly in the
// middle is an error like any other.
//
// # What is sent back
//
// Thoughts and thought signatures are kept as they came and sent back in their place, to
// this provider only. A call keeps its signature; a signature of text is stored after the
// text, as a redacted thought. Searches of the web go back as the parts that they came in, to models
// that show them.
//
// This package has its own types for requests and chunks. testdata/oracle compares what is
// sent with Google's own library.
package gemini
