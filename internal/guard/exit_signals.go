package guard

import (
	"math"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// ExitSignals gives the exit code of the first signal that asks for the end, from
// the kernel or by the guard; the end of the guard is one too. Somebody who asks
// again gets the end at once.
func ExitSignals(l *Conn, lent *Lease) (codes <-chan int, stop func()) {
	direct := make(chan os.Signal, 4)
	out := make(chan int, 1)
	done := make(chan struct{})
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup, or a script's background job, wants to outlive it
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
		case s == syscall.SIGINT && lent.Lasts(time.Now()): // Ctrl+C in a program that has the terminal
		case !asked:
			asked = true
			out <- signalCode(s)
		case s != syscall.SIGHUP: // a closed terminal says it more than once, and means nothing by it
			l.Leave(signalCode(s))
		}
	}
}

// signalCode is what shells call the end by a signal.
func signalCode(s os.Signal) int {
	number, _ := s.(syscall.Signal)
	return 128 + int(number)
}

// Lease is the time for which another program has the terminal: Ctrl+C is meant for
// that one. A nil loan never lasts.
type Lease struct{ until atomic.Int64 } // in nanoseconds since 1970

// Begin gives the terminal to the other program.
func (l *Lease) Begin() { l.until.Store(math.MaxInt64) }

// End gives the terminal back; a signal of before may be on its way by the guard.
func (l *Lease) End(now time.Time) { l.until.Store(now.Add(SameSignal).UnixNano()) }

// Lasts says whether the other program has the terminal at a time.
func (l *Lease) Lasts(now time.Time) bool { return l != nil && now.UnixNano() < l.until.Load() }
