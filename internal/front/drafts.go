package front

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"sync"

	"pawl/lifecycle"
	"pawl/store"
)

// drafts are what was typed and not sent. The parent's belongs to the folder, so
// that it is there in the next session too; those to subagents to their session.
type drafts struct {
	store  *store.Store
	folder string
	root   lifecycle.SessionID

	mu    sync.Mutex // over texts, which the screen's goroutines change
	texts map[lifecycle.SessionID]string
}

// openDrafts reads what was left unsent.
func openDrafts(ctx context.Context, s *store.Store, folder string, root lifecycle.SessionID) (*drafts, map[lifecycle.SessionID]string, error) {
	d := &drafts{store: s, folder: folder, root: root, texts: map[lifecycle.SessionID]string{}}
	own, err := s.Fact(ctx, d.ownFact())
	if err != nil {
		return nil, nil, err
	}
	kept, err := s.Fact(ctx, DraftsFact(root))
	if err != nil {
		return nil, nil, err
	}
	if kept != "" {
		if err := json.Unmarshal([]byte(kept), &d.texts); err != nil {
			slog.Error("read the drafts", "session", root, "error", err) // no reason not to start
			d.texts = map[lifecycle.SessionID]string{}
		}
	}
	found := maps.Clone(d.texts)
	if own != "" {
		found[root] = own
	}
	return d, found, nil
}

func (d *drafts) ownFact() string { return "draft:" + d.folder }

// DraftsFact names the fact that holds the drafts to a session's subagents.
func DraftsFact(root lifecycle.SessionID) string { return "drafts:" + string(root) }

// save keeps what is typed to a session now; nothing takes it away.
func (d *drafts) save(ctx context.Context, session lifecycle.SessionID, text string) {
	fact, value := d.ownFact(), text
	if session != d.root {
		d.mu.Lock()
		defer d.mu.Unlock() // and so they are written in their order
		d.texts[session] = text
		if text == "" {
			delete(d.texts, session)
		}
		fact, value = DraftsFact(d.root), ""
		if len(d.texts) > 0 {
			encoded, err := json.Marshal(d.texts)
			if err != nil {
				panic("front: " + err.Error()) // strings
			}
			value = string(encoded)
		}
	}
	if err := d.store.SetFact(ctx, fact, value); err != nil {
		slog.Error("keep the draft", "error", err)
	}
}
