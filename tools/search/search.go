package search

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"pawl/internal/words"
	"pawl/tools/content"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// MaxMatches is how many matching lines a search keeps of one file. Once the files before
// it have as many, it keeps none of a file, in the order of paths.
const MaxMatches = 200

// Query is what a search looks for.
type Query struct {
	Pattern *regexp.Regexp // matched against each line
	Base    string         // located: the folder or the file to look in
	Glob    string         // a valid pattern of the files to look in; empty: all
	Context int            // lines to keep around each match
	Lines   bool           // keep lines, not just their number
}

// Found is what a search has found.
type Found struct {
	Files  []File // with a match, sorted by path
	Total  int    // matching lines in them
	Wanted int    // files that were looked for, whether they can be searched or not
}

// Run searches the files of a workspace. launcher starts ripgrep where that is quicker;
// nil does without. It returns when every file is searched or, with ctx's error, soon
// after ctx ended: what was found by then stands. What it gives does not depend on the
// order in which files are read, nor on ripgrep.
func Run(ctx context.Context, w *workspace.Workspace, launcher *process.Launcher, q Query) (Found, error) {
	s := search{Query: q, w: w}
	s.literal, s.isLiteral = q.Pattern.LiteralPrefix()
	if !s.isLiteral { // text that is meant as it is, is found as quickly without
		s.sieve = newSieve(w, launcher, q.Pattern.String())
	}
	err := s.run(ctx)
	return s.Found, err
}

// search is one look through files.
type search struct {
	Query
	w         *workspace.Workspace
	literal   string // what every match starts with
	isLiteral bool   // ... and ends with
	sieve     *sieve // nil: every file is read

	mu   sync.Mutex
	held int // matching lines that are kept
	Found
}

func (s *search) run(ctx context.Context) error {
	info, err := s.w.Lstat(s.Base)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return s.single(ctx)
	}
	paths := make(chan string)
	var workers sync.WaitGroup
	for range min(4, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			var buffer []byte
			for at := range paths {
				if ctx.Err() == nil {
					buffer = s.file(at, buffer)
				}
			}
		})
	}
	read := func(at string) { paths <- at }
	err = s.w.Walk(ctx, s.Base, func(at string, entry fs.DirEntry) error {
		if entry.Type().IsRegular() && s.wants(at) {
			s.Wanted++
			s.sieve.pass(ctx, at, read)
		}
		return nil
	})
	s.sieve.flush(ctx, read)
	close(paths)
	workers.Wait()
	s.thin()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// single searches the one file that was named, of any size, and says why if it
// cannot.
func (s *search) single(ctx context.Context) error {
	f, _, err := s.w.Open(s.Base, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	start, err := r.Peek(content.Sniffed)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return s.w.Explain(s.Base, err)
	case content.Binary(start):
		return fmt.Errorf("%s is binary: grep searches text", words.Path(s.Base))
	}
	s.Wanted++
	found := File{Path: s.Base}
	lines := content.NewLines(r, workspace.MaxFile, ctx.Err)
	s.scan(&found, lines.All)
	s.add(found)
	if lines.Err != nil && ctx.Err() == nil {
		return s.w.Explain(s.Base, lines.Err)
	}
	return ctx.Err()
}

// wants says whether the glob allows a file: one without a slash is matched
// against the name alone, at any depth.
func (s *search) wants(at string) bool {
	switch {
	case s.Glob == "":
		return true
	case strings.Contains(s.Glob, "/"):
		return doublestar.MatchUnvalidated(strings.TrimPrefix(s.Glob, "./"), workspace.Below(s.Base, at))
	}
	return doublestar.MatchUnvalidated(s.Glob, path.Base(at))
}

// file searches one file, with a buffer that it gives back for the next.
func (s *search) file(at string, buffer []byte) []byte {
	f, info, err := s.w.OpenInside(at)
	if err != nil {
		return buffer
	}
	defer f.Close()
	if info.Size() <= workspace.MaxFile {
		b := bytes.NewBuffer(buffer[:0])
		_, err = b.ReadFrom(io.LimitReader(f, workspace.MaxFile+1))
		buffer = b.Bytes()
	}
	if err == nil && info.Size() <= workspace.MaxFile && len(buffer) <= workspace.MaxFile && !content.Binary(buffer) {
		s.text(at, buffer, info)
	}
	return buffer
}

func (s *search) text(at string, data []byte, info fs.FileInfo) {
	found := File{Path: at}
	if bytes.Contains(data, []byte(s.literal)) {
		s.scan(&found, bytes.Lines(bytes.TrimPrefix(data, []byte(content.ByteOrderMark))))
	}
	if found.Count > 0 && s.w.At(at, info) {
		s.add(found)
	}
}

func (s *search) add(found File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Total += found.Count
	s.Files = append(s.Files, found)
	s.held += min(found.Count, MaxMatches)
	if s.Lines && s.held > 5*MaxMatches {
		s.thin()
	}
}

func (s *search) scan(found *File, lines iter.Seq[[]byte]) {
	var before []Line // up to context lines that may be shown
	after := 0        // lines still to show behind a match
	number := 0
	for line := range lines {
		number++
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		at := s.at(line)
		if at != nil {
			found.Count++
		}
		switch {
		case !s.Lines || found.Count > MaxMatches:
		case at != nil:
			found.Lines = append(append(found.Lines, before...), Line{number, around(line, at[0]), true})
			before, after = before[:0], s.Context
		case after > 0:
			found.Lines = append(found.Lines, Line{number, around(line, 0), false})
			after--
		case s.Context > 0:
			if len(before) == s.Context {
				before = append(before[:0], before[1:]...)
			}
			before = append(before, Line{number, around(line, 0), false})
		}
	}
}

func (s *search) at(line []byte) []int {
	at := bytes.Index(line, []byte(s.literal))
	switch {
	case at < 0:
		return nil
	case s.isLiteral:
		return []int{at, at + len(s.literal)}
	}
	return s.Pattern.FindIndex(line)
}

// thin sorts the files, and lets go of lines that cannot be among the first MaxMatches.
func (s *search) thin() {
	slices.SortFunc(s.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	s.held = 0
	for i := range s.Files {
		if s.held >= MaxMatches {
			s.Files[i].Lines = nil
			continue
		}
		s.held += min(s.Files[i].Count, MaxMatches)
	}
}
