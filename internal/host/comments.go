package host

import (
	"context"
	"slices"

	"pawl/lifecycle"
	"pawl/ui"
	"pawl/ui/changes"
)

// CommentsFact names the fact that holds the comments on a session's changes that were not sent.
func CommentsFact(root lifecycle.SessionID) string { return "comments:" + string(root) }

// screenChanges gives the screen what was changed in files, and the comments on it that were written
// and not sent.
func (h *screen) screenChanges(ctx context.Context, options *ui.Options) error {
	ctx = context.WithoutCancel(ctx)
	options.Changes, options.Diff = h.ListChanges, h.Diff
	options.Land, options.SendBack = h.LandChosen, h.SendBackAll
	comments, err := h.kept.openComments(ctx)
	if err != nil {
		return err
	}
	for _, some := range comments.now() {
		options.Comments = append(options.Comments, some...)
	}
	options.SaveComment = func(one changes.Comment) {
		comments.change(ctx, func(all map[lifecycle.SessionID][]changes.Comment) {
			now := slices.Clone(all[one.Session])
			now = slices.DeleteFunc(now, func(other changes.Comment) bool { return other.Place == one.Place })
			if one.Text != "" {
				now = append(now, one)
			}
			all[one.Session] = now
			if len(now) == 0 {
				delete(all, one.Session)
			}
		})
	}
	return nil
}
