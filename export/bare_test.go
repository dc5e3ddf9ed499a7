package export

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// canary is put behind texts and ids. It is no text that an id, a word or a model can have.
const canary = " the canary sings"

// singing puts the canary behind every string in a value. Whatever has a type in quiet
// stays: Pawl itself decides by it.
func singing(v reflect.Value, quiet map[reflect.Type]string) {
	switch {
	case quiet[v.Type()] != "", v.Type() == reflect.TypeFor[time.Time]():
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		if v.Len() > 0 {
			v.SetBytes(singingJSON(v.Bytes()))
		}
	case v.Kind() == reflect.String:
		if v.String() != "" {
			v.SetString(v.String() + canary)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		singing(copied.Elem(), quiet)
		v.Set(copied)
	case v.Kind() == reflect.Slice:
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		for i := range copied.Len() {
			singing(copied.Index(i), quiet)
		}
		if v.Len() > 0 {
			v.Set(copied)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			singing(v.Field(i), quiet)
		}
	}
}

// singingJSON is singing for what is stored as JSON. Pawl decides by the fields that are
// named here.
func singingJSON(raw []byte) []byte {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return append(slices.Clone(raw), canary...)
	}
	var walk func(value any, key string) any
	walk = func(value any, key string) any {
		switch v := value.(type) {
		case string:
			if slices.Contains([]string{"kind", "from", "status", "stop", "by", "data"}, strings.ToLower(key)) || v == "" {
				return v
			}
			return v + canary
		case []any:
			for i := range v {
				v[i] = walk(v[i], key)
			}
		case map[string]any:
			for name := range v {
				v[name] = walk(v[name], name)
			}
		}
		return value
	}
	raw, err := json.Marshal(walk(value, ""))
	if err != nil {
		panic(err)
	}
	return raw
}

// spoken are words that Pawl decides by although their type is a bare string.
func spoken(event lifecycle.Event, after reflect.Value) {
	before := reflect.ValueOf(event)
	for _, name := range []string{"From", "By"} {
		if field := after.FieldByName(name); field.IsValid() {
			field.Set(before.FieldByName(name))
		}
	}
}

// sung is the session in which everything happens, with the canary in it everywhere.
func sung(t *testing.T) *exporttest.Story {
	quiet := map[reflect.Type]string{reflect.TypeFor[lifecycle.Cause](): "x"}
	for kind, value := range enums {
		quiet[kind] = value
	}
	s := exporttest.Plot(t)
	singing(reflect.ValueOf(&s.Facts).Elem(), quiet)
	for i := range s.Records {
		event := reflect.New(reflect.TypeOf(s.Records[i].Event)).Elem()
		event.Set(reflect.ValueOf(s.Records[i].Event))
		singing(event, quiet)
		spoken(s.Records[i].Event, event)
		s.Records[i].Event = nil
		rec := reflect.ValueOf(&s.Records[i]).Elem()
		for _, name := range []string{"Root", "Session", "Run"} {
			singing(rec.FieldByName(name), quiet)
		}
		s.Records[i].Event = event.Interface().(lifecycle.Event)
	}
	for _, o := range s.Openings {
		for name, value := range o.Settings {
			switch v := value.(type) {
			case string:
				o.Settings[name] = v + canary
			case []string:
				o.Settings[name] = append(slices.Clone(v), canary)
			}
		}
	}
	s.Runs = exporttest.Folded(t, s.Records)
	entries := map[lifecycle.SessionID][]exporttest.Written{}
	for session, all := range s.Entries {
		for _, w := range all {
			kind := w.Entry.Kind
			singing(reflect.ValueOf(&w.Entry).Elem(), quiet)
			w.Entry.Kind = kind
			entries[session+canary] = append(entries[session+canary], w)
		}
	}
	s.Entries = entries
	return s
}

// Nothing that anybody wrote is in an export without content, in whatever format; what
// Pawl itself says is still there.
func TestWithoutContentNothingIsSaid(t *testing.T) {
	s := sung(t)
	for _, format := range Formats() {
		for _, brief := range []bool{false, true} {
			as := Manner{Format: format, Brief: brief}
			if as.Check() != nil {
				continue
			}
			require.Contains(t, string(printedAs(s, as, s.Upto())), "canary", "%v: the canary is there to be taken out", as)
			as.NoContent = true
			require.NotContains(t, string(printedAs(s, as, s.Upto())), "canary", "%v", as)
		}
	}
}

// Every field of every event is classified: whatever text is in it is gone, and what is
// no text is still there.
func TestWithoutContentEveryFieldIsDecidedOn(t *testing.T) {
	b := &bared{key: []byte("k"), sessions: map[lifecycle.SessionID]lifecycle.SessionID{}}
	for _, name := range lifecycle.EventNames() {
		event, err := lifecycle.DecodeEvent(name, []byte("{}"))
		require.NoError(t, err)
		full := reflect.New(reflect.TypeOf(event)).Elem()
		fill(full)
		singing(full, nil)
		without := b.event(full.Interface().(lifecycle.Event))
		require.NotContains(t, encoded(t, without), "canary", name)
		requireAsFull(t, name, full, reflect.ValueOf(without))
	}
	var m book.Message
	fill(reflect.ValueOf(&m).Elem())
	singing(reflect.ValueOf(&m).Elem(), nil)
	without := b.message(m)
	require.NotContains(t, encoded(t, without), "canary")
	m.Parts[0].Metadata = nil // the export fills it from bare runs
	requireAsFull(t, "message", reflect.ValueOf(m), reflect.ValueOf(without))
	for _, view := range []agent.View{
		agent.PlainView{}, agent.CommandView{}, agent.DiffView{}, agent.ListingView{}, agent.TodoView{}, agent.RunView{},
	} {
		full := reflect.New(reflect.TypeOf(view)).Elem()
		fill(full)
		singing(full, nil)
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

// A bare document is a document like any other: its schema holds, its runs are the fold
// of its records, it has as much of everything, and a later one begins with the same.
func TestWithoutContentTheDocumentHolds(t *testing.T) {
	for name, s := range map[string]*exporttest.Story{"plot": exporttest.Plot(t), "sung": sung(t), "hostile": exporttest.Hostile(t)} {
		t.Run(name, func(t *testing.T) {
			out := printedAs(s, Manner{Format: FormatJSON, NoContent: true}, s.Upto())
			require.Empty(t, exporttest.Violations(exporttest.Parse(t, []byte(Schema)), exporttest.Parse(t, out)))
			require.Contains(t, string(out), "\"content\":false,\n")
			doc, whole := read(t, out), read(t, printed(s, FormatJSON, s.Upto()))
			require.Equal(t, encoded(t, exporttest.Folded(t, doc.Records)), encoded(t, doc.Runs))
			require.Equal(t, whole.Totals, doc.Totals)
			require.Len(t, doc.Sessions, len(whole.Sessions))
			for i, session := range whole.Sessions {
				require.Len(t, doc.Sessions[i].Transcript, len(session.Transcript))
				for n, m := range session.Transcript {
					require.Len(t, doc.Sessions[i].Transcript[n].Parts, len(m.Parts))
				}
			}
			for i, run := range whole.Runs {
				require.Equal(t, run.State, doc.Runs[i].State)
				require.Equal(t, len(run.Denials), len(doc.Runs[i].Denials))
			}
			require.Equal(t, out, printedAs(s, Manner{Format: FormatJSON, NoContent: true}, s.Upto()))
		})
	}
	s := exporttest.Plot(t)
	exporttest.Golden(t, "bare.json", printedAs(s, Manner{Format: FormatJSON, NoContent: true}, s.Upto()))
	exporttest.Golden(t, "bare.md", printedAs(s, Manner{Format: FormatMarkdown, NoContent: true}, s.Upto()))
}

func TestABarePageIsTameAndOurs(t *testing.T) {
	for _, s := range []*exporttest.Story{sung(t), exporttest.HostilePage(t)} {
		requireTame(t, printedAs(s, Manner{Format: FormatMarkdown, NoContent: true}, s.Upto()))
		page := printedAs(s, Manner{Format: FormatHTML, NoContent: true}, s.Upto())
		requireOurs(t, page)
		require.Contains(t, string(page), book.BareNote)
	}
}

// What was denied and granted later is still told apart from what was not, though both
// subjects are as long.
func TestWithoutContentAGrantLiftsWhatItLifted(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "go", From: lifecycle.FromUser}, lifecycle.Started{},
		lifecycle.PermissionDenied{Call: "c-1", Tool: "shell", Subject: "make one", By: "person"},
		lifecycle.PermissionDenied{Call: "c-2", Tool: "shell", Subject: "make two", By: "person"},
		lifecycle.PermissionGranted{By: "person", Scope: lifecycle.GrantDenied, Tool: "shell", Subject: "make two"})
	run := read(t, printedAs(s, Manner{Format: FormatJSON, NoContent: true}, s.Upto())).Runs[0]
	require.Zero(t, run.Denials[0].LiftedAt)
	require.NotZero(t, run.Denials[1].LiftedAt)
	require.Regexp(t, `^\(8 characters, [0-9a-f]{8}\)$`, run.Denials[0].Subject)
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

// What was exported without content is not made bare once more.
func TestWhatIsBareStaysAsItIs(t *testing.T) {
	s := exporttest.Plot(t)
	src := s.Source()
	src.Bare = true
	var once, twice bytes.Buffer
	require.NoError(t, JSON(t.Context(), &once, src, exporttest.Root, s.Upto()))
	require.NoError(t, Write(t.Context(), &twice, Manner{Format: FormatJSON, NoContent: true}, src, exporttest.Root, s.Upto()))
	require.Equal(t, once.String(), twice.String())
	require.Contains(t, once.String(), "Audit the refunds")
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
