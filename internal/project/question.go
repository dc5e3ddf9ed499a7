package project

import (
	"context"
	"fmt"

	"pawl/agent/settings"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// Question is about what of a folder's files would make Pawl start programs or work in
// another way, and what the user has not seen yet.
type Question struct {
	Title string
	Says  []string // what the files want, a line each
	// Decide remembers the answer. Its error says that the answer holds for this process
	// and will not be remembered.
	Decide func(ctx context.Context, trust bool) error
}

// Question asks once about all that nobody has seen; nil where there is none.
func (p *Project) Question() *Question {
	asked := p.unseen()
	if len(asked) == 0 {
		return nil
	}
	var names, lines []string
	for _, one := range asked {
		names = append(names, one.Brief)
		lines = append(lines, one.lines()...)
	}
	return &Question{
		Title: fmt.Sprintf("This folder contains %s. Do you trust it?", words.List(names)),
		Says:  append(lines, "Until you do, none of this is used, and Pawl asks before each shell command."),
		Decide: func(ctx context.Context, trustIt bool) error {
			if trustIt {
				return p.decide(ctx, asked, trust.Trusted)
			}
			return p.decide(ctx, asked, trust.Distrusted)
		},
	}
}

// Answer is something that the user has said about a folder, or what follows from it, as
// a rule.
type Answer struct {
	Text   string
	Says   string
	Later  bool                            // taking it back counts from the next start on
	Forget func(ctx context.Context) error // nil: it cannot be taken back
}

// RuleFile is the file in which a rule stands: the folder's, if that names it, or the
// user's.
func (p *Project) RuleFile(rule fmt.Stringer, own string) string {
	if p.Settings != nil && p.Trusts(p.Settings) && p.Layer.HasRule(rule.String()) {
		return settings.ProjectFile
	}
	return own
}

// Answers are the answers about this folder, as /permissions lists and takes them back;
// where it is not trusted, what follows from that too.
func (p *Project) Answers() []Answer {
	var all []Answer
	for _, one := range p.Parts {
		said, _, err := one.trust.Of(context.Background(), one.File, one.content)
		if err != nil || said == trust.Unseen {
			continue
		}
		text := "trust in " + one.Brief
		if said == trust.Distrusted {
			text = "distrust of " + one.Brief
		}
		all = append(all, Answer{
			Text: text, Says: "your answer, until it changes", Later: true,
			Forget: func(ctx context.Context) error { return one.trust.Forget(ctx, one.File) },
		})
	}
	if p.Wary() {
		all = append([]Answer{{Text: "ask shell(*)", Says: "no rule allows a command: this folder is not trusted"}}, all...)
	}
	return all
}
