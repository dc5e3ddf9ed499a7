package ui

import "context"

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
