package process

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// readGrace is how long what a program has written may take to come once it has ended: one
// that outlived it may hold the other end of the pipe, and a busy machine may let this one wait.
const readGrace = 10 * time.Second

// Read runs a program as Run does and gives the first bytes of its standard output, at most
// so many; Finished.Output is its standard error.
func (l *Launcher) Read(ctx context.Context, c Command, most int64) ([]byte, Finished, error) {
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, Finished{ExitCode: -1}, err
	}
	defer out.Close()
	c.Stdout = theirs
	var text []byte
	read := make(chan error, 1)
	go func() {
		var err error
		text, err = io.ReadAll(io.LimitReader(out, most))
		_, _ = io.Copy(io.Discard, out) // or the program would block
		read <- err
	}()
	done, err := l.Run(ctx, c)
	theirs.Close()
	_ = out.SetReadDeadline(time.Now().Add(readGrace)) // a pipe takes deadlines
	err = errors.Join(err, <-read)
	return text, done, err
}
