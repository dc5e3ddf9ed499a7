package tools

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"pawl/agent"
)

//go:embed read.md
var readText string

// Bounds of one read.
const (
	readLines  = 2000      // unless the call says less
	readLine   = 2000      // characters of a line
	readChars  = 200_000   // of the text in all, in bytes
	maxScanned = 256 << 20 // the largest file that is looked through for its lines
)

type readInput struct {
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// Read shows a file, or a part of it.
func Read(w *Workspace) agent.Tool {
	in := newInput[readInput]("read", `{"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"offset": {"type": "integer", "minimum": 1, "description": "the first line to show, from 1"},
		"limit": {"type": "integer", "minimum": 1, "description": "how many lines to show, 2000 if not given"}}}`)
	return reading(in, readText, "path", w.read)
}

func (w *Workspace) read(ctx context.Context, args readInput) (agent.Result, error) {
	path, err := w.locate(args.Path)
	if err != nil {
		return agent.Result{}, err
	}
	f, info, err := w.open(path, os.O_RDONLY)
	if err != nil {
		return agent.Result{}, err
	}
	defer f.Close()
	sum := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(f, sum), 64<<10)
	start, err := r.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return agent.Result{}, w.explain(path, err)
	}
	name := spell(path)
	switch kind := mediaType(start); {
	case isPicture(kind):
		return picture(name, kind, info.Size(), r)
	case kind != textType:
		return agent.Result{}, fmt.Errorf("%s is binary (%s, %s): read shows text and pictures", name, kind, byteCount(info.Size()))
	case info.Size() > maxScanned:
		return agent.Result{}, fmt.Errorf("%s has %s, read takes up to %s: use grep, or head, tail and sed -n in shell", name, byteCount(info.Size()), byteCount(maxScanned))
	}
	page := newPage(args.Offset, args.Limit)
	switch err := page.scan(ctx, r); {
	case ctx.Err() != nil:
		return agent.Result{}, errCanceled
	case err != nil:
		return agent.Result{}, w.explain(path, err)
	}
	w.saw(path, sight{sum: digest(sum.Sum(nil))})
	return page.result(name, info.Size())
}

// page is the part of a file that is shown: some lines of all.
type page struct {
	first, limit int // the first line, from 1, and how many
	text         strings.Builder
	shown, total int
	long         int // shown lines that were cut
	crlf         int
	full         bool // no more fits, whatever the limit
}

func newPage(offset, limit int) *page {
	if limit == 0 {
		limit = readLines
	}
	return &page{first: max(1, offset), limit: limit}
}

// scan reads a file to its end, however long its lines are, and keeps the page.
func (p *page) scan(ctx context.Context, r *bufio.Reader) error {
	if bom, _ := r.Peek(len(byteOrderMark)); string(bom) == byteOrderMark {
		_, _ = r.Discard(len(byteOrderMark))
	}
	const enough = 4*readLine + 4 // bytes for the characters that are shown
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece[:min(len(piece), max(0, enough-len(line)))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			p.add(line, bytes.HasSuffix(piece, []byte("\r\n")))
		}
		if err != nil {
			return nil
		}
		line = line[:0]
		if p.total%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (p *page) add(line []byte, crlf bool) {
	p.total++
	if crlf {
		p.crlf++
	}
	if p.total < p.first || p.shown == p.limit || p.full {
		return
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
	if short := firstRunes(text, readLine); short != text {
		text = short + " [… cut]"
		p.long++
	}
	if p.text.Len()+len(text) > readChars && p.shown > 0 {
		p.full = true
		return
	}
	fmt.Fprintf(&p.text, "%6d\t%s\n", p.total, valid(text))
	p.shown++
}

func (p *page) result(name string, size int64) (agent.Result, error) {
	if p.total == 0 {
		text := fmt.Sprintf("%s is empty (%s)", name, byteCount(size))
		return agent.Result{Text: text, View: agent.PlainView{Text: text}}, nil
	}
	if p.first > p.total {
		return agent.Result{}, fmt.Errorf("%s has %s: offset %d is past its end", name, count(p.total, "line"), p.first)
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
		notes = append(notes, fmt.Sprintf("%s cut at %d characters", count(p.long, "long line"), readLine))
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
