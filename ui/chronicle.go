package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
)

// chronicled is a page of the log.
type chronicled struct {
	records []lifecycle.Record
	err     error
}

// chroniclePage is how many records are read at once. With results at their longest
// (30,000 characters) that is 15 MB.
const chroniclePage = 500

// follow takes in what the watch has brought.
func (m *model) follow(records []lifecycle.Record) tea.Cmd {
	h := &m.chronicle
	for _, rec := range records {
		if m.options.Records == nil && rec.Seq > h.Seq {
			h.Seq = rec.Seq - 1 // nothing older can be had
		}
		h.Fold(rec)
	}
	if n := len(records); n == 0 || records[n-1].Seq <= h.Seq {
		return nil
	}
	return m.keepUp()
}

// keepUp reads what is missing behind what was read, once somebody wants it.
func (m *model) keepUp() tea.Cmd {
	if !m.chronicle.Wanted || m.chronicle.Trouble != "" {
		return nil
	}
	return m.chronicleOn()
}

// newestRecord is the last record that the screen has been told of.
func (m *model) newestRecord() lifecycle.Seq {
	return m.runs.Seq()
}

// chronicleOn reads what the chronicle lacks of the log, a page at a time.
func (m *model) chronicleOn() tea.Cmd {
	h := &m.chronicle
	if h.Reading || m.options.Records == nil || h.Seq >= m.newestRecord() {
		return nil
	}
	h.Reading, h.Wanted, h.Trouble = true, true, ""
	ctx, after, read := m.ctx, h.Seq, m.options.Records
	return safely(func() tea.Msg { return readPage(ctx, after, read) })
}

func readPage(ctx context.Context, after lifecycle.Seq, read func(context.Context, lifecycle.Seq, int) ([]lifecycle.Record, error)) chronicled {
	records, err := read(ctx, after, chroniclePage)
	if err == nil && (len(records) == 0 || records[0].Seq != after+1) {
		err = fmt.Errorf("record %d is missing", after+1)
	}
	if err != nil {
		return chronicled{err: err}
	}
	return chronicled{records: records}
}

// chronicled folds a page, and asks for the next.
func (m *model) chronicled(page chronicled) tea.Cmd {
	h, before := &m.chronicle, m.chronicledShare()
	h.Reading = false
	if page.err != nil {
		h.Trouble = page.err.Error()
	}
	for _, rec := range page.records {
		h.Fold(rec)
	}
	var next tea.Cmd
	if page.err == nil {
		next = m.chronicleOn()
	}
	if m.timeline != nil && (next == nil || m.chronicledShare() != before) { // else a long log costs a picture a page
		m.changed()
	}
	return next
}

// chronicledShare is how much of the log the chronicle has, in hundredths.
func (m *model) chronicledShare() int {
	return int(100 * m.chronicle.Seq / max(1, m.newestRecord()))
}
