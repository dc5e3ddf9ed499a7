package agent

import (
	"fmt"
	"slices"
	"strings"

	"pawl/lifecycle"
)

// refused says what a run was denied, and what its parent can do about that: only ask its user.
func (r RunReport) refused() string {
	var asked, fixed []lifecycle.Refusal
	for _, r := range lifecycle.Refusals(lifecycle.Run{Denials: r.Denials}) {
		if r.Grantable() {
			asked = append(asked, r)
		} else {
			fixed = append(fixed, r)
		}
	}
	return joinSentences(
		listDenied(asked, "denied to it", "Tell the user what it still needs: on the screen they can grant it, with g on its line, and then it tries again."),
		listDenied(fixed, "forbidden to it by the user's rules, their mode or a hook", ""),
	)
}

// listDenied says what was denied, naming the first few calls, and what follows from that.
func listDenied(denied []lifecycle.Refusal, how, then string) string {
	const most = 3
	if len(denied) == 0 {
		return ""
	}
	var lines []string
	for i, r := range denied {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(denied)-most))
			break
		}
		lines = append(lines, brief(r.Tool+" "+r.Subject))
	}
	calls := fmt.Sprintf("%d calls were ", lifecycle.Denied(denied))
	if lifecycle.Denied(denied) == 1 {
		calls = "1 call was "
	}
	return joinSentences(calls+how+": "+strings.Join(lines, "; ")+".", then)
}

// joinSentences joins the sentences that are not empty.
func joinSentences(sentences ...string) string {
	said := slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
	return strings.Join(said, " ")
}
