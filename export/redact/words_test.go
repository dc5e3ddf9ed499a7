package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// Every field of every event is classified: whatever text is in it is gone, and what is
// no text is still there.
func TestWithoutContentEveryFieldIsDecidedOn(t *testing.T) {
	b := &bared{key: []byte("k"), sessions: map[lifecycle.SessionID]lifecycle.SessionID{}}
	for _, name := range lifecycle.EventNames() {
		event, err := lifecycle.DecodeEvent(name, []byte("{}"))
		require.NoError(t, err)
		full := reflect.New(reflect.TypeOf(event)).Elem()
		exporttest.Fill(full)
		exporttest.Singing(full, nil)
		without := b.event(full.Interface().(lifecycle.Event))
		require.NotContains(t, string(exporttest.EncodedBytes(t, without)), "canary", name)
		requireAsFull(t, name, full, reflect.ValueOf(without))
	}
	var m book.Message
	exporttest.Fill(reflect.ValueOf(&m).Elem())
	exporttest.Singing(reflect.ValueOf(&m).Elem(), nil)
	without := b.message(m)
	require.NotContains(t, string(exporttest.EncodedBytes(t, without)), "canary")
	m.Parts[0].Metadata = nil // the export fills it from bare runs
	requireAsFull(t, "message", reflect.ValueOf(m), reflect.ValueOf(without))
	for _, view := range []agent.View{
		agent.PlainView{}, agent.CommandView{}, agent.DiffView{}, agent.ListingView{}, agent.TodoView{}, agent.RunView{},
	} {
		full := reflect.New(reflect.TypeOf(view)).Elem()
		exporttest.Fill(full)
		exporttest.Singing(full, nil)
		stored := b.view(agent.EncodeView(full.Interface().(agent.View)))
		require.NotContains(t, string(stored), "canary")
		without, err := agent.DecodeView(stored)
		require.NoError(t, err)
		requireAsFull(t, full.Type().Name(), full, reflect.ValueOf(without))
	}
}

// requireAsFull holds a bare value to have something wherever the whole one has, and the
// same wherever that is no text.
func requireAsFull(t *testing.T, where string, whole, without reflect.Value) {
	t.Helper()
	switch whole.Kind() {
	case reflect.Struct:
		for i := range whole.NumField() {
			field := whole.Type().Field(i)
			if field.IsExported() && field.Tag.Get("json") != "-" {
				requireAsFull(t, where+"."+field.Name, whole.Field(i), without.Field(i))
			}
		}
	case reflect.Pointer:
		requireAsFull(t, where, whole.Elem(), without.Elem())
	case reflect.String:
		require.NotEmpty(t, without.String(), where)
	case reflect.Slice:
		if whole.Type() == reflect.TypeFor[json.RawMessage]() {
			require.Equal(t, whole.Len() == 0, without.Len() == 0, where)
			return
		}
		require.Equal(t, whole.Len(), without.Len(), where)
		for i := range whole.Len() {
			requireAsFull(t, where, whole.Index(i), without.Index(i))
		}
	default:
		require.Equal(t, whole.Interface(), without.Interface(), where)
	}
}

// Names of settings too may be texts, where another program wrote the document.
func TestWithoutContentSettingsKeepNumbersTruthsAndWords(t *testing.T) {
	b := &bared{key: []byte("k")}
	o := b.opening(book.Opening{Settings: map[string]any{
		"sandbox": "strict", "limits.max_cost": 2.5, "subagents.max_background": 5, "trusted": true, "model": "demo",
		"hooks": []any{"Stop: /home/ada/x"}, "Ada's own": "auto", "more": map[string]any{"of": "ada"}, "title": "Ada and her shop",
	}})
	require.Equal(t, map[string]any{
		"sandbox": "strict", "limits.max_cost": 2.5, "subagents.max_background": 5, "trusted": true, "model": "demo",
		"hooks": []string{"(17 characters)"}, "setting-" + b.tag("Ada's own", 4): "auto", "title": "(16 characters)",
	}, o.Settings)
}

func TestWhatNamesAreKeptWithoutContent(t *testing.T) {
	b := &bared{key: []byte("k")}
	for name, row := range map[string]struct {
		of   func(string) string
		keep []string
		drop []string
	}{
		"ids":    {func(s string) string { return bareID(b, s) }, []string{"", "0198f0a2-7c1e-7000-8000-000000000000", "toolu_01A", "call_1"}, []string{"a b", "../x", "a@b.c", strings.Repeat("a", 65)}},
		"models": {b.model, []string{"", "demo", "anthropic/claude-sonnet-5-5", "openai-chat/org/some.model:free", "ollama/qwen3:8b"}, []string{"openai-chat//home/ada/secret.gguf", "/models/x", "my own model", "a/../b"}},
		"tools":  {b.tool, append(OwnTools(), ""), []string{"mcp__payroll__fire", "delete_everything"}},
		"types":  {b.kind, []string{"", "general", "explore", "plan", "shell"}, []string{"payroll-reviewer"}},
	} {
		for _, one := range row.keep {
			require.Equal(t, one, row.of(one), name)
		}
		for _, one := range row.drop {
			without := row.of(one)
			require.Regexp(t, `^(id-|model-|tool-|mcp__|type-)[0-9a-f]+$`, without, name)
			require.Equal(t, without, row.of(one), "the same each time")
		}
	}
	require.True(t, strings.HasPrefix(b.tool("mcp__a__b"), "mcp__"), "that it is a server's is told")
	require.Empty(t, b.text(""))
	require.Equal(t, "(1 character)", b.text("é"))
	require.Equal(t, "(1,234 characters)", b.text(strings.Repeat("x", 1234)))
}
