package redact

import (
	"fmt"

	"pawl/lifecycle"
)

// changeEvent is what was changed without its names. Paths and hashes become tags: which file
// it was shows in none, and that it is the same one shows in all.
func (b *bared) changeEvent(event lifecycle.Event) lifecycle.Event {
	switch e := event.(type) { //nolint:gochecksumtype // event has sorted them
	case lifecycle.FilesChanged:
		return lifecycle.FilesChanged{
			Call: bareID(b, e.Call), By: bareWord(e.By), Folder: b.subject(e.Folder), Files: b.files(e.Files),
			Unwatched: b.text(e.Unwatched), Beside: b.runIDs(e.Beside),
		}
	case lifecycle.Landed:
		return lifecycle.Landed{
			Operation: bareID(b, e.Operation), Folder: b.subject(e.Folder), Worktree: b.text(e.Worktree), Branch: b.text(e.Branch),
			Files: b.files(e.Files), Left: b.texts(e.Left), Commit: b.text(e.Commit), Removed: e.Removed, Tell: b.text(e.Tell),
		}
	case lifecycle.Rewound:
		without := lifecycle.Rewound{
			Operation: bareID(b, e.Operation), To: e.To, Prompt: b.text(e.Prompt), Conversation: e.Conversation,
			Only: b.session(e.Only), Folder: b.subject(e.Folder), Files: b.files(e.Files), Tell: b.text(e.Tell),
		}
		for _, left := range e.Skipped {
			without.Skipped = append(without.Skipped, lifecycle.SkippedFile{Path: b.subject(left.Path), Why: b.text(left.Why)})
		}
		return without
	default:
		panic(fmt.Sprintf("export: %T is no event of changes", event))
	}
}

func (b *bared) files(all []lifecycle.FileChange) []lifecycle.FileChange {
	var without []lifecycle.FileChange
	for _, file := range all {
		without = append(without, lifecycle.FileChange{
			Path: b.subject(file.Path), Before: b.state(file.Before), After: b.state(file.After), Uncovered: b.text(file.Uncovered),
		})
	}
	return without
}

// state is a file whose hash would say which one it is.
func (b *bared) state(s lifecycle.FileState) lifecycle.FileState {
	without := lifecycle.FileState{Kind: bareWord(s.Kind), Size: s.Size, Mode: s.Mode}
	if s.Hash != "" {
		without.Hash = b.tag(s.Hash, 32)
	}
	return without
}

func (b *bared) runIDs(all []lifecycle.RunID) []lifecycle.RunID {
	var without []lifecycle.RunID
	for _, id := range all {
		without = append(without, bareID(b, id))
	}
	return without
}
