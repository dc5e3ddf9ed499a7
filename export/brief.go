package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// briefMarkdown writes one page of a root session: what was asked, who did what, how each
// ended and by whose wish, when the parent was told, and what it cost.
func briefMarkdown(ctx context.Context, w io.Writer, src Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	fail := func(err error) error { return fmt.Errorf("export session %s as Markdown: %w", root, err) }
	b, err := openBook(ctx, src, root, upto)
	if err != nil {
		return fail(err)
	}
	d, err := b.digest(ctx)
	if err != nil {
		return fail(err)
	}
	p := &paper{book: b, w: bufio.NewWriterSize(w, 64<<10)}
	p.gist(d)
	if err := p.w.Flush(); err != nil {
		return fail(err)
	}
	return nil
}

func (p *paper) gist(d *digest) {
	s, sum := p.session(), p.totals()
	p.printf("# Pawl session %s\n\n", p.code(s.Title, briefLine))
	p.printf("%s, %s UTC, up to record %d. %s in %s: %s. Written by Pawl %s.\n\n", p.code(s.Model, longCell), moment(s.Created), p.upto,
		words.CountGrouped(len(p.runs), "run"), words.Rounded(p.span()), spent(sum.All), p.code(p.src.Version, longCell))
	if p.src.Bare {
		p.printf("%s\n\n", bareSaid)
	}
	p.printf("## What was asked\n\n")
	for _, r := range d.asked {
		p.printf("- %s: %s\n", p.name(r.in), p.code(r.text, briefLine))
	}
	if d.more > 0 {
		p.printf("- and %s\n", words.CountGrouped(d.more, "prompt")+" more")
	}
	if len(d.asked) == 0 {
		p.printf("Nothing yet.\n")
	}
	p.gistOfRuns(d)
	if len(d.trouble) > 0 {
		p.printf("\n## What was denied or warned of\n\n")
		for _, t := range d.trouble {
			p.printf("- %s, %s: %s%s\n", p.name(t.in), t.what, p.code(t.about, briefLine), t.again())
		}
		if more := d.troubles - len(d.trouble); more > 0 {
			p.printf("- and %s more\n", words.Grouped(int64(more)))
		}
	}
	if d.answer != "" {
		p.printf("\n## The last answer\n\n")
		if d.of.State != lifecycle.StateCompleted {
			p.printf("From %s, %s:\n\n", p.name(d.of.ID), stateWords(d.of.State))
		}
		p.excerpt(d.answer)
	}
}

// span is how long the session has taken, from its first run to its newest record.
func (b *book) span() time.Duration {
	var from time.Time
	for i, run := range b.runs {
		if i == 0 || run.SpawnedAt.Before(from) {
			from = run.SpawnedAt
		}
	}
	if from.IsZero() {
		return 0
	}
	return max(0, b.at.Sub(from))
}

// gistOfRuns is a row a run.
func (p *paper) gistOfRuns(d *digest) {
	p.printf("\n## Who did what\n\n")
	if len(d.shown) == 0 {
		p.printf("Nothing has run yet.\n")
		return
	}
	p.printf("| Run | Who | What | How it ended | Delivered | Took | Tokens | Cost |\n| --- | --- | --- | --- | --- | ---: | ---: | ---: |\n")
	for _, run := range d.shown {
		who, what := "main agent", orElse(run.Prompt, "woken by "+string(run.Trigger))
		if run.Child() {
			who, what = p.cell(run.Type, longCell), run.Description
		}
		p.printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", p.name(run.ID), who, p.cell(what, longCell), p.fate(run), p.toldIn(run),
			p.elapsed(run), allTokens(run.Usage), price(run.Usage.Cost))
	}
	if len(d.rest) == 0 {
		return
	}
	var u lifecycle.Usage
	for _, run := range d.rest {
		u = u.Add(run.Usage)
	}
	p.printf("\nand %s more: %s; %s tokens, %s\n", words.CountGrouped(len(d.rest), "run"), counted(d.rest), allTokens(u), dollars(u.Cost))
}

// fate says in words how a run ended, by whose wish and why.
func (b *book) fate(run lifecycle.Run) string {
	words := run.Status().Words(lifecycle.ForPage)
	if why := listed(run.Reason, fault(run)); why != "" {
		return b.cell(words+": "+why, briefLine)
	}
	return b.cell(words, longCell)
}

// toldIn says in a word when the parent was told of an end.
func (b *book) toldIn(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "not yet"
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("in %s, step %d", b.cellName(n.InRun), n.Step)
	case run.Consumed != nil:
		return fmt.Sprintf("by %s in %s", b.cell(string(run.Consumed.By), longCell), b.cellName(run.Consumed.InRun))
	case n != nil:
		return "by " + b.cell(string(n.WithdrawnBy), longCell)
	}
	return "–"
}

// excerpt is the beginning of a text, in a few lines.
func (p *paper) excerpt(text string) {
	cut, gone := p.beginning(text)
	p.printf("%s", fence("text", cut))
	if gone {
		p.printf("\n(and more)\n")
	}
}

// beginning is as much of a text as a page has room for.
func (b *book) beginning(text string) (cut string, gone bool) {
	text = strings.TrimSpace(b.readable(text))
	cut = words.First(text, briefText)
	lines := strings.Split(cut, "\n")
	if len(lines) > briefAnswer {
		return strings.Join(lines[:briefAnswer], "\n"), true
	}
	return cut, len(cut) < len(text)
}
