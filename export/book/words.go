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

// How much of a text is shown, in characters.
const (
	LongLine   = 200 // in one line
	LongCell   = 80  // in a cell of a table
	LongPrompt = 1200
)

// Price is what a run cost, a dash where no price is known.
func Price(cost float64) string {
	if cost == 0 {
		return "–"
	}
	return Dollars(cost)
}

// Moment is a time to the second; clock is its time of day.
func Moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// Clock is a time of day to the second.
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

// Elapsed is how long a run took, or has taken so far.
func (b *Book) Elapsed(run lifecycle.Run) string {
	took := run.Elapsed(b.At).Round(100 * time.Millisecond).String()
	if !run.State.Terminal() {
		took += " so far"
	}
	return took
}

// ToolCalls is how many tools a run called, and how many of these calls were denied.
func ToolCalls(run lifecycle.Run) string {
	calls := strconv.Itoa(run.Usage.ToolCalls)
	if n := len(run.Denials); n > 0 {
		calls += fmt.Sprintf(" (%d denied)", n)
	}
	return calls
}

// Tokens is what a usage is made of, in words.
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

// TokenSum is a number of tokens, marked where it is an estimate in part.
func TokenSum(u lifecycle.Usage) string {
	if u.Estimated() {
		return "~" + words.Grouped(u.Tokens())
	}
	return words.Grouped(u.Tokens())
}

// Dollars is a price. Zero is what a model costs whose price is not known.
func Dollars(cost float64) string {
	if cost == 0 {
		return "no known cost"
	}
	return fmt.Sprintf("$%.4f", cost)
}

// FailureOf is the error of a run, or the exit code of a command.
func FailureOf(run lifecycle.Run) string {
	switch {
	case run.Error != nil:
		return run.Error.Line()
	case run.ExitCode != nil:
		return "exit code " + words.Grouped(int64(*run.ExitCode))
	}
	return ""
}

// Readable makes a text of others safe to read: cleaned first, so that no
// control character can part a secret, then masked.
func (b *Book) Readable(s string) string { return b.Mask.Text(sanitize.Clean(s).String()) }

// Stamp is a moment to the millisecond, always as wide.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Joined joins what there is.
func Joined(parts ...string) string {
	var have []string
	for _, part := range parts {
		if part != "" {
			have = append(have, part)
		}
	}
	return strings.Join(have, " · ")
}

// Unescape undoes, for readers, the escapes that are there for programs alone.
var Unescape = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// Speaker is who wrote a user message.
func Speaker(from string) string {
	switch from {
	case lifecycle.FromAgent:
		return "Main agent"
	case lifecycle.FromPawl:
		return "Pawl"
	}
	return "User"
}

// BareNote is what an export without content says of itself.
const BareNote = "Without content: each text is replaced by how long it was."
