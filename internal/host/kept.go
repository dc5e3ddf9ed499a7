package host

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"sync"

	"pawl/internal/app"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
	"pawl/ui/changes"
)

// kept is something that the screen keeps of each session of a root, as a fact of the
// database. Its methods may be called from any goroutine.
type kept[T any] struct {
	store *store.Store
	fact  string

	mu  sync.Mutex
	all map[lifecycle.SessionID]T
}

// keptMarks are what the screens of one session keep of it. They share them, for each change stores
// all of them. The zero value of its parts is what has not been read yet.
type keptMarks struct {
	session *app.Session
	screens *ui.Screens

	mu       sync.Mutex
	drafts   *kept[string]
	seen     *kept[ui.Seen]
	comments *kept[[]changes.Comment]

	typing sync.Mutex // held while a draft to the main agent is being kept, for they come in order
	typed  string     // the last of those
}

// draft looks at the last draft to the main agent, or changes it.
func (k *keptMarks) draft(with func(last *string)) {
	k.typing.Lock()
	defer k.typing.Unlock()
	with(&k.typed)
}

// openDrafts are the drafts to the session's subagents.
func (k *keptMarks) openDrafts(ctx context.Context) (_ *kept[string], err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.drafts == nil {
		k.drafts, err = openKept[string](ctx, k.session.Store, DraftsFact(k.session.Root))
	}
	return k.drafts, err
}

// openSeen are the read marks of its subagents.
func (k *keptMarks) openSeen(ctx context.Context) (_ *kept[ui.Seen], err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen, err = openKept[ui.Seen](ctx, k.session.Store, SeenFact(k.session.Root))
	}
	return k.seen, err
}

// openComments are the comments on its changes, of each session that they go to.
func (k *keptMarks) openComments(ctx context.Context) (_ *kept[[]changes.Comment], err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.comments == nil {
		k.comments, err = openKept[[]changes.Comment](ctx, k.session.Store, CommentsFact(k.session.Root))
	}
	return k.comments, err
}

// openKept reads what is kept under a fact. What cannot be read is not worth failing for.
func openKept[T any](ctx context.Context, s *store.Store, fact string) (*kept[T], error) {
	k := &kept[T]{store: s, fact: fact, all: map[lifecycle.SessionID]T{}}
	text, err := s.Fact(ctx, fact)
	if err != nil || text == "" {
		return k, err
	}
	if err := json.Unmarshal([]byte(text), &k.all); err != nil {
		slog.Error("read what the screen keeps", "fact", fact, "error", err)
		k.all = map[lifecycle.SessionID]T{}
	}
	return k, nil
}

func (k *kept[T]) now() map[lifecycle.SessionID]T {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.all)
}

// change changes what is kept and stores it. An error is logged.
func (k *kept[T]) change(ctx context.Context, change func(map[lifecycle.SessionID]T)) {
	_ = k.changeBy(change, func(value string) error { return k.store.SetFact(ctx, k.fact, value) })
}

// changeBy is change with a way to store it. It returns the error, too.
func (k *kept[T]) changeBy(change func(map[lifecycle.SessionID]T), set func(value string) error) error {
	k.mu.Lock()
	defer k.mu.Unlock() // so that changes are stored in order
	change(k.all)
	text, err := json.Marshal(k.all)
	if err != nil {
		panic(fmt.Sprintf("host: %v", err)) // plain data of ours
	}
	value := string(text)
	if len(k.all) == 0 {
		value = ""
	}
	err = set(value)
	if err != nil {
		slog.Error("keep what the screen keeps", "fact", k.fact, "error", err)
	}
	return err
}
