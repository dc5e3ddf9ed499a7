// Package openai asks OpenAI's models through the Responses API, and any server
// that speaks it.
//
// One question:
//
//	Stream ─► request.go: messages ─► items (reasoning goes back in its place)
//	       ─► wire.Server: POST /responses, once; form.go: what a refusal teaches
//	       ─► event.go: events ─► answer.go: items, each piece handed to on
//	            ├─ response.completed   ─► end, tool_calls or refused
//	            ├─ response.incomplete  ─► length, refused or unknown
//	            ├─ response.failed, error ─► *agent.ProviderError
//	            └─ none of them         ─► *agent.ProviderError, temporary
//
// Nothing is stored at OpenAI: the reasoning comes back encrypted, is kept in the
// transcript, and is sent again with the items that it led to.
//
// The types of requests and events are of this package. testdata/oracle holds what
// goes out against OpenAI's own library.
package openai
