package guard

import (
	"strings"
	"syscall"
	"testing"
)

func TestOnlyCommandsThatStartASessionAreGuarded(t *testing.T) {
	for line, want := range map[string]bool{
		"pawl":                           true,
		"pawl demo":                      true,
		"pawl -p version":                true,
		"pawl -p what does -- --help do": true,
		"pawl --continue":                true,
		"pawl --model demo -p sessions":  true,
		"pawl no-such-command":           true,
		"pawl version":                   false,
		"pawl show 0199 --format md":     false,
		"pawl -p --help":                 false,
		"pawl demo -h":                   false,
		"pawl -v":                        false,
		"pawl --version":                 false,
	} {
		if got := StartsSession(strings.Fields(line)); got != want {
			t.Errorf("%q: guarded is %v", line, got)
		}
	}
	if StartsSession(nil) {
		t.Error("a process without even a name is guarded")
	}
}

func TestTheGuardHearsAllThatPawlSaid(t *testing.T) {
	words := crashNotice("/a path/crash.log", 42) + string(rune(Session)) + crashNotice("/other/o m s", 7) + string(rune(InOrder))
	want := pawlState{session: true, inOrder: true, crash: "/other/o m s", crashSize: 7}
	if got := parseState(words); got != want {
		t.Errorf("%+v", got)
	}
	if got := parseState("c12 /cut"); got.crash != "/cut" || got.inOrder {
		t.Errorf("%+v", got)
	}
}

func TestTheLineSaysWhatHappened(t *testing.T) {
	exited := func(code int) syscall.WaitStatus { return syscall.WaitStatus(code << 8) }
	for want, got := range map[string]string{
		"": describeEnd(syscall.WaitStatus(syscall.SIGTERM), "", false) + describeEnd(syscall.WaitStatus(syscall.SIGPIPE), "", false),
		"it was killed (SIGKILL, or out of memory)":      describeEnd(syscall.WaitStatus(syscall.SIGKILL), "", false),
		"it was ended by signal 11 (segmentation fault)": describeEnd(syscall.WaitStatus(syscall.SIGSEGV), "", false),
		"a bug ended it":                        describeEnd(exited(2), "panic: boom", false),
		"it was told to quit at once (SIGQUIT)": describeEnd(exited(2), "SIGQUIT: quit", false),
		"it ended unexpectedly (exit code 7)":   describeEnd(exited(7), "", false),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := describeEnd(exited(2), "", true); got != "it was told to quit at once (SIGQUIT)" {
		t.Error(got)
	}
}
