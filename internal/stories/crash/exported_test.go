package crash

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// document is a JSON export, as far as these tests read it.
type document struct {
	Session  struct{ ID string }
	Sessions []struct {
		Session    string
		Transcript []spoken
	}
	Runs    []exportedRun
	Records []record
}

// spoken is one message of a transcript.
type spoken struct {
	Kind  string
	Parts []struct {
		Type  string
		Text  string
		Call  string
		Name  string
		Input json.RawMessage
	}
}

// exportedRun is how a run stands.
type exportedRun struct {
	Run, Parent, Description, Prompt string
	State, Result                    string
	Notification                     *struct {
		InRun       string `json:"in_run"`
		WithdrawnBy string `json:"withdrawn_by"`
	}
	Consumed *struct{ By string }
}

// record is one of the log, with what of its data is looked at.
type record struct {
	Session, Run, Event string
	Data                struct {
		Message, Call       string
		Text, Prompt, Cause string
		Returned            bool
		Files               []struct {
			Path  string
			After struct{ Hash string }
		}
	}
}

// terminal says that the run has ended.
func (r exportedRun) terminal() bool { return r.State != "queued" && r.State != "running" }

// recorded counts the records of a log by their names.
func recorded(records []record) map[string]int {
	counts := map[string]int{}
	for _, rec := range records {
		counts[rec.Event]++
	}
	return counts
}

// eventNames lists the closed set of records, as the schema of an export has it.
func eventNames(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile("export/jsondoc/schema.json")
	require.NoError(t, err)
	var schema struct {
		Defs struct {
			Event struct {
				Properties struct{ Event struct{ Enum []string } }
			}
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	require.NotEmpty(t, schema.Defs.Event.Properties.Event.Enum)
	return schema.Defs.Event.Properties.Event.Enum
}

// requireSettled holds a session in which the parent has run since whatever happened, and in
// which nothing runs any more: nothing is open, and nothing is owed. That the log is sound by
// itself is pawl verify's to say, which every stage is held against at its end.
func requireSettled(t testing.TB, doc document) {
	t.Helper()
	var problems []string
	open, waiting := map[string]bool{}, map[string]bool{}
	for _, rec := range doc.Records {
		switch rec.Event {
		case "message_queued":
			waiting[rec.Data.Message] = true
		case "message_taken", "message_withdrawn":
			delete(waiting, rec.Data.Message)
		case "tool_started":
			open[rec.Data.Call] = rec.Session == doc.Session.ID
		case "tool_ended":
			delete(open, rec.Data.Call)
		}
	}
	for call, ofParent := range open {
		if ofParent {
			problems = append(problems, "call "+call+" of the parent has no result")
		}
	}
	for id := range waiting {
		problems = append(problems, "message "+id+" waits for nobody")
	}
	for _, run := range doc.Runs {
		switch n := run.Notification; {
		case !run.terminal():
			problems = append(problems, "run "+run.Run+" is "+run.State)
		case n != nil && n.InRun == "" && n.WithdrawnBy == "":
			problems = append(problems, "run "+run.Run+" is still owed")
		case run.Parent != "" && run.Consumed == nil:
			problems = append(problems, fmt.Sprintf("run %s (%s, %s) ended, and nobody told its parent", run.Run, run.Description, run.State))
		}
	}
	require.Empty(t, problems, strings.Join(problems, "\n"))
}
