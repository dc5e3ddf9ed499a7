package machines

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Report is how a server stands, for people.
type Report struct {
	Version string  `json:"version"` // of the server
	Bytes   uint64  `json:"bytes"`   // that it stores for this user's account
	Limit   int64   `json:"limit"`   // of them; negative: only its disk
	Stores  []Store `json:"stores"`  // those of Pawl that are there
}

// Store is one of the places in which a server keeps what Pawl needs: a stream, or a bucket.
type Store struct {
	Name     string `json:"name"`
	Messages uint64 `json:"messages"`
	Bytes    uint64 `json:"bytes"`
	Limit    int64  `json:"limit"` // in bytes; negative: there is none
	Replicas int    `json:"replicas"`
}

// stores are the streams behind the places that Pawl uses, by the names that people know.
func stores() [][2]string {
	return [][2]string{{JobStream, JobStream}, {Checkouts, "OBJ_" + Checkouts}, {Results, "OBJ_" + Results}, {workersBucket, "KV_" + workersBucket}}
}

// Report asks the server how it stands. Places that nobody has used yet are left out.
func (l *Link) Report(ctx context.Context) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*l.o.Times.Ask)
	defer cancel()
	r := Report{Version: l.nc.ConnectedServerVersion(), Limit: -1, Stores: []Store{}}
	account, err := l.js.AccountInfo(ctx)
	if err != nil {
		return r, fmt.Errorf("ask the NATS server at %s how it stands: %s", l.Address(), short(err))
	}
	r.Bytes, r.Limit = account.Store, account.Limits.MaxStore
	for _, one := range stores() {
		stream, err := l.js.Stream(ctx, one[1])
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return r, fmt.Errorf("look at %s of the NATS server at %s: %s", one[0], l.Address(), short(err))
		}
		info := stream.CachedInfo()
		r.Stores = append(r.Stores, Store{one[0], info.State.Msgs, info.State.Bytes, info.Config.MaxBytes, info.Config.Replicas})
	}
	return r, nil
}
