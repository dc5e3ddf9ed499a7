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

func TestCallsCarryTheirRuns(t *testing.T) {
	s := exporttest.Plot(t)
	doc := exporttest.Read(t, printed(s, s.Upto()))
	found := 0
	for _, m := range doc.Sessions[0].Transcript {
		for _, p := range m.Parts {
			if p.Call != "c-map" || p.Type != book.PartCall {
				continue
			}
			found++
			var metadata struct {
				First lifecycle.Run   `json:"subagent_run"`
				Later []lifecycle.Run `json:"subagent_runs"`
			}
			require.NoError(t, json.Unmarshal(p.Metadata, &metadata))
			require.Equal(t, exporttest.EncodedBytes(t, s.Run("r-map")), exporttest.EncodedBytes(t, metadata.First))
			require.Len(t, metadata.Later, 1)
			require.Equal(t, lifecycle.RunID("r-map2"), metadata.Later[0].ID)
		}
	}
	require.Equal(t, 1, found)
}

func TestSessionWithoutRecords(t *testing.T) {
	s := exporttest.NewStory(t)
	exporttest.Golden(t, "empty.json", printed(s, 0))
	exporttest.Golden(t, "hostile.json", printed(exporttest.Hostile(t), exporttest.Hostile(t).Upto()))
}
