package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// unlimited lets a parent without a screen be woken as often as it takes: nobody
// else would ever deliver what it is owed.
const unlimited = -1

// runPrint is pawl -p: one prompt without a screen.
func runPrint(ctx context.Context, c *chatCommand, w world) (int, error) {
	if c.DrainTimeout < 0 {
		return host.ExitUsage, host.Usage(fmt.Sprintf("--drain-timeout %s: must be a duration such as 90s or 10m; leave it out for no limit", c.DrainTimeout))
	}
	prompt, err := c.opensWith(w)
	if err != nil {
		return host.ExitUsage, err
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a closed output is an error of its write
	h, err := openHouse(ctx, w, c, attendance{attended: c.talks(), whole: true, autoResumes: unlimited})
	if err != nil {
		return host.ExitError, err
	}
	if bad := badTypes(h.types); bad != "" {
		fmt.Fprintln(w.err, "pawl: "+string(sanitize.Line(bad)))
	}
	h.tellLeftOut(ctx)
	w.leash.say(string(rune(guard.Session)))
	signals, stop := exitSignals(w.leash, nil)
	defer stop()
	defer h.Close(lifecycle.CauseProcessEnd) // of what was left behind
	defer h.tellDown()
	code, err := headless.Run(ctx, headless.Options{
		Route: h.supervisor, Snapshot: h.snapshot, Prompt: prompt, Reach: agent.Reach(strings.Join(c.Prompt, " ")),
		JSON: c.OutputFormat == "json", Stream: h.stream(c), StopAgents: c.Agents == "stop", DrainTimeout: c.DrainTimeout,
		Out: w.out, Errors: w.err, Progress: isTerminal(w.err), Signals: signals,
		Hide: h.models.Hide(), Demo: h.choices.Model() == models.Demo,
	})
	if errors.Is(err, headless.ErrNothingSaid) {
		return host.ExitUsage, host.Usage(err.Error())
	}
	return code, err
}

// exitSignals gives the exit code of the first signal that asks for the end, from
// the kernel or by the guard; the end of the guard is one too. Somebody who asks
// again gets the end at once.
func exitSignals(l *leash, lent *loan) (codes <-chan int, stop func()) {
	direct := make(chan os.Signal, 4)
	out := make(chan int, 1)
	done := make(chan struct{})
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup, or a script's background job, wants to outlive it
			signal.Notify(direct, s)
		}
	}
	handedOn := make(chan os.Signal)
	release := l.attend(func(s syscall.Signal) {
		select {
		case handedOn <- s:
		case <-done:
		}
	})
	go collectSignals(l, lent, direct, handedOn, out, done)
	return out, func() {
		signal.Stop(direct)
		close(done)
		release()
	}
}

func collectSignals(l *leash, lent *loan, direct, handedOn <-chan os.Signal, out chan<- int, done <-chan struct{}) {
	seen, asked, gone := newReports(), false, l.gone()
	for {
		var s os.Signal
		news := true
		select {
		case s = <-direct:
			news = seen.direct(s, time.Now())
		case s = <-handedOn:
			news = seen.handedOn(s, time.Now())
		case <-gone:
			s, gone = syscall.SIGHUP, nil
		case <-done:
			return
		}
		switch {
		case !news:
		case s == syscall.SIGINT && lent.lasts(time.Now()): // Ctrl+C in a program that has the terminal
		case !asked:
			asked = true
			out <- exitCode(s)
		case s != syscall.SIGHUP: // a closed terminal says it more than once, and means nothing by it
			l.leave(exitCode(s))
		}
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
	file, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(file.Fd())
}
