package exporttest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"pawl/agent"
	"pawl/export/book"
	"pawl/lifecycle"
)

// What the files of the long story hold, one after the other.
const (
	RefundA = "package shop\n\n// Refund gives money back.\nfunc Refund(cents int) int {\n\treturn cents\n}\n"
	RefundB = "package shop\n\n// Refund gives money back.\nfunc Refund(cents int) int {\n\treturn max(0, cents)\n}\n"
	cartA   = "package shop\n\nfunc Cart() []string { return nil }\n"
	cartB   = "package shop\n\nfunc Cart() []string { return []string{} }\n"
	cartNew = "package shop\n\nimport \"testing\"\n\nfunc TestCart(t *testing.T) {}\n"
)

// File is a file that holds a content, which the story's source can then read.
func (s *Story) File(content string) lifecycle.FileState {
	sum := sha256.Sum256([]byte(content))
	hash := hex.EncodeToString(sum[:])
	if s.Contents == nil {
		s.Contents = map[string]string{}
	}
	s.Contents[hash] = content
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: hash, Size: int64(len(content)), Mode: 0o644}
}

// Change is a file that held one content and then another; empty: there was none.
func (s *Story) Change(path, before, after string) lifecycle.FileChange {
	change := lifecycle.FileChange{Path: path}
	if before != "" {
		change.Before = s.File(before)
	}
	if after != "" {
		change.After = s.File(after)
	}
	return change
}

func (s *Story) content(_ context.Context, hash string) ([]byte, error) {
	content, kept := s.Contents[hash]
	if !kept {
		return nil, book.ErrGone
	}
	return []byte(content), nil
}

// byTool and byCommand are what the calls of the long story change.
func (s *longStory) byTool(call lifecycle.CallID, folder string, all ...lifecycle.FileChange) lifecycle.FilesChanged {
	return lifecycle.FilesChanged{Call: call, By: lifecycle.ChangedByTool, Folder: folder, Files: all}
}

func (s *longStory) byCommand(call lifecycle.CallID, unwatched string, all ...lifecycle.FileChange) lifecycle.FilesChanged {
	return lifecycle.FilesChanged{Call: call, By: lifecycle.ChangedByCommand, Folder: s.Facts.Folder, Files: all, Unwatched: unwatched}
}

const worktree = "/data/worktrees/s-root/fix-the-cart-0a1b2c"

// landed: what one did in a worktree before it failed is brought into the folder.
func landed(s *longStory) {
	s.Add("s-fix", "r-fix", lifecycle.Landed{
		Operation: "o-land", Folder: s.Facts.Folder, Worktree: worktree, Branch: "pawl/fix-the-cart-0a1b2c",
		Files: []lifecycle.FileChange{s.Change("cart.go", cartA, cartB), s.Change("cart_test.go", "", cartNew)},
		Left:  []string{"notes.txt"}, Commit: "3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
	})
	s.said(Root, "r-p2", lifecycle.FromPawl, "", "The user landed 2 files of \"fix the cart\": cart.go, cart_test.go.")
}

// rewound: one prompt is taken back with what it did, and then what a subagent landed.
func rewound(s *longStory) {
	c := asked{"c-big", "shell", "make data", Object{"command": "make data"}}
	s.begin(Root, "r-back", user("Make the data, please."))
	to, keep := s.Upto(), len(s.Entries[Root])-1
	for s.Records[to-1].Run == "r-back" {
		to--
	}
	s.step(Root, "r-back")
	s.speak(Root, "r-back", "", c)
	s.give(Root, "r-back", c, lifecycle.ToolOK, agent.CommandView{Command: "make data"}, "(the tool gave no output)")
	seen := lifecycle.FileChange{
		Path: "data.bin", Before: lifecycle.FileState{Kind: lifecycle.FileRegular, Size: 90 << 20, Mode: 0o644},
		After: lifecycle.FileState{Kind: lifecycle.FileRegular, Size: 91 << 20, Mode: 0o644}, Uncovered: "larger than 64 MB",
	}
	s.with(Root, "r-back", s.byCommand(c.id, "", seen, s.Change("refund.go", RefundB, strings.Replace(RefundB, "max(0, cents)", "0", 1)), s.Change("made.txt", "", "made\n")))
	s.finish("r-back", "The data is made.")
	s.Add(Root, "r-back", lifecycle.Rewound{
		Operation: "o-back", To: to + 1, Prompt: "Make the data, please.", Conversation: true, Folder: s.Facts.Folder,
		Files:   []lifecycle.FileChange{s.Change("made.txt", "made\n", ""), s.Change("refund.go", strings.Replace(RefundB, "max(0, cents)", "0", 1), RefundB)},
		Skipped: []lifecycle.SkippedFile{{Path: "data.bin", Why: "larger than 64 MB"}},
	})
	s.write(Root, "r-back", lifecycle.EntryRewind, lifecycle.Rewind{Keep: keep, Text: "The user took back what followed, with 2 files."})
	land := lifecycle.Seq(0)
	for _, rec := range s.Records {
		if _, is := rec.Event.(lifecycle.Landed); is {
			land = rec.Seq
		}
	}
	s.Add("s-fix", "r-fix", lifecycle.Rewound{
		Operation: "o-only", To: land, Prompt: "fix the cart", Only: "s-fix", Folder: s.Facts.Folder,
		Files: []lifecycle.FileChange{s.Change("cart.go", cartB, cartA), s.Change("cart_test.go", cartNew, "")},
	})
}
