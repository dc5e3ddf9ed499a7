package host

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// DraftsFact names the fact that holds the drafts to a session's subagents.
func DraftsFact(root lifecycle.SessionID) string { return "drafts:" + string(root) }

// fleetDrafts names the fact that holds what was typed to sessions on the screen of all of them.
const fleetDrafts = "drafts"

// ForgetDraft forgets what was typed there to a session that is deleted.
func ForgetDraft(ctx context.Context, s *store.Store, root lifecycle.SessionID) error {
	drafts, err := openKept[string](ctx, s, fleetDrafts)
	if err != nil || drafts.now()[root] == "" {
		return err
	}
	drafts.change(ctx, func(all map[lifecycle.SessionID]string) { delete(all, root) })
	return nil
}

// factDraft names the session fact that holds what was typed to its main agent and not sent.
const factDraft = "draft"

// folderDraft names the fact that holds what was typed last in a folder and not sent, to whichever
// main agent. It is what sessions begin with that have nothing of their own.
func folderDraft(folder string) string { return "draft:" + folder }

// screenDrafts gives the screen the messages that were typed and not sent, and keeps those that are.
func (h *screen) screenDrafts(ctx context.Context, options *ui.Options) error {
	ctx = context.WithoutCancel(ctx)
	own, err := h.draft(ctx)
	if err != nil {
		return err
	}
	drafts, err := h.kept.openDrafts(ctx)
	if err != nil {
		return err
	}
	options.Drafts = drafts.now()
	if own != "" {
		options.Drafts[h.Root] = own
	}
	options.SaveDraft = func(session lifecycle.SessionID, text string, back []lifecycle.MessageID) error {
		if session == h.Root {
			err := h.keepDraft(ctx, text, back)
			if err != nil {
				slog.Error("keep the draft", "error", err)
			}
			return err
		}
		return drafts.changeBy(func(all map[lifecycle.SessionID]string) {
			all[session] = text
			if text == "" {
				delete(all, session)
			}
		}, func(value string) error {
			return h.Store.SetDraft(ctx, store.Draft{Session: session, Fact: drafts.fact, Shared: true, Value: value, Back: back})
		})
	}
	return nil
}

// draft is what was typed to the main agent of this session and not sent or, where there is nothing,
// what was typed last in its folder: so a text goes along to the next session. It stays where it was
// typed, too, for that session may be open.
func (h *screen) draft(ctx context.Context) (text string, err error) {
	h.kept.draft(func(had *string) {
		text, err = h.Store.SessionFact(ctx, h.Root, factDraft)
		h.heed(text, *had)
		if err == nil && text == "" {
			text, err = h.Store.Fact(ctx, folderDraft(h.World.Folder))
		}
		*had = text
	})
	return text, err
}

// heed passes on to the screens what another process has kept as this session's draft, as the fleet does
// with what was typed there, and reports whether it has. Had is what this one kept last.
func (h *screen) heed(there, had string) bool {
	foreign := there != "" && there != had
	if foreign {
		h.kept.screens.AddDraft(h.Root, there)
	}
	return foreign
}

// keepDraft keeps what is typed to the main agent. A session that was not saved has no facts, and
// nobody comes back to it: the folder has its text. There an empty line takes away only what this
// session has had in its own, never what stands in another one's. The line has taken the messages in
// back, which had come back to their user.
func (h *screen) keepDraft(ctx context.Context, text string, back []lifecycle.MessageID) (err error) {
	h.kept.draft(func(had *string) {
		if h.saved(ctx) {
			own, unread := h.Store.SessionFact(ctx, h.Root, factDraft)
			if h.heed(own, *had) {
				text = strings.TrimRight(own+"\n"+text, "\n")
			}
			err = errors.Join(unread, h.Store.SetDraft(ctx, store.Draft{Session: h.Root, Fact: factDraft, Value: text, Back: back}))
			if err != nil { // or what is kept would count as another process's
				return
			}
		}
		folder := folderDraft(h.World.Folder)
		there, unread := h.Store.Fact(ctx, folder)
		if err = errors.Join(err, unread); unread == nil && (text != "" || there == *had) {
			err = errors.Join(err, h.Store.SetFact(ctx, folder, text))
		}
		*had = text
	})
	return err
}
