// longsession is a program of the benchmarks: it writes a session as long as one may get into a
// database, and says on standard output which.
//
//	longsession records DATABASE NUMBER         of so many records, with subagents
//	longsession turns DATABASE FOLDER NUMBER    of so many turns, each answered by standard input
//	longsession sessions DATABASE FOLDER NUMBER so many of one turn, and says the last
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"pawl/lifecycle"
)

func main() {
	number, err := strconv.Atoi(os.Args[len(os.Args)-1])
	check(err)
	if os.Args[1] == "records" {
		fmt.Println(writeRecords(os.Args[2], lifecycle.Seq(number)))
		return
	}
	answer, err := io.ReadAll(os.Stdin)
	check(err)
	sessions, turns := 1, number
	if os.Args[1] == "sessions" {
		sessions, turns = number, 1
	}
	fmt.Println(writeSessions(os.Args[2], os.Args[3], sessions, turns, string(answer)))
}

// check ends the program where something is wrong.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
