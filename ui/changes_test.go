package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/terminal"
)

const auditor = lifecycle.SessionID("audit refunds")

const ledgerDiff = `--- a/ledger.go
+++ b/ledger.go
@@ -1,3 +1,3 @@
 package shop
 
-func Ledger(n int) int { return n }
+func Ledger(n, fee int) int { return n - fee }
@@ -20,4 +20,6 @@ func Total() int {
 	sum := 0
+	for _, fee := range fees {
+		sum += fee
+	}
-	sum = all()
 	return sum
 }
`

// changed are the files of a session that knows how to show its changes.
type changed struct {
	mu      sync.Mutex
	listing changes.Listing
	diffs   map[string]changes.Diff
	err     error
	asked   []string // for which diffs
	only    []lifecycle.SessionID
	saved   []changes.Comment
}

func (c *changed) list(_ context.Context, only lifecycle.SessionID) (changes.Listing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.only = append(c.only, only)
	return c.listing, c.err
}

func (c *changed) diff(_ context.Context, which changes.Which) (changes.Diff, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, which.Path)
	d, is := c.diffs[which.Path]
	if !is {
		return d, errors.New("what it held before is not kept")
	}
	return d, nil
}

func (c *changed) offer(o *Options, _ *terminal.Features) {
	o.Changes, o.Diff = c.list, c.diff
	o.SaveComment = func(one changes.Comment) { c.saved = append(c.saved, one) }
}

func which(path string) changes.Which {
	return changes.Which{Folder: "/src/shop", Path: path, After: lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: path}}
}

// fileChanges are the changes of a session in which a subagent took part.
func fileChanges() *changed {
	parent := changes.Writer{Session: root, Run: "r1", Name: "main agent"}
	child := changes.Writer{Session: auditor, Run: "run " + lifecycle.RunID(auditor), Name: "audit refunds"}
	refund := changes.File{Which: which("refund.go"), Writers: []changes.Writer{parent}}
	ledger := changes.File{Which: which("internal/ledger/of/all/years/ledger.go"), Writers: []changes.Writer{parent, child}, Since: true}
	notes := changes.File{Which: which("漢字/notes.md"), Writers: []changes.Writer{child}, Uncovered: "it was not known", Landed: true}
	image := changes.File{Which: which("shot.png"), Writers: []changes.Writer{parent}, TakenBack: true}
	c := &changed{diffs: map[string]changes.Diff{
		"refund.go": {Text: aDiff, Added: 2, Removed: 1},
		"internal/ledger/of/all/years/ledger.go": {
			Text: ledgerDiff, Added: 4, Removed: 2,
			NewBy: append([]int{-1, -1, 0}, slices.Repeat([]int{1}, 30)...), OldBy: slices.Repeat([]int{1}, 30),
		},
		"shot.png": {Why: "binary content is not shown: 3.1 KB before, 4.0 KB after"},
	}}
	c.listing.Groups = [3][]changes.Group{
		changes.ByPrompt: {
			{Title: "Please audit the refunds.", Files: []changes.File{refund, image}},
			{Title: "And now the ledgers of all years, one after another, please.", Files: []changes.File{ledger, notes}},
		},
		changes.ByRun: {
			{Title: "main agent", Files: []changes.File{refund, ledger, image}},
			{Title: "audit refunds", Files: []changes.File{ledger, notes}},
		},
		changes.ByFile: {{Title: "/src/shop", Files: []changes.File{ledger, refund, image, notes}}},
	}
	c.listing.Unwatched = []string{"make all: the folder has more than 200,000 files"}
	return c
}

// reviewing is a screen with these changes open.
func reviewing(t testing.TB, width, height int, c *changed) *screen {
	s := newScreen(t, width, height, c.offer)
	s.ask("Please audit the refunds.")
	s.delegate(string(auditor), true)
	s.sent("/changes")
	s.text()
	s.keys("up") // what is in sight is compared
	return s
}

var changesScenes = []scene{
	{"changes", func(s *screen) { openFileChanges(s); s.keys("down", "down") }},
	{"changes in a diff", func(s *screen) { openFileChanges(s); s.keys("down", "down", "enter", "n") }},
	{"changes with comments", func(s *screen) {
		openFileChanges(s)
		s.keys("down", "down", "enter", "down", "c")
		s.typed("the fee may be larger than n")
		s.keys("enter", "n", "c")
		s.typed("why not all")
	}},
	{"changes to land", func(s *screen) {
		c := fileChanges()
		c.listing.Landable, c.listing.Words = true, "worktree of \"audit refunds\""
		c.offer(&s.options, nil)
		s.ask("go")
		s.sent("/changes")
		s.text()
		s.keys("g", "space", "down", "enter", "n", "space")
	}},
	{"changes none", func(s *screen) { new(changed).offer(&s.options, nil); s.ask("go"); s.sent("/diff") }},
}

func openFileChanges(s *screen) {
	s.ask("Please audit the refunds.")
	s.delegate(string(auditor), true)
	lookAtChanges(s)
}

func lookAtChanges(s *screen) {
	if s.options.Changes == nil {
		fileChanges().offer(&s.options, nil)
	}
	s.sent("/changes")
	s.text()
	s.keys("up")
}

func TestChangesAreShownByPromptByRunAndByFile(t *testing.T) {
	s := reviewing(t, 100, 40, fileChanges())
	for _, words := range []string{
		"Changes · by prompt · 4 files", "1 of 4", "Please audit the refunds. 2", "refund.go", "+2 −1", "taken back", "not covered", "landed", "changed since",
		"may not be all: make all: the folder has more than 200,000 files", "return n - fee",
	} {
		require.Contains(t, s.text(), words)
	}
	s.keys("g")
	require.Contains(t, s.text(), "by run · 5 files")
	s.keys("g")
	require.Contains(t, s.text(), "by file · 4 files")
	require.Contains(t, s.text(), "2 of 4", "the chosen file stays chosen")
	s.keys("g", "esc")
	require.NotContains(t, s.text(), "Changes")
	s.keys()
	s.sent("/diff")
	require.Contains(t, s.text(), "by prompt")
}

func TestADiffIsSideBySideFromAHundredColumns(t *testing.T) {
	s := reviewing(t, 110, 30, fileChanges())
	row := func(words string) string {
		for line := range strings.SplitSeq(s.text(), "\n") {
			if strings.Contains(line, words) {
				return line
			}
		}
		return ""
	}
	require.Contains(t, row("func Refund(n int)"), "Refund gives the money back", "the new line beside the old one")
	s.keys("v")
	require.NotContains(t, row("func Refund(n int)"), "Refund gives")
	narrow := reviewing(t, 99, 30, fileChanges())
	require.NotContains(t, narrow.text(), "│")
	narrow.keys("v")
	require.Contains(t, narrow.text(), "│")
}

func TestOnlyWhatIsInSightIsCompared(t *testing.T) {
	c := manyChanges(500)
	s := reviewing(t, 80, 24, c)
	require.Less(t, len(c.asked), 30)
	before := len(c.asked)
	s.keys("pgdown", "pgdown")
	require.Less(t, len(c.asked)-before, 30)
	s.keys("up", "down")
	seen := map[string]int{}
	for _, path := range c.asked {
		seen[path]++
	}
	require.LessOrEqual(t, seen["pkg/file 0.go"], 1, "what was found is kept")
}

func TestTheChangesOfASubagentAreOnItsLine(t *testing.T) {
	c := fileChanges()
	s := newScreen(t, 100, 30, c.offer)
	s.ask("go")
	s.delegate(string(auditor), true)
	s.keys("down")
	require.NotContains(t, s.text(), "l changes", "it has changed nothing")
	s.log(auditor, "run "+lifecycle.RunID(auditor), lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/src/shop", Files: []lifecycle.FileChange{{Path: "a"}}})
	require.Contains(t, s.text(), "l changes")
	s.keys("l")
	require.Equal(t, []lifecycle.SessionID{auditor}, c.only)
	s.keys("esc", "esc", "up")
	s.keys("tab")
	s.sent("/changes")
	require.Equal(t, []lifecycle.SessionID{auditor, auditor}, c.only, "in its view too")
}

func TestASubagentThatLeftChangesToLandSaysSo(t *testing.T) {
	s := newScreen(t, 100, 30, fileChanges().offer)
	s.ask("go")
	s.delegate(string(auditor), true)
	s.end(auditor, "run "+lifecycle.RunID(auditor), lifecycle.Ended{
		State: lifecycle.StateCompleted, Result: "done", Worktree: &lifecycle.Worktree{Kept: true, Files: 2},
	})
	require.Contains(t, s.text(), "changes to land")
	s.log(auditor, "run "+lifecycle.RunID(auditor), lifecycle.Landed{Operation: "o", Folder: "/src/shop", Removed: true})
	require.NotContains(t, s.text(), "changes to land")
}

func TestFilesAndHunksAreChosenOnlyWhereTheyCanBeLanded(t *testing.T) {
	c := fileChanges()
	s := reviewing(t, 100, 40, c)
	s.keys("space")
	require.NotContains(t, s.text(), "[ ]")
	c.listing.Landable = true
	s = reviewing(t, 100, 40, c)
	require.Contains(t, s.text(), "[x]")
	s.keys("g", "g", "space")
	require.Equal(t, changes.None, s.changes.Marks.File("refund.go"))
	s.keys("space", "[", "enter", "n", "space")
	require.Equal(t, []int{1}, s.changes.Marks.LeftOut("internal/ledger/of/all/years/ledger.go", 2))
	require.Contains(t, s.text(), "[-]")
	s.keys("N", "space")
	require.Equal(t, changes.None, s.changes.Marks.File("internal/ledger/of/all/years/ledger.go"), "no hunk is left")
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	c := fileChanges()
	c.err = errors.New("read the log: disk failure")
	s := reviewing(t, 80, 24, c)
	require.Contains(t, s.text(), "read the log: disk failure")
	s = newScreen(t, 80, 24)
	s.ask("go")
	s.sent("/changes")
	require.Contains(t, s.text(), "nothing here to show the changes of")
}

func TestHostileNamesAndContentsOfChangesAreInert(t *testing.T) {
	const evil = "\x1b]0;title\a\x1b[2J \u202e\x9b31m\r\nx"
	file := changes.File{Which: which(evil), Uncovered: evil, Writers: []changes.Writer{{Session: root, Name: evil}}}
	c := &changed{diffs: map[string]changes.Diff{evil: {Text: "--- a/x\n+++ b/x\n@@ -1 +1 @@ " + evil + "\n-" + evil + "\n+\x1b[2J\x9b31m\n"}}}
	c.listing = changes.Listing{Words: evil, Unwatched: []string{evil, evil}, Landable: true}
	c.listing.Groups[changes.ByPrompt] = []changes.Group{{Title: evil, Files: []changes.File{file}}}
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 60}} {
		s := reviewing(t, size[0], size[1], c)
		s.keys("enter", "down", "c")
		s.send(tea.PasteMsg{Content: evil})
		content := s.View().Content
		s.keys("enter", "m")
		content += s.View().Content
		for _, bad := range []string{"\x1b]0;", "\x1b[2J", "\u202e", "\u009b", "\a"} {
			require.NotContains(t, content, bad)
		}
	}
}

// Whatever is typed as a sentence goes to the composer, and acts nowhere.
func TestASentenceInTheChangesIsText(t *testing.T) {
	s := reviewing(t, 80, 24, fileChanges())
	s.typed("do more")
	require.Equal(t, "do more", s.line().Text)
	require.Empty(t, s.route.taken())
	require.Nil(t, s.changes)
}

func manyChanges(n int) *changed {
	c := &changed{diffs: map[string]changes.Diff{}}
	group := changes.Group{Title: "Please change everything."}
	for i := range n {
		path := fmt.Sprintf("pkg/file %d.go", i)
		c.diffs[path] = changes.Diff{Text: aDiff, Added: 2, Removed: 1}
		group.Files = append(group.Files, changes.File{Which: which(path), Writers: []changes.Writer{{Session: root, Name: "main agent"}}})
	}
	c.listing.Groups = [3][]changes.Group{{group}, {group}, {group}}
	return c
}

func BenchmarkOpenChanges500Files(b *testing.B) {
	c := manyChanges(500)
	s := newScreen(b, 120, 40, c.offer)
	s.ask("go")
	for b.Loop() {
		s.sent("/changes")
		_ = s.View()
		s.keys("q")
	}
}

func TestARecordingShowsItsChangesAndTakesNoComments(t *testing.T) {
	c := fileChanges()
	s := newScreen(t, 100, 30, c.offer, func(o *Options, _ *terminal.Features) { o.Recorded = &Recorded{Name: "x"} })
	s.ask("go")
	s.keys("/")
	s.typed("changes")
	s.keys("enter")
	require.Contains(t, s.text(), "by prompt · 4 files")
	s.keys("enter", "n", "c", "m", "d", "space")
	require.Contains(t, s.text(), "by prompt · 4 files")
	require.Empty(t, s.route.taken())
	require.Zero(t, s.changes.Comments.Count())
	s.keys("q")
	require.Equal(t, atRecorded, s.at())
}
