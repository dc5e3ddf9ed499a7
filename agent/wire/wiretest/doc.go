// Package wiretest is the test bench of the providers: a server on loopback that plays
// recordings, and the damage that a stream can suffer, the same for all providers. Only
// tests import it.
//
//	Serve ── a server that answers with Replies and keeps the requests
//	Bench ── a provider, with recordings of its server
//	   ├─ Sent     what is sent for every kind of question, against a golden file
//	   ├─ Cut      the stream ends at every byte: cleanly, abruptly, by a stop; compressed too
//	   ├─ Garble   a byte is changed or inserted, at every byte
//	   ├─ Faults   a table of other faults of streams
//	   ├─ Refusals a table of statuses and of Retry-After; Refuses: refusals in one API's words
//	   ├─ Connection  no server, a redirect, a stop, an address or a key that cannot work
//	   ├─ Limits   servers that send nothing, or pings for ever, in virtual time
//	   ├─ Fuzz     any bytes
//	   └─ Tokens   what a token allocates; Requests: what a step of a conversation does
//
// The promise is always the same: the complete answer, or an error. A damaged byte can
// also turn a value into another valid one, which nobody can detect; see sameForm.
package wiretest
