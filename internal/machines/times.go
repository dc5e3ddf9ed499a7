package machines

import (
	"cmp"
	"time"
)

// Times are the spans that both ends hold to. The zero value means DefaultTimes; only tests
// have others, and give all machines the same.
type Times struct {
	Beat    time.Duration // between two beats of a worker, and two of its acknowledgements in progress
	Lease   time.Duration // without a beat, an attempt is lost; a job that nobody keeps is delivered again
	Confirm time.Duration // a worker that could confirm nothing for so long kills its idempotent runs
	Server  time.Duration // without a server a worker goes on at other runs for so long
	Host    time.Duration // and without the run's host for so long
	Kill    time.Duration // a killed process is gone
	Ask     time.Duration // one request waits for its reply, before it is sent again
	Ping    time.Duration // between two signs of life to the server; after three unanswered the connection is closed
	Info    time.Duration // between two notes of a worker in the list of workers
	Listed  time.Duration // a worker without a new note is taken from the list
	Publish time.Duration // between two looks at whether a waiting job is still in the queue
}

// DefaultTimes are those of the design. A worker's Confirm and Kill together are less than
// Lease, so that it has ended an idempotent run before its host queues it again.
var DefaultTimes = Times{
	Beat: 2 * time.Second, Lease: 10 * time.Second, Confirm: 7 * time.Second,
	Server: 10 * time.Minute, Host: time.Hour, Kill: 2 * time.Second,
	Ask: 2 * time.Second, Ping: 2 * time.Second, Info: 5 * time.Second, Listed: 15 * time.Second,
	Publish: 30 * time.Second,
}

func (t Times) orDefaults() Times { return cmp.Or(t, DefaultTimes) }
