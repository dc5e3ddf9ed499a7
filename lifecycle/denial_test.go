package lifecycle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// denialLog folds events of one run, a second apart.
func denialLog(id RunID, from Seq, events ...Event) Run {
	run := Run{}
	for i, event := range append([]Event{Spawned{Spec{Root: root, Parent: root, Trigger: TriggerAgent}}, Started{}, StepStarted{1}}, events...) {
		seq := from + Seq(i)
		next, err := run.Apply(Record{Seq: seq, Time: time.Unix(int64(seq), 0), Root: root, Session: "sub", Run: id, Event: event})
		if err != nil {
			panic(err)
		}
		run = next
	}
	return run
}

func lifting(d Deed) PermissionGranted {
	return PermissionGranted{By: "person", Scope: GrantDenied, Tool: d.Tool, Subject: d.Subject}
}

func TestWhatIsDeniedToASessionIsWhatWasNotGrantedSince(t *testing.T) {
	ls, rm := Deed{"shell", "ls"}, Deed{"shell", "rm x"}
	no := func(d Deed, by Decider) PermissionDenied {
		return PermissionDenied{Call: CallID(by), Tool: d.Tool, Subject: d.Subject, By: by}
	}
	first := denialLog("1", 1, no(ls, "nobody"), no(rm, "rule"), no(ls, "nobody"))
	type line struct {
		Deed  Deed
		By    Decider
		Run   RunID
		Times int
	}
	for name, test := range map[string]struct {
		runs   []Run
		denied []line
	}{
		"nothing":                   {runs: []Run{denialLog("1", 1)}},
		"the same counts together":  {[]Run{first}, []line{{ls, "nobody", "1", 2}, {rm, "rule", "1", 1}}},
		"over its runs too":         {[]Run{first, denialLog("2", 20, no(ls, "person"))}, []line{{ls, "person", "2", 3}, {rm, "rule", "1", 1}}},
		"another run says nothing":  {[]Run{first, denialLog("2", 20)}, []line{{ls, "nobody", "1", 2}, {rm, "rule", "1", 1}}},
		"granted by the next run":   {[]Run{first, denialLog("2", 20, lifting(ls))}, []line{{rm, "rule", "1", 1}}},
		"denied again":              {[]Run{first, denialLog("2", 20, lifting(ls), no(ls, "nobody"))}, []line{{rm, "rule", "1", 1}, {ls, "nobody", "2", 1}}},
		"granted while it runs":     {[]Run{denialLog("1", 1, no(ls, "nobody"), lifting(ls))}, nil},
		"granted, and denied again": {[]Run{denialLog("1", 1, no(ls, "nobody"), lifting(ls), no(ls, "nobody"))}, []line{{ls, "nobody", "1", 1}}},
		"a rule is not granted":     {[]Run{first, denialLog("2", 20, lifting(rm))}, []line{{ls, "nobody", "1", 2}, {rm, "rule", "1", 1}}},
		"another subject":           {[]Run{first, denialLog("2", 20, lifting(Deed{"shell", "ls -l"}))}, []line{{ls, "nobody", "1", 2}, {rm, "rule", "1", 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			var denied []line
			calls := 0
			for _, r := range Refusals(test.runs...) {
				denied = append(denied, line{r.Deed(), r.By, r.Run, r.Times})
				calls += r.Times
			}
			require.Equal(t, test.denied, denied)
			require.Equal(t, calls, Denied(Refusals(test.runs...)))
		})
	}
	require.Len(t, first.Denials, 3, "the record stays")
}

func TestADenialKeepsWhenItWasAndWhatItsQuestionSaid(t *testing.T) {
	run := denialLog("1", 1,
		PermissionAsked{Question{ID: "q", Call: "c", Tool: "shell", Subject: "git status", Effect: "shell", Rules: []string{"shell(git status *)"}, Why: "sure?"}},
		PermissionDenied{Question: "q", Call: "c", Tool: "shell", Subject: "git status", By: "nobody", Reason: "why"})
	before := run.Denials
	want := Denial{
		Call: "c", Question: "q", Tool: "shell", Subject: "git status", By: "nobody", Reason: "why", At: time.Unix(5, 0),
		Effect: "shell", Rules: []string{"shell(git status *)"}, Why: "sure?",
	}
	require.Equal(t, []Denial{want}, run.Denials)
	after, err := run.Apply(Record{Seq: 9, Time: time.Unix(9, 0), Run: "1", Event: lifting(want.Deed())})
	require.NoError(t, err)
	require.Equal(t, time.Unix(9, 0), after.Denials[0].LiftedAt)
	require.Equal(t, []Lifted{{Deed: want.Deed(), At: time.Unix(9, 0)}}, after.Lifted)
	require.Equal(t, []Denial{want}, before, "what was handed out has not changed")
}
