package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/recording"
	"pawl/lifecycle"
)

// dented is a copy of an exported document, to be broken.
type dented struct {
	t       testing.TB
	Session book.Session       `json:"session"`
	Runs    []lifecycle.Run    `json:"runs"`
	Records []lifecycle.Record `json:"records"`
	Totals  book.Totals        `json:"totals"`
	Talks   []talked           `json:"sessions"`
}

type talked struct {
	Session    lifecycle.SessionID `json:"session"`
	Transcript []book.Message      `json:"transcript"`
}

func dent(t testing.TB, document []byte) *dented {
	t.Helper()
	d := &dented{t: t}
	require.NoError(t, json.Unmarshal(document, d))
	return d
}

// again is another copy of it.
func (d *dented) again(t testing.TB) *dented {
	c := *d
	c.t, c.Runs, c.Records, c.Talks = t, slices.Clone(d.Runs), slices.Clone(d.Records), slices.Clone(d.Talks)
	for i := range c.Talks {
		c.Talks[i].Transcript = slices.Clone(c.Talks[i].Transcript)
		for j := range c.Talks[i].Transcript {
			m := &c.Talks[i].Transcript[j]
			m.Parts = slices.Clone(m.Parts)
		}
	}
	return &c
}

// source reads the copy as a recording does.
func (d *dented) source() book.Source {
	return book.Source{
		Session: d.Session, Totals: &d.Totals,
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
			rest := d.Runs[min(after, len(d.Runs)):]
			return rest[:min(limit, len(rest))], nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			rest := d.Records[min(int(after), len(d.Records)):]
			return rest[:min(limit, len(rest))], nil
		},
		Messages: func(_ context.Context, session lifecycle.SessionID, _ lifecycle.Seq, after, limit int) ([]book.Message, error) {
			for _, talk := range d.Talks {
				if talk.Session == session {
					rest := talk.Transcript[min(after, len(talk.Transcript)):]
					return rest[:min(limit, len(rest))], nil
				}
			}
			return nil, nil
		},
	}
}

// filed reads the copy from a file, as "pawl verify FILE" does. The document is the one that
// it is a copy of.
func (d *dented) filed(document []byte) book.Source {
	d.t.Helper()
	members := map[string]json.RawMessage{}
	require.NoError(d.t, json.Unmarshal(document, &members))
	for name, value := range map[string]any{"runs": d.Runs, "records": d.Records, "totals": d.Totals, "sessions": d.Talks} {
		raw, err := json.Marshal(value)
		require.NoError(d.t, err)
		members[name] = raw
	}
	written, err := json.Marshal(members)
	require.NoError(d.t, err)
	r, err := recording.Read(d.t.Context(), bytes.NewReader(written), "the copy")
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = r.Close() })
	return r.Source()
}

// at finds the nth record of a kind that a run has, 1 the first.
func (d *dented) at(run lifecycle.RunID, event string, nth int) int {
	d.t.Helper()
	for i, rec := range d.Records {
		if rec.Run == run && lifecycle.Name(rec.Event) == event {
			if nth--; nth == 0 {
				return i
			}
		}
	}
	require.FailNow(d.t, "no such record", "%s of %s", event, run)
	return 0
}

// first is the first of them.
func (d *dented) first(run lifecycle.RunID, event string) int { return d.at(run, event, 1) }

func (d *dented) remove(i int) {
	d.Records = slices.Delete(d.Records, i, i+1)
	d.renumber()
}

// insert puts an event behind a record, of the same run and moment.
func (d *dented) insert(i int, event lifecycle.Event) {
	rec := d.Records[i]
	rec.Event = event
	d.Records = slices.Insert(d.Records, i+1, rec)
	d.renumber()
}

// renumber lets rewinds go back to the same records as before.
func (d *dented) renumber() {
	now := map[lifecycle.Seq]lifecycle.Seq{}
	for i := range d.Records {
		if _, twice := now[d.Records[i].Seq]; !twice {
			now[d.Records[i].Seq] = lifecycle.Seq(i + 1)
		}
		d.Records[i].Seq = lifecycle.Seq(i + 1)
	}
	for i, rec := range d.Records {
		if e, is := rec.Event.(lifecycle.Rewound); is {
			e.To = now[e.To]
			d.Records[i].Event = e
		}
	}
}

// keepAsBefore lets the rewind of the conversation keep what stood before its prompt.
func (d *dented) keepAsBefore() {
	talk := *d.talk(exporttest.Root)
	at := slices.IndexFunc(talk, func(m book.Message) bool { return len(m.Parts) > 0 && m.Parts[0].Text == "Make the data, please." })
	for i := range talk {
		if talk[i].Kind == lifecycle.EntryRewind {
			talk[i].Keep = at
		}
	}
}

// change changes the event of a record.
func change[E lifecycle.Event](d *dented, i int, with func(*E)) {
	d.t.Helper()
	e, is := d.Records[i].Event.(E)
	require.True(d.t, is, "record %d is %T", i+1, d.Records[i].Event)
	with(&e)
	d.Records[i].Event = e
}

// talk finds a transcript, and in it the message of a kind that is about a run, a call or
// a message.
func (d *dented) talk(session lifecycle.SessionID) *[]book.Message {
	for i := range d.Talks {
		if d.Talks[i].Session == session {
			return &d.Talks[i].Transcript
		}
	}
	require.FailNow(d.t, "no such session", session)
	return nil
}

func (d *dented) message(session lifecycle.SessionID, fits func(book.Message) bool) int {
	d.t.Helper()
	i := slices.IndexFunc(*d.talk(session), fits)
	require.GreaterOrEqual(d.t, i, 0, "no such message")
	return i
}

func resultOf(id lifecycle.CallID) func(book.Message) bool {
	return func(m book.Message) bool { return m.Kind == lifecycle.EntryToolResult && m.Parts[0].Call == id }
}

func noticeOf(run lifecycle.RunID) func(book.Message) bool {
	return func(m book.Message) bool { return m.Source == run }
}

// unsay takes a message out of a transcript, and gives it.
func (d *dented) unsay(session lifecycle.SessionID, fits func(book.Message) bool) book.Message {
	d.t.Helper()
	talk := d.talk(session)
	i := d.message(session, fits)
	m := (*talk)[i]
	*talk = slices.Delete(*talk, i, i+1)
	return m
}

// rewind is the message that takes the conversation back.
func (d *dented) rewind() *book.Message {
	return &(*d.talk(exporttest.Root))[d.message(exporttest.Root, func(m book.Message) bool { return m.Kind == lifecycle.EntryRewind })]
}

// settle makes runs, calls and totals agree with the records again, so that what was
// broken in those is all that is wrong.
func (d *dented) settle() {
	d.keepAsBefore()
	runs := map[lifecycle.RunID]lifecycle.Run{}
	var order []lifecycle.RunID
	for _, rec := range d.Records {
		next, err := runs[rec.Run].Apply(rec)
		if err != nil {
			continue
		}
		if runs[rec.Run].ID == "" {
			order = append(order, rec.Run)
		}
		runs[rec.Run] = next
	}
	d.Runs, d.Totals = nil, book.Totals{}
	on := map[book.Caller][]lifecycle.Run{}
	for _, id := range order {
		run := runs[id]
		d.Runs = append(d.Runs, run)
		d.Totals.Add(run)
		on[book.Caller{Session: run.Parent, Call: run.Call}] = append(on[book.Caller{Session: run.Parent, Call: run.Call}], run)
	}
	for _, talk := range d.Talks {
		for _, m := range talk.Transcript {
			for i := range m.Parts {
				if m.Parts[i].Type == book.PartCall {
					m.Parts[i].Metadata = lifecycle.CallMetadata(on[book.Caller{Session: talk.Session, Call: m.Parts[i].Call}])
				}
			}
		}
	}
}

func (d *dented) toolEnded(id lifecycle.CallID) int {
	d.t.Helper()
	i := slices.IndexFunc(d.Records, func(rec lifecycle.Record) bool {
		e, is := rec.Event.(lifecycle.ToolEnded)
		return is && e.Call == id
	})
	require.GreaterOrEqual(d.t, i, 0, id)
	return i
}

func (d *dented) toolStarted(id lifecycle.CallID) int {
	d.t.Helper()
	i := slices.IndexFunc(d.Records, func(rec lifecycle.Record) bool {
		e, is := rec.Event.(lifecycle.ToolStarted)
		return is && e.Call == id
	})
	require.GreaterOrEqual(d.t, i, 0, id)
	return i
}

// tried verifies a copy, and gives the names of the promises that it breaks.
func (d *dented) tried() (names []string, verdict Verdict) {
	d.t.Helper()
	return d.judged(d.source())
}

func (d *dented) judged(src book.Source) (names []string, verdict Verdict) {
	d.t.Helper()
	verdict, err := Session(d.t.Context(), src, lifecycle.Seq(len(d.Records)))
	require.NoError(d.t, err)
	for _, f := range verdict.Faults {
		names = append(names, f.Promise.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), verdict
}

// result is what a run came to.
func (d *dented) result(run lifecycle.RunID) string {
	return d.Runs[slices.IndexFunc(d.Runs, func(r lifecycle.Run) bool { return r.ID == run })].Result
}
