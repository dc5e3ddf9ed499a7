package approval

import (
	"context"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Rule is one of the user's permission rules, for a list of them.
type Rule struct {
	Text   string // as in allow shell(go test *)
	Source string // the file that it stands in, as people write it
	Says   string // in the place of where it stands, for what stands in no file: a sentence
	// Later says that taking it back counts from the next start of Pawl on.
	Later bool
	// Forget takes it back, for good. Nil: only a change of the source does.
	Forget func(ctx context.Context) error
}

// Where says what it rests on.
func (r Rule) Where() sanitize.Text {
	if r.Says != "" {
		return draw.Sprintf("%s: %s", r.Text, r.Says)
	}
	return draw.Sprintf("%s is set in %s", r.Text, r.Source)
}
