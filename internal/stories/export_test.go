package stories

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/internal/base"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/store"
)

// exported writes a session as it stood at a record; 0 is its newest.
func exported(t *testing.T, w base.World, name string, format export.Format, at lifecycle.Seq) (string, lifecycle.Seq) {
	t.Helper()
	b, err := base.Open(t.Context(), w, store.Options{ReadOnly: true})
	require.NoError(t, err)
	defer b.Close()
	source, newest, err := stored.FindSource(t.Context(), b, name)
	require.NoError(t, err)
	if at == 0 {
		at = newest
	}
	var out bytes.Buffer
	require.NoError(t, export.Write(t.Context(), &out, export.Manner{Format: format}, source, source.Session.ID, at))
	if format == export.FormatJSON {
		reimported(t, out.String())
	}
	return out.String(), at
}

func TestAnExportIsTheSameForTheSameRecordByKeyByCommandAndLater(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found it.")
		case len(h.Notices()) > 0, h.Asked("and now?"):
			return modeltest.Say("That is all.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"), modeltest.Launch("a second look", "look again"))
	})
	t.Setenv("PAWL_HOME", s.Home)
	w := base.World{Folder: s.Dir, Environ: s.Env, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	r, errs, code := s.Prompted(t, "-p", "send two")
	require.Equal(t, 0, code, errs)

	page, at := exported(t, w, r.Session, export.FormatMarkdown, 0)
	document, _ := exported(t, w, r.Session, export.FormatJSON, 0)
	byCommand, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Equal(t, document, byCommand)

	x := s.Open(t, "--session", r.Session)
	x.See("That is all.")
	x.Type(harness.KeyCtrlS)
	x.See("exported to")
	x.Quit()
	files, err := filepath.Glob(filepath.Join(s.Exports(), "*.md"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	byKey, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, page, string(byKey), "coming back adds nothing")

	_, errs, code = harness.Run(t, s.Dir, s.Env, "--model", "anthropic/another", "--continue", "-p", "and now?")
	require.Equal(t, 0, code, errs)
	later, _ := exported(t, w, r.Session, export.FormatMarkdown, at)
	require.Equal(t, page, later)
	later, _ = exported(t, w, r.Session, export.FormatJSON, at)
	require.Equal(t, document, later)
}

// exportedPage is a JSON export, as far as this test reads it.
type page struct {
	Sessions []struct {
		Transcript []struct {
			Parts []struct {
				Type     string
				Call     lifecycle.CallID
				Name     string
				Metadata struct {
					Run json.RawMessage `json:"subagent_run"`
				}
			}
		}
	}
	Records []lifecycle.Record
}

// folded is the run that an agent call started, from the records alone, as JSON;
// empty where there is none yet.
func (p page) folded(t *testing.T, call lifecycle.CallID) string {
	t.Helper()
	runs := map[lifecycle.RunID]lifecycle.Run{}
	for _, rec := range p.Records {
		next, err := runs[rec.Run].Apply(rec)
		require.NoError(t, err)
		runs[rec.Run] = next
	}
	for _, run := range runs {
		if run.Call == call {
			text, err := json.Marshal(run)
			require.NoError(t, err)
			return string(text)
		}
	}
	return ""
}

func TestTheRunOnAnAgentCallIsWhatTheLogSaysAtEveryRecord(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("silence"):
			return modeltest.Nothing()
		case h.Child("look"):
			return modeltest.Say("Found it.")
		case len(h.Notices()) > 0:
			return modeltest.Say("That is all.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Delegate("a silence", "silence, please"), modeltest.Launch("a look", "look at it"))
	})
	t.Setenv("PAWL_HOME", s.Home)
	w := base.World{Folder: s.Dir, Environ: s.Env, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	r, errs, code := s.Prompted(t, "-p", "send two")
	require.Equal(t, 3, code, errs)
	_, newest := exported(t, w, r.Session, export.FormatJSON, 0)
	seen := 0
	for at := lifecycle.Seq(1); at <= newest; at++ {
		text, _ := exported(t, w, r.Session, export.FormatJSON, at)
		var p page
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		require.Len(t, p.Records, int(at))
		for _, m := range p.Sessions[0].Transcript {
			for _, part := range m.Parts {
				if part.Type != "tool_call" || part.Name != "agent" {
					continue
				}
				want := p.folded(t, part.Call)
				if want == "" {
					require.Empty(t, part.Metadata.Run, "record %d", at)
					continue
				}
				seen++
				require.JSONEq(t, want, string(part.Metadata.Run), "record %d", at)
			}
		}
	}
	require.Greater(t, seen, 10)
}

// exportOf is a session's JSON export; without one, the last session's.
func exportOf(t *testing.T, s *harness.Stage, session string) string {
	t.Helper()
	if session == "" {
		list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
		require.Equal(t, 0, code, errs)
		session = strings.Fields(list)[0]
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	reimported(t, out)
	return out
}
