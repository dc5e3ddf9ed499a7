package guard

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ExitSignals sends the exit code of the first signal that asks for the end, from the kernel or
// the guard; the guard's own end counts as one. A second request ends the process at once. stop
// ends the watch.
func ExitSignals(l *Conn) (codes <-chan int, stop func()) {
	direct := make(chan os.Signal, 4)
	out := make(chan int, 1)
	done := make(chan struct{})
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as under nohup, or in a script's background job
			signal.Notify(direct, s)
		}
	}
	handedOn := make(chan os.Signal)
	release := l.Attend(func(s syscall.Signal) {
		select {
		case handedOn <- s:
		case <-done:
		}
	})
	go collectSignals(l, direct, handedOn, out, done)
	return out, func() {
		signal.Stop(direct)
		close(done)
		release()
	}
}

func collectSignals(l *Conn, direct, handedOn <-chan os.Signal, out chan<- int, done <-chan struct{}) {
	seen, asked, gone := NewReports(), false, l.Gone()
	for {
		var s os.Signal
		news := true
		select {
		case s = <-direct:
			news = seen.Direct(s, time.Now())
		case s = <-handedOn:
			news = seen.Forwarded(s, time.Now())
		case <-gone:
			s, gone = syscall.SIGHUP, nil
		case <-done:
			return
		}
		switch {
		case !news:
		case !asked:
			asked = true
			out <- signalCode(s)
		case s != syscall.SIGHUP: // a closed terminal sends it more than once
			l.Exit(signalCode(s))
		}
	}
}

// signalCode is the exit code that shells use for the end by a signal.
func signalCode(s os.Signal) int {
	number, _ := s.(syscall.Signal)
	return 128 + int(number)
}
