package front

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"sync"

	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// readMarks is what a person has seen of a session's subagents. It is stored with the session:
// an end that nobody has seen is unread in the next process too.
type readMarks struct {
	store *store.Store
	root  lifecycle.SessionID

	mu   sync.Mutex // guards seen, which several goroutines of the screen change
	seen map[lifecycle.SessionID]ui.Seen
}

// SeenFact names the fact that holds the read marks of a session.
func SeenFact(root lifecycle.SessionID) string { return "seen:" + string(root) }

// openReadMarks reads the stored marks.
func openReadMarks(ctx context.Context, s *store.Store, root lifecycle.SessionID) (*readMarks, error) {
	g := &readMarks{store: s, root: root, seen: map[lifecycle.SessionID]ui.Seen{}}
	kept, err := s.Fact(ctx, SeenFact(root))
	if err != nil || kept == "" {
		return g, err
	}
	if err := json.Unmarshal([]byte(kept), &g.seen); err != nil {
		slog.Error("read what was seen", "session", root, "error", err) // not worth failing for
		g.seen = map[lifecycle.SessionID]ui.Seen{}
	}
	return g, nil
}

// save stores how far one subagent's session was seen.
func (g *readMarks) save(ctx context.Context, session lifecycle.SessionID, seen ui.Seen) {
	g.mu.Lock()
	defer g.mu.Unlock() // so they are written in order
	g.seen[session] = seen
	encoded, err := json.Marshal(g.seen)
	if err != nil {
		panic("front: " + err.Error()) // strings and numbers
	}
	if err := g.store.SetFact(ctx, SeenFact(g.root), string(encoded)); err != nil {
		slog.Error("keep what was seen", "error", err)
	}
}

// screenSeen gives the screen the stored marks and stores new ones.
func (h *screen) screenSeen(ctx context.Context, options *ui.Options) error {
	kept, err := openReadMarks(ctx, h.Store, h.Root)
	if err != nil {
		return err
	}
	options.Seen = maps.Clone(kept.seen)
	options.SaveSeen = func(session lifecycle.SessionID, seen ui.Seen) {
		kept.save(context.WithoutCancel(ctx), session, seen)
	}
	return nil
}
