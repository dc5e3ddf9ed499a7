package machines

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pawl/internal/words"
)

// workersBucket is where workers note that they are there.
const workersBucket = "pawl_workers"

// WorkerInfo is what a worker says of itself to all.
type WorkerInfo struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Machine  string    `json:"machine"`
	Version  string    `json:"version"`
	Protocol int       `json:"protocol"` // of agent/remote
	Slots    int       `json:"slots"`
	Busy     int       `json:"busy"`
	Labels   []string  `json:"labels,omitempty"`
	Load     float64   `json:"load"`  // the machine's, over a minute; negative: unknown
	Since    time.Time `json:"since"` // by the worker's clock, for people alone
}

// Line says what a worker has, in one line.
func (w WorkerInfo) Line() string {
	line := fmt.Sprintf("%s: %d of %s taken, Pawl %s", cmp.Or(w.Name, w.Machine), w.Busy, words.Count(w.Slots, "slot"), w.Version)
	if w.Load >= 0 {
		line += fmt.Sprintf(", load %.1f", w.Load)
	}
	if len(w.Labels) > 0 {
		line += ", labels " + strings.Join(w.Labels, ", ")
	}
	return line
}

// Workers lists the workers that are there, by name.
func (l *Link) Workers(ctx context.Context) ([]WorkerInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	bucket, err := l.js.KeyValue(ctx, workersBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, l.workersError(err)
	}
	watcher, err := bucket.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, l.workersError(err)
	}
	defer func() { _ = watcher.Stop() }()
	var all []WorkerInfo
	for {
		select {
		case entry, open := <-watcher.Updates():
			if entry == nil && open { // all that there were
				slices.SortFunc(all, func(a, b WorkerInfo) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
				return all, nil
			}
			if !open {
				return nil, l.workersError(errors.New("the connection ended"))
			}
			var one WorkerInfo
			if json.Unmarshal(entry.Value(), &one) == nil {
				all = append(all, one)
			}
		case <-ctx.Done():
			return nil, l.workersError(ctx.Err())
		}
	}
}

func (l *Link) workersError(err error) error {
	return fmt.Errorf("list the workers of the NATS server at %s: %w", l.Address(), err)
}

// Announce notes in the list of workers that this one is there.
func (l *Link) Announce(ctx context.Context, info WorkerInfo) error {
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	bucket, err := l.workers(ctx)
	if err != nil {
		return err
	}
	_, err = bucket.Put(ctx, info.ID, body)
	return err
}

// Leave takes this worker from the list.
func (l *Link) Leave(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	bucket, err := l.workers(ctx)
	if err != nil {
		return err
	}
	return bucket.Delete(ctx, id)
}

func (l *Link) workers(ctx context.Context) (jetstream.KeyValue, error) {
	bucket, err := l.js.KeyValue(ctx, workersBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		bucket, err = l.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: workersBucket, Description: "Workers of Pawl that are there", TTL: l.o.Times.Listed, Storage: jetstream.MemoryStorage,
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			bucket, err = l.js.KeyValue(ctx, workersBucket)
		}
	}
	return bucket, err
}
