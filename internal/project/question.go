package project

import (
	"context"
	"fmt"

	"pawl/agent/settings"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// Question asks about files of a folder that would make Pawl start programs or work differently,
// and that the user has not seen yet.
type Question struct {
	Title string
	Says  []string // what the files ask for, one line each
	// Decide stores the answer. An error means that the answer holds for this process but could
	// not be stored.
	Decide func(ctx context.Context, trust bool) error
}

// Question returns one question about all that nobody has seen; nil if there is nothing.
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

// Answer is something that the user has said about a folder, or what follows from it, as a rule.
type Answer struct {
	Text   string
	Says   string
	Later  bool                            // taking it back takes effect at the next start
	Forget func(ctx context.Context) error // nil: it cannot be taken back
}

// RuleFile is the file that holds a rule: the folder's, if that names it, or else own.
func (p *Project) RuleFile(rule fmt.Stringer, own string) string {
	if p.Settings != nil && p.Trusts(p.Settings) && p.Layer.HasRule(rule.String()) {
		return settings.ProjectFile
	}
	return own
}

// Answers lists the answers about this folder, for /permissions to list and take back; if it is
// not trusted, what follows from that too.
func (p *Project) Answers() []Answer {
	p.complete()
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
	if p.Untrusted() {
		all = append([]Answer{{Text: "ask shell(*)", Says: "no rule allows a command: this folder is not trusted"}}, all...)
	}
	return all
}
