package html

import (
	"cmp"
	"time"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// banner says which session this is, and what was asked in it.
func (s *writer) banner() {
	facts := s.Facts()
	s.put("<header>\n<p class=\"brand\">Pawl session</p>\n<h1>%s</h1>\n", cmp.Or(words.CutLine(facts.Title, book.LongLine), "without a title"))
	s.put("<dl class=\"facts\"><div><dt>Folder</dt><dd>%s</dd></div><div><dt>Model</dt><dd>%s</dd></div>", cmp.Or(words.CutLine(facts.Folder, book.LongLine), "–"), cmp.Or(words.CutLine(facts.Model, book.LongLine), "–"))
	s.put("<div><dt>Created</dt><dd>%s</dd></div>", book.Moment(facts.Created))
	s.put("<div><dt>Up to record</dt><dd>%s, %s</dd></div>", words.Grouped(int64(s.Upto)), book.Moment(s.At))
	s.put("<div><dt>Session</dt><dd><code>%s</code></dd></div><div><dt>Written by</dt><dd>Pawl %s</dd></div></dl>\n", string(facts.ID), s.Source.Version)
	if s.Source.Bare {
		s.put("<p class=\"note\">%s</p>\n", book.BareNote)
	}
	if asked, more := s.asked(); asked != "" {
		s.put("<h2>What was asked</h2>\n<blockquote class=\"asked\">%s</blockquote>\n", asked)
		if more > 0 {
			s.put("<p class=\"note\">and %s after it</p>\n", words.CountGrouped(more, "more prompt"))
		}
	}
	s.put("</header>\n")
}

// asked is the first prompt of a person, and how many came after it.
func (s *writer) asked() (first string, more int) {
	for _, run := range s.Sessions[0].Runs {
		switch {
		case run.Prompt == "" || run.Trigger == lifecycle.TriggerCompact:
		case first == "":
			first = words.Cut(s.Readable(run.Prompt), book.LongPrompt)
		default:
			more++
		}
	}
	return first, more
}

// summary is who did what, how each ended, and what it cost.
func (s *writer) summary() {
	s.tiles()
	s.put("<section>\n<h2>Who did what</h2>\n")
	if len(s.Runs) == 0 {
		s.put("<p class=\"note\">Nothing has run yet.</p>\n</section>\n")
		return
	}
	s.put("<table class=\"runs\">\n<thead><tr><th>Run</th><th>What</th><th>How it ended</th><th class=\"n\">Elapsed</th><th class=\"n\">Tokens</th><th class=\"n\">Cost</th><th class=\"n\">Tools</th><th>Delivered?</th></tr></thead>\n<tbody>\n")
	for _, run := range s.Runs {
		s.row(run)
	}
	s.put("</tbody>\n</table>\n<p class=\"note\">P1 is the main agent's first run, A2.1 the first run of the second subagent, S1 the first command in the background. Times are UTC.</p>\n</section>\n")
}

// tiles are the numbers at a glance.
func (s *writer) tiles() {
	sum := s.Totals()
	denied, untold := 0, 0
	var from time.Time
	for i, run := range s.Runs {
		denied += len(run.Denials)
		if run.Notification.Pending() {
			untold++
		}
		if i == 0 || run.SpawnedAt.Before(from) {
			from = run.SpawnedAt
		}
	}
	tile := func(value, name string) {
		s.put("<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", value, name)
	}
	s.put("<section class=\"tiles\" aria-label=\"At a glance\">\n")
	tile(words.Grouped(int64(len(s.Runs))), "runs")
	if len(s.Runs) > 0 {
		tile(words.Rounded(s.At.Sub(from)), "from first to last")
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
	s.put("</section>\n")
}

// row is one run.
func (s *writer) row(run lifecycle.Run) {
	what := run.Description
	if !run.Child() {
		what = cmp.Or(run.Prompt, "woken by "+string(run.Trigger))
	}
	var here markup
	if s.brief {
		here = s.markup(" id=\"%s\"", anchor(s.Book, run.ID))
	}
	s.put("<tr%s><th scope=\"row\" data-l=\"Run\">%s</th><td data-l=\"What\"><span class=\"what\">%s</span>", here, s.runLink(run.ID), words.CutLine(what, book.LongLine))
	s.put("<small>%s</small></td><td data-l=\"Ended\">%s", s.manner(run), s.chip(run.State))
	if why := s.why(run); why != "" {
		s.put("<small>%s</small>", why)
	}
	s.put("</td><td class=\"n\" data-l=\"Elapsed\">%s</td>", s.Elapsed(run))
	s.put("<td class=\"n\" data-l=\"Tokens\">%s</td><td class=\"n\" data-l=\"Cost\">%s</td>", book.TokenSum(run.Usage), book.Price(run.Usage.Cost))
	s.put("<td class=\"n\" data-l=\"Tools\">%s</td><td data-l=\"Delivered?\"%s>%s</td></tr>\n", book.ToolCalls(run), blank(run), s.told(run))
}

// manner is what sort of run it was and whether somebody waited for it.
func (s *writer) manner(run lifecycle.Run) string {
	if !run.Child() {
		return book.Joined("main agent", run.Model)
	}
	return book.Joined(run.Type, book.Mode(run), run.Model)
}

// chip is a state, in its colour. A run that the log does not know has none.
func (s *writer) chip(state lifecycle.State) markup {
	if state == "" {
		return ""
	}
	return s.markup("<span class=\"chip %s\">%s</span>", stateClass(state), state.Words(lifecycle.ForPage))
}

// why says what ended a run and whose wish that was.
func (s *writer) why(run lifecycle.Run) string {
	return words.CutLine(book.Joined(run.Cause.Words(lifecycle.ForPage), run.Reason, book.FailureOf(run)), book.LongLine)
}

// told says whether the parent knows of the end, since when and by what.
func (s *writer) told(run lifecycle.Run) markup {
	n := run.Notification
	switch {
	case !run.Child():
		return "–"
	case n.Pending():
		return s.markup("<span class=\"chip warn\">not yet</span><small>queued %s</small>", book.Clock(n.QueuedAt))
	case n != nil && !n.DeliveredAt.IsZero():
		return s.markup("in %s, step %s<small>%s</small>", s.runLink(n.InRun), n.Step, book.Clock(n.DeliveredAt))
	case n != nil:
		return s.markup("not needed: %s<small>notification withdrawn %s</small>", string(n.WithdrawnBy), book.Clock(n.WithdrawnAt))
	case run.Consumed != nil:
		return s.markup("by %s<small>in %s, %s</small>", string(run.Consumed.By), s.runLink(run.Consumed.InRun), book.Clock(run.Consumed.At))
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
