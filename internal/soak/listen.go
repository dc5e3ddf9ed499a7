package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// linesKept is how much of what a test says is kept for the case that it fails.
const linesKept = 25

// listener takes what go test says into a result. Only one goroutine writes to it: a command's
// Stdout and Stderr that are the same are written in turn.
type listener struct {
	got    *result
	part   part
	folder string      // in which go test runs
	over   func() bool // whether its time is over
	rest   []byte
	tests  map[[2]string]*tested
	order  [][2]string
	said   map[[2]string][]string // by a package and a test or subtest
	inputs int
}

func newListener(over func() bool, got *result, p part, folder string) *listener {
	return &listener{got: got, part: p, folder: folder, over: over, tests: map[[2]string]*tested{}, said: map[[2]string][]string{}}
}

func (l *listener) Write(data []byte) (int, error) {
	l.rest = append(l.rest, data...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			return len(data), nil
		}
		l.rest = rest
		var e event
		if json.Unmarshal(line, &e) != nil { // go itself speaks
			e = event{Action: "output", Output: string(line)}
		}
		l.take(e)
	}
}

func (l *listener) take(e event) {
	key := [2]string{e.Package, e.Test}
	if e.Action == "build-output" {
		key = [2]string{}
	}
	switch e.Action {
	case "output", "build-output":
		l.line(key, strings.TrimRight(e.Output, "\n"))
	case "pass", "fail", "skip":
		if e.Test != "" {
			l.ended(e.Action, key)
		} else if e.Action == "fail" && len(l.got.Failures) == 0 {
			l.failed(key, e.Package)
		}
	}
}

var (
	triedLine       = regexp.MustCompile(`^\s+\S+\.go:\d+: tried (\d+) (.+)$`)
	counterpartLine = regexp.MustCompile(`^\s+\S+\.go:\d+: counterpart (.+) version (\S+) cases (\d+)$`)
	againLine       = regexp.MustCompile(`again: (.+)$`)
	rapidLine       = regexp.MustCompile(`To reproduce, specify -run="([^"]+)" .*(-rapid\.seed=\d+)`)
	fuzzedLine      = regexp.MustCompile(`^fuzz: elapsed: .* execs: (\d+)`)
	inputLine       = regexp.MustCompile(`Failing input written to (\S+)`)
	hungLine        = regexp.MustCompile(`^\t+((?:Test|Fuzz)\S+) \(`)
	frameLine       = regexp.MustCompile(`^\s*(=== |--- |\? |ok |PASS|FAIL|exit status|$)`)
)

func (l *listener) line(key [2]string, line string) {
	if m := triedLine.FindStringSubmatch(line); m != nil {
		count, _ := strconv.Atoi(m[1])
		l.got.add(count, m[2])
		return
	}
	if m := counterpartLine.FindStringSubmatch(line); m != nil {
		cases, _ := strconv.Atoi(m[3])
		l.got.Counterpart = append(l.got.Counterpart, counterpart{m[1], m[2], cases})
		return
	}
	if m := fuzzedLine.FindStringSubmatch(line); m != nil {
		l.inputs, _ = strconv.Atoi(m[1])
		return
	}
	if strings.HasPrefix(line, "panic: test timed out after") {
		l.got.CutShort = strings.TrimPrefix(line, "panic: ")
	}
	if m := hungLine.FindStringSubmatch(line); m != nil && l.got.CutShort != "" {
		l.got.CutShort += " in " + m[1]
	}
	again := againLine.MatchString(line) || rapidLine.MatchString(line) || inputLine.MatchString(line)
	if !frameLine.MatchString(line) && (again || len(l.said[key]) < linesKept) {
		l.said[key] = append(l.said[key], line)
	}
}

func (l *listener) ended(how string, key [2]string) {
	name, _, below := strings.Cut(key[1], "/")
	top := [2]string{key[0], name}
	if l.tests[top] == nil {
		l.tests[top] = &tested{Package: key[0], Name: name}
		l.order = append(l.order, top)
	}
	one := l.tests[top]
	switch {
	case how == "fail":
		l.failed(key, key[1])
		if !below {
			one.Failed++
		}
	case below && how == "pass":
		one.Cases++
	case how == "pass":
		one.Passed++
	case !below:
		one.Skipped++
		if said := l.said[key]; len(said) > 0 {
			_, one.Why, _ = strings.Cut(strings.TrimSpace(said[len(said)-1]), ": ")
		}
	}
	delete(l.said, key)
}

// failed notes a failure, if what failed has said something itself: a test whose subtest failed has
// not.
func (l *listener) failed(key [2]string, name string) {
	if key[1] == "" && l.over() { // it was cut short, which is no failure of its own
		return
	}
	said := l.said[key]
	if key[1] == "" { // a package that was not built, or died
		said = append(said, l.said[[2]string{}]...)
	}
	if len(said) == 0 && (len(l.got.Failures) > 0 || l.got.CutShort != "") {
		return
	}
	again := l.again(key, said)
	if l.part.Race {
		again = strings.Replace(again, "go test ", "go test -race ", 1)
	}
	if len(said) > linesKept {
		said = said[:linesKept]
	}
	l.got.Failures = append(l.got.Failures, failure{name, said, again})
}

// again is what plays a failure again: what the test itself says, or the test as it was played.
func (l *listener) again(key [2]string, said []string) string {
	where := l.where(key[0])
	for i := len(said) - 1; i >= 0; i-- {
		if m := againLine.FindStringSubmatch(said[i]); m != nil {
			return m[1]
		}
		if m := rapidLine.FindStringSubmatch(said[i]); m != nil {
			return fmt.Sprintf("go test -count=1 %s -run '^%s$' %s", where, m[1], m[2])
		}
		if m := inputLine.FindStringSubmatch(said[i]); m != nil {
			if text, err := os.ReadFile(filepath.Join(l.folder, where, m[1])); err == nil {
				said[i] += ": " + strings.ReplaceAll(string(text[:min(len(text), 2000)]), "\n", " ")
			}
			return fmt.Sprintf("go test -count=1 %s -run '^%s$/^%s$'", where, l.part.Fuzz, filepath.Base(m[1]))
		}
	}
	run := l.part.Run
	if test, _, _ := strings.Cut(key[1], "/"); test != "" {
		run = "^" + test + "$"
	}
	line := strings.Join(append(slices.Clone(l.part.Env), fmt.Sprintf("go test -count=1 %s -run '%s'", where, run)), " ")
	if l.part.Dir != "" {
		line = "cd " + l.part.Dir + " && " + line
	}
	return line
}

// where is a package as one names it in its module's root.
func (l *listener) where(pkg string) string {
	for _, one := range l.part.Packages {
		if strings.HasSuffix(pkg, strings.TrimPrefix(one, ".")) {
			return one
		}
	}
	return pkg
}

// end closes the result, with what go test ended with.
func (l *listener) end(err error) {
	seen := map[string]bool{}
	for _, key := range l.order {
		l.got.Tests = append(l.got.Tests, *l.tests[key])
		seen[l.where(key[0])] = true
	}
	if l.part.Fuzz != "" {
		l.got.add(l.inputs, "inputs")
	}
	if err != nil && l.got.sound() {
		l.got.Failures = append(l.got.Failures, failure{Test: l.part.Name, Lines: append(l.said[[2]string{}], err.Error())})
	}
	for _, one := range l.part.Packages {
		all := strings.HasSuffix(one, "...") && len(seen) > 0
		if !seen[one] && !all && l.got.sound() {
			l.got.Failures = append(l.got.Failures, failure{Test: l.part.Name, Lines: []string{fmt.Sprintf("no test of %s matches %q", one, l.part.Run+l.part.Fuzz)}})
		}
	}
}

// rounded writes how long something took.
func rounded(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < time.Minute {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
