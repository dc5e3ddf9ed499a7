// Package chat asks models through the Chat Completions API of any server that implements
// it, including Ollama.
//
// One question:
//
//	Stream ─► request.go: messages ─► the request, in the dialect of dialect.go
//	       ─► POST /chat/completions
//	            └─ status ≥ 400 ─► wire.Fault ─► *agent.ProviderError
//	       ─► wire.Events: bytes ─► chunks
//	       ─► answer.go: chunks ─► text, reasoning, usage; call.go: calls
//	            ├─ a finish_reason   ─► complete; usage and [DONE] may follow
//	            ├─ an error object   ─► *agent.ProviderError
//	            └─ neither           ─► *agent.ProviderError, temporary
//
// The client is our own. github.com/sashabaranov/go-openai v1.43.0 lacks what servers other
// than OpenAI's need: the headers of refused requests (for Retry-After), the `reasoning` field
// and the other places of usage, servers' own request fields, joined data lines, a byte order
// mark at the start. It ends a stream after 300 comments, which some servers send as a sign of
// life, reads lines of unlimited length, returns io.EOF both for [DONE] and for a broken
// stream, and checks parameters by OpenAI's model names, which others use too.
//
// Ollama silently truncates a prompt that is longer than its context, which this endpoint
// cannot set. OLLAMA_CONTEXT_LENGTH sets it on the server.
package chat
