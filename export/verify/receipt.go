package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/export/book"
	"pawl/lifecycle"
)

// readReceipts reads the runs as the source has them.
func (a *audit) readReceipts() error {
	for run, err := range a.src.EachRun(a.ctx, a.root) {
		if err != nil {
			return err
		}
		if _, twice := a.receipts[run.ID]; twice {
			a.note(Fault{Promise: promiseReceipts, Run: run.ID, Message: "it is in the list of runs twice"})
			continue
		}
		a.receipts[run.ID] = run
		a.receiptOrder = append(a.receiptOrder, run.ID)
		a.stands[book.Caller{Session: run.Parent, Call: run.Call}] = true
	}
	return nil
}

// compare: every run is what its records make of it, in the order in which they began.
func (a *audit) compare() error {
	later, err := a.goesOn()
	if err != nil {
		return err
	}
	said := slices.DeleteFunc(slices.Clone(a.receiptOrder), func(id lifecycle.RunID) bool { return a.runs[id].ID == "" })
	for _, id := range a.receiptOrder {
		if a.runs[id].ID == "" && !later {
			a.note(Fault{Promise: promiseReceipts, Run: id, Message: "it is in the list of runs, but has no record"})
		}
	}
	for _, id := range a.runOrder {
		run, known := a.receipts[id]
		switch {
		case a.broken[id]:
		case !known:
			a.note(Fault{Promise: promiseReceipts, Run: id, Message: "it has records, but is not in the list of runs"})
		case later && run.Seq > a.upto: // it has moved on since
		default:
			if fields := a.differ(run, a.folded(id)); len(fields) > 0 {
				a.note(Fault{Promise: promiseReceipts, Run: id, Message: "its entry in the list of runs does not match its records: " + strings.Join(fields, ", ")})
			}
		}
	}
	if begun := slices.DeleteFunc(slices.Clone(a.runOrder), func(id lifecycle.RunID) bool { return a.receipts[id].ID == "" }); !slices.Equal(said, begun) {
		i := slices.IndexFunc(said, func(id lifecycle.RunID) bool { return id != begun[slices.Index(said, id)] })
		a.note(Fault{Promise: promiseOrder, Run: said[i], Message: fmt.Sprintf("it is number %d in the list of runs, but began in another place", i+1)})
	}
	return nil
}

// goesOn reports whether the log has records beyond those that are audited: a session that is
// driven meanwhile.
func (a *audit) goesOn() (bool, error) {
	beyond, err := a.src.Records(a.ctx, a.root, a.upto, 1)
	if err != nil {
		return false, fmt.Errorf("read the log after record %d: %w", a.upto, err)
	}
	return len(beyond) > 0, nil
}

// folded is a run by its records, as the Pawl that wrote the source would have it: one before November 2026
// did not count the messages that a run left unread.
func (a *audit) folded(id lifecycle.RunID) lifecycle.Run {
	run := a.runs[id]
	if a.receipts[id].Unread == 0 {
		run.Unread = 0
	}
	return run
}

// differ names the fields in which two runs differ. What is joined from strings that were
// masked one by one may differ from what was masked as a whole: both are masked again then.
func (a *audit) differ(one, other lifecycle.Run) []string {
	x, y := encodeRun(one), encodeRun(other)
	if bytes.Equal(x, y) {
		return nil
	}
	if x, y = a.hide.JSON(nil, x), a.hide.JSON(nil, y); bytes.Equal(x, y) {
		return nil
	}
	var p, q map[string]json.RawMessage
	if json.Unmarshal(x, &p) != nil || json.Unmarshal(y, &q) != nil {
		return []string{"it cannot be read"}
	}
	var fields []string
	for name := range p {
		if !bytes.Equal(p[name], q[name]) {
			fields = append(fields, name)
		}
	}
	for name := range q {
		if _, there := p[name]; !there {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

func encodeRun(run lifecycle.Run) []byte {
	raw, err := json.Marshal(run)
	if err != nil {
		panic("export: encode a run: " + err.Error())
	}
	return raw
}

// carried notes which runs a call carries. They are compared at the end, when it is known
// how those came out.
func (a *audit) carried(s *sessionAudit, l line) {
	by := book.Caller{Session: s.id, Call: l.call}
	if a.src.Totals == nil || l.carries == nil && !a.stands[by] {
		return
	}
	var compact bytes.Buffer
	if l.carries != nil && json.Compact(&compact, l.carries) != nil {
		return // what is no JSON was no document
	}
	a.carries[by] = sha256.Sum256(a.hide.JSON(nil, compact.Bytes()))
}

// claims holds what a document says beside its lists against them.
func (a *audit) claims() error {
	if a.src.Totals == nil {
		return nil
	}
	on := map[book.Caller][]lifecycle.Run{}
	broken := map[book.Caller]bool{}
	var sum book.Totals
	for _, id := range a.runOrder {
		run := a.folded(id)
		sum.Add(run)
		if by := (book.Caller{Session: run.Parent, Call: run.Call}); run.Child() && run.Call != "" {
			on[by] = append(on[by], run)
			broken[by] = broken[by] || a.broken[id]
		}
	}
	sound := len(a.broken) == 0
	for by, runs := range on {
		want := sha256.Sum256(a.hide.JSON(nil, lifecycle.CallMetadata(runs)))
		if got, heard := a.carries[by]; heard && got != want && !broken[by] {
			a.note(Fault{Promise: promiseCalls, Session: by.Session, Call: by.Call, Message: "the call does not list the runs that it started"})
		}
		delete(a.carries, by)
	}
	for by := range a.carries {
		a.note(Fault{Promise: promiseCalls, Session: by.Session, Call: by.Call, Message: "the call lists a run that it did not start"})
	}
	if said := *a.src.Totals; sound && !alike(sum, said) {
		a.note(Fault{Promise: promiseTotals, Message: fmt.Sprintf("they say %s in %d runs, but the runs add up to %s in %d", book.Tokens(said.All), said.Runs, book.Tokens(sum.All), sum.Runs)})
	}
	return nil
}

// alike compares totals. Costs are sums of fractions, and the order of a sum shows in its
// last digits.
func alike(t, other book.Totals) bool {
	near := func(x, y lifecycle.Usage) bool {
		const cent = 1e-6 // of a dollar
		apart := x.Cost - y.Cost
		x.Cost, y.Cost = 0, 0
		return x == y && apart < cent && apart > -cent
	}
	return t.Runs == other.Runs && near(t.Parent, other.Parent) && near(t.Children, other.Children) && near(t.All, other.All)
}
