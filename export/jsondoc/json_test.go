package jsondoc

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

func TestWholeStory(t *testing.T) {
	s := exporttest.Plot(t)
	states := map[lifecycle.State]bool{}
	for _, run := range s.Runs {
		states[run.State] = true
	}
	for _, state := range lifecycle.States() {
		require.True(t, states[state], "the story has no run that is %s", state)
	}
	happened := map[string]bool{}
	for _, rec := range s.Records {
		happened[lifecycle.Name(rec.Event)] = true
	}
	for _, name := range lifecycle.EventNames() {
		require.True(t, happened[name], "the story has no %s", name)
	}
	exporttest.Golden(t, "session.json", printed(s, s.Upto()))
}

// Whoever folds the exported records comes to the exported runs: an export can
// be verified from itself.
func TestRecordsFoldToReceipts(t *testing.T) {
	s := exporttest.Plot(t)
	s.Add("s-map", "r-map2", lifecycle.Text{Text: "the key is sk-ant-"}, lifecycle.Text{Text: "api03-abcdefgh and so on"})
	for _, upto := range []lifecycle.Seq{s.Upto(), s.Upto() - 1, 40, 1} {
		doc := exporttest.Read(t, printed(s, upto))
		require.Len(t, doc.Records, int(upto))
		require.Equal(t, exporttest.EncodedBytes(t, exporttest.Folded(t, doc.Records)), exporttest.EncodedBytes(t, doc.Runs))
		require.Equal(t, doc.Totals.All, doc.Totals.Parent.Add(doc.Totals.Children))
	}
}

// The run on a call is what the log says up to each record, and a call that nothing was
// started by carries none.
func TestCallsCarryTheirRuns(t *testing.T) {
	s := exporttest.Plot(t)
	found := 0
	for upto := lifecycle.Seq(1); upto <= s.Upto(); upto++ {
		doc := exporttest.Read(t, printed(s, upto))
		started := map[lifecycle.CallID][]lifecycle.Run{}
		for _, run := range exporttest.Folded(t, doc.Records) {
			started[run.Call] = append(started[run.Call], run)
		}
		for _, m := range doc.Sessions[0].Transcript {
			for _, p := range m.Parts {
				if p.Type != book.PartCall {
					continue
				}
				var metadata struct {
					First *lifecycle.Run  `json:"subagent_run"`
					Later []lifecycle.Run `json:"subagent_runs"`
				}
				if len(p.Metadata) > 0 {
					require.NoError(t, json.Unmarshal(p.Metadata, &metadata))
				}
				var carried []lifecycle.Run
				if metadata.First != nil {
					carried = append([]lifecycle.Run{*metadata.First}, metadata.Later...)
				}
				require.Equal(t, string(exporttest.EncodedBytes(t, started[p.Call])), string(exporttest.EncodedBytes(t, carried)), "call %s at record %d", p.Call, upto)
				found += len(carried)
			}
		}
	}
	require.Greater(t, found, 10)
}

func TestSessionWithoutRecords(t *testing.T) {
	s := exporttest.NewStory(t)
	exporttest.Golden(t, "empty.json", printed(s, 0))
	exporttest.Golden(t, "hostile.json", printed(exporttest.Hostile(t), exporttest.Hostile(t).Upto()))
}
