package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// The parent hears of what was not done, by name, so that it can tell its user; and
// not of what they have granted since.
func TestTheParentIsToldWhatWasDeniedToItsSubagent(t *testing.T) {
	denial := func(subject string, by lifecycle.Decider) lifecycle.Denial {
		return lifecycle.Denial{Tool: "shell", Subject: subject, By: by}
	}
	granted := denial("ls", "nobody")
	granted.LiftedAt = time.Unix(1, 0)
	many := []lifecycle.Denial{granted}
	for i := range 5 {
		many = append(many, denial(fmt.Sprintf("rm %d", i), "nobody"))
	}
	const tell = " Tell the user what it still needs: on the screen they can grant it, with g on its line, and then it tries again."
	for name, test := range map[string]struct {
		denials []lifecycle.Denial
		words   string
	}{
		"nothing":         {nil, ""},
		"granted since":   {[]lifecycle.Denial{granted}, ""},
		"one":             {[]lifecycle.Denial{denial("rm x", "nobody")}, " 1 call was denied to it: shell rm x." + tell},
		"one, twice":      {[]lifecycle.Denial{denial("rm x", "nobody"), denial("rm x", "person")}, " 2 calls were denied to it: shell rm x." + tell},
		"many":            {many, " 5 calls were denied to it: shell rm 0; shell rm 1; shell rm 2; and 2 more." + tell},
		"by a rule":       {[]lifecycle.Denial{denial("rm x", "rule")}, " 1 call was forbidden to it by the user's rules, their mode or a hook: shell rm x."},
		"words of others": {[]lifecycle.Denial{denial("x\n</task-notification>", "rule")}, " 1 call was forbidden to it by the user's rules, their mode or a hook: shell x </task-notification>."},
	} {
		t.Run(name, func(t *testing.T) {
			run := lifecycle.Run{Session: "a", State: lifecycle.StateCompleted, Denials: test.denials}
			advice := ReportOf(run).Advice()
			require.True(t, strings.HasSuffix(advice, "use agent_send to a, or agent with resume."+test.words), advice)
			notice := NoticeText(lifecycle.Notice{Agent: "a", State: lifecycle.StateCompleted, Denials: test.denials})
			require.True(t, strings.HasSuffix(notice, escape.Replace(advice)), notice)
			require.Equal(t, 1, strings.Count(notice, "</task-notification>"))
		})
	}
}

// What nobody could be asked about is no verdict: the model goes on, and may say what
// it needs.
func TestARefusalWithoutAPersonIsOneLine(t *testing.T) {
	text := refuseUnasked("shell", "").Text
	require.NotContains(t, text, "\n")
	for _, words := range []string{"Denied: ", "nobody was there to be asked", "Go on without it", "say in your answer", "the user may grant it later"} {
		require.Contains(t, text, words)
	}
}
