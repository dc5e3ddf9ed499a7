package remote

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"

	"pawl/lifecycle"
)

// The exit codes of a worker that finished.
const (
	exitCompleted = 0
	exitFailed    = 1
	exitStopped   = 130 // as after an interrupt
)

// KeepEnd names a file that gets the outcome before it is sent, for whoever brings it home if the
// host ends in between: see Ending. It is called before End.
func (p *Port) KeepEnd(file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endFile = file
}

// End sends the outcome, the last message of this process, and returns the exit code once a host
// has it: until then one that goes on in place of another is told it again.
func (p *Port) End(out lifecycle.Outcome) int {
	p.shells.finish()
	m := fromWorker{Act: actEnd, Protocol: Protocol, Text: out.Text, Error: wireErrorOf(out.Err)}
	p.mu.Lock()
	p.ended = &m
	file := p.endFile
	p.mu.Unlock()
	if err := keepEnd(file, m); err != nil {
		slog.Error("keep the outcome of a run", "file", file, "error", err)
	}
	err := p.send(m)
	code := exitFailed
	switch {
	case err == nil && out.Err == nil && out.Text != "":
		code = exitCompleted
	case p.ctx.Err() != nil:
		code = exitStopped
	}
	if err == nil {
		<-p.over
	}
	return code
}

func keepEnd(file string, end fromWorker) error {
	if file == "" {
		return nil
	}
	text, err := json.Marshal(end)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// Ending reads the outcome that a process kept in the file of KeepEnd.
func Ending(text []byte) (lifecycle.Outcome, error) {
	var end fromWorker
	if err := json.Unmarshal(text, &end); err != nil || end.Act != actEnd || end.Protocol != Protocol {
		return lifecycle.Outcome{}, fmt.Errorf("what its process kept of its end cannot be read: %.100q", text)
	}
	return lifecycle.Outcome{Text: end.Text, Err: end.Error.err()}, nil
}
