package book

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Limits of shown texts, in characters.
const (
	LongLine   = 200 // in one line
	LongCell   = 80  // in a cell of a table
	LongPrompt = 1200
)

// Price writes the cost of a run, or a dash if its price is not known.
func Price(cost float64) string {
	if cost == 0 {
		return "–"
	}
	return Dollars(cost)
}

// Moment writes a time to the second, in UTC.
func Moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// Clock writes the time of day to the second, in UTC.
func Clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// Mode says whether somebody waited for the run.
func Mode(run lifecycle.Run) string {
	switch {
	case !run.Child():
		return "–"
	case !run.DetachedAt.IsZero():
		return "detached"
	case !run.OverdueAt.IsZero():
		return "foreground, overdue"
	case run.Background:
		return "background"
	}
	return "foreground"
}

// Elapsed says how long a run took, or has taken so far.
func (b *Book) Elapsed(run lifecycle.Run) string {
	took := run.Elapsed(b.At).Round(100 * time.Millisecond).String()
	if !run.State.Terminal() {
		took += " so far"
	}
	return took
}

// ToolCalls says how many tool calls a run made, and how many were denied.
func ToolCalls(run lifecycle.Run) string {
	calls := strconv.Itoa(run.Usage.ToolCalls)
	if n := len(run.Denials); n > 0 {
		calls += fmt.Sprintf(" (%d denied)", n)
	}
	return calls
}

// Tokens describes a usage in words.
func Tokens(u lifecycle.Usage) string {
	caches := words.Grouped(u.CachedTokens) + " cached"
	if u.CacheWriteTokens > 0 {
		caches += ", " + words.Grouped(u.CacheWriteTokens) + " written to a cache"
	}
	out := words.Grouped(u.OutputTokens) + " out"
	if u.Estimated() {
		out += fmt.Sprintf(" (%s of both estimated)", words.Grouped(u.EstimatedTokens))
	}
	return fmt.Sprintf("%s tokens in (%s), %s, %s", words.Grouped(u.InputTokens), caches, out, Dollars(u.Cost))
}

// TokenSum writes a number of tokens, marked if part of it is an estimate.
func TokenSum(u lifecycle.Usage) string {
	if u.Estimated() {
		return "~" + words.Grouped(u.Tokens())
	}
	return words.Grouped(u.Tokens())
}

// Dollars writes a cost in US dollars. Zero means that the model's price is not known.
func Dollars(cost float64) string {
	if cost == 0 {
		return "no known cost"
	}
	return fmt.Sprintf("$%.4f", cost)
}

// FailureOf is the error of a run, or the exit code of a command; empty if it has none.
func FailureOf(run lifecycle.Run) string {
	switch {
	case run.Error != nil:
		return run.Error.Line()
	case run.ExitCode != nil:
		return "exit code " + words.Grouped(int64(*run.ExitCode))
	}
	return ""
}

// Readable makes foreign text safe to read: cleaned first, so that no control character can
// split a secret, then masked.
func (b *Book) Readable(s string) string { return b.Mask.Text(sanitize.Clean(s).String()) }

// Stamp writes a time to the millisecond in UTC, always with the same width.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Joined joins the parts that are not empty.
func Joined(parts ...string) string { return words.Join(" · ", parts...) }

// LogLine is a record in one line, its number as wide as that of the last one.
func (b *Book) LogLine(rec lifecycle.Record) string {
	width := len(strconv.FormatInt(int64(b.Upto), 10))
	name, detail := words.CutLine(b.Readable(b.Name(rec.Run)), LongCell), words.CutLine(b.Readable(b.Detail(rec.Event)), LongLine)
	return strings.TrimRight(fmt.Sprintf("%*d  %s  %-6s  %-22s  %s", width, rec.Seq, Stamp(rec.Time), name, lifecycle.Name(rec.Event), detail), " ")
}

// CutOff is what a run has written that no message has, with a heading; empty if there is none.
// last is what its model said last.
func CutOff(run lifecycle.Run, last string) (heading, text string) {
	text = strings.TrimSpace(run.Partial)
	switch {
	case text == "" || text == strings.TrimSpace(last):
		return "", ""
	case run.State.Terminal():
		return "Cut off", run.Partial
	}
	return "Written so far", run.Partial
}

// Unescape reverts escapes that only programs need.
var Unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// Speaker names who wrote a user message.
func Speaker(from string) string {
	switch from {
	case lifecycle.FromAgent:
		return "Main agent"
	case lifecycle.FromPawl:
		return "Pawl"
	}
	return "User"
}

// BareNote is the note in an export without content.
const BareNote = "Without content: each text is replaced by how long it was."
