package remote

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
)

// carrier stands for what carries the pipe of a process on another machine: the process outlives
// its hosts. It counts whole messages in both directions, and ends a host at one of them.
type carrier struct {
	stdin *io.PipeWriter // of the process

	mu     sync.Mutex
	lines  [][]byte      // of the process, that no host was given
	more   chan struct{} // has a value when there may be more of them, or the process is gone
	last   []byte        // the newest line
	gone   bool
	code   int
	passed int
	cut    func(passed int) (half, now bool) // says at which message a host ends, and whether half of it is passed on
}

// startProcess starts a process that works with its pipe, for any number of hosts.
func startProcess(work func(in io.Reader, out io.Writer) (code int)) *carrier {
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	c := &carrier{stdin: stdin, more: make(chan struct{}, 1)}
	go func() {
		c.code = work(in, out)
		in.Close()
		out.Close()
	}()
	go func() {
		lines := bufio.NewReader(stdout)
		for {
			line, err := lines.ReadBytes('\n')
			c.mu.Lock()
			if err == nil {
				c.lines, c.last = append(c.lines, line), line
			}
			c.gone = err != nil
			c.mu.Unlock()
			select {
			case c.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// tick counts a message, and says whether it is passed on: whole, half or not at all.
func (c *carrier) tick(line []byte) (pass []byte, now bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed++
	if c.cut == nil {
		return line, false
	}
	half, now := c.cut(c.passed)
	switch {
	case !now:
		return line, false
	case half:
		return line[:len(line)/2], true
	}
	return nil, true
}

// start is Host.Start for the process. die ends the host.
func (c *carrier) start(die func(), resumed bool) func(context.Context, *os.File, *os.File) (Exit, error) {
	return func(ctx context.Context, in, out *os.File) (Exit, error) {
		dead, end := context.WithCancel(ctx)
		defer end()
		kill := func() { end(); die() }
		c.mu.Lock()
		if resumed && c.gone && len(c.lines) == 0 {
			c.lines = append(c.lines, c.last)
		}
		c.mu.Unlock()
		go c.down(dead, in, kill)
		for {
			line, over := c.next()
			switch {
			case line != nil:
				part, now := c.tick(line)
				if now { // what a dead host was given is lost
					kill()
				} else {
					_, _ = out.Write(part)
				}
			case over:
				return Exit{Code: c.code}, nil
			default:
				select {
				case <-c.more:
				case <-dead.Done():
				}
			}
			if dead.Err() != nil {
				<-ctx.Done()
				return Exit{}, nil
			}
		}
	}
}

func (c *carrier) next() (line []byte, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 {
		return nil, c.gone
	}
	line, c.lines = c.lines[0], c.lines[1:]
	return line, false
}

// down passes on what a host writes.
func (c *carrier) down(dead context.Context, in *os.File, kill func()) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case dead.Err() != nil:
			return
		case err != nil:
			c.stdin.Close()
			return
		}
		part, now := c.tick(line)
		_, _ = c.stdin.Write(part)
		if now {
			kill()
			return
		}
	}
}
