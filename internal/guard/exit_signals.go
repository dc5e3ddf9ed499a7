package guard

import (
	"math"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// ExitSignals sends the exit code of the first signal that asks for the end, from the kernel or
// the guard; the guard's own end counts as one. A second request ends the process at once. stop
// ends the watch.
func ExitSignals(l *Conn, lent *Lease) (codes <-chan int, stop func()) {
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
	go collectSignals(l, lent, direct, handedOn, out, done)
	return out, func() {
		signal.Stop(direct)
		close(done)
		release()
	}
}

func collectSignals(l *Conn, lent *Lease, direct, handedOn <-chan os.Signal, out chan<- int, done <-chan struct{}) {
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
		case s == syscall.SIGINT && lent.Lasts(time.Now()): // Ctrl+C was meant for the program that has the terminal
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

// Lease tells whether another program has the terminal: Ctrl+C is then meant for that one. A nil
// Lease never lasts. Its methods may be called from any goroutine.
type Lease struct{ until atomic.Int64 } // in nanoseconds since 1970

// Begin gives the terminal to the other program.
func (l *Lease) Begin() { l.until.Store(math.MaxInt64) }

// End takes the terminal back. A signal sent before may still be on its way from the guard.
func (l *Lease) End(now time.Time) { l.until.Store(now.Add(SameSignal).UnixNano()) }

// Lasts reports whether the other program has the terminal at a given time.
func (l *Lease) Lasts(now time.Time) bool { return l != nil && now.UnixNano() < l.until.Load() }
