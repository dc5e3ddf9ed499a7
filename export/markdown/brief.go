package markdown

import (
	"cmp"
	"context"
	"fmt"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

func (w *writer) page(ctx context.Context) error {
	d, err := w.Digest(ctx)
	if err != nil {
		return err
	}
	w.gist(d)
	return nil
}

func (w *writer) gist(d *book.Digest) {
	s, sum := w.Facts(), w.Totals()
	w.printf("# Pawl session %s\n\n", w.code(s.Title, book.BriefLine))
	w.printf("%s, %s UTC, up to record %d. %s in %s: %s. Written by Pawl %s.\n\n", w.code(s.Model, book.LongCell), book.Moment(s.Created), w.Upto,
		words.CountGrouped(len(w.Runs), "run"), words.Rounded(w.Span()), spent(sum.All), w.code(w.Source.Version, book.LongCell))
	if s.ForkedFrom != nil {
		w.printf("Forked from %s.\n\n", w.code(s.ForkedFrom.Says(), book.BriefLine))
	}
	if w.Source.Bare {
		w.printf("%s\n\n", book.BareNote)
	}
	w.printf("## What was asked\n\n")
	for _, r := range d.Asked {
		w.printf("- %s: %s\n", w.Name(r.Run), w.code(r.Text, book.BriefLine))
	}
	if d.More > 0 {
		w.printf("- and %s\n", words.CountGrouped(d.More, "prompt")+" more")
	}
	if len(d.Asked) == 0 {
		w.printf("Nothing yet.\n")
	}
	w.gistOfRuns(d)
	if len(d.Trouble) > 0 {
		w.printf("\n## What was denied or warned of\n\n")
		for _, t := range d.Trouble {
			w.printf("- %s, %s: %s%s\n", w.Name(t.Run), t.Kind, w.code(t.About, book.BriefLine), t.Again())
		}
		if more := d.Troubles - len(d.Trouble); more > 0 {
			w.printf("- and %s more\n", words.Grouped(int64(more)))
		}
	}
	if d.Answer != "" {
		w.printf("\n## The last answer\n\n")
		if d.AnsweredBy.State != lifecycle.StateCompleted {
			w.printf("From %s, %s:\n\n", w.Name(d.AnsweredBy.ID), d.AnsweredBy.State.Words(lifecycle.ForPage))
		}
		w.excerpt(d.Answer)
	}
}

func (w *writer) gistOfRuns(d *book.Digest) {
	w.printf("\n## Who did what\n\n")
	if len(d.Shown) == 0 {
		w.printf("Nothing has run yet.\n")
		return
	}
	w.printf("| Run | Who | What | How it ended | Delivered | Took | Tokens | Cost |\n| --- | --- | --- | --- | --- | ---: | ---: | ---: |\n")
	for _, run := range d.Shown {
		who, what := "main agent", cmp.Or(run.Prompt, "woken by "+string(run.Trigger))
		if run.Child() {
			who, what = w.cell(run.Type, book.LongCell), run.Description
		}
		w.printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", w.Name(run.ID), who, w.cell(what, book.LongCell), w.fate(run), w.toldIn(run),
			w.Elapsed(run), book.TokenSum(run.Usage), book.Price(run.Usage.Cost))
	}
	if len(d.Others) == 0 {
		return
	}
	var u lifecycle.Usage
	for _, run := range d.Others {
		u = u.Add(run.Usage)
	}
	w.printf("\nand %s more: %s; %s tokens, %s\n", words.CountGrouped(len(d.Others), "run"), book.Counted(d.Others), book.TokenSum(u), book.Dollars(u.Cost))
}

// fate says in words how a run ended, by whose wish and why.
func (w *writer) fate(run lifecycle.Run) string {
	words := run.Status().Words(lifecycle.ForPage)
	if why := book.Joined(run.Reason, book.FailureOf(run)); why != "" {
		return w.cell(words+": "+why, book.BriefLine)
	}
	return w.cell(words, book.LongCell)
}

// toldIn says in a word when the parent was told of an end.
func (w *writer) toldIn(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "not yet"
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("in %s, step %d", w.cellName(n.InRun), n.Step)
	case run.Consumed != nil:
		return fmt.Sprintf("by %s in %s", w.cell(string(run.Consumed.By), book.LongCell), w.cellName(run.Consumed.InRun))
	case n != nil:
		return "by " + w.cell(string(n.WithdrawnBy), book.LongCell)
	}
	return "–"
}

func (w *writer) excerpt(text string) {
	cut, gone := w.Beginning(text)
	w.printf("%s", fence("text", cut))
	if gone {
		w.printf("\n(and more)\n")
	}
}
