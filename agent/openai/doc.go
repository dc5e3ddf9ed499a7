// Package openai asks OpenAI's models through the Responses API, and any server
// that speaks it.
//
// One question:
//
//	Stream ─► request.go: messages ─► items (reasoning goes back in its place)
//	       ─► SDK: POST /responses, its own retries off
//	            └─ status ≥ 400 ─► wire.Fault ─► *agent.ProviderError
//	       ─► piece.go: pieces of items, taken before the SDK, which reads the rest
//	       ─► answer.go: events ─► items, each piece handed to on
//	            ├─ response.completed   ─► end, tool_calls or refused
//	            ├─ response.incomplete  ─► length, refused or unknown
//	            ├─ response.failed, error ─► *agent.ProviderError
//	            └─ none of them         ─► *agent.ProviderError, temporary
//
// Nothing is stored at OpenAI: the reasoning comes back encrypted, is kept in the
// transcript, and is sent again with the items that it led to.
//
// The root package of the SDK is never imported: it takes minutes to compile.
// That is why the list of models is read without it.
package openai
