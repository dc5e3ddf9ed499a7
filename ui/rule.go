package ui

import "context"

// Rule is one of the user's permission rules, for a list of them.
type Rule struct {
	Text   string // as in allow shell(go test *)
	Source string // the file that it stands in, as people write it
	// Forget takes it back, from now on and for good. Nil: only a change of the source
	// does.
	Forget func(ctx context.Context) error
}
