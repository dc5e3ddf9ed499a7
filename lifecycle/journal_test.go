package lifecycle

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

var errFull = errors.New("no space left on device")

// memory is a journal in memory: real files do not advance virtual time.
type memory struct {
	mu      sync.Mutex
	records []Record
	entries []Entry
	runs    map[RunID]Run
	order   []RunID
	failing int           // appends that fail from now on; negative: all
	tried   int           // appends without changes
	gate    chan struct{} // while open, appends wait
	loading chan struct{} // while open, loads wait
}

func newMemory() *memory { return &memory{runs: map[RunID]Run{}} }

// fails lets the next n appends fail, or all where n is negative.
func (m *memory) fails(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failing = n
}

func (m *memory) heals() { m.fails(0) }

// hold makes appends wait until it is released.
func (m *memory) hold() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	gate := make(chan struct{})
	m.gate = gate
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.gate = nil
		close(gate)
	}
}

// copy is what another process would find.
func (m *memory) copy() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &memory{
		records: slices.Clone(m.records), entries: slices.Clone(m.entries),
		runs: maps.Clone(m.runs), order: slices.Clone(m.order),
	}
}

func (m *memory) Append(_ context.Context, changes []Change) error {
	m.mu.Lock()
	gate := m.gate
	m.mu.Unlock()
	if gate != nil {
		<-gate
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(changes) == 0 {
		m.tried++
	}
	if m.failing != 0 {
		m.failing = max(m.failing-1, -1)
		return errFull
	}
	m.write(changes)
	return nil
}

func (m *memory) write(changes []Change) {
	for _, c := range changes {
		m.records = append(m.records, c.Records...)
		m.entries = append(m.entries, c.Entries...)
		for _, run := range c.Runs {
			if _, known := m.runs[run.ID]; !known {
				m.order = append(m.order, run.ID)
			}
			m.runs[run.ID] = run
		}
	}
}

func (m *memory) Load(context.Context, SessionID) (l Loaded, err error) {
	m.mu.Lock()
	loading := m.loading
	for _, id := range m.order {
		l.Runs = append(l.Runs, m.runs[id])
	}
	for _, rec := range m.records {
		l.Seq = rec.Seq
		switch rec.Event.(type) {
		case MessageQueued, MessageEdited, MessageMoved, MessageTaken, MessageWithdrawn:
			l.Messages = append(l.Messages, rec)
		}
	}
	m.mu.Unlock()
	if loading != nil {
		<-loading
	}
	return l, nil
}

func (m *memory) Records(_ context.Context, _ SessionID, after Seq, limit int) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rest := m.records[min(int(after), len(m.records)):]
	return slices.Clone(rest[:min(limit, len(rest))]), nil
}

// openCalls are the calls of a session that have no result.
func (m *memory) openCalls(session SessionID) (open []OpenTool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, rec := range m.records {
		if rec.Session != session {
			continue
		}
		switch e := rec.Event.(type) {
		case ToolStarted:
			open = append(open, OpenTool{Call: e.Call, Tool: e.Tool})
		case ToolEnded:
			open = dropped(open, func(t OpenTool) bool { return t.Call == e.Call })
		}
	}
	return open
}
