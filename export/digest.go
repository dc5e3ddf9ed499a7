package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// A page holds about 60 lines: with 20 runs these are how many there is room for.
const (
	briefRuns    = 20
	briefPrompts = 4
	briefTrouble = 5
	briefAnswer  = 6   // lines
	briefText    = 600 // characters of the last answer
	briefLine    = 160
)

// digest is what a page says of a session.
type digest struct {
	asked    []request // the first prompts of the user, in order
	more     int       // prompts after those
	shown    []lifecycle.Run
	rest     []lifecycle.Run // that a page has no room for
	trouble  []trouble
	troubles int
	answer   string // the newest that the parent has said
	of       lifecycle.Run
}

// request is something that the user asked for, in a run or while it worked.
type request struct {
	in   lifecycle.RunID
	text string
}

// trouble is a denial or a warning, the first of those that are the same.
type trouble struct {
	in    lifecycle.RunID
	what  string // denied, warned
	about string
	times int
}

// digest reads the log once, for what the user wrote while a run worked.
func (b *book) digest(ctx context.Context) (*digest, error) {
	d := &digest{}
	pieces := newPieces(b.hide)
	err := b.src.each(ctx, b.root, b.upto, func(rec lifecycle.Record) error {
		if rec.Session != b.root {
			return nil
		}
		switch e := pieces.mask(rec).Event.(type) { //nolint:gochecksumtype // nothing else has words of the user's
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
	d.choose(b.runs)
	for _, short := range b.runs {
		run, err := b.whole(ctx, short.ID)
		if err != nil {
			return nil, err
		}
		for _, denied := range run.Denials {
			d.note(run.ID, "denied", listed(denied.Tool, denied.Subject, "by "+denied.By, denied.Reason))
		}
		for _, warned := range run.Warnings {
			d.note(run.ID, "warned", listed(strings.ReplaceAll(string(warned.Kind), "_", " "), warned.Message))
		}
		if !run.Child() && strings.TrimSpace(run.Output()) != "" {
			d.answer, d.of = run.Output(), run
		}
	}
	return d, nil
}

func (d *digest) ask(in lifecycle.RunID, text string) {
	switch {
	case text == "":
	case len(d.asked) == briefPrompts:
		d.more++
	default:
		d.asked = append(d.asked, request{in, text})
	}
}

// choose takes as many runs as there is room for, those first that did not complete, and
// keeps them in their order.
func (d *digest) choose(runs []lifecycle.Run) {
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	completed := func(i int) int {
		if runs[i].State == lifecycle.StateCompleted {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(completed(a), completed(b)) })
	here := order[:min(briefRuns, len(order))]
	for i, run := range runs {
		if slices.Contains(here, i) {
			d.shown = append(d.shown, run)
		} else {
			d.rest = append(d.rest, run)
		}
	}
}

func (d *digest) note(in lifecycle.RunID, what, about string) {
	for i := range d.trouble {
		if t := &d.trouble[i]; t.in == in && t.what == what && t.about == about {
			t.times++
			return
		}
	}
	if d.troubles++; len(d.trouble) < briefTrouble {
		d.trouble = append(d.trouble, trouble{in, what, about, 1})
	}
}

// again says how often something was so, where that was more than once.
func (t trouble) again() string {
	if t.times == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", t.times)
}

// counted says how runs came out: 3 completed, 1 failed.
func counted(runs []lifecycle.Run) string {
	var parts []string
	for _, state := range lifecycle.States() {
		n := 0
		for _, run := range runs {
			if run.State == state {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, words.Grouped(int64(n))+" "+stateWords(state))
		}
	}
	return strings.Join(parts, ", ")
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
