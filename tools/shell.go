package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// Bounds of one command.
const (
	shellLimit   = 120 * time.Second // unless the call says another
	shellOutput  = 29_000            // characters: with what is said of it, no more than resultText
	shellCommand = 128 << 10         // bytes the kernel takes for one argument
	shellLongest = 600 * time.Second // that a call may wait for its command
)

type shellInput struct {
	Command     string `json:"command"`
	Timeout     int    `json:"timeout_ms"`
	Description string `json:"description"`
	Background  bool   `json:"run_in_background"`
}

// Shell runs a command line. watch may be nil: then nobody looks for what it changes.
func Shell(w *workspace.Workspace, launcher *process.Launcher, watch WatchCommand) agent.Tool {
	in := newInput[shellInput]("shell", `{"type": "object", "additionalProperties": false, "required": ["command"], "properties": {
		"command": {"type": "string", "minLength": 1, "description": "the command line, for bash"},
		"timeout_ms": {"type": "integer", "minimum": 1, "maximum": 86400000, "description": "the time limit, 120000 if not given, 600000 at most; in the background none if not given"},
		"run_in_background": {"type": "boolean", "description": "true: go on at once and be told when it ends; false, the default: wait for it"},
		"description": {"type": "string", "description": "what it does, in 5 to 10 words, for the person who watches"}}}`)
	return agent.Tool{
		Spec:  in.spec(),
		Label: labelOf("command"),
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			args, err := decodeShell(in, call.Input)
			if err != nil {
				return agent.Effect{}, err
			}
			view := agent.CommandView{Command: args.Command}
			if args.Background {
				view.Note = "in the background"
			}
			return agent.Effect{Kind: agent.EffectShell, Subject: args.Command, View: view, Background: args.Background}, nil
		},
		Run: func(ctx context.Context, call agent.Invocation) (result agent.Result) {
			args, err := decodeShell(in, call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			if args.Background {
				return startShell(call, args)
			}
			ended := watch.begin(ctx, call, args.Command)
			defer func() { result.Files = ended(ctx) }()
			return runShell(ctx, w, launcher, call, args)
		},
		Lost: lostShell,
	}
}

// decodeShell reads the arguments and refuses a command that cannot be started.
func decodeShell(in input[shellInput], raw json.RawMessage) (shellInput, error) {
	args, err := in.decode(raw)
	switch {
	case err != nil:
		return args, err
	case strings.TrimSpace(args.Command) == "":
		return args, errors.New("shell: command is blank: give a command line")
	case strings.ContainsRune(args.Command, 0):
		return args, errors.New("shell: command contains a NUL character, which a command line cannot")
	case len(args.Command) >= shellCommand:
		return args, fmt.Errorf("shell: command has %s, at most %s are possible: write it to a file and run that", words.Size(int64(len(args.Command))), words.Size(shellCommand))
	}
	switch {
	case args.Background:
	case args.Timeout == 0:
		args.Timeout = int(shellLimit / time.Millisecond)
	case args.limit() > shellLongest:
		return args, fmt.Errorf("shell: timeout_ms is at most %d where the call waits: give less, or run it with run_in_background", shellLongest/time.Millisecond)
	}
	return args, nil
}

// inBackground says that a call asks for a command in the background. What cannot be
// read asks for nothing.
func inBackground(call agent.Invocation) bool {
	var args struct {
		Background bool `json:"run_in_background"`
	}
	return json.Unmarshal(call.Input, &args) == nil && args.Background
}

// limit is how long the command may take; 0 is no limit.
func (in shellInput) limit() time.Duration { return time.Duration(in.Timeout) * time.Millisecond }

// commandLine is a command line as every shell runs it, in a folder.
func commandLine(launcher *process.Launcher, line, folder string) process.Command {
	command := launcher.ShellCommand(line, folder)
	command.Environ = []string{"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}
	return command
}

func runShell(ctx context.Context, w *workspace.Workspace, launcher *process.Launcher, call agent.Invocation, args shellInput) agent.Result {
	command := commandLine(launcher, args.Command, w.Folder())
	command.Limit, command.Outputs = args.limit(), w.Outputs
	command.Latest = call.Report
	command.Environ = append(command.Environ, call.Environ...)
	if args.Description != "" {
		call.Report(words.CutLine(args.Description, 200))
	}
	command.Closed, command.Reads = call.Closed, call.Reads
	done, err := launcher.Run(ctx, command)
	again := ""
	if err == nil && done.Refused != "" && done.Stopped == process.NotStopped {
		var yes bool
		if yes, again = askOutside(ctx, call, args, done); yes {
			command.Closed, command.Reads = false, false
			done, err = launcher.Run(ctx, command)
		}
	}
	done.Output = done.Output.KeptIn(w.Outputs, "shell", shellOutput)
	if errors.Is(err, syscall.E2BIG) {
		err = fmt.Errorf("%w: the command and the environment are too long together", err)
	}
	return shellResult(args, done, err, again)
}

// shellResult words how a command ended. What cannot be seen in its output stands
// in brackets behind it, more at the end.
func shellResult(args shellInput, done process.Finished, err error, more ...string) agent.Result {
	view := agent.CommandView{Command: args.Command, ExitCode: done.ExitCode}
	text, cut := done.Output.Text(shellOutput)
	view.Output = text
	var notes []string
	switch {
	case err != nil:
		notes = append(notes, err.Error())
		view.Note = err.Error()
	case done.Stopped == process.StopTimeLimit:
		limit := args.limit()
		notes = append(notes, fmt.Sprintf("stopped: the time limit of %v passed. Give more with timeout_ms (at most 600000), or do it in smaller parts", limit))
		view.Note = fmt.Sprintf("stopped after %v", limit)
	case done.Stopped == process.StopCanceled:
		notes = append(notes, "stopped before it was done; this is the output so far")
		view.Note = "stopped"
	default:
		notes = append(notes, fmt.Sprintf("exit code %d", done.ExitCode))
		if done.Left > 0 {
			notes = append(notes, fmt.Sprintf("%s that it left running was ended with it", words.Count(done.Left, "process")))
			view.Note = words.Join(", ", view.Note, "left processes were ended")
		}
		if done.Sandboxed != "" {
			notes = append(notes, done.Sandboxed)
			view.Note = words.Join(", ", view.Note, "the sandbox may be why")
		}
	}
	notes = append(notes, more...)
	if cut > 0 {
		view.Note = words.Join(", ", view.Note, "output cut")
	}
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	return agent.Result{
		Text:    strings.TrimRight(text, "\n") + "\n[" + words.Join("; ", notes...) + "]",
		View:    view,
		IsError: err != nil || done.Stopped != process.NotStopped || done.ExitCode != 0,
	}
}
