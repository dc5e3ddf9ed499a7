package html

import (
	"bufio"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// The one style and the one script of a page. The script shows and hides, zooms
// and searches; without it the page folds and reads just as well.
var (
	//go:embed page.css
	pageStyle markup
	//go:embed page.js
	pageScript markup
)

// Write writes a root session, as it stood when record upto was the newest, as one
// page that needs nothing else: the summary, a picture of all runs over time, the
// transcripts and the log. What others wrote is text on it and nothing more; the
// page's policy lets no script run but its own, and loads nothing. In brief it is without
// the transcripts and the log. An error leaves the page unfinished.
func Write(ctx context.Context, to io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq, brief bool) error {
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return err
	}
	line, err := newTimeline(ctx, b)
	if err != nil {
		return err
	}
	w := &writer{Book: b, buf: bufio.NewWriterSize(to, 64<<10), line: line, toldAt: map[int]bool{}, callAt: map[book.Caller]bool{}, brief: brief}
	if err := w.page(ctx); err != nil {
		return err
	}
	return w.buf.Flush()
}

// writer is a page on its way out. Its buffer keeps the first error and gives it at
// the next Flush.
type writer struct {
	*book.Book
	buf    *bufio.Writer
	line   *timeline
	toldAt map[int]bool         // the runs whose place of being told is on the page, by index
	callAt map[book.Caller]bool // the calls that started a run and are on the page
	brief  bool                 // there are no transcripts: a run's place is its row of the table
}

func (w *writer) page(ctx context.Context) error {
	w.head()
	w.banner()
	w.summary()
	w.picture()
	if w.brief {
		d, err := w.Digest(ctx)
		if err != nil {
			return err
		}
		w.outline(d)
		w.put(pageEnd, pageScript)
		return nil
	}
	w.put("<section aria-label=\"Transcripts\"><h2 id=\"transcripts\">Transcripts</h2>\n%s", searchBar)
	if w.line.diffs.full {
		w.put("<p class=\"note\">Diffs beyond the first 8 MB are left out here; the JSON export has them.</p>\n")
	}
	for _, one := range w.Sessions {
		if err := w.conversation(ctx, one); err != nil {
			return err
		}
	}
	if err := w.commands(ctx); err != nil {
		return err
	}
	w.put("</section>\n")
	if err := w.changed(ctx); err != nil {
		return err
	}
	w.openings()
	if err := w.trail(ctx); err != nil {
		return err
	}
	w.put(pageEnd, pageScript)
	return nil
}

const pageEnd markup = "</main>\n<script>%s</script>\n</body>\n</html>\n"

// policy is what the page's browser is told: run this script and use this style,
// known by their hashes, and fetch, send or frame nothing at all.
func policy() markup {
	return "default-src 'none'; style-src '" + fingerprint(pageStyle) + "'; script-src '" + fingerprint(pageScript) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}

// fingerprint names a style or a script by its content.
func fingerprint(m markup) markup {
	sum := sha256.Sum256([]byte(m))
	return markup("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}

func (w *writer) head() {
	w.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.put("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy())
	w.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
	w.put("<meta name=\"color-scheme\" content=\"light dark\">\n<title>Pawl: %s</title>\n", words.CutLine(w.Source.Session.Title, book.LongLine))
	w.put("<style>%s</style>\n</head>\n<body>\n<main>\n", pageStyle)
}

// searchBar stands hidden until the script has something to do with it.
const searchBar markup = `<div class="tools" hidden><input type="search" id="find" placeholder="Search the transcripts" aria-label="Search the transcripts">` +
	`<output id="found"></output><button type="button" id="open">Unfold all</button><button type="button" id="shut">Fold all</button></div>
`
