package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// everyWay is each way in which a session can be written down.
func everyWay() (all []formats.Options) {
	for _, format := range formats.All() {
		for _, as := range []formats.Options{{Format: format}, {Format: format, Brief: true}, {Format: format, NoContent: true}, {Format: format, Brief: true, NoContent: true}} {
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

// The same record number gives the same bytes, in every way: now, again, and when more
// has happened since.
func TestSameRecordSameBytes(t *testing.T) {
	whole := exporttest.Plot(t)
	for _, as := range everyWay() {
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
	for _, as := range everyWay() {
		for _, upto := range []lifecycle.Seq{97, ended - 3, ended} {
			now := string(printedAs(then(t, s, upto), as, upto))
			require.Equal(t, now, string(printedAs(s, as, upto)), "%v at record %d", as, upto)
			for _, secret := range append([]string{"plugh", "hunter2", "api03"}, s.Secrets...) {
				require.NotContains(t, now, secret, "%v", as)
			}
		}
	}
}

func TestRefusesWhatItCannotTell(t *testing.T) {
	s := exporttest.Plot(t)
	readsTranscripts := map[string]bool{"no transcript": true, "a broken entry": true} // a trace and a patch read none
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
			for _, format := range formats.All() {
				if (format == formats.Trace || format == formats.Patch) && readsTranscripts[name] {
					continue
				}
				src := s.Source()
				c.change(&src)
				err := Write(t.Context(), &bytes.Buffer{}, formats.Options{Format: format}, src, exporttest.Root, c.upto)
				require.ErrorContains(t, err, c.says)
				require.ErrorContains(t, err, "export session s-root as ")
			}
		})
	}
	err := Write(t.Context(), &bytes.Buffer{}, formats.Options{Format: "pdf"}, s.Source(), exporttest.Root, 1)
	require.EqualError(t, err, `there is no export format "pdf": the formats are md, html, json, trace, patch`)
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
	for _, format := range formats.All() {
		for _, room := range []int{0, 1000, 20000} {
			err := Write(t.Context(), &full{room}, formats.Options{Format: format}, s.Source(), exporttest.Root, s.Upto())
			if err == nil {
				require.Less(t, len(printed(s, format, s.Upto())), room)
				continue
			}
			require.ErrorIs(t, err, errFull, fmt.Sprint(format, room))
		}
	}
}
