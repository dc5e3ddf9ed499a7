package keys

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/guard"
	"pawl/internal/models"
	"pawl/internal/tty"
)

// longest is the longest key that is read, in bytes.
const longest = 16 << 10

// ask reads a key: from a terminal without showing it, else the first line of standard input. The
// error wraps a *command.End where a signal has ended it.
func ask(w base.World, name string) (key string, err error) {
	text := ""
	if base.ReadsTerminal(w.In) {
		text, err = typed(w, name)
	} else {
		text, err = firstLine(w.In)
	}
	if err != nil {
		return "", fmt.Errorf("the key was not read: %w", err)
	}
	key = strings.TrimSpace(text)
	switch {
	case key == "":
		return "", errors.New("no key was given, and nothing is changed")
	case !models.IsKey(key):
		return "", errors.New("this is no key, which has no blanks, no line breaks and no other signs than ASCII's: nothing is changed")
	}
	return key, nil
}

// typed reads a line without an echo, and puts the terminal right whatever ends it.
func typed(w base.World, name string) (string, error) {
	in, ok := w.In.(*os.File)
	if !ok {
		return "", errors.New("standard input is no file")
	}
	codes, stop := guard.ExitSignals(w.Guard)
	defer stop()
	restore, err := tty.Silence(in) // before it is asked for: people type fast
	if err != nil {
		return "", err
	}
	defer restore()
	fmt.Fprintf(w.Err, "The key of %s (it is not shown): ", name)
	defer fmt.Fprintln(w.Err)
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := firstLine(in)
		read <- line{text, err}
	}()
	select {
	case l := <-read:
		return l.text, l.err
	case code := <-codes:
		return "", command.Ended(code, nil)
	}
}

func firstLine(in io.Reader) (string, error) {
	text, err := bufio.NewReader(io.LimitReader(in, longest)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text, err
}
