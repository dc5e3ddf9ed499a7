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

// lineLength limits lines kept of a server's texts, in characters.
const lineLength = 200

// program is a server that was started here, with its pipes. The launcher keeps the start and
// the end of its standard error in limited memory.
type program struct {
	in, out           *os.File // our ends
	theirIn, theirOut *os.File
	gone              chan struct{}
	mu                sync.Mutex
	latest, ended     string
}

// overPipes starts a program through the launcher, which removes keys from its environment and
// ends it, with all that it started, when life ends or Pawl does.
func (o Options) overPipes(life context.Context, s Spec) (link, error) {
	p := &program{gone: make(chan struct{})}
	if err := p.open(); err != nil {
		return link{}, fmt.Errorf("make its pipes: %w", err)
	}
	life, kill := context.WithCancel(life)
	go p.run(life, o.Launcher, process.Command{
		Name: s.Command[0], Args: s.Command[1:], Folder: o.Folder, Environ: environ(s.Env),
		Stdin: p.theirIn, Stdout: p.theirOut, Latest: p.noteLine,
	})
	context.AfterFunc(life, func() { // reads and writes return, even if the program does not end
		p.in.Close()
		p.out.Close()
	})
	obs := &observer{}
	return link{
		transport: &sdk.IOTransport{Reader: newMessages(p.out, obs), Writer: p.in},
		cut:       kill, gone: p.gone, words: p.words, said: p.said, observer: obs,
	}, nil
}

// exitedNormally describes the end of a program that was told to exit or had nothing to do.
const exitedNormally = "it ended with exit code 0"

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

// run runs the program and returns when it and all that it started are gone. Until then the
// program's ends of the pipes stay open here, so the output ends when all of these have ended.
func (p *program) run(life context.Context, launcher *process.Launcher, c process.Command) {
	done, err := launcher.Run(life, c)
	p.mu.Lock()
	switch {
	case err != nil:
		p.ended = line(err.Error(), lineLength)
	case done.Stopped == process.NotStopped && done.ExitCode == 0:
		p.ended = exitedNormally
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

func (p *program) noteLine(latest string) {
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
