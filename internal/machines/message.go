package machines

import (
	"encoding/json"

	"pawl/lifecycle"
)

// Attempt names one try at a run: 1 for the first.
type Attempt struct {
	Run    lifecycle.RunID `json:"run"`
	Number int             `json:"attempt"`
}

// Claim is what a worker says of itself when it asks whether it may work at an attempt.
type Claim struct {
	Attempt
	Worker   string `json:"worker"`  // its ID, another each time it is started
	Name     string `json:"name"`    // for people
	Machine  string `json:"machine"` // the name of its machine
	Version  string `json:"version"`
	Protocol int    `json:"protocol"` // of agent/remote
	TLS      bool   `json:"tls"`      // of its connection with the server
	Key      []byte `json:"key"`      // of its Half, another in each claim
}

// Verdict is what a host says of an attempt.
type Verdict string

// The verdicts.
const (
	Granted Verdict = "granted" // this worker, and no other, works at it
	Over    Verdict = "over"    // it has ended, or is another worker's
	Later   Verdict = "later"   // the host does not know yet: ask again
	Refused Verdict = "refused" // this worker cannot have it
)

// Ack answers Gone, Result and Refusal: Later means that they must be sent again.
type Ack struct {
	Verdict Verdict `json:"verdict"`
}

// ClaimReply answers a Claim.
type ClaimReply struct {
	Verdict Verdict         `json:"verdict"`
	Conn    uint64          `json:"conn,omitempty"`   // the number of the connection
	Key     []byte          `json:"key,omitempty"`    // of the host's Half
	Grant   json.RawMessage `json:"grant,omitempty"`  // what the worker needs for the run
	Reason  string          `json:"reason,omitempty"` // why it is Refused
}

// Beat says that a worker is there, and has these attempts of one root session.
type Beat struct {
	Worker   string    `json:"worker"`
	Attempts []Attempt `json:"attempts"`
}

// BeatReply names those that are over.
type BeatReply struct {
	Over []Attempt `json:"over,omitempty"`
}

// Gone says how a process ended, through the connection by which all that it wrote was acknowledged.
type Gone struct {
	Code  int    `json:"code"`
	Said  string `json:"said,omitempty"`
	Error string `json:"error,omitempty"` // it did not start, or did not end
	Lost  bool   `json:"lost,omitempty"`  // the worker gave it up
}

// Result is what a run left, sent after Gone.
type Result struct {
	Data  json.RawMessage `json:"data,omitempty"`
	Error string          `json:"error,omitempty"`
}

// Refusal says that a worker does not take a job.
type Refusal struct {
	Attempt
	Worker string `json:"worker"` // its name
	Reason string `json:"reason"`
}

// Order is what a host tells a worker about an attempt that it has granted: to kill its process,
// or to go on with it in a new connection.
type Order struct {
	Attempt
	Conn uint64 `json:"conn,omitempty"` // the number of that
	Key  []byte `json:"key,omitempty"`  // of the host's Half
}

// OrderReply says whether the worker has that attempt.
type OrderReply struct {
	Known bool   `json:"known"`
	Key   []byte `json:"key,omitempty"`   // of its Half of a new connection
	Later bool   `json:"later,omitempty"` // it cannot say yet: it has asked for it, or is killing it
	Error string `json:"error,omitempty"` // why it does not obey
}
