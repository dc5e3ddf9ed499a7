package jsondoc

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

func TestExportsKeepToTheSchema(t *testing.T) {
	s := exporttest.Plot(t)
	schema := exporttest.Parse(t, []byte(Schema))
	for _, upto := range []lifecycle.Seq{0, 1, 50, s.Upto()} {
		require.Empty(t, exporttest.Violations(schema, exporttest.Parse(t, printed(s, upto))), "at record %d", upto)
	}
	require.Empty(t, exporttest.Violations(schema, exporttest.Parse(t, printed(exporttest.Hostile(t), exporttest.Hostile(t).Upto()))))
}

func TestSchemaTakesAFork(t *testing.T) {
	s := exporttest.Plot(t)
	s.Facts.ForkedFrom = &book.ForkedFrom{Session: "s-other", Seq: 41, Prompt: "Go on."}
	document := exporttest.Parse(t, printed(s, s.Upto()))
	require.Empty(t, exporttest.Violations(exporttest.Parse(t, []byte(Schema)), document))
	require.Contains(t, document.(exporttest.Object)["session"], "forked_from")
}

// Every event and a run with every field set are in the schema, field by field.
func TestSchemaKnowsEveryField(t *testing.T) {
	defs := exporttest.Parse(t, []byte(Schema)).(exporttest.Object)["$defs"].(exporttest.Object)
	whole := exporttest.Object{"$defs": defs}
	for _, name := range lifecycle.EventNames() {
		event, err := lifecycle.DecodeEvent(name, []byte("{}"))
		require.NoError(t, err)
		full := reflect.New(reflect.TypeOf(event)).Elem()
		exporttest.Fill(full)
		rec := lifecycle.Record{Seq: 1, Time: exporttest.PlotTime, Root: "s", Session: "s", Run: "r", Event: full.Interface().(lifecycle.Event)}
		whole["$ref"] = "#/$defs/record"
		require.Empty(t, exporttest.Violations(whole, exporttest.Parse(t, exporttest.EncodedBytes(t, rec))), name)
	}
	var run lifecycle.Run
	exporttest.Fill(reflect.ValueOf(&run).Elem())
	run.Notification.WithdrawnAt, run.Notification.WithdrawnBy = time.Time{}, ""
	whole["$ref"] = "#/$defs/run"
	value := exporttest.Parse(t, exporttest.EncodedBytes(t, run)).(exporttest.Object)
	require.Empty(t, exporttest.Violations(whole, value))
	for name := range defs["run"].(exporttest.Object)["properties"].(exporttest.Object) {
		require.Contains(t, value, name, "the schema has a field that a run has not")
	}
	whole["$ref"] = "#/$defs/view"
	for _, view := range []agent.View{
		agent.PlainView{},
		agent.CommandView{Note: "x"},
		agent.DiffView{New: true},
		agent.ListingView{},
		agent.TodoView{Items: []agent.TodoItem{{}}},
		agent.RunView{Session: "s", Run: "r"},
	} {
		require.Empty(t, exporttest.Violations(whole, exporttest.Parse(t, agent.EncodeView(view))))
	}
}

// The enums of the schema are the closed sets of lifecycle, where those can be
// listed.
func TestSchemaKnowsEveryTrigger(t *testing.T) {
	defs := exporttest.Parse(t, []byte(Schema)).(exporttest.Object)["$defs"].(exporttest.Object)
	var want []any
	for _, trigger := range []lifecycle.Trigger{
		lifecycle.TriggerUser, lifecycle.TriggerAgent, lifecycle.TriggerMessage,
		lifecycle.TriggerNotification, lifecycle.TriggerContinue, lifecycle.TriggerCompact,
	} {
		want = append(want, string(trigger))
	}
	require.Equal(t, want, defs["trigger"].(exporttest.Object)["enum"])
}

// What is written into a cache is counted where there is any.
func TestSchemaTakesWhatIsWrittenIntoACache(t *testing.T) {
	s := exporttest.Plot(t)
	out := string(printed(s, s.Upto()))
	written := strings.Replace(out, `"cached_tokens":950,`, `"cached_tokens":950,"cache_write_tokens":300,`, 1)
	require.NotEqual(t, out, written)
	require.Empty(t, exporttest.Violations(exporttest.Parse(t, []byte(Schema)), exporttest.Parse(t, []byte(written))))
	require.Equal(t, "1,900 tokens in (950 cached, 300 written to a cache), 65 out, $0.0197",
		book.Tokens(lifecycle.Usage{InputTokens: 1900, CachedTokens: 950, CacheWriteTokens: 300, OutputTokens: 65, Cost: 0.01965}))
}

// The schema refuses what is not an export: it is no rubber stamp.
func TestSchemaRefuses(t *testing.T) {
	s := exporttest.Plot(t)
	out := string(printed(s, s.Upto()))
	schema := exporttest.Parse(t, []byte(Schema))
	for name, swap := range map[string][2]string{
		"another format":           {`"format":"pawl-session"`, `"format":"pawl"`},
		"another version":          {`"version":1`, `"version":2`},
		"no totals":                {`"totals":`, `"total":`},
		"an unknown state":         {`"state":"completed_empty"`, `"state":"done"`},
		"an unknown event":         {`"event":"nudged"`, `"event":"poked"`},
		"an unknown field":         {`"tool_calls":5`, `"tool_calls":5,"calls":5`},
		"a field of another event": {`"data":{"position":1}`, `"data":{"position":1,"step":1}`},
		"data where none is":       {`"event":"nudged"`, `"event":"nudged","data":{}`},
		"a failure's kind":         {`"kind":"rate_limited"`, `"kind":"tired"`},
		"an unmarked notification": {`"source":"r-map"`, `"from":"r-map"`},
		"a time without a zone":    {`"time":"2026-03-01T12:00:00.25Z"`, `"time":"2026-03-01T12:00:00.25"`},
		"a negative count":         {`"position":1`, `"position":-1`},
	} {
		changed := strings.Replace(out, swap[0], swap[1], 1)
		require.NotEqual(t, out, changed, name)
		require.NotEmpty(t, exporttest.Violations(schema, exporttest.Parse(t, []byte(changed))), name)
	}
}
