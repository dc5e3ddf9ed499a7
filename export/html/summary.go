package html

import (
	"cmp"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// banner says which session this is, and what was asked in it.
func (w *writer) banner() {
	facts := w.Facts()
	w.put("<header>\n<p class=\"brand\">Pawl session</p>\n<h1>%s</h1>\n", cmp.Or(words.CutLine(facts.Title, book.LongLine), "without a title"))
	w.put("<dl class=\"facts\"><div><dt>Folder</dt><dd>%s</dd></div><div><dt>Model</dt><dd>%s</dd></div>", cmp.Or(words.CutLine(facts.Folder, book.LongLine), "–"), cmp.Or(words.CutLine(facts.Model, book.LongLine), "–"))
	w.put("<div><dt>Created</dt><dd>%s</dd></div>", book.Moment(facts.Created))
	if facts.ForkedFrom != nil {
		w.put("<div><dt>Forked from</dt><dd>%s</dd></div>", words.CutLine(facts.ForkedFrom.Says(), book.LongLine))
	}
	w.put("<div><dt>Up to record</dt><dd>%s, %s</dd></div>", words.Grouped(int64(w.Upto)), book.Moment(w.At))
	w.put("<div><dt>Session</dt><dd><code>%s</code></dd></div><div><dt>Written by</dt><dd>Pawl %s</dd></div></dl>\n", string(facts.ID), w.Source.Version)
	if w.Source.Bare {
		w.put("<p class=\"note\">%s</p>\n", book.BareNote)
	}
	if asked, more := w.asked(); asked != "" {
		w.put("<h2>What was asked</h2>\n<blockquote class=\"asked\">%s</blockquote>\n", asked)
		if more > 0 {
			w.put("<p class=\"note\">and %s after it</p>\n", words.CountGrouped(more, "more prompt"))
		}
	}
	w.put("</header>\n")
}

// asked is the first prompt of a person, and how many came after it.
func (w *writer) asked() (first string, more int) {
	for _, run := range w.Sessions[0].Runs {
		switch {
		case run.Prompt == "" || run.Trigger == lifecycle.TriggerCompact:
		case first == "":
			first = words.Cut(w.Readable(run.Prompt), book.LongPrompt)
		default:
			more++
		}
	}
	return first, more
}

func (w *writer) summary() {
	w.tiles()
	w.put("<section>\n<h2>Who did what</h2>\n")
	if len(w.Runs) == 0 {
		w.put("<p class=\"note\">Nothing has run yet.</p>\n</section>\n")
		return
	}
	w.put("<table class=\"runs\">\n<thead><tr><th>Run</th><th>What</th><th>How it ended</th><th class=\"n\">Elapsed</th><th class=\"n\">Tokens</th><th class=\"n\">Cost</th><th class=\"n\">Tools</th><th>Delivered?</th></tr></thead>\n<tbody>\n")
	for _, run := range w.Runs {
		w.row(run)
	}
	w.put("</tbody>\n</table>\n<p class=\"note\">P1 is the main agent's first run, A2.1 the first run of the second subagent, S1 the first command in the background. Times are UTC.</p>\n</section>\n")
}

func (w *writer) tiles() {
	sum := w.Totals()
	denied, untold := 0, 0
	for _, run := range w.Runs {
		denied += len(run.Denials)
		if run.Notification.Pending() {
			untold++
		}
	}
	tile := func(value, name string) {
		w.put("<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", value, name)
	}
	w.put("<section class=\"tiles\" aria-label=\"At a glance\">\n")
	tile(words.Grouped(int64(len(w.Runs))), "runs")
	if len(w.Runs) > 0 {
		tile(words.Rounded(w.Span()), "from first to last")
	}
	tile(book.TokenSum(sum.All), "tokens, "+words.Grouped(sum.All.CachedTokens)+" cached")
	if sum.All.Cost == 0 {
		tile("–", "no known cost")
	} else {
		tile(book.Dollars(sum.All.Cost), "of it the main agent "+book.Price(sum.Parent.Cost))
	}
	tile(words.Grouped(int64(sum.All.ToolCalls)), "tool calls in "+words.CountGrouped(sum.All.Steps, "step"))
	if denied > 0 {
		tile(words.Grouped(int64(denied)), "denied")
	}
	if untold > 0 {
		tile(words.Grouped(int64(untold)), "not delivered to the main agent")
	}
	w.put("</section>\n")
}

func (w *writer) row(run lifecycle.Run) {
	what := run.Description
	if !run.Child() {
		what = cmp.Or(run.Prompt, "woken by "+string(run.Trigger))
	}
	var here markup
	if w.brief {
		here = w.markup(" id=\"%s\"", anchor(w.Book, run.ID))
	}
	w.put("<tr%s><th scope=\"row\" data-l=\"Run\">%s</th><td data-l=\"What\"><span class=\"what\">%s</span>", here, w.runLink(run.ID), words.CutLine(what, book.LongLine))
	w.put("<small>%s</small></td><td data-l=\"Ended\">%s", w.manner(run), w.chip(run.State))
	if why := w.why(run); why != "" {
		w.put("<small>%s</small>", why)
	}
	w.put("</td><td class=\"n\" data-l=\"Elapsed\">%s</td>", w.Elapsed(run))
	w.put("<td class=\"n\" data-l=\"Tokens\">%s</td><td class=\"n\" data-l=\"Cost\">%s</td>", book.TokenSum(run.Usage), book.Price(run.Usage.Cost))
	w.put("<td class=\"n\" data-l=\"Tools\">%s</td><td data-l=\"Delivered?\"%s>%s</td></tr>\n", book.ToolCalls(run), blank(run), w.told(run))
}

// manner is what sort of run it was and whether somebody waited for it.
func (w *writer) manner(run lifecycle.Run) string {
	if !run.Child() {
		return book.Joined("main agent", book.ModelOf(run))
	}
	return book.Joined(run.Type, book.Mode(run), book.ModelOf(run))
}

// chip is a state, in its colour. A run that the log does not know has none.
func (w *writer) chip(state lifecycle.State) markup {
	if state == "" {
		return ""
	}
	return w.markup("<span class=\"chip %s\">%s</span>", stateClass(state), state.Words(lifecycle.ForPage))
}

// stateClass is the class of a state, one of ours whatever a record says.
func stateClass(state lifecycle.State) markup {
	switch state {
	case lifecycle.StateQueued:
		return "queued"
	case lifecycle.StateRunning:
		return "running"
	case lifecycle.StateCompleted:
		return "completed"
	case lifecycle.StateCompletedEmpty:
		return "empty"
	case lifecycle.StateFailed:
		return "failed"
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return "canceled"
	case lifecycle.StateInterrupted:
		return "interrupted"
	}
	return "unknown"
}

// why says what ended a run and whose wish that was.
func (w *writer) why(run lifecycle.Run) string {
	return words.CutLine(book.Joined(run.Cause.Words(lifecycle.ForPage), run.Reason, book.FailureOf(run)), book.LongLine)
}

// told says whether the parent knows of the end, since when and by what.
func (w *writer) told(run lifecycle.Run) markup {
	n := run.Notification
	switch {
	case !run.Child():
		return "–"
	case n.Pending():
		return w.markup("<span class=\"chip warn\">not yet</span><small>queued %s</small>", book.Clock(n.QueuedAt))
	case n != nil && !n.DeliveredAt.IsZero():
		return w.markup("in %s, step %s<small>%s</small>", w.runLink(n.InRun), n.Step, book.Clock(n.DeliveredAt))
	case n != nil:
		return w.markup("not needed: %s<small>notification withdrawn %s</small>", string(n.WithdrawnBy), book.Clock(n.WithdrawnAt))
	case run.Consumed != nil:
		return w.markup("by %s<small>in %s, %s</small>", string(run.Consumed.By), w.runLink(run.Consumed.InRun), book.Clock(run.Consumed.At))
	}
	return "–"
}

// blank is the class of a cell that says nothing.
func blank(run lifecycle.Run) markup {
	if !run.Child() || run.Notification == nil && run.Consumed == nil {
		return ` class="none"`
	}
	return ""
}
