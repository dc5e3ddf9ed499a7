// Package openai asks OpenAI's models through the Responses API, and other servers that
// implement it.
//
// One question:
//
//	Stream ─► request.go: messages ─► items (reasoning is sent back in its place)
//	       ─► wire.Server: POST /responses, once; form.go: what is learnt from a refusal
//	       ─► event.go: events ─► answer.go: items, each piece passed to on
//	            ├─ response.completed   ─► end, tool_calls or refused
//	            ├─ response.incomplete  ─► length, refused or unknown
//	            ├─ response.failed, error ─► *agent.ProviderError
//	            └─ none of them         ─► *agent.ProviderError, temporary
//
// OpenAI stores nothing: the reasoning comes back encrypted, is kept in the transcript,
// and is sent again with the items that followed it.
//
// This package has its own types for requests and events. testdata/oracle compares what is
// sent with OpenAI's own library.
package openai
