package html

import (
	"cmp"
	"context"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// conversation writes the transcript of one session, folded. The parent's is open.
func (w *writer) conversation(ctx context.Context, of book.Conversation) error {
	t := newTranscript(w, of.ID)
	w.heading(of)
	written := 0
	for m, err := range w.Messages(ctx, of.ID) {
		if err != nil {
			return err
		}
		written++
		if err := t.take(ctx, m); err != nil {
			return err
		}
	}
	if err := t.finish(ctx, of); err != nil {
		return err
	}
	if written == 0 {
		w.put("<p class=\"note\">No message yet.</p>\n")
	}
	w.put("</details>\n")
	return w.buf.Flush()
}

// finish writes what is held back, the runs that nobody wrote in, and what the picture
// points to.
func (t *transcript) finish(ctx context.Context, of book.Conversation) error {
	if err := t.release(ctx); err != nil {
		return err
	}
	if err := t.endRun(ctx); err != nil {
		return err
	}
	for _, run := range of.Runs {
		if !t.there.has(anchor(t.Book, run.ID)) {
			t.beginRun(run.ID)
			if err := t.endRun(ctx); err != nil {
				return err
			}
		}
		t.missing(run.ID)
	}
	return nil
}

func (w *writer) heading(of book.Conversation) {
	if of.Parent == "" {
		w.put("<details class=\"session\" open>\n<summary><h3>P: the main agent's conversation</h3></summary>\n")
		return
	}
	first, last := of.Runs[0], of.Runs[len(of.Runs)-1]
	w.put("<details class=\"session\">\n<summary><h3>%s: %s</h3> %s</summary>\n", of.Name, cmp.Or(words.CutLine(first.Description, book.LongLine), "a subagent"), w.chip(last.State))
	w.put("<p class=\"note\">Type %s, model %s, called by %s", cmp.Or(first.Type, "–"), cmp.Or(book.ModelOf(*first), "–"), w.runLink(first.ParentRun))
	if w.callAt[book.Caller{Session: first.Parent, Call: first.Call}] {
		w.put(" (<a href=\"#%s\">its call</a>)", callAnchor(first.Parent, first.Call))
	}
	w.put(", session <code>%s</code></p>\n", string(of.ID))
}

// transcript is one session on its way to the page. It holds one step: an answer that
// calls tools is written when their results are there.
type transcript struct {
	*writer
	id    lifecycle.SessionID
	held  []book.Message           // an answer, and what came after it
	open  map[lifecycle.CallID]int // its calls that no message of these answers
	shown map[int]bool             // of held: those that stand with their call
	there anchors                  // of this session, that are on the page
	in    lifecycle.RunID          // whose part is open
	step  int
	last  string // what the model said last in this run
}

func newTranscript(s *writer, id lifecycle.SessionID) *transcript {
	return &transcript{writer: s, id: id, open: map[lifecycle.CallID]int{}, shown: map[int]bool{}, there: newAnchors()}
}

// mostHeld bounds what may come between a call and its result: beyond it the call
// stands without one. Between them are the results of the calls beside it, and what
// was said after a step that was cut off.
const mostHeld = 500

// take writes a message, or holds it back. Every result comes before the next answer.
func (t *transcript) take(ctx context.Context, m book.Message) error {
	if len(t.held) > 0 && (m.Kind == lifecycle.EntryAssistant || len(t.held) == mostHeld) {
		if err := t.release(ctx); err != nil {
			return err
		}
	}
	begins := len(t.held) == 0
	t.held = append(t.held, m)
	for _, piece := range m.Parts {
		switch {
		case begins && piece.Type == book.PartCall:
			t.open[piece.Call]++
		case piece.Type == book.PartResult && t.open[piece.Call] > 0:
			if t.open[piece.Call]--; t.open[piece.Call] == 0 {
				delete(t.open, piece.Call)
			}
		}
	}
	if len(t.open) > 0 {
		return nil
	}
	return t.release(ctx)
}

func (t *transcript) release(ctx context.Context) error {
	for i, m := range t.held {
		if t.shown[i] {
			continue
		}
		if err := t.message(ctx, m); err != nil {
			return err
		}
	}
	clear(t.held)
	t.held = t.held[:0]
	clear(t.open)
	clear(t.shown)
	return nil
}

// beginRun opens the part of a run.
func (t *transcript) beginRun(id lifecycle.RunID) {
	t.in, t.step, t.last = id, 0, ""
	run, _ := t.Run(id)
	t.put("<div class=\"run\"%s>\n<h4>%s %s</h4>\n", t.placeOf(id, anchor(t.Book, id)), words.CutLine(t.Name(id), book.LongCell), t.chip(run.State))
}

// endRun closes it, with what no message tells: the error that the run failed with,
// and the text that it was writing when it was cut off.
func (t *transcript) endRun(ctx context.Context) error {
	if t.in == "" {
		return nil
	}
	run, err := t.Whole(ctx, t.in)
	if err != nil {
		return err
	}
	if heading, text := book.CutOff(run, t.last); text != "" {
		t.put("<div class=\"say assistant\"><p class=\"who\">%s</p>%s</div>\n", heading, t.prose(text))
	}
	t.ending(run)
	t.put("</div>\n")
	t.in = ""
	return nil
}

func (t *transcript) message(ctx context.Context, m book.Message) error {
	if m.Run != t.in || t.in == "" {
		if err := t.endRun(ctx); err != nil {
			return err
		}
		t.beginRun(m.Run)
	}
	switch m.Kind {
	case lifecycle.EntryNotification:
		t.notification(m)
	case lifecycle.EntrySummary:
		t.put("<div class=\"say summary\"><p class=\"who\">Summary, which replaces everything before it</p>%s</div>\n", t.prose(m.Parts[0].Text))
	case lifecycle.EntryRewind:
		t.put("<div class=\"say summary\"><p class=\"who\">%s</p>", m.Rewound())
		for _, piece := range m.Parts {
			t.part(m, piece)
		}
		t.put("</div>\n")
	case lifecycle.EntryUser:
		t.put("<div class=\"say user\"><p class=\"who\">%s</p>", book.Speaker(m.From))
		for n, piece := range m.Parts {
			if n > 0 && piece.Type == book.PartText { // what the message names
				t.fold("attached", "Attached", piece.Text)
				continue
			}
			t.part(m, piece)
		}
		t.put("</div>\n")
	case lifecycle.EntryAssistant:
		t.answer(m)
	case lifecycle.EntryToolResult: // its call is not in this transcript
		for _, piece := range m.Parts {
			t.result(piece)
		}
	}
	return nil
}

// answer is what the model said and did in one step.
func (t *transcript) answer(m book.Message) {
	t.step++
	t.put("<div class=\"say assistant\"%s><p class=\"who\">Assistant</p>", t.placeOf(m.Run, stepAnchor(anchor(t.Book, m.Run), t.step)))
	for _, piece := range m.Parts {
		if piece.Type == book.PartText && piece.Text != "" {
			t.last = piece.Text
		}
		t.part(m, piece)
	}
	t.put("</div>\n")
}

func (t *transcript) notification(m book.Message) {
	run, known := t.Run(m.Source)
	var at markup
	if known {
		at = t.placeTold(t.Index[m.Source])
	}
	if run.UserShell() {
		t.put("<div class=\"say notice\"%s><p class=\"who\">Command of the user: %s %s</p>", at, t.runLink(m.Source), t.chip(run.State))
	} else {
		t.put("<div class=\"say notice\"%s><p class=\"who\">Notification: %s ended %s</p>", at, t.runLink(m.Source), t.chip(run.State))
	}
	for _, piece := range m.Parts {
		t.fold("attached", "What the model was told", piece.Text)
	}
	t.put("</div>\n")
}

func (t *transcript) part(m book.Message, piece book.Part) {
	switch piece.Type {
	case book.PartThinking:
		if piece.Redacted {
			t.put("<p class=\"note\">Thinking, not shown by its provider</p>")
			return
		}
		t.fold("thinking", "Thinking", piece.Text)
	case book.PartCall:
		t.call(piece)
	case book.PartResult:
		t.result(piece)
	case book.PartSearch:
		t.put("<p class=\"note\">%s</p>", piece.Text)
		var pages []string
		for _, page := range piece.Found {
			pages = append(pages, strings.TrimSpace(page.Title+" "+page.URL))
		}
		if len(pages) > 0 {
			t.fold("attached", "What was found", strings.Join(pages, "\n"))
		}
	case book.PartImage:
		t.pictures(piece.Images)
	case book.PartText:
		if m.Kind == lifecycle.EntryAssistant {
			t.put("%s", t.prose(piece.Text))
			return
		}
		t.put("<div class=\"plain\">%s</div>", piece.Text)
	}
}

// fold is a text that is opened when it is wanted.
func (t *transcript) fold(class markup, title, text string) {
	t.put("<details class=\"%s\"><summary>%s, %s</summary><pre tabindex=\"0\">%s</pre></details>", class, title, words.CountGrouped(words.Lines(text), "line"), text)
}

func (t *transcript) pictures(images []book.Image) {
	for _, picture := range images {
		t.put("<p class=\"note\">A picture, %s, %s bytes: it stays out of exports</p>", picture.MediaType, words.Grouped(int64(picture.Bytes)))
	}
}
