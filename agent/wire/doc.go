// Package wire holds what providers share in asking models over HTTP, and nothing specific
// to one API except what OpenAI's two have in common.
//
// One question, as far as all providers agree:
//
//	history ─► CallIDs, Identifier, Object, Schema, images ─► what servers accept
//	   │
//	   ├── Server.Ask ── Client: no silent wait for headers, no redirect with the key
//	   │       │
//	   │       ├── Events ── each event complete, checked by its Keys, or an error
//	   │       │      ├─ the provider takes it: Nothing, a Piece, Whole, Last
//	   │       │      └─ Pulse ── bytes that bring no piece of the answer are a sign of life
//	   │       │
//	   │       ├── a refusal ─► ReadFault ─► Fault, RetryAfter ─► *agent.ProviderError
//	   │       │
//	   │       └── no complete answer ─► Peer.Failed ─► *agent.ProviderError, or ctx's error
//	   │
//	   └── Server.Get ── lists of models
//
// Every message for people passes through Peer.Line, so that none has more than one line
// or contains a key.
//
// The names of errors, stop reasons and parts belong to each provider.
package wire
