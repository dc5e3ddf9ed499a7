package headless

import "pawl/lifecycle"

// What the watch gives the feed to write beside the log.

func (f *feed) ring() {
	select {
	case f.bell <- struct{}{}:
	default: // it is awake, or will be
	}
}

// reply answers a line of input. It never waits.
func (f *feed) reply(line replyLine) {
	encoded := encodeLine(f.hide, line)
	f.mu.Lock()
	f.replies = append(f.replies, encoded)
	f.mu.Unlock()
	f.ring()
}

// rest says that behind this record nothing happens by itself. It never waits.
func (f *feed) rest(seq lifecycle.Seq) {
	f.mu.Lock()
	f.idle = seq
	f.mu.Unlock()
	f.ring()
}

// finish gives the last line, which is written behind this record; empty: the stream
// ends there without one. It never waits.
func (f *feed) finish(last []byte, after lifecycle.Seq) {
	f.mu.Lock()
	f.result, f.after, f.idle = append([]byte{}, last...), after, 0
	f.mu.Unlock()
	f.ring()
}
