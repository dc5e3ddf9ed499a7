package host

import (
	"context"
	"log/slog"

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

// draftFact names the fact that holds what was typed in a folder and not sent.
func draftFact(folder string) string { return "draft:" + folder }

// screenDrafts gives the screen the messages that were typed and not sent. The parent's belongs
// to the folder, so that the next session has it too; those to subagents belong to their session.
func (h *screen) screenDrafts(ctx context.Context, options *ui.Options) error {
	ctx = context.WithoutCancel(ctx)
	folder := draftFact(h.World.Folder)
	own, err := h.Store.Fact(ctx, folder)
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
	options.SaveDraft = func(session lifecycle.SessionID, text string) {
		if session == h.Root {
			if err := h.Store.SetFact(ctx, folder, text); err != nil {
				slog.Error("keep the draft", "error", err)
			}
			return
		}
		drafts.change(ctx, func(all map[lifecycle.SessionID]string) {
			all[session] = text
			if text == "" {
				delete(all, session)
			}
		})
	}
	return nil
}
