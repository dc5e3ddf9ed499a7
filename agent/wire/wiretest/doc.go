// Package wiretest is the test bench of the providers: a server on loopback that
// plays what was recorded, and the wrongs that a stream can suffer on its way,
// the same for all. Only tests import it.
//
//	Serve ── a server that answers with Replies and keeps what it was asked
//	Bench ── a provider, with recordings of its server
//	   ├─ Sent     what goes out for every kind of question, against a golden file
//	   ├─ Cut      at every byte: politely, rudely, by a stop; compressed too
//	   ├─ Garble   a byte changed or put in, at every byte
//	   ├─ Faults   a table of what else streams can be like
//	   ├─ Refusals a table of statuses and of Retry-After; Refuses: refusals in one API's words
//	   ├─ Connection  no server, a redirect, a stop, an address or a key that cannot work
//	   ├─ Limits   servers that say nothing, or pings for ever, in virtual time
//	   ├─ Fuzz     any bytes
//	   └─ Tokens   what a token allocates; Requests: a step of a conversation that is sent
//
// The promise is the same everywhere: the whole answer, or an error. A byte can
// also change into another one of a text or a number. Then the stream says
// something else and says it well, and nobody can know; see sameForm.
package wiretest
