package remoterun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pawl/agent/remote"
	"pawl/tools/process"
)

// The command line of a run's process on a worker's machine, after the program's name.
const (
	Command = "run-worker"
	Placed  = "placed"
)

// maxStderr limits what is kept of a process's standard error, in characters: enough for the
// stacks of a crash.
const maxStderr = 20_000

// program is the process of a run. It is started while its checkout is made, and reads then where
// that is, so that its start costs no time.
type program struct {
	in, out *os.File // this process's ends of its standard input and output
	kill    context.CancelFunc
	gone    chan struct{} // closed when it and all that it started are gone; the next two are then set
	exit    remote.Exit
	err     error
}

// begin starts the process of the run.
func (p *place) begin() (*program, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), in.Close())
	}
	ctx, kill := context.WithCancel(context.Background())
	b := &program{in: in, out: out, kill: kill, gone: make(chan struct{})}
	command := process.Command{Name: p.of.Program, Args: []string{Command, Placed}, Folder: p.folder, Stdin: stdin, Stdout: stdout}
	go func() {
		defer close(b.gone)
		done, err := p.of.Launcher(p.run.Run).Run(ctx, command)
		_, _ = stdin.Close(), stdout.Close() // what is still written fails, and what was written ends
		said, _ := done.Output.Text(maxStderr)
		b.exit, b.err = remote.Exit{Code: done.ExitCode, Said: said}, err
	}()
	return b, nil
}

// end kills the process and returns when it is gone; clean says that all it started is. It is needed
// once, however the process ended.
func (b *program) end() (clean bool) {
	if b == nil {
		return true
	}
	b.kill()
	<-b.gone
	_, _ = b.in.Close(), b.out.Close() // closed already, or nothing can be lost
	return b.err == nil
}

// Start implements worker.Workplace: it tells the process where it works, and joins it with its host.
func (p *place) Start(ctx context.Context, in, out *os.File) (remote.Exit, error) {
	defer context.AfterFunc(ctx, p.program.kill)()
	var telling, reading sync.WaitGroup
	telling.Go(func() { p.tell(p.program.in, in) })
	reading.Go(func() { _, _ = io.Copy(out, p.program.out) }) // as far as somebody reads
	<-p.program.gone
	reading.Wait()
	_ = in.Close() // which ends what waits for a host that says nothing
	telling.Wait()
	return p.program.exit, p.program.err
}

// tell writes to the process where it works, and then what its host writes.
func (p *place) tell(to io.WriteCloser, from io.Reader) {
	defer to.Close() //nolint:errcheck // the process is gone, or reads the end
	line, err := json.Marshal(p.told())
	if err == nil {
		_, err = fmt.Fprintf(to, "%s\n", line)
	}
	if err == nil {
		_, _ = io.Copy(to, from) // as far as the process reads
	}
}
