package export

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

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
	for kind, value := range exporttest.Enums {
		quiet[kind] = value
	}
	s := exporttest.Plot(t)
	exporttest.Singing(reflect.ValueOf(&s.Facts).Elem(), quiet)
	for i := range s.Records {
		event := reflect.New(reflect.TypeOf(s.Records[i].Event)).Elem()
		event.Set(reflect.ValueOf(s.Records[i].Event))
		exporttest.Singing(event, quiet)
		spoken(s.Records[i].Event, event)
		s.Records[i].Event = nil
		rec := reflect.ValueOf(&s.Records[i]).Elem()
		for _, name := range []string{"Root", "Session", "Run"} {
			exporttest.Singing(rec.FieldByName(name), quiet)
		}
		s.Records[i].Event = event.Interface().(lifecycle.Event)
	}
	for _, o := range s.Openings {
		for name, value := range o.Settings {
			switch v := value.(type) {
			case string:
				o.Settings[name] = v + exporttest.Canary
			case []string:
				o.Settings[name] = append(slices.Clone(v), exporttest.Canary)
			}
		}
	}
	s.Runs = exporttest.Folded(t, s.Records)
	entries := map[lifecycle.SessionID][]exporttest.Written{}
	for session, all := range s.Entries {
		for _, w := range all {
			kind := w.Entry.Kind
			exporttest.Singing(reflect.ValueOf(&w.Entry).Elem(), quiet)
			w.Entry.Kind = kind
			entries[session+exporttest.Canary] = append(entries[session+exporttest.Canary], w)
		}
	}
	s.Entries = entries
	return s
}

// Nothing that anybody wrote is in an export without content, in whatever format; what
// Pawl itself says is still there.
func TestWithoutContentNothingIsSaid(t *testing.T) {
	s := sung(t)
	for _, format := range formats.All() {
		for _, brief := range []bool{false, true} {
			as := formats.Options{Format: format, Brief: brief}
			if as.Check() != nil {
				continue
			}
			require.Contains(t, string(printedAs(s, as, s.Upto())), "canary", "%v: the canary is there to be taken out", as)
			as.NoContent = true
			require.NotContains(t, string(printedAs(s, as, s.Upto())), "canary", "%v", as)
		}
	}
}

// A bare document is a document like any other: its schema holds, its runs are the fold
// of its records, it has as much of everything, and a later one begins with the same.
func TestWithoutContentTheDocumentHolds(t *testing.T) {
	for name, s := range map[string]*exporttest.Story{"plot": exporttest.Plot(t), "sung": sung(t), "hostile": exporttest.Hostile(t)} {
		t.Run(name, func(t *testing.T) {
			out := printedAs(s, formats.Options{Format: formats.JSON, NoContent: true}, s.Upto())
			require.Empty(t, exporttest.Violations(exporttest.Parse(t, []byte(jsondoc.Schema)), exporttest.Parse(t, out)))
			require.Contains(t, string(out), "\"content\":false,\n")
			doc, whole := exporttest.Read(t, out), exporttest.Read(t, printed(s, formats.JSON, s.Upto()))
			require.Equal(t, exporttest.EncodedBytes(t, exporttest.Folded(t, doc.Records)), exporttest.EncodedBytes(t, doc.Runs))
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
			require.Equal(t, out, printedAs(s, formats.Options{Format: formats.JSON, NoContent: true}, s.Upto()))
		})
	}
	s := exporttest.Plot(t)
	exporttest.Golden(t, "bare.json", printedAs(s, formats.Options{Format: formats.JSON, NoContent: true}, s.Upto()))
	exporttest.Golden(t, "bare.md", printedAs(s, formats.Options{Format: formats.Markdown, NoContent: true}, s.Upto()))
}

func TestABarePageIsTameAndOurs(t *testing.T) {
	for _, s := range []*exporttest.Story{sung(t), exporttest.HostilePage(t)} {
		exporttest.RequireTame(t, printedAs(s, formats.Options{Format: formats.Markdown, NoContent: true}, s.Upto()))
		page := printedAs(s, formats.Options{Format: formats.HTML, NoContent: true}, s.Upto())
		exporttest.RequireOurs(t, page)
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
	run := exporttest.Read(t, printedAs(s, formats.Options{Format: formats.JSON, NoContent: true}, s.Upto())).Runs[0]
	require.Zero(t, run.Denials[0].LiftedAt)
	require.NotZero(t, run.Denials[1].LiftedAt)
	require.Regexp(t, `^\(8 characters, [0-9a-f]{8}\)$`, run.Denials[0].Subject)
}

// What was exported without content is not made bare once more.
func TestWhatIsBareStaysAsItIs(t *testing.T) {
	s := exporttest.Plot(t)
	src := s.Source()
	src.Bare = true
	var once, twice bytes.Buffer
	require.NoError(t, jsondoc.Write(t.Context(), &once, src, exporttest.Root, s.Upto()))
	require.NoError(t, Write(t.Context(), &twice, formats.Options{Format: formats.JSON, NoContent: true}, src, exporttest.Root, s.Upto()))
	require.Equal(t, once.String(), twice.String())
	require.Contains(t, once.String(), "Audit the refunds")
}
