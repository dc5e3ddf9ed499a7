// Floor is the least that a start can be: as many processes as Pawl's, one after the other, of which
// the last commits to SQLite and then echoes a letter or has a word from a server.
//
//	floor DEPTH DATABASE [URL]
package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"

	"github.com/charmbracelet/x/term"
	_ "modernc.org/sqlite"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if depth, err := strconv.Atoi(args[0]); err != nil || depth > 1 {
		return below(depth, args[1:], err)
	}
	if err := commit(args[1]); err != nil {
		return err
	}
	if len(args) > 2 {
		return word(args[2])
	}
	return echo()
}

// below has one process more do the rest.
func below(depth int, args []string, err error) error {
	if err != nil {
		return err
	}
	cmd := exec.Command("/proc/self/exe", append([]string{strconv.Itoa(depth - 1)}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

func commit(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err == nil {
		_, err = db.Exec("create table if not exists t (x); insert into t values (1)")
	}
	return err
}

func word(url string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(os.Stdout, answer.Body)
	return err
}

func echo() error {
	if _, err := term.MakeRaw(0); err != nil {
		return err
	}
	fmt.Print("\x1b[?1049h")
	_, err := io.Copy(os.Stdout, os.Stdin)
	return err
}
