// Package chat asks models through the Chat Completions API, of any server that
// speaks it, and of Ollama through its endpoint of that kind.
//
// One question:
//
//	Stream ─► request.go: messages ─► the wire; dialect.go says in which dialect
//	       ─► POST /chat/completions
//	            └─ status ≥ 400 ─► wire.Fault ─► *agent.ProviderError
//	       ─► wire.Events: bytes ─► chunks
//	       ─► answer.go: chunks ─► text, reasoning, usage; call.go: calls
//	            ├─ a finish_reason   ─► whole; usage and [DONE] may follow
//	            ├─ an error object   ─► *agent.ProviderError
//	            └─ neither           ─► *agent.ProviderError, temporary
//
// The client is our own. github.com/sashabaranov/go-openai v1.43.0 was read for
// this and lacks, for servers other than OpenAI's: the headers of refused
// requests (so Retry-After is lost), the `reasoning` field and the other places
// of usage, fields of a server's own in requests, joined data lines, a mark on
// the stream's first byte; it ends a stream after 300 comments, which is how some
// servers say that they are alive, reads lines without a limit, gives the same
// io.EOF for [DONE] and for a cut, and checks parameters by the names of OpenAI's
// models, which others use too.
//
// Ollama cuts a prompt that is longer than its context without a word, and its
// Chat Completions endpoint cannot set that: OLLAMA_CONTEXT_LENGTH does, at the
// server.
package chat
