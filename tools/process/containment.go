package process

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"pawl/internal/launch"
)

// Containment says how the processes of a command are kept together.
type Containment string

// The ways, the strongest first. ContainAuto takes the strongest that is possible here.
const (
	ContainAuto      Containment = "auto"
	ContainNamespace             = Containment(launch.Namespace)
	ContainSubreaper             = Containment(launch.Subreaper)
	ContainGroup                 = Containment(launch.Group)
)

// Unsealed is the strongest containment in which a program still sees the other processes of its user,
// where none is demanded.
func (c Containment) Unsealed() Containment {
	if (c == ContainAuto || c == "") && slices.Contains(modesHere(), launch.Subreaper) {
		return ContainSubreaper
	}
	return c
}

// ContainmentReport says what keeps the processes of commands.
type ContainmentReport struct {
	Mode Containment // in force; empty where the one that is wanted is not possible
	Why  []string    // a line for each stronger one: why it is not in force
	Gaps []string    // what this one does not cover, a sentence each
	Err  error       // why no command can be started
}

// CheckContainment finds out how commands are kept together here. It tries what the first
// command would try.
func CheckContainment(ctx context.Context, wanted Containment) ContainmentReport {
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		return ContainmentReport{Err: err}
	}
	report := ContainmentReport{Mode: Containment(mode), Gaps: gapsOf(mode)}
	for _, stronger := range modesHere() {
		if stronger == mode {
			break
		}
		why := fmt.Sprintf("the setting tools.containment is %q", wanted)
		if err := possible(ctx, stronger); err != nil {
			why = err.Error()
		}
		report.Why = append(report.Why, fmt.Sprintf("%s: %s", stronger, why))
	}
	return report
}

// gapsOf says in words what a mode does not keep.
func gapsOf(mode launch.Mode) []string {
	gaps := []string{"What another program starts for a command (docker, systemd-run, at, a server that was there before) does not belong to the command and is not ended with it."}
	switch {
	case mode == launch.Namespace:
	case mode == launch.Subreaper:
		gaps = append(gaps,
			"A command can kill its helper: a process that has left the command's session and wiped its environment then keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, a process that has left the command's session keeps running.",
			"A process that forks into new sessions faster than they are found keeps running.")
	case runtime.GOOS == "linux":
		gaps = append(gaps, "A process that has left its group and session and wiped its environment is not found, and keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, everything but the command itself keeps running.")
	default:
		gaps = append(gaps, "A process that has left its group is not found, and keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, the command keeps running.")
	}
	return gaps
}

// modeFor chooses how a command is kept.
func modeFor(ctx context.Context, wanted Containment) (launch.Mode, error) {
	for _, mode := range modesHere() {
		switch {
		case wanted == Containment(mode):
			if err := possible(ctx, mode); err != nil {
				return "", fmt.Errorf("tools.containment = %q is not possible here: %w", wanted, err)
			}
			return mode, nil
		case wanted != ContainAuto && wanted != "":
		case possible(ctx, mode) == nil:
			return mode, nil
		}
	}
	if wanted == ContainAuto || wanted == "" {
		return launch.Group, nil // its start says what is wrong
	}
	return "", fmt.Errorf("tools.containment = %q is not possible on %s: choose one of %v or %q", wanted, runtime.GOOS, modesHere(), ContainAuto)
}
