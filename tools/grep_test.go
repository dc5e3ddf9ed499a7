package tools

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/workspace"
)

const grepTree = `
-- b/two.go --
package two

func Two() int {
	return 2
}
-- a.go --
package one

func One() int { return 1 }
-- notes.txt --
one (two) three
-- .gitignore --
*.log
-- x.log --
func Logged
-- .git/y.go --
func Hidden
`

func TestGrep(t *testing.T) {
	w := plant(t, grepTree)
	put(t, w.Folder(), "bin.go", "func \x00")
	put(t, w.Folder(), "crlf.txt", "\uFEFFend of it\r\nnext\r\n")
	for name, c := range map[string]struct {
		input args
		want  string
	}{
		"content":         {args{"pattern": "^func"}, "a.go\n3: func One() int { return 1 }\n\nb/two.go\n3: func Two() int {"},
		"files":           {args{"pattern": "return", "mode": "files"}, "a.go\nb/two.go"},
		"count":           {args{"pattern": "o", "mode": "count"}, ".gitignore: 1\na.go: 1\nb/two.go: 2\ncrlf.txt: 1\nnotes.txt: 1"},
		"folder":          {args{"pattern": "func", "path": "b"}, "b/two.go\n3: func Two() int {"},
		"file":            {args{"pattern": "func", "path": "a.go"}, "a.go\n3: func One() int { return 1 }"},
		"ignored, named":  {args{"pattern": "func", "path": "x.log"}, "x.log\n1: func Logged"},
		"glob of a name":  {args{"pattern": "package", "glob": "*.go", "mode": "files"}, "a.go\nb/two.go"},
		"glob of a path":  {args{"pattern": "package", "glob": "b/*.go", "mode": "files"}, "b/two.go"},
		"glob below path": {args{"pattern": "package", "glob": "**/*.go", "path": "b", "mode": "files"}, "b/two.go"},
		"context":         {args{"pattern": "Two\\(", "context": 1}, "b/two.go\n2- \n3: func Two() int {\n4- \treturn 2"},
		"no case":         {args{"pattern": "(?i)FUNC one"}, "a.go\n3: func One() int { return 1 }"},
		"literal":         {args{"pattern": "(two)"}, "b/two.go\n1: package two\n\nnotes.txt\n1: one (two) three"},
		"escaped":         {args{"pattern": `\(two\)`}, "notes.txt\n1: one (two) three"},
		"end of a line":   {args{"pattern": "of it$"}, "crlf.txt\n1: end of it"},
		"start, mark":     {args{"pattern": "^end"}, "crlf.txt\n1: end of it"},
		"none":            {args{"pattern": "nowhere"}, "[No match for nowhere in 6 files, not counting files that are binary or over 10.0 MB]"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, done(t, Grep(w, nil), c.input).Text)
		})
	}
}

func TestGrepContextJoinsAndParts(t *testing.T) {
	w := plant(t, "-- f --\n1\nx\n3\nx\n5\n6\n7\n8\nx\n10\n")
	require.Equal(t, "f\n1- 1\n2: x\n3- 3\n4: x\n5- 5\n--\n8- 8\n9: x\n10- 10", done(t, Grep(w, nil), args{"pattern": "x", "context": 1}).Text)
	require.Equal(t, "f\n2: x\n4: x\n9: x", done(t, Grep(w, nil), args{"pattern": "x"}).Text)
}

func TestGrepIsCappedTheSameWayEachTime(t *testing.T) {
	w := plant(t, "")
	for i := range 60 {
		put(t, w.Folder(), fmt.Sprintf("d%d/f%02d", i%3, i), strings.Repeat("match\nother\n", 50))
	}
	result := done(t, Grep(w, nil), args{"pattern": "match"})
	require.Contains(t, result.Text, "[the first 200 of 3000 matching lines in 60 files: narrow the search to see others]")
	require.Equal(t, 200, strings.Count(result.Text, ": match"))
	require.Equal(t, 3000, result.View.(agent.ListingView).Total)
	require.True(t, strings.HasPrefix(result.Text, "d0/f00\n1: match\n3: match\n"))
	for range 3 {
		require.Equal(t, result.Text, done(t, Grep(w, nil), args{"pattern": "match"}).Text)
	}
	put(t, w.Folder(), "one", strings.Repeat("match\n", 500))
	require.Equal(t, 200, strings.Count(done(t, Grep(w, nil), args{"pattern": "match", "path": "one"}).Text, ": match"))
}

func TestGrepCutsLongLinesAroundTheMatch(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "min.js", strings.Repeat("é", 5000)+"needle"+strings.Repeat("y", 5000))
	text := done(t, Grep(w, nil), args{"pattern": "needle"}).Text
	require.Contains(t, text, "1: … "+strings.Repeat("é", 100)+"needle"+strings.Repeat("y", 394)+" … [cut]")
	put(t, w.Folder(), "wide", strings.Repeat(strings.Repeat("needle", 80)+"\n", 500))
	require.Less(t, len(done(t, Grep(w, nil), args{"pattern": "needle", "context": 20}).Text), maxFoundText+10_000)
}

func TestGrepRefuses(t *testing.T) {
	w := plant(t, "-- a.go --\nx\n")
	put(t, w.Folder(), "bin", "x\x00")
	require.Contains(t, refused(t, Grep(w, nil), args{"pattern": "a("}), "not a valid regular expression (error parsing regexp: missing closing ): `a(`)")
	require.Contains(t, refused(t, Grep(w, nil), args{"pattern": "(?=x)"}), "RE2")
	require.Contains(t, refused(t, Grep(w, nil), args{"pattern": "x", "glob": "[a"}), "glob")
	require.Contains(t, refused(t, Grep(w, nil), args{"pattern": "x", "path": "bin"}), "bin is binary")
	require.Contains(t, refused(t, Grep(w, nil), args{"pattern": "x", "path": "b.go"}), "did you mean a.go?")
	require.Contains(t, done(t, Grep(w, nil), args{"pattern": "x", "mode": "files"}).Text, "a.go")
}

func TestGrepLeavesOutABigFileUnlessItIsNamed(t *testing.T) {
	w := plant(t, "-- small --\nnone\n")
	put(t, w.Folder(), "big", strings.Repeat("0123456789abcde\n", workspace.MaxFile/16)+"needle\n")
	want := "[No match for needle in 2 files, not counting files that are binary or over 10.0 MB]"
	require.Equal(t, want, done(t, Grep(w, nil), args{"pattern": "needle"}).Text)
	require.Equal(t, "big\n655361: needle", done(t, Grep(w, nil), args{"pattern": "needle", "path": "big"}).Text)
}

func TestGrepOfOneHugeLineIsBounded(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "huge", strings.Repeat("0123456789abcdef", 6<<20)+"\nneedle\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Equal(t, "huge\n2: needle", done(t, Grep(w, nil), args{"pattern": "needle", "path": "huge"}).Text)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(80<<20), "a line is held up to maxFile, in a slice that grows to it")
}

func TestGrepEndsWithItsContext(t *testing.T) {
	w := plant(t, grepTree)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result := Grep(w, nil).Run(ctx, agent.Invocation{Input: []byte(`{"pattern": "x"}`)})
	require.True(t, result.IsError)
	require.Equal(t, errCanceled.Error(), result.Text)
}

func TestIgnoredFoldersAreSearchedWhenNamed(t *testing.T) {
	w := plant(t, "-- .gitignore --\nnode_modules/\n-- node_modules/a/index.js --\nfind me\n-- node_modules/a/.gitignore --\n*.map\n-- node_modules/a/x.map --\nfind me\n")
	require.Equal(t, "node_modules/a/index.js", done(t, Glob(w), args{"pattern": "node_modules/**/*.js"}).Text)
	require.Equal(t, "node_modules/a/index.js\n1: find me", done(t, Grep(w, nil), args{"pattern": "find", "path": "node_modules"}).Text)
}
