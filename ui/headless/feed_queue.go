package headless

import "pawl/lifecycle"

// What the watch queues for the feed to write besides the log.

func (f *feed) ring() {
	select {
	case f.bell <- struct{}{}:
	default: // it is awake already
	}
}

// begin has the stream begin, with its first line. It never blocks.
func (f *feed) begin(s start) {
	f.mu.Lock()
	f.start = &s
	f.mu.Unlock()
	f.ring()
}

// show has a line of status written, in the place of one that still waits. It never blocks.
func (f *feed) show(line []byte) {
	f.mu.Lock()
	f.status = line
	f.mu.Unlock()
	f.ring()
}

// reply answers a line of input. It never blocks.
// What was asked for stands before the reply.
func (f *feed) reply(line replyLine, asked ...byte) {
	encoded := append(asked, encodeLine(f.hide, line)...)
	f.mu.Lock()
	f.replies = append(f.replies, encoded)
	f.mu.Unlock()
	f.ring()
}

// idleAfter says that nothing happens by itself after this record. It never blocks.
func (f *feed) idleAfter(seq lifecycle.Seq) {
	f.mu.Lock()
	f.idle = seq
	f.mu.Unlock()
	f.ring()
}

// dropIdle takes back an idle line that is not written yet, because something is about to happen,
// and reports whether there was one.
func (f *feed) dropIdle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	dropped := f.idle != noIdle
	f.idle = noIdle
	return dropped
}

// finish sets the last line, which is written after this record; if empty, the stream ends there
// without one. It never blocks.
func (f *feed) finish(last []byte, after lifecycle.Seq) {
	f.mu.Lock()
	f.result, f.after, f.idle = append([]byte{}, last...), after, noIdle
	f.mu.Unlock()
	f.ring()
}
