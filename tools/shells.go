package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/outputs"
	"pawl/tools/process"
)

// Bounds of a shell in the background.
const (
	shellKept  = 8_000 // characters of the end of its output that its run keeps
	shellTail  = 4_000 // characters of it that people see while it runs
	shellsKept = 10    // ended ones whose whole output is kept for reading
)

// Shells are the commands that run in the background of this process, and what they
// have written: each as much as one output keeps, of ended ones the newest few, and
// the whole in a file where it was too long. The zero value works. All methods may
// be called from any goroutine.
type Shells struct {
	Outputs *outputs.Store // of the session; nil: what is too long is not kept whole

	mu    sync.Mutex
	open  map[lifecycle.SessionID]*written
	ended []lifecycle.SessionID // of those, the ended ones, oldest first
}

// written is what a shell has written, and how much of it was given to its
// model.
type written struct {
	read  func() process.Output
	given int64 // bytes
}

// shellPort is what a shell needs of the port of its run.
type shellPort interface {
	Run() lifecycle.Run
	Report(lifecycle.Progress)
}

// Work is the work of a lifecycle.Worker for a shell, also one of the user's own: it runs the
// command to its end, and nothing of it is left when this returns.
func (s *Shells) Work(ctx context.Context, port shellPort, launcher *process.Launcher) lifecycle.Outcome {
	run := port.Run()
	command := commandLine(launcher, run.Command, run.Folder)
	command.Limit, command.Outputs, command.Closed = run.Limit, s.Outputs, run.Closed
	var output func() process.Output
	command.Watched = func(read func() process.Output) {
		output = read
		if !run.UserShell() {
			s.begin(run.Session, read)
		}
	}
	command.Latest = func(line string) {
		port.Report(lifecycle.Progress{Activity: line, Text: output().End(shellTail)})
	}
	kept := shellKept
	if run.UserShell() {
		kept = shellOutput
	}
	done, err := launcher.Run(ctx, command)
	done.Output = done.Output.KeptIn(s.Outputs, "shell", kept)
	if !run.UserShell() { // no model looks for more of it
		s.end(run.Session, done.Output)
	}
	return shellOutcome(ctx, run, done, err)
}

func shellOutcome(ctx context.Context, run lifecycle.Run, done process.Finished, err error) lifecycle.Outcome {
	out := lifecycle.Outcome{Text: done.Output.End(shellKept)}
	if run.UserShell() { // its model gets as much as of a call of its own
		out.Text, _ = done.Output.Text(shellOutput)
	}
	if done.ExitCode >= 0 {
		out.ExitCode = &done.ExitCode
	}
	if done.Left > 0 && done.Stopped == process.NotStopped {
		out.Text += fmt.Sprintf("\n[%s that it left running was ended with it]", words.Count(done.Left, "process"))
	}
	if done.Sandboxed != "" {
		out.Text += "\n[" + done.Sandboxed + "]"
	}
	if done.Refused != "" {
		out.Text += "\n[" + closedNote(done.Refused) + ". Run it again if you need that: the user is then asked]"
	}
	fail := func(kind lifecycle.FailureKind, text string) { out.Err = &lifecycle.Failure{Kind: kind, Message: text} }
	switch {
	case err != nil && done.Took == 0:
		fail(lifecycle.FailSetup, err.Error())
	case err != nil:
		fail(lifecycle.FailProcess, err.Error())
	case done.Stopped == process.StopTimeLimit:
		fail(lifecycle.FailProcess, fmt.Sprintf("stopped: its time limit of %v passed", run.Limit))
	case done.Stopped == process.StopCanceled:
		out.Err = context.Cause(ctx)
	case done.ExitCode != 0:
		fail(lifecycle.FailProcess, fmt.Sprintf("exit code %d", done.ExitCode))
	}
	return out
}

func (s *Shells) begin(shell lifecycle.SessionID, read func() process.Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[lifecycle.SessionID]*written{}
	}
	s.open[shell] = &written{read: read}
}

// end keeps what an ended shell wrote, and forgets the oldest that is too many.
func (s *Shells) end(shell lifecycle.SessionID, all process.Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, begun := s.open[shell]
	if !begun {
		return // it could not be started
	}
	kept.read = func() process.Output { return all }
	s.ended = append(s.ended, shell)
	if len(s.ended) > shellsKept {
		delete(s.open, s.ended[0])
		s.ended = slices.Delete(s.ended, 0, 1)
	}
}

// news words what a shell has written since the last look; empty where this process
// has nothing of it.
func (s *Shells) news(shell lifecycle.SessionID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.open[shell]
	if !ok {
		return ""
	}
	all, before := kept.read(), kept.given
	kept.given = all.Total
	text, _ := all.Since(before).Text(shellOutput)
	switch {
	case strings.TrimSpace(text) != "":
		return text
	case before == 0:
		return lifecycle.NoOutput
	}
	return "(nothing new since your last look)"
}
