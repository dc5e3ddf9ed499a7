package ui

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/terminal"
)

// A comment goes to who wrote the line that it is on, and all of one writer go together.
func TestCommentsGoToWhoWroteTheLines(t *testing.T) {
	s := reviewing(t, 100, 40, fileChanges())
	s.keys("enter", "down", "c")
	require.Contains(t, s.text(), "comment on refund.go:3")
	s.typed("say why")
	s.keys("enter")
	require.Contains(t, s.text(), "▸ say why")
	require.Contains(t, s.text(), "1 comment")
	s.keys("n", "n", "down", "c")
	s.typed("the parent wrote this")
	s.keys("enter", "n", "c")
	s.typed("and the subagent this")
	s.keys("enter")
	require.Contains(t, s.text(), "3 comments")
	s.route.taken()
	s.keys("m")
	var sent []string
	for _, c := range s.route.taken() {
		if send, is := c.(lifecycle.Send); is {
			sent = append(sent, fmt.Sprintf("%s: %s", send.Session, send.Text))
		}
	}
	slices.Sort(sent)
	require.Equal(t, []string{
		"audit refunds: Comments on your changes:\n\ninternal/ledger/of/all/years/ledger.go:21\n> for _, fee := range fees {\nand the subagent this",
		"root: Comments on your changes:\n\ninternal/ledger/of/all/years/ledger.go:3\n> func Ledger(n, fee int) int { return n - fee }\nthe parent wrote this\n\nrefund.go:3\n> // Refund gives the money back.\nsay why",
	}, sent)
	require.NotContains(t, s.text(), "3 comments")
	s.keys("m")
	require.Contains(t, s.text(), "no comments to send")
}

func TestAPasteKeepsItsLinesInAComment(t *testing.T) {
	s := reviewing(t, 80, 24, fileChanges())
	s.keys("enter", "down", "c")
	s.send(tea.PasteMsg{Content: "rather:\r\n\tfor range n {\n"})
	require.Equal(t, atComment, s.at())
	s.keys("enter")
	require.Equal(t, "rather:\n\tfor range n {", s.review.writing.All()[0].Text)
	require.Contains(t, s.text(), "rather:")
}

func TestASentenceThatIsTypedOverADiffIsAMessage(t *testing.T) {
	s := reviewing(t, 80, 24, fileChanges())
	s.keys("enter", "down")
	s.typed("could you")
	require.Equal(t, atComposer, s.at(), "though c alone begins a comment")
	require.Equal(t, "could you", s.line().Text)
}

func TestWhatIsWrittenOnALineIsNeverLost(t *testing.T) {
	c := fileChanges()
	s := reviewing(t, 80, 24, c)
	s.keys("enter", "down", "c")
	s.typed("keep this")
	s.carryOut(s.saveDraft())
	require.Equal(t, "keep this", c.saved[len(c.saved)-1].Text, "also while it is written")
	s.keys("enter", "c")
	s.typed(" and this")
	s.keys("esc")
	require.Contains(t, s.text(), "keep this")
	require.NotContains(t, s.text(), "and this")
	s.keys("c", "ctrl+y")
	require.Contains(t, s.text(), "and this", "what was dropped comes back")
	s.keys("enter", "q")
	s.sent("/changes")
	require.Contains(t, s.text(), "1 comment")
	s.carryOut(s.saveDraft())
	kept := c.saved[len(c.saved)-1]

	later := newScreen(t, 80, 24, c.offer, func(o *Options, _ *terminal.Features) { o.Comments = []changes.Comment{kept} })
	later.ask("go")
	later.sent("/changes")
	require.Contains(t, later.text(), "1 comment")
	later.keys("enter", "down", "d")
	require.NotContains(t, later.text(), "1 comment")
	later.carryOut(later.saveDraft())
	require.Empty(t, c.saved[len(c.saved)-1].Text, "it is forgotten")
	later.keys("c", "ctrl+y")
	require.Contains(t, later.text(), "keep this")
}

func TestCommentsThatOneScreenHasSentAreNotSentFromAnother(t *testing.T) {
	c, screens := fileChanges(), NewScreens()
	kept := changes.Comment{Place: changes.Place{Folder: "/src/shop", Path: "refund.go", Line: 3}, Session: root, Text: "say why"}
	own := kept
	own.Text = "say it in the README"
	open := func(comments ...changes.Comment) *screen {
		s := newScreen(t, 80, 24, c.offer, func(o *Options, _ *terminal.Features) { o.Screens, o.Comments = screens, comments })
		s.ask("go")
		s.sent("/changes")
		return s
	}
	one, two, three := open(kept), open(kept), open(own)
	one.keys("m")
	require.Contains(t, one.text(), "sent to the main agent: 1 comment")
	for _, other := range []*screen{two, three} {
		other.send(newsCame{})
		other.route.taken()
	}
	require.Contains(t, two.text(), "sent from another screen: 1 comment")
	two.keys("m")
	require.Empty(t, two.route.taken())
	require.Contains(t, two.text(), "no comments to send")
	require.Equal(t, 1, three.review.writing.Count(), "it is another one")
}

func TestCommentsThatDidNotArriveStay(t *testing.T) {
	s := reviewing(t, 80, 24, fileChanges())
	s.keys("enter", "down", "c")
	s.typed("say why")
	s.keys("enter")
	s.route.err = errors.New("write the log: no space left on device")
	s.keys("m")
	require.Contains(t, s.text(), "comments not sent to the main agent: write the log: no space left on device")
	require.Contains(t, s.text(), "▸ say why")
	s.route.err = nil
	s.keys("m")
	require.Contains(t, s.text(), "sent to the main agent: 1 comment")
}

// The file was changed since: the comment is still there, and says which line it was on.
func TestACommentWhoseLineIsGoneStandsAboveTheDiff(t *testing.T) {
	c := fileChanges()
	s := reviewing(t, 80, 30, c)
	s.keys("enter", "down", "c")
	s.typed("say why")
	s.keys("enter")
	now := c.listing.Groups[changes.ByPrompt][0].Files[0]
	now.After.Hash = "other"
	c.listing.Groups[changes.ByPrompt][0].Files[0] = now
	c.diffs["refund.go"] = changes.Diff{Text: "--- a/refund.go\n+++ b/refund.go\n@@ -1 +1 @@\n-a\n+b\n", Added: 1, Removed: 1}
	s.log(root, "r1", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/src/shop", Files: []lifecycle.FileChange{{Path: "refund.go"}}})
	require.Contains(t, s.text(), "line 3, which has changed")
	require.Contains(t, s.text(), "▸ say why")
	s.keys("home", "d")
	require.NotContains(t, s.text(), "say why")
}
