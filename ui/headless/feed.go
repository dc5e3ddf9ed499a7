package headless

import (
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
//	Watch ──────► records, partial text ──┐
//	reply, idleAfter, finish ──► what waits ───┴─► lines, one write a wake-up ──► out
type feed struct {
	out    io.Writer
	stream Stream
	hide   mask.Mask
	demo   bool // the model is a script

	mu      sync.Mutex
	replies [][]byte      // at most awaitReplies, limited by room
	idle    lifecycle.Seq // send an idle line after this record; 0: none
	result  []byte        // the last line; nil: not yet
	after   lifecycle.Seq // the record before the last line
	bell    chan struct{} // wakes the writer; holds one ring
	room    chan struct{} // slots for lines of input, freed by the writer

	broken chan struct{} // closed when a line could not be encoded or written
	done   chan struct{} // closed when nothing more is written
	err    error         // the reason; read it after broken or done

	// Used only by the writer.
	lines    []byte
	seq      lifecycle.Seq // the newest record in lines
	partials map[lifecycle.RunID]lifecycle.Progress
	pause    <-chan time.Time // when partial text may be written again
}

func newFeed(o Options) *feed {
	return &feed{
		out: o.Out, stream: *o.Stream, hide: o.Hide, demo: o.Demo, seq: o.Snapshot.Seq,
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
	f.put(openingLine{typeOpening, "pawl-stream", streamVersion, root, f.demo, f.stream.Opening})
	updates, ended := follow(ctx, route, root, f.seq)
	for {
		last, err := f.flush()
		if err != nil {
			f.fail(err)
			return
		}
		if last {
			return
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
		line, err := f.stream.Line(rec)
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
		if f.stream.Partial {
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
	f.mu.Lock()
	replies := f.replies
	f.replies = nil
	for _, line := range replies {
		f.lines = append(f.lines, line...)
	}
	if f.idle > 0 && f.seq >= f.idle {
		f.put(idleLine{typeIdle, f.idle})
		f.idle = 0
	}
	if last = f.result != nil && f.seq >= f.after; last {
		f.lines = append(f.lines, f.result...)
	}
	f.mu.Unlock()
	err = f.write()
	for range replies {
		<-f.room
	}
	return last, err
}

func (f *feed) write() error {
	if len(f.lines) == 0 {
		return nil
	}
	_, err := f.out.Write(f.lines)
	if err != nil {
		err = fmt.Errorf("write standard output: %w", err)
	}
	if f.lines = f.lines[:0]; cap(f.lines) > 4*fullBuffer {
		f.lines = nil // grown by one long record
	}
	return err
}
