package headless

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Stream is --output-format stream-json: every record as it happens, one line each.
type Stream struct {
	Opening any                                    // facts for the first line
	Line    func(lifecycle.Record) ([]byte, error) // encodes a record as an object, without a newline; called in the order of the log
	Partial bool                                   // also text that is not recorded yet
	Input   io.Reader                              // lines of another program; nil: only the prompt
}

const (
	partialEvery = 100 * time.Millisecond // a line of partial text holds all of it, so it is sent rarely
	fullBuffer   = 64 << 10               // how many bytes of lines are written at once
	awaitReplies = 64                     // how many lines of input may be unanswered while nobody reads
)

// feed writes the stream. It has a cursor of its own over the log, so a reader that does not
// read holds up only these lines: neither the sessions nor the watch for their end.
//
//	Watch, once begun ──────► records, partial text ──┐
//	begin, reply, show, idleAfter, finish ──► what waits ───┴─► lines, one write a wake-up ──► out
type feed struct {
	out     io.Writer
	line    func(lifecycle.Record) ([]byte, error)
	hide    mask.Mask
	partial bool

	mu      sync.Mutex
	start   *start        // begins the log's part of the stream; nil: not yet, or it has begun
	replies [][]byte      // at most awaitReplies, limited by room
	status  []byte        // the newest line of status
	idle    lifecycle.Seq // send an idle line after this record; noIdle: none
	result  []byte        // the last line; nil: not yet
	after   lifecycle.Seq // the record before the last line
	bell    chan struct{} // wakes the writer; holds one ring
	room    chan struct{} // slots for lines of input, freed by the writer

	broken chan struct{} // closed when a line could not be encoded or written
	done   chan struct{} // closed when nothing more is written
	err    error         // the reason; read it after broken or done
	unread bool          // the reason is that out failed; as well

	// Used only by the writer.
	lines    []byte
	begun    bool
	seq      lifecycle.Seq // the newest record in lines
	partials map[lifecycle.RunID]lifecycle.Progress
	pause    <-chan time.Time // when partial text may be written again
}

// start is where a stream begins.
type start struct {
	opening any // the first line
	from    lifecycle.Seq
	partial bool
}

const noIdle lifecycle.Seq = -1

// newFeed is a feed that writes replies alone until it begins.
func newFeed(out io.Writer, line func(lifecycle.Record) ([]byte, error), hide mask.Mask) *feed {
	return &feed{
		out: out, line: line, hide: hide, idle: noIdle,
		bell: make(chan struct{}, 1), room: make(chan struct{}, awaitReplies),
		broken: make(chan struct{}), done: make(chan struct{}),
		partials: map[lifecycle.RunID]lifecycle.Progress{},
	}
}

// run writes until the last line, or nobody reads, or ctx ends.
func (f *feed) run(ctx context.Context, route Route, root lifecycle.SessionID) {
	ctx, cancel := context.WithCancel(ctx)
	defer close(f.done)
	defer cancel()
	var (
		updates <-chan lifecycle.Updates
		ended   <-chan error
	)
	for {
		last, err := f.flush()
		if err != nil {
			f.fail(err)
			return
		}
		if last {
			return
		}
		if f.begun && updates == nil {
			updates, ended = follow(ctx, route, root, f.seq)
		}
		select {
		case u := <-updates:
			err = f.note(u)
		case <-f.bell:
		case <-f.pause:
			f.pause = nil
		case err = <-ended:
		case <-ctx.Done():
			return
		}
		if err != nil {
			f.fail(err)
			return
		}
	}
}

func (f *feed) fail(err error) {
	f.err = err
	close(f.broken)
}

func (f *feed) put(line any) { f.lines = append(f.lines, encodeLine(f.hide, line)...) }

// note handles updates. Partial text belongs to its run's newest record and replaces earlier
// ones.
func (f *feed) note(u lifecycle.Updates) error {
	for _, rec := range u.Records {
		line, err := f.line(rec)
		if err != nil {
			return err
		}
		f.lines, f.seq = append(append(append(f.lines, recordType...), line[1:]...), '\n'), rec.Seq
		delete(f.partials, rec.Run)
		if len(f.lines) < fullBuffer {
			continue
		}
		if err := f.write(); err != nil {
			return err
		}
	}
	for _, p := range u.Progress {
		if f.partial {
			f.partials[p.Run] = p
		}
	}
	return nil
}

// flush writes what is due and reports whether that included the last line.
func (f *feed) flush() (last bool, err error) {
	if f.pause == nil && len(f.partials) > 0 {
		for _, p := range f.partials {
			f.put(partialOf(p, f.hide))
		}
		clear(f.partials)
		f.pause = time.After(partialEvery)
	}
	replies, last := f.takeQueued()
	err = f.write()
	for range replies {
		<-f.room
	}
	return last, err
}

// takeQueued adds what waits, and reports how many replies and whether the last line were in it.
func (f *feed) takeQueued() (replies int, last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.start; s != nil {
		f.put(s.opening)
		f.begun, f.seq, f.partial, f.start = true, s.from, s.partial, nil
	}
	replies = len(f.replies)
	f.lines = append(append(f.lines, bytes.Join(f.replies, nil)...), f.status...)
	f.replies, f.status = nil, nil
	if f.idle != noIdle && f.seq >= f.idle {
		f.put(idleLine{typeIdle, f.idle})
		f.idle = noIdle
	}
	if last = f.result != nil && f.seq >= f.after; last {
		f.lines = append(f.lines, f.result...)
	}
	return replies, last
}

func (f *feed) write() error {
	if len(f.lines) == 0 {
		return nil
	}
	_, err := f.out.Write(f.lines)
	if err != nil {
		f.unread = true
		err = fmt.Errorf("write standard output: %w", err)
	}
	if f.lines = f.lines[:0]; cap(f.lines) > 4*fullBuffer {
		f.lines = nil // grown by one long record
	}
	return err
}
