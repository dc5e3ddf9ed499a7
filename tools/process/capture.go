package process

import (
	"sync"

	"pawl/internal/words"
	"pawl/tools/outputs"
)

// keepOutput is how many bytes of the start and of the end of an output are kept.
const keepOutput = 64 << 10

// capture takes a program's output, any amount of it in bounded memory, and hands
// the whole to a file when it cannot hold it any more. One goroutine writes it; it
// may be read meanwhile.
type capture struct {
	outputs *outputs.Store // where that file goes; nil: there is none

	mu    sync.Mutex
	head  []byte
	tail  []byte // at most twice what is kept: it is moved down when that is full
	total int64
	file  *outputs.File
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
		file, err := c.outputs.Create("shell")
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

func (c *capture) close() {
	if c.file != nil {
		c.file.Close()
	}
}

func (c *capture) output() Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail[max(0, len(c.tail)-keepOutput):]
	out := Output{Head: string(c.head), Tail: string(tail), Total: c.total, Kept: outputs.Kept{Err: c.fault}}
	if c.file != nil {
		out.Kept = c.file.Kept()
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
