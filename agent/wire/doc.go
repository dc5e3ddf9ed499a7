// Package wire is what the providers share of asking a model over HTTP, and
// nothing of any one API but what OpenAI's two have alike.
//
// One question, as far as it is the same for all:
//
//	history ─► CallIDs, Identifier, Object, Schema, images ─► what servers take
//	   │
//	   ├── Server.Ask ── Client: no silent wait for headers, no redirect with the key
//	   │       │
//	   │       ├── Events ── each event whole, checked by its Keys, or an error
//	   │       │      ├─ the provider takes it: Nothing, a Piece, Whole, Last
//	   │       │      └─ Pulse ── bytes that bring no piece of the answer, as a sign of life
//	   │       │
//	   │       ├── a refusal ─► ReadFault ─► Fault, RetryAfter ─► *agent.ProviderError
//	   │       │
//	   │       └── no whole answer ─► Peer.Failed ─► *agent.ProviderError, or ctx's error
//	   │
//	   └── Server.Get ── lists of models
//
// Peer is in the middle of it: every message for people goes through its Line,
// so that none has a key in it, or more than one line.
//
// How a provider names its errors, its stops and its parts stays with it.
package wire
