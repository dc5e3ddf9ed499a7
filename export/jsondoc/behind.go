package jsondoc

// behind runs functions in order, in a goroutine of its own: what was read is encoded while the next
// is read. Few wait, for each holds a message.
type behind struct {
	work   chan func() error
	failed chan struct{} // closed after the first error, when nothing runs any more
	err    error         // of a function; to be read when failed or over is closed
	over   chan struct{}
}

func newBehind() *behind {
	b := &behind{work: make(chan func() error, 4), failed: make(chan struct{}), over: make(chan struct{})}
	go func() {
		defer close(b.over)
		for fn := range b.work {
			if b.err = fn(); b.err != nil {
				close(b.failed)
				return
			}
		}
	}()
	return b
}

// run has a function run behind all before it. It returns the error of one of those.
func (b *behind) run(fn func() error) error {
	select {
	case b.work <- fn:
		return nil
	case <-b.failed:
		return b.err
	}
}

// wait waits for all functions, and returns the first error. It must be called once.
func (b *behind) wait() error {
	close(b.work)
	<-b.over
	return b.err
}
