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

// drafts are messages that were typed and not sent. The parent's belongs to the folder, so the
// next session has it too; those to subagents belong to their session.
type drafts struct {
	store  *store.Store
	folder string
	root   lifecycle.SessionID

	mu    sync.Mutex // guards texts, which several goroutines of the screen change
	texts map[lifecycle.SessionID]string
}

// openDrafts reads the drafts.
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
			slog.Error("read the drafts", "session", root, "error", err) // not worth failing for
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

// save stores the draft to a session.
func (d *drafts) save(ctx context.Context, session lifecycle.SessionID, text string) {
	fact, value := d.ownFact(), text
	if session != d.root {
		d.mu.Lock()
		defer d.mu.Unlock() // so they are written in order
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
