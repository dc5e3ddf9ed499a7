package mcp

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/internal/words"
	"pawl/tools/process"
)

// lineLength bounds a line that is kept of a server's standard error, in
// characters.
const lineLength = 200

// program is a server that was started here, and its pipes. The launcher keeps the
// start and the end of its standard error, any amount of it in bounded memory.
type program struct {
	in, out           *os.File // ours
	theirIn, theirOut *os.File
	gone              chan struct{}
	mu                sync.Mutex
	latest, ended     string
}

// overPipes starts a program through the launcher, which cleans its environment of
// keys, and ends it and all that it started with life or with Pawl.
func (o Options) overPipes(life context.Context, s Spec) (way, error) {
	p := &program{gone: make(chan struct{})}
	if err := p.open(); err != nil {
		return way{}, fmt.Errorf("make its pipes: %w", err)
	}
	life, kill := context.WithCancel(life)
	go p.run(life, o.Launcher, process.Command{
		Name: s.Command[0], Args: s.Command[1:], Folder: o.Folder, Environ: environ(s.Env),
		Stdin: p.theirIn, Stdout: p.theirOut, Latest: p.hear,
	})
	context.AfterFunc(life, func() { // whatever reads or writes returns, also when the program does not
		p.in.Close()
		p.out.Close()
	})
	heard := &hearing{}
	return way{
		transport: &sdk.IOTransport{Reader: newMessages(p.out, heard), Writer: p.in},
		cut:       kill, gone: p.gone, words: p.words, said: p.said, heard: heard,
	}, nil
}

// leftInOrder is how a program ended that was told to, or that had nothing to do.
const leftInOrder = "it ended with exit code 0"

func (p *program) open() (err error) {
	if p.theirIn, p.in, err = os.Pipe(); err != nil {
		return err
	}
	if p.out, p.theirOut, err = os.Pipe(); err != nil {
		p.theirIn.Close()
		p.in.Close()
	}
	return err
}

// run returns when the program and all that it started are gone. Until then its
// ends of the pipes are held here, so the end of its output is that of all of it.
func (p *program) run(life context.Context, launcher *process.Launcher, c process.Command) {
	done, err := launcher.Run(life, c)
	p.mu.Lock()
	switch {
	case err != nil:
		p.ended = line(err.Error(), lineLength)
	case done.Stopped == process.NotStopped && done.ExitCode == 0:
		p.ended = leftInOrder
	case done.Stopped == process.NotStopped:
		p.ended = fmt.Sprintf("it ended with exit code %d", done.ExitCode)
	}
	p.latest = lastLine(done.Output)
	p.mu.Unlock()
	p.theirIn.Close()
	p.theirOut.Close()
	close(p.gone)
}

func lastLine(o process.Output) string {
	text := o.Tail
	if strings.TrimSpace(text) == "" {
		text = o.Head
	}
	return line(words.LastLine(text), lineLength)
}

// hear is told the newest line of standard error.
func (p *program) hear(latest string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = line(latest, lineLength)
}

func (p *program) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest
}

func (p *program) words() (ended, said string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended, p.latest
}
