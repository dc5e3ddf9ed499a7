package agent

import (
	"fmt"
	"slices"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// InOrder sorts levels of effort, the least first. It never returns nil.
func InOrder(efforts []string) []string {
	sorted := []string{}
	for _, level := range lifecycle.EffortLevels() {
		if slices.Contains(efforts, level) {
			sorted = append(sorted, level)
		}
	}
	return sorted
}

// FitEffort returns what to send to a model of which this is known, in its maker's words, for
// the effort that was asked for: for max the highest that it takes, else that level or the
// nearest below it. instead says, for people, that this is not what was asked for; empty if it
// is. Of a model that is not known it returns what was asked for, and the provider finds out.
func FitEffort(takes []string, asked string) (level, instead string) {
	switch {
	case asked == "" || takes == nil || slices.Contains(takes, asked):
		return asked, ""
	case len(takes) == 0:
		return "", "takes no effort; it is asked without"
	case asked == lifecycle.EffortMax:
		return takes[len(takes)-1], ""
	}
	for _, one := range slices.Backward(lifecycle.EffortLevels()[:slices.Index(lifecycle.EffortLevels(), asked)]) {
		if slices.Contains(takes, one) {
			return one, fmt.Sprintf("takes effort %s, not %s; it is asked with %s", words.Alternatives(takes), asked, one)
		}
	}
	return "", fmt.Sprintf("takes effort %s, not %s; it is asked without", words.Alternatives(takes), asked)
}

// warnEffort records, once a run and model, that the model does not get the effort that was
// asked for.
func (t *activeRun) warnEffort(why string) error {
	if why == "" {
		return nil
	}
	return t.warnOnce(lifecycle.WarnEffort, "effort of "+t.name, t.name+" "+why)
}
