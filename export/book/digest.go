package book

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// A page holds about 60 lines: with 20 runs it has room for so many.
const (
	briefRuns    = 20
	briefPrompts = 4
	briefTrouble = 5
	briefAnswer  = 6   // lines
	briefText    = 600 // characters of the last answer
	BriefLine    = 160
)

// Digest is a session on one page.
type Digest struct {
	Asked      []request // the user's first prompts, in order
	More       int       // how many prompts follow those
	Shown      []lifecycle.Run
	Others     []lifecycle.Run // runs that a page has no room for
	Trouble    []trouble
	Troubles   int
	Answer     string // the parent's newest text
	AnsweredBy lifecycle.Run
}

// request is something that the user asked for, at the start of a run or while it worked.
type request struct {
	Run  lifecycle.RunID
	Text string
}

// trouble is a denial or a warning; several equal ones are counted as one.
type trouble struct {
	Run   lifecycle.RunID
	Kind  string // denied, warned
	About string
	times int
}

// Digest reads the log once, for what the user wrote while runs worked.
func (b *Book) Digest(ctx context.Context) (*Digest, error) {
	d := &Digest{}
	pieces := NewPieces(b.Mask)
	err := b.Source.Each(ctx, b.Root, b.Upto, func(rec lifecycle.Record) error {
		if rec.Session != b.Root {
			return nil
		}
		switch e := pieces.Mask(rec).Event.(type) { //nolint:gochecksumtype // nothing else has words of the user's
		case lifecycle.Spawned:
			if e.Trigger != lifecycle.TriggerCompact && e.From == lifecycle.FromUser {
				d.ask(rec.Run, e.Prompt)
			}
		case lifecycle.MessageTaken:
			if e.From == lifecycle.FromUser {
				d.ask(rec.Run, e.Text)
			}
		default:
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.choose(b.Runs)
	for _, short := range b.Runs {
		run, err := b.Whole(ctx, short.ID)
		if err != nil {
			return nil, err
		}
		for _, denied := range run.Denials {
			d.note(run.ID, "denied", Joined(denied.Tool, denied.Subject, "by "+string(denied.By), denied.Reason))
		}
		for _, warned := range run.Warnings {
			d.note(run.ID, "warned", Joined(strings.ReplaceAll(string(warned.Kind), "_", " "), warned.Message))
		}
		if !run.Child() && strings.TrimSpace(run.Output()) != "" {
			d.Answer, d.AnsweredBy = run.Output(), run
		}
	}
	return d, nil
}

func (d *Digest) ask(in lifecycle.RunID, text string) {
	switch {
	case text == "":
	case len(d.Asked) == briefPrompts:
		d.More++
	default:
		d.Asked = append(d.Asked, request{in, text})
	}
}

// choose takes as many runs as there is room for, those that did not complete first, and keeps
// them in order.
func (d *Digest) choose(runs []lifecycle.Run) {
	var others, completed []int
	for i, run := range runs {
		if run.State == lifecycle.StateCompleted {
			completed = append(completed, i)
		} else {
			others = append(others, i)
		}
	}
	here := append(others, completed...)
	here = here[:min(briefRuns, len(here))]
	for i, run := range runs {
		if slices.Contains(here, i) {
			d.Shown = append(d.Shown, run)
		} else {
			d.Others = append(d.Others, run)
		}
	}
}

func (d *Digest) note(in lifecycle.RunID, what, about string) {
	for i := range d.Trouble {
		if t := &d.Trouble[i]; t.Run == in && t.Kind == what && t.About == about {
			t.times++
			return
		}
	}
	if d.Troubles++; len(d.Trouble) < briefTrouble {
		d.Trouble = append(d.Trouble, trouble{in, what, about, 1})
	}
}

// Again says how often it happened if that was more than once.
func (t trouble) Again() string {
	if t.times == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", t.times)
}

// Counted counts runs by state: 3 completed, 1 failed.
func Counted(runs []lifecycle.Run) string {
	var parts []string
	for _, state := range lifecycle.States() {
		n := 0
		for _, run := range runs {
			if run.State == state {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, words.Grouped(int64(n))+" "+state.Words(lifecycle.ForPage))
		}
	}
	return strings.Join(parts, ", ")
}

// Beginning is as much of a text as a page has room for; gone reports that it was cut.
func (b *Book) Beginning(text string) (cut string, gone bool) {
	text = strings.TrimSpace(b.Readable(text))
	cut = words.First(text, briefText)
	lines := strings.Split(cut, "\n")
	if len(lines) > briefAnswer {
		return strings.Join(lines[:briefAnswer], "\n"), true
	}
	return cut, len(cut) < len(text)
}

// Span is the time from the first run to the newest record.
func (b *Book) Span() time.Duration {
	var from time.Time
	for i, run := range b.Runs {
		if i == 0 || run.SpawnedAt.Before(from) {
			from = run.SpawnedAt
		}
	}
	if from.IsZero() {
		return 0
	}
	return max(0, b.At.Sub(from))
}
