package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// runner plays pieces in a module, and writes what came of them to a folder.
type runner struct {
	root, out string
	say       io.Writer
	state     state
}

// playAll goes on after a failure, and stops when the context ends: then it names what did not run.
func (r runner) playAll(ctx context.Context, pieces []part) error {
	unsound := false
	for i, p := range pieces {
		if ctx.Err() != nil {
			fmt.Fprintln(r.say, "interrupted. These did not run:")
			for _, left := range pieces[i:] {
				fmt.Fprintln(r.say, "  "+left.Name)
			}
			return errUnsound
		}
		fmt.Fprintf(r.say, "%s  %d/%d %s\n", time.Now().Format("15:04:05"), i+1, len(pieces), p.Name)
		got, err := r.play(ctx, p)
		if err != nil {
			return err
		}
		unsound = unsound || !got.sound()
		r.tell(got)
	}
	if unsound {
		return errUnsound
	}
	return nil
}

func (r runner) tell(got result) {
	for _, one := range got.Tried {
		fmt.Fprintf(r.say, "          tried %d %s\n", one.Count, one.What)
	}
	for _, f := range got.Failures {
		fmt.Fprintf(r.say, "          FAILED %s\n            %s\n          again: %s\n", f.Test, strings.Join(f.Lines, "\n            "), f.Again)
	}
	if got.CutShort != "" {
		fmt.Fprintln(r.say, "          CUT SHORT:", got.CutShort)
	}
}

// play plays one piece. Its error is one of the soak's, never of what is played.
func (r runner) play(ctx context.Context, p part) (result, error) {
	before, _, err := read(filepath.Join(r.out, p.file()))
	if err != nil {
		return result{}, err
	}
	args, err := r.arguments(p)
	if err != nil {
		return result{}, err
	}
	program, err := programOf(ctx, r.root, p.subjects())
	if err != nil {
		return result{}, err
	}
	began := time.Now()
	got := result{Part: p.Name, Whole: p.whole, Of: r.state, Program: program, Began: began.UTC().Truncate(time.Second), CutShort: "it did not come to its end"}
	if p.Fuzz != "" { // it adds up
		got.Tried, got.Seconds = before.Tried, before.Seconds
	}
	got.Command = strings.Join(append(p.Env, append([]string{"go"}, args...)...), " ")
	if err := got.write(r.out, p.file()); err != nil {
		return got, err
	}
	got.CutShort = ""
	limit, stop := context.WithTimeoutCause(ctx, p.limit()+5*time.Minute, fmt.Errorf("it took more than %v", p.limit()+5*time.Minute))
	defer stop()
	cmd := exec.CommandContext(limit, "go", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Join(r.root, p.Dir), append(os.Environ(), p.Env...), 10*time.Second
	apart(cmd)
	heard := newListener(func() bool { return limit.Err() != nil }, &got, p, cmd.Dir)
	all, err := os.Create(filepath.Join(r.out, p.log()))
	if err != nil {
		return got, err
	}
	defer all.Close()
	said := io.MultiWriter(heard, all)
	cmd.Stdout, cmd.Stderr = said, said
	err = cmd.Run()
	if cmd.Process == nil {
		return got, fmt.Errorf("start go test: %w", err)
	}
	killed(cmd)
	got.Seconds += time.Since(began).Seconds()
	switch {
	case ctx.Err() != nil:
		got.CutShort = "it was interrupted"
	case limit.Err() != nil:
		got.CutShort = context.Cause(limit).Error()
	}
	heard.end(err)
	if got.sound() {
		_ = os.Remove(all.Name()) // nobody looks for more than the result says
	}
	return got, got.write(r.out, p.file())
}

// log is the file that keeps all that a piece has said, as go test -json writes it, if it was not sound:
// a failure that comes once in a thousand plays is found in what it says at the end.
func (p part) log() string { return strings.TrimSuffix(p.file(), ".json") + ".log" }

// limit is after how long go test gives up a piece: beside another slice a piece has taken five times as long as alone.
func (p part) limit() time.Duration { return time.Duration((5*p.Minutes + 20) * float64(time.Minute)) }

// corpus is where fuzzing keeps what it has gathered: beside the results, so that the hours of
// several runs and machines add up.
func (r runner) corpus(p part) string { return filepath.Join(r.out, "corpus", p.Packages[0]) }

func (r runner) arguments(p part) ([]string, error) {
	args := []string{"test", "-json", "-count=1", "-timeout", p.limit().String()}
	if p.Race {
		args = append(args, "-race")
	}
	if p.Fuzz != "" {
		corpus, err := filepath.Abs(r.corpus(p))
		if err != nil {
			return nil, err
		}
		length := time.Duration(p.Minutes * float64(time.Minute)).Round(time.Second).String()
		return append(args, "-run", "^$", "-fuzz", "^"+p.Fuzz+"$", "-fuzztime", length, "-fuzzminimizetime", "1s", p.Packages[0], "-test.fuzzcachedir="+corpus), nil
	}
	if p.Run != "" {
		args = append(args, "-run", p.Run)
	}
	if p.Skip != "" {
		args = append(args, "-skip", p.Skip)
	}
	return append(append(args, p.Packages...), p.Args...), nil
}
