package headless

import "pawl/lifecycle"

// What the watch queues for the feed to write besides the log.

func (f *feed) ring() {
	select {
	case f.bell <- struct{}{}:
	default: // it is awake already
	}
}

// reply answers a line of input. It never blocks.
func (f *feed) reply(line replyLine) {
	encoded := encodeLine(f.hide, line)
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

// finish sets the last line, which is written after this record; if empty, the stream ends there
// without one. It never blocks.
func (f *feed) finish(last []byte, after lifecycle.Seq) {
	f.mu.Lock()
	f.result, f.after, f.idle = append([]byte{}, last...), after, 0
	f.mu.Unlock()
	f.ring()
}
