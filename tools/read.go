package tools

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/content"
	"pawl/tools/workspace"
)

// Bounds of one read.
const (
	readLines  = 2000      // unless the call says less
	readLine   = 2000      // characters of a line
	readChars  = 29_000    // of the text in all: with what is said of it, no more than resultText
	maxScanned = 256 << 20 // the largest file that is looked through for its lines
	maxPicture = 5 << 20   // the largest picture that is shown
)

type readInput struct {
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// Read shows a file, or a part of it.
func Read(w *workspace.Workspace) agent.Tool {
	in := newInput[readInput]("read", `{"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"offset": {"type": "integer", "minimum": 1, "description": "the first line to show, from 1"},
		"limit": {"type": "integer", "minimum": 1, "description": "how many lines to show, 2000 if not given"}}}`)
	return reading(in, "path", func(ctx context.Context, args readInput) (agent.Result, error) {
		return readFile(ctx, w, args.Path, newPage(args.Offset, args.Limit))
	})
}

// readFile reads a picture, or a page of a text.
func readFile(ctx context.Context, w *workspace.Workspace, named string, page *page) (agent.Result, error) {
	w = w.ForReading(named)
	path, err := w.Locate(named)
	if err != nil {
		return agent.Result{}, err
	}
	f, info, err := w.Open(path, os.O_RDONLY)
	if err != nil {
		return agent.Result{}, err
	}
	defer f.Close()
	sum := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(f, sum), 64<<10)
	start, err := r.Peek(content.Sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return agent.Result{}, w.Explain(path, err)
	}
	name := w.Title(path)
	switch kind := content.TypeOf(start); {
	case content.IsPicture(kind):
		return picture(name, kind, info.Size(), r)
	case kind != content.Text:
		return agent.Result{}, fmt.Errorf("%s is binary (%s, %s): read shows text and pictures", name, kind, words.Size(info.Size()))
	case info.Size() > maxScanned:
		return agent.Result{}, fmt.Errorf("%s has %s, read takes up to %s: use grep, or head, tail and sed -n in shell", name, words.Size(info.Size()), words.Size(maxScanned))
	}
	switch err := page.scan(ctx, r); {
	case ctx.Err() != nil:
		return agent.Result{}, errCanceled
	case err != nil:
		return agent.Result{}, w.Explain(path, err)
	}
	w.MarkSeen(path, [sha256.Size]byte(sum.Sum(nil)))
	return page.result(name, info.Size())
}

// page is the part of a file that is shown: some lines of all.
type page struct {
	first, limit int // the first line, from 1, and how many
	text         strings.Builder
	chars, most  int // of text: how many there are, and may be
	shown, total int
	long         int // shown lines that were cut
	crlf         int
	full         bool // no more fits, whatever the limit
}

func newPage(offset, limit int) *page {
	if limit == 0 {
		limit = readLines
	}
	return &page{first: max(1, offset), limit: limit, most: readChars}
}

// scan reads a file to its end, however long its lines are, and keeps the page.
func (p *page) scan(ctx context.Context, r *bufio.Reader) error {
	lines := content.NewLines(r, 4*readLine+4, ctx.Err) // bytes for the characters that are shown
	for line := range lines.All {
		p.add(line, lines.CRLF)
	}
	return lines.Err
}

func (p *page) add(data []byte, crlf bool) {
	p.total++
	if crlf {
		p.crlf++
	}
	if p.total < p.first || p.shown == p.limit || p.full {
		return
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if short := words.First(text, readLine); short != text {
		text = short + " [… cut]"
		p.long++
	}
	line := fmt.Sprintf("%6d\t%s\n", p.total, words.Valid(text))
	chars := utf8.RuneCountInString(line)
	if p.chars+chars > p.most && p.shown > 0 {
		p.full = true
		return
	}
	p.text.WriteString(line)
	p.chars += chars
	p.shown++
}

func (p *page) result(name string, size int64) (agent.Result, error) {
	if p.total == 0 {
		text := fmt.Sprintf("%s is empty (%s)", name, words.Size(size))
		return agent.Result{Text: text, View: agent.PlainView{Text: text}}, nil
	}
	if p.first > p.total {
		return agent.Result{}, fmt.Errorf("%s has %s: offset %d is past its end", name, words.Count(p.total, "line"), p.first)
	}
	last := p.first + p.shown - 1
	var notes []string
	if p.first > 1 || last < p.total {
		note := fmt.Sprintf("lines %d-%d of %d", p.first, last, p.total)
		if last < p.total {
			note += fmt.Sprintf("; go on with offset %d", last+1)
		}
		notes = append(notes, note)
	}
	if p.long > 0 {
		notes = append(notes, fmt.Sprintf("%s cut at %d characters: cut -c in shell shows the rest", words.Count(p.long, "long line"), readLine))
	}
	if p.crlf > 0 {
		notes = append(notes, "line ends are CRLF, which edit keeps")
	}
	text := p.text.String()
	if len(notes) > 0 {
		text += "[" + strings.Join(notes, "; ") + "]\n"
	}
	view := fmt.Sprintf("%s, lines %d-%d of %d", name, p.first, last, p.total)
	return agent.Result{Text: text, View: agent.PlainView{Text: view}}, nil
}

func picture(name, kind string, size int64, r io.Reader) (agent.Result, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPicture+1))
	if err != nil {
		return agent.Result{}, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxPicture {
		return agent.Result{}, faultf("%s is a picture (%s) of %s, read shows pictures up to %s: make it smaller first", name, kind, words.Size(size), words.Size(maxPicture))
	}
	shown := agent.Image{MediaType: kind, Data: data}
	if wide := shown.TooWide(); wide != "" {
		return agent.Result{}, faultf("%s is a picture (%s) of %s", name, kind, wide)
	}
	text := fmt.Sprintf("%s: %s, %s", name, kind, words.Size(int64(len(data))))
	return agent.Result{
		Text:   text,
		View:   agent.PlainView{Text: text},
		Images: []agent.Image{shown},
	}, nil
}
