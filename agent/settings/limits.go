package settings

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits bound what is spent; 0 is no limit. The two for a session count all of it,
// including subagents and earlier processes; the one for a day counts all sessions.
// MaxRemote bounds what runs at once, and is never without a limit.
type Limits struct {
	MaxCost      float64 `toml:"max_cost"` // US dollars
	DayMaxCost   float64 `toml:"day_max_cost"`
	MaxTokens    int     `toml:"max_tokens"`
	RunMaxCost   float64 `toml:"run_max_cost"`
	RunMaxTokens int     `toml:"run_max_tokens"`
	MaxSteps     int     `toml:"max_steps"`  // of one run
	MaxRemote    int     `toml:"max_remote"` // runs of a session on other machines at once
}

// mostRemote bounds MaxRemote: a session holds a pipe and a goroutine or two for each of these runs.
const mostRemote = 1000

// check refuses negative and infinite limits.
func (l Limits) check(where string) error {
	var found Errors
	for name, sum := range map[string]float64{"limits.max_cost": l.MaxCost, "limits.run_max_cost": l.RunMaxCost, "limits.day_max_cost": l.DayMaxCost} {
		if sum < 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
			found = append(found, &Error{where, fmt.Sprintf("%s %v: must be an amount in US dollars, such as 2.50; 0 means no limit", name, sum)})
		}
	}
	for name, n := range map[string]int{"limits.max_tokens": l.MaxTokens, "limits.run_max_tokens": l.RunMaxTokens, "limits.max_steps": l.MaxSteps} {
		if n < 0 {
			found = append(found, &Error{where, fmt.Sprintf("%s %d: must be 1 or more; 0 means no limit", name, n)})
		}
	}
	if n := l.MaxRemote; n < 1 || n > mostRemote {
		found = append(found, &Error{where, fmt.Sprintf("limits.max_remote %d: must be a number from 1 to %d", n, mostRemote)})
	}
	slices.SortFunc(found, func(a, b *Error) int { return strings.Compare(a.Message, b.Message) })
	return All(found)
}
