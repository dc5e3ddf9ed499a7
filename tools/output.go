package tools

import (
	"sync"

	"pawl/internal/words"
)

// keepOutput is how many bytes of the start and of the end of an output are kept.
const keepOutput = 64 << 10

// Output is what a program wrote: its start and its end where it wrote more than
// can be kept.
type Output struct {
	Head  string
	Tail  string // follows Head, with a gap where Total is more than both
	Total int64  // bytes written
	Kept  Kept   // where the whole is that Head and Tail do not have
}

// Text gives the output as valid text in about limit characters: all of it, or
// its start and its end with a line between them that says what is missing, and
// where it is kept. cut is the number of bytes that are left out. limit is at most 30,000: more is not
// kept.
func (o Output) Text(limit int) (text string, cut int64) {
	front, back := o.Head, o.Tail
	whole := int64(len(o.Head)+len(o.Tail)) == o.Total
	if whole {
		all := o.Head + o.Tail
		if words.First(all, limit) == all {
			return words.Valid(all), 0
		}
		front, back = all, all
	}
	front, back = words.First(front, limit/2), words.Last(back, limit/2)
	cut = o.Total - int64(len(front)+len(back))
	return words.Valid(front) + "\n" + o.Kept.gap(cut, o.Total) + "\n" + words.Valid(back), cut
}

// capture takes a program's output, any amount of it in bounded memory, and hands
// the whole to a file when it cannot hold it any more. One goroutine writes it; it
// may be read meanwhile.
type capture struct {
	outputs *Outputs // where that file goes; nil: there is none

	mu    sync.Mutex
	head  []byte
	tail  []byte // at most twice what is kept: it is moved down when that is full
	total int64
	file  *keptFile
	fault error // why there is no file
}

func newCapture() *capture { return &capture{} }

// Write never fails.
func (c *capture) Write(p []byte) (int, error) {
	c.spill(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	c.total += int64(n)
	if room := keepOutput - len(c.head); room > 0 {
		take := min(room, len(p))
		c.head = append(c.head, p[:take]...)
		p = p[take:]
	}
	p = p[max(0, len(p)-keepOutput):]
	if len(c.tail)+len(p) > 2*keepOutput {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-keepOutput:]...)
	}
	c.tail = append(c.tail, p...)
	return n, nil
}

// spill writes to the file, from that piece on with which head and tail would
// lose something. No lock is held meanwhile: a disk may be slow.
func (c *capture) spill(p []byte) {
	if c.file == nil {
		if c.outputs == nil || c.fault != nil || c.total+int64(len(p)) <= 2*keepOutput {
			return
		}
		file, err := c.outputs.create("shell")
		if err == nil {
			file.Write(c.head)
			file.Write(c.tail)
		}
		c.mu.Lock()
		c.file, c.fault = file, err
		c.mu.Unlock()
	}
	if c.file != nil {
		c.file.Write(p)
	}
}

// close says that nothing more will come.
func (c *capture) close() {
	if c.file != nil {
		c.file.close()
	}
}

func (c *capture) output() Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail[max(0, len(c.tail)-keepOutput):]
	out := Output{Head: string(c.head), Tail: string(tail), Total: c.total, Kept: Kept{Err: c.fault}}
	if c.file != nil {
		out.Kept = c.file.kept()
	}
	return out
}

// lastLine gives the newest line that is not blank, whole or not, for a card.
func (c *capture) lastLine() string {
	const enough = 1 << 10
	c.mu.Lock()
	end := c.tail
	if len(end) == 0 {
		end = c.head
	}
	text := string(end[max(0, len(end)-enough):])
	c.mu.Unlock()
	return words.CutLine(words.LastLine(text), 200)
}
