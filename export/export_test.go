package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/jsondoc"
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
	exporttest.Golden(t, "session.json", printed(s, FormatJSON, s.Upto()))
	exporttest.Golden(t, "session.md", printed(s, FormatMarkdown, s.Upto()))
}

// everyManner is each way in which a session can be written down.
func everyManner() (all []Manner) {
	for _, format := range Formats() {
		for _, as := range []Manner{{Format: format}, {Format: format, Brief: true}, {Format: format, NoContent: true}, {Format: format, Brief: true, NoContent: true}} {
			if as.Check() == nil {
				all = append(all, as)
			}
		}
	}
	return all
}

// then is the story as it stood when this record was the newest.
func then(t *testing.T, s *exporttest.Story, upto lifecycle.Seq) *exporttest.Story {
	was := *s
	was.Records = s.Records[:upto]
	was.Openings = slices.DeleteFunc(slices.Clone(s.Openings), func(o book.Opening) bool { return o.Seq > upto })
	was.Entries = map[lifecycle.SessionID][]exporttest.Written{}
	for session, entries := range s.Entries {
		for _, w := range entries {
			if w.Seq <= upto {
				was.Entries[session] = append(was.Entries[session], w)
			}
		}
	}
	was.Runs = exporttest.Folded(t, was.Records)
	return &was
}

// The same record number gives the same bytes, in every manner: now, again, and when more
// has happened since.
func TestSameRecordSameBytes(t *testing.T) {
	whole := exporttest.Plot(t)
	for _, as := range everyManner() {
		for upto := lifecycle.Seq(0); upto <= whole.Upto(); upto += 14 {
			then := then(t, whole, upto)
			require.Equal(t, string(printedAs(then, as, upto)), string(printedAs(whole, as, upto)), "%v at record %d", as, upto)
		}
		require.Equal(t, printedAs(whole, as, whole.Upto()), printedAs(whole, as, whole.Upto()))
	}
}

// A run that has ended is taken as the store has it, and one that has moved on since is
// folded again: a secret that came in pieces is masked alike in both.
func TestSameRecordSameBytesWhereASecretCameInPieces(t *testing.T) {
	s := exporttest.Everything(t)
	s.Secrets = append(s.Secrets, "xyzzy-plugh-1977")
	dead := exporttest.Child("c-dead", "general", "die", "Die.", true)
	dead.ParentRun = "r-p9"
	s.Spawn("s-dead", "r-dead", dead, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.Text{Text: "the key is xyzzy-pl"}, lifecycle.Text{Text: "ugh-1977, and no xyzzy-plu"}, lifecycle.Text{Text: "s; sk-ant-"},
		lifecycle.Text{Text: "api03-abcdefgh0123456789 password="}, lifecycle.Text{Text: "hunter2hunter2"})
	partial := s.Run("r-dead").Partial
	s.Add("s-dead", "r-dead",
		lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Found: true, Partial: partial}, lifecycle.NotificationQueued{})
	ended := s.Upto()
	s.Add("s-dead", "r-dead", lifecycle.NotificationWithdrawn{By: lifecycle.ByAgentOutput})
	for _, as := range everyManner() {
		for _, upto := range []lifecycle.Seq{97, ended - 3, ended} {
			now := string(printedAs(then(t, s, upto), as, upto))
			require.Equal(t, now, string(printedAs(s, as, upto)), "%v at record %d", as, upto)
			for _, secret := range append([]string{"plugh", "hunter2", "api03"}, s.Secrets...) {
				require.NotContains(t, now, secret, "%v", as)
			}
		}
	}
}

// exported is as much of the JSON export as the tests read.
type exported struct {
	Seq      lifecycle.Seq      `json:"seq"`
	Runs     []lifecycle.Run    `json:"runs"`
	Records  []lifecycle.Record `json:"records"`
	Sessions []struct {
		Session    lifecycle.SessionID `json:"session"`
		Transcript []book.Message      `json:"transcript"`
	} `json:"sessions"`
	Totals book.Totals `json:"totals"`
}

func read(t *testing.T, b []byte) exported {
	t.Helper()
	var doc exported
	require.NoError(t, json.Unmarshal(b, &doc))
	return doc
}

// Whoever folds the exported records comes to the exported runs: an export can
// be verified from itself.
func TestRecordsFoldToReceipts(t *testing.T) {
	s := exporttest.Plot(t)
	s.Add("s-map", "r-map2", lifecycle.Text{Text: "the key is sk-ant-"}, lifecycle.Text{Text: "api03-abcdefgh and so on"})
	for _, upto := range []lifecycle.Seq{s.Upto(), s.Upto() - 1, 40, 1} {
		doc := read(t, printed(s, FormatJSON, upto))
		require.Len(t, doc.Records, int(upto))
		require.Equal(t, encoded(t, exporttest.Folded(t, doc.Records)), encoded(t, doc.Runs))
		require.Equal(t, doc.Totals.All, doc.Totals.Parent.Add(doc.Totals.Children))
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	return string(b)
}

// The run on a call is what the log says up to each record, and a call that nothing was
// started by carries none.
func TestCallsCarryTheirRuns(t *testing.T) {
	s := exporttest.Plot(t)
	found := 0
	for upto := lifecycle.Seq(1); upto <= s.Upto(); upto++ {
		doc := read(t, printed(s, FormatJSON, upto))
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
				require.Equal(t, encoded(t, started[p.Call]), encoded(t, carried), "call %s at record %d", p.Call, upto)
				found += len(carried)
			}
		}
	}
	require.Greater(t, found, 10)
}

// A program that follows the stream from the first record has the export's records.
func TestStreamIsTheExportsRecords(t *testing.T) {
	s := exporttest.Plot(t)
	s.Secrets = []string{"correct-horse-battery"}
	s.Add("s-map", "r-map2", lifecycle.Text{Text: "it is correct-hor"}, lifecycle.Text{Text: "se-battery"})
	out := printed(s, FormatJSON, s.Upto())
	lines := jsondoc.NewLines(s.Secrets)
	var stream bytes.Buffer
	for _, rec := range s.Records {
		line, err := lines.Line(rec)
		require.NoError(t, err)
		require.NotContains(t, string(line), "\n")
		require.Contains(t, string(out), "\n"+string(line))
		stream.Write(line)
		stream.WriteByte('\n')
	}
	require.NotContains(t, stream.String(), "battery")
	exporttest.Golden(t, "stream.jsonl", stream.Bytes())

	alone, err := jsondoc.Line(s.Records[0])
	require.NoError(t, err)
	var back lifecycle.Record
	require.NoError(t, json.Unmarshal(alone, &back))
	require.Equal(t, s.Records[0], back)
}

func TestSessionWithoutRecords(t *testing.T) {
	s := exporttest.NewStory(t)
	exporttest.Golden(t, "empty.json", printed(s, FormatJSON, 0))
	exporttest.Golden(t, "empty.md", printed(s, FormatMarkdown, 0))
}

func TestRefusesWhatItCannotTell(t *testing.T) {
	s := exporttest.Plot(t)
	readsTranscripts := map[string]bool{"no transcript": true, "a broken entry": true} // a trace reads none
	for name, c := range map[string]struct {
		change func(*book.Source)
		upto   lifecycle.Seq
		says   string
	}{
		"beyond the end": {func(*book.Source) {}, s.Upto() + 1, "the log ends at record"},
		"negative":       {func(*book.Source) {}, -1, "there is no record -1"},
		"a gap": {func(src *book.Source) {
			src.Records = func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
				if after < 4 {
					return append(s.Records[after:3:3], s.Records[4]), nil
				}
				return s.Records[after:min(int(after)+limit, len(s.Records))], nil
			}
		}, s.Upto(), "record 4 is missing"},
		"a short log": {func(src *book.Source) {
			whole := src.Records
			src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
				if limit > 1 && after >= 9 {
					return nil, nil
				}
				return whole(ctx, id, after, min(limit, 3))
			}
		}, s.Upto(), "the log ends at record 9"},
		"another session": {func(src *book.Source) { src.Session.ID = "s-other" }, 1, `those of session "s-other"`},
		"no runs":         {func(src *book.Source) { src.Runs = failing[[]lifecycle.Run] }, 1, "read the runs: disk gone"},
		"no transcript": {func(src *book.Source) {
			src.Messages = func(context.Context, lifecycle.SessionID, lifecycle.Seq, int, int) ([]book.Message, error) {
				return nil, errors.New("disk gone")
			}
		}, 1, "read the transcript of session s-root: disk gone"},
		"a broken entry": {func(src *book.Source) {
			src.Messages = book.Stored(func(context.Context, lifecycle.SessionID, lifecycle.Seq, int, int) ([]lifecycle.Entry, error) {
				return []lifecycle.Entry{{Session: exporttest.Root, Kind: "poem", Body: []byte(`{}`)}}, nil
			})
		}, 1, "unknown kind"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, format := range Formats() {
				if format == FormatTrace && readsTranscripts[name] {
					continue
				}
				src := s.Source()
				c.change(&src)
				err := Write(t.Context(), &bytes.Buffer{}, Manner{Format: format}, src, exporttest.Root, c.upto)
				require.ErrorContains(t, err, c.says)
				require.ErrorContains(t, err, "export session s-root as ")
			}
		})
	}
	err := Write(t.Context(), &bytes.Buffer{}, Manner{Format: "pdf"}, s.Source(), exporttest.Root, 1)
	require.EqualError(t, err, `there is no export format "pdf": the formats are md, html, json, trace`)
}

func failing[T any](context.Context, lifecycle.SessionID, int, int) (none T, err error) {
	return none, errors.New("disk gone")
}

// full is a writer on a disk with room for so many bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

var errFull = errors.New("no space left on device")

func TestSaysThatTheDiskIsFull(t *testing.T) {
	s := exporttest.Plot(t)
	for _, format := range Formats() {
		for _, room := range []int{0, 1000, 20000} {
			err := Write(t.Context(), &full{room}, Manner{Format: format}, s.Source(), exporttest.Root, s.Upto())
			if err == nil {
				require.Less(t, len(printed(s, format, s.Upto())), room)
				continue
			}
			require.ErrorIs(t, err, errFull, fmt.Sprint(format, room))
		}
	}
}
