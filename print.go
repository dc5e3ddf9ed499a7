package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"

	"pawl/lifecycle"
	"pawl/ui/headless"
)

// unlimited lets a parent without a screen be woken as often as it takes: nobody
// else would ever deliver what it is owed.
const unlimited = -1

// maxStandardInput bounds what is read as a part of the prompt.
const maxStandardInput = 10 << 20

// runPrint is pawl -p: one prompt without a screen.
func runPrint(ctx context.Context, c *chatCommand, w world) (int, error) {
	prompt, err := printPrompt(c.Prompt, w.in)
	if err != nil {
		return exitUsage, err
	}
	h, err := openHouse(ctx, w, c, attendance{autoResumes: unlimited})
	if err != nil {
		return exitError, err
	}
	signals, stop := exitSignals()
	defer stop()
	cause := lifecycle.CauseProcessEnd
	defer func() { h.Close(cause) }()
	return headless.Run(ctx, headless.Options{
		Route: h.supervisor, Snapshot: h.snapshot, Prompt: prompt,
		JSON: c.OutputFormat == "json", StopAgents: c.Agents == "stop", DrainTimeout: c.DrainTimeout,
		Out: w.out, Errors: w.err, Progress: isTerminal(w.err), Signals: signals,
	})
}

// printPrompt joins the words of the command line and what stands on standard
// input, unless that is a terminal.
func printPrompt(words []string, in io.Reader) (string, error) {
	prompt := strings.Join(words, " ")
	if file, ok := in.(*os.File); !ok || !term.IsTerminal(file.Fd()) {
		piped, err := io.ReadAll(io.LimitReader(in, maxStandardInput))
		if err != nil {
			return "", &usageError{"read the prompt from standard input: " + err.Error()}
		}
		prompt = strings.TrimSpace(prompt + "\n\n" + string(piped))
	}
	if strings.TrimSpace(prompt) == "" {
		return "", &usageError{`-p needs a prompt: pawl -p "…", or text on standard input`}
	}
	return prompt, nil
}

// exitSignals gives the exit code of each signal that asks for the end.
func exitSignals() (codes <-chan int, stop func()) {
	signals := make(chan os.Signal, 1)
	out := make(chan int, 1)
	done := make(chan struct{})
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			out <- exitCode(s)
			signal.Stop(signals) // a second one ends the process at once
		case <-done:
		}
	}()
	return out, func() {
		signal.Stop(signals)
		close(done)
	}
}

func exitCode(s os.Signal) int {
	switch s {
	case syscall.SIGHUP:
		return headless.ExitSIGHUP
	case syscall.SIGTERM:
		return headless.ExitSIGTERM
	}
	return headless.ExitSIGINT
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
