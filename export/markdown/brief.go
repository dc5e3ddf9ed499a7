package markdown

import (
	"cmp"
	"context"
	"fmt"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// page writes the one page that a session is in brief.
func (p *writer) page(ctx context.Context) error {
	d, err := p.Digest(ctx)
	if err != nil {
		return err
	}
	p.gist(d)
	return nil
}

func (p *writer) gist(d *book.Digest) {
	s, sum := p.Facts(), p.Totals()
	p.printf("# Pawl session %s\n\n", p.code(s.Title, book.BriefLine))
	p.printf("%s, %s UTC, up to record %d. %s in %s: %s. Written by Pawl %s.\n\n", p.code(s.Model, book.LongCell), book.Moment(s.Created), p.Upto,
		words.CountGrouped(len(p.Runs), "run"), words.Rounded(p.Span()), spent(sum.All), p.code(p.Source.Version, book.LongCell))
	if p.Source.Bare {
		p.printf("%s\n\n", book.BareNote)
	}
	p.printf("## What was asked\n\n")
	for _, r := range d.Asked {
		p.printf("- %s: %s\n", p.Name(r.Run), p.code(r.Text, book.BriefLine))
	}
	if d.More > 0 {
		p.printf("- and %s\n", words.CountGrouped(d.More, "prompt")+" more")
	}
	if len(d.Asked) == 0 {
		p.printf("Nothing yet.\n")
	}
	p.gistOfRuns(d)
	if len(d.Trouble) > 0 {
		p.printf("\n## What was denied or warned of\n\n")
		for _, t := range d.Trouble {
			p.printf("- %s, %s: %s%s\n", p.Name(t.Run), t.Kind, p.code(t.About, book.BriefLine), t.Again())
		}
		if more := d.Troubles - len(d.Trouble); more > 0 {
			p.printf("- and %s more\n", words.Grouped(int64(more)))
		}
	}
	if d.Answer != "" {
		p.printf("\n## The last answer\n\n")
		if d.AnsweredBy.State != lifecycle.StateCompleted {
			p.printf("From %s, %s:\n\n", p.Name(d.AnsweredBy.ID), d.AnsweredBy.State.Words(lifecycle.ForPage))
		}
		p.excerpt(d.Answer)
	}
}

// gistOfRuns is a row a run.
func (p *writer) gistOfRuns(d *book.Digest) {
	p.printf("\n## Who did what\n\n")
	if len(d.Shown) == 0 {
		p.printf("Nothing has run yet.\n")
		return
	}
	p.printf("| Run | Who | What | How it ended | Delivered | Took | Tokens | Cost |\n| --- | --- | --- | --- | --- | ---: | ---: | ---: |\n")
	for _, run := range d.Shown {
		who, what := "main agent", cmp.Or(run.Prompt, "woken by "+string(run.Trigger))
		if run.Child() {
			who, what = p.cell(run.Type, book.LongCell), run.Description
		}
		p.printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", p.Name(run.ID), who, p.cell(what, book.LongCell), p.fate(run), p.toldIn(run),
			p.Elapsed(run), book.TokenSum(run.Usage), book.Price(run.Usage.Cost))
	}
	if len(d.Others) == 0 {
		return
	}
	var u lifecycle.Usage
	for _, run := range d.Others {
		u = u.Add(run.Usage)
	}
	p.printf("\nand %s more: %s; %s tokens, %s\n", words.CountGrouped(len(d.Others), "run"), book.Counted(d.Others), book.TokenSum(u), book.Dollars(u.Cost))
}

// fate says in words how a run ended, by whose wish and why.
func (p *writer) fate(run lifecycle.Run) string {
	words := run.Status().Words(lifecycle.ForPage)
	if why := book.Joined(run.Reason, book.FailureOf(run)); why != "" {
		return p.cell(words+": "+why, book.BriefLine)
	}
	return p.cell(words, book.LongCell)
}

// toldIn says in a word when the parent was told of an end.
func (p *writer) toldIn(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "not yet"
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("in %s, step %d", p.cellName(n.InRun), n.Step)
	case run.Consumed != nil:
		return fmt.Sprintf("by %s in %s", p.cell(string(run.Consumed.By), book.LongCell), p.cellName(run.Consumed.InRun))
	case n != nil:
		return "by " + p.cell(string(n.WithdrawnBy), book.LongCell)
	}
	return "–"
}

// excerpt is the beginning of a text, in a few lines.
func (p *writer) excerpt(text string) {
	cut, gone := p.Beginning(text)
	p.printf("%s", fence("text", cut))
	if gone {
		p.printf("\n(and more)\n")
	}
}
