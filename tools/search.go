package tools

import (
	"bufio"
	"bytes"
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
	"pawl/tools/workspace"
)

// search is one look through files for lines that match. What it gives does not
// depend on the order in which files are read.
type search struct {
	w         *workspace.Workspace
	pattern   *regexp.Regexp
	literal   string // what every match starts with
	isLiteral bool   // ... and ends with
	base      string // located
	glob      string
	context   int
	lines     bool   // keep the lines, not just their number
	sieve     *sieve // nil: every file is read

	wanted int // files that were looked for, whether they can be searched or not
	mu     sync.Mutex
	files  []matched // with a match; in the end sorted by path
	held   int       // matching lines that are kept
	total  int       // matching lines
}

// run searches. It returns when every file is searched or, with ctx's error,
// soon after ctx ended; what was found by then stands.
func (s *search) run(ctx context.Context) error {
	info, err := s.w.Lstat(s.base)
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
	err = s.w.Walk(ctx, s.base, func(at string, entry fs.DirEntry) error {
		if entry.Type().IsRegular() && s.wants(at) {
			s.wanted++
			s.sieve.pass(ctx, at, read)
		}
		return nil
	})
	s.sieve.flush(ctx, read)
	close(paths)
	workers.Wait()
	slices.SortFunc(s.files, byPath)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// single searches the one file that was named, of any size, and says why if it
// cannot.
func (s *search) single(ctx context.Context) error {
	f, _, err := s.w.Open(s.base, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	start, err := r.Peek(content.Sniffed)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return s.w.Explain(s.base, err)
	case content.Binary(start):
		return fmt.Errorf("%s is binary: grep searches text", words.Path(s.base))
	}
	s.wanted++
	found := matched{path: s.base}
	lines := content.NewLines(r, workspace.MaxFile, ctx.Err)
	s.scan(&found, lines.All)
	s.add(found)
	if lines.Err != nil && ctx.Err() == nil {
		return s.w.Explain(s.base, lines.Err)
	}
	return ctx.Err()
}

// wants says whether the glob allows a file: one without a slash is matched
// against the name alone, at any depth.
func (s *search) wants(at string) bool {
	switch {
	case s.glob == "":
		return true
	case strings.Contains(s.glob, "/"):
		return doublestar.MatchUnvalidated(strings.TrimPrefix(s.glob, "./"), below(s.base, at))
	}
	return doublestar.MatchUnvalidated(s.glob, path.Base(at))
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
		s.text(at, buffer)
	}
	return buffer
}

// text searches the lines of one file.
func (s *search) text(at string, data []byte) {
	found := matched{path: at}
	if bytes.Contains(data, []byte(s.literal)) {
		s.scan(&found, bytes.Lines(bytes.TrimPrefix(data, []byte(content.ByteOrderMark))))
	}
	s.add(found)
}

func (s *search) add(found matched) {
	if found.count == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total += found.count
	s.files = append(s.files, found)
	s.held += min(found.count, maxFound)
	if s.lines && s.held > 5*maxFound {
		s.thin()
	}
}

// scan goes through the lines of a file.
func (s *search) scan(found *matched, lines iter.Seq[[]byte]) {
	var before []matchedLine // up to context lines that may be shown
	after := 0               // lines still to show behind a match
	number := 0
	for line := range lines {
		number++
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		at := s.at(line)
		if at != nil {
			found.count++
		}
		switch {
		case !s.lines || found.count > maxFound:
		case at != nil:
			found.lines = append(append(found.lines, before...), matchedLine{number, around(line, at[0]), true})
			before, after = before[:0], s.context
		case after > 0:
			found.lines = append(found.lines, matchedLine{number, around(line, 0), false})
			after--
		case s.context > 0:
			if len(before) == s.context {
				before = append(before[:0], before[1:]...)
			}
			before = append(before, matchedLine{number, around(line, 0), false})
		}
	}
}

// at finds the first match in a line.
func (s *search) at(line []byte) []int {
	at := bytes.Index(line, []byte(s.literal))
	switch {
	case at < 0:
		return nil
	case s.isLiteral:
		return []int{at, at + len(s.literal)}
	}
	return s.pattern.FindIndex(line)
}

// thin lets go of lines that cannot be among the first maxFound.
func (s *search) thin() {
	slices.SortFunc(s.files, byPath)
	s.held = 0
	for i := range s.files {
		if s.held >= maxFound {
			s.files[i].lines = nil
			continue
		}
		s.held += min(s.files[i].count, maxFound)
	}
}
