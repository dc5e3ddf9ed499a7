package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// logger prints what the server says of trouble, a line each, and drops the rest. The server calls it
// from many goroutines.
type logger struct {
	lock  sync.Mutex
	out   io.Writer
	fatal chan error // the first that ends the server; it has room for one
}

func (l *logger) say(format string, values []any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	fmt.Fprintln(l.out, "pawl-server: "+strings.ReplaceAll(fmt.Sprintf(format, values...), "\n", " · "))
}

func (l *logger) Warnf(format string, values ...any) { l.say(format, values) }

func (l *logger) Errorf(format string, values ...any) { l.say(format, values) }

func (l *logger) Fatalf(format string, values ...any) {
	select {
	case l.fatal <- fmt.Errorf(format, values...):
	default:
	}
}

func (l *logger) Noticef(string, ...any) {}

func (l *logger) Debugf(string, ...any) {}

func (l *logger) Tracef(string, ...any) {}
