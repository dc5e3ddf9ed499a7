package changes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// reportOf is what a story changed up to a record.
func reportOf(t *testing.T, s *exporttest.Story, upto lifecycle.Seq, f Filter) *Report {
	t.Helper()
	b, err := book.Open(t.Context(), s.Source(), s.Facts.ID, upto)
	require.NoError(t, err)
	r, err := Open(t.Context(), b, f)
	require.NoError(t, err)
	return r
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, r.Text(t.Context(), &out, nil))
	return out.String()
}

func TestAllThatASessionChangedIsToldByPromptRunAndFile(t *testing.T) {
	s := exporttest.Everything(t)
	exporttest.Golden(t, "everything.txt", []byte(text(t, reportOf(t, s, s.Upto(), Filter{}))))
}

func TestTheSameRecordNumberGivesTheSameText(t *testing.T) {
	s := exporttest.Everything(t)
	half := s.Upto() / 2
	before := text(t, reportOf(t, s, half, Filter{}))
	s.Add(exporttest.Root, "r-p9", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: s.Facts.Folder, Files: []lifecycle.FileChange{s.Change("late.go", "", "package late\n")}})
	require.Equal(t, before, text(t, reportOf(t, s, half, Filter{})))
	require.Contains(t, text(t, reportOf(t, s, s.Upto(), Filter{})), "late.go")
}

func TestOneRunOrOneFileIsToldAlone(t *testing.T) {
	s := exporttest.Everything(t)
	one := text(t, reportOf(t, s, s.Upto(), Filter{Run: "r-fix"}))
	require.Contains(t, one, "cart.go")
	require.NotContains(t, one, "refund.go")
	require.NotContains(t, one, "cover.out")
	file := text(t, reportOf(t, s, s.Upto(), Filter{Path: "cover.out"}))
	require.Contains(t, file, "cover.out")
	require.NotContains(t, file, "cart.go")
}

func TestWhatIsNotKeptAnyMoreIsSaid(t *testing.T) {
	s := exporttest.Everything(t)
	clear(s.Contents)
	r := reportOf(t, s, s.Upto(), Filter{})
	require.Contains(t, text(t, r), "what it held before is not kept any more")
	var patch bytes.Buffer
	require.NoError(t, r.Patch(t.Context(), &patch))
	require.Contains(t, patch.String(), "# Not in this patch: refund.go: what it held before is not kept any more\n")
	require.NotContains(t, patch.String(), "diff --git")
}

func TestASessionThatChangedNothingSaysSo(t *testing.T) {
	s := exporttest.Everything(t)
	require.Contains(t, text(t, reportOf(t, s, 3, Filter{})), "no file was changed\n")
}

func TestARenamedFileIsOneOfTwo(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Move it.", From: lifecycle.FromUser}, lifecycle.Started{})
	s.Add(exporttest.Root, "r", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: s.Facts.Folder, Files: []lifecycle.FileChange{
		s.Change("a.go", "package a\n", ""), s.Change("b.go", "", "package a\n"),
	}})
	r := reportOf(t, s, s.Upto(), Filter{})
	require.Equal(t, Renames{{s.Facts.Folder, "b.go"}: "a.go"}, Renamed(r.Net))
	require.Contains(t, text(t, r), "A a.go → b.go")
}

func TestAFileIsRenamedInItsOwnFolderOnly(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Move it.", From: lifecycle.FromUser}, lifecycle.Started{})
	s.Add(exporttest.Root, "r", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: "/data/tree", Files: []lifecycle.FileChange{
		s.Change("a.go", "package a\n", ""), s.Change("b.go", "", "package a\n"),
	}})
	s.Add(exporttest.Root, "r", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: s.Facts.Folder, Files: []lifecycle.FileChange{
		s.Change("b.go", "", "package b\n"), s.Change("c\n  M d.go", "", "package c\n"),
	}})
	said := text(t, reportOf(t, s, s.Upto(), Filter{}))
	require.Equal(t, 2, strings.Count(said, "a.go → b.go"), "in the list and above its difference")
	require.Contains(t, said, "A b.go in "+s.Facts.Folder)
	require.Contains(t, said, "c␊  M d.go", "a name forges no line")
}

// Every fact of the text is in the JSON too, and its numbers fit.
func TestTheJSONHasFilesPromptsAndWhatIsNotKnown(t *testing.T) {
	s := exporttest.Everything(t)
	var out bytes.Buffer
	require.NoError(t, reportOf(t, s, s.Upto(), Filter{}).JSON(t.Context(), &out))
	var doc document
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc))
	require.Equal(t, "pawl-changes", doc.Format)
	require.Equal(t, 1, doc.Version)
	require.Equal(t, s.Upto(), doc.Seq)
	var paths []string
	for _, f := range doc.Files {
		paths = append(paths, fmt.Sprintf("%s %s +%d -%d", f.Kind, f.Path, f.Added, f.Removed))
		require.NotEmpty(t, f.Changes)
	}
	require.Equal(t, []string{"added cover.out +1 -0", "modified data.bin +0 -0", "modified refund.go +1 -1", "modified cart.go +1 -1", "added cart_test.go +5 -0"}, paths)
	require.Equal(t, "not covered: larger than 64 MB", doc.Files[1].Gone)
	require.Len(t, doc.Unknown, 1)
	require.Equal(t, "Audit the refund code, please. The password is [masked].", doc.Prompts[0].Text)
}
