package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// Containment says how the processes of a command are kept together.
type Containment string

// The ways, the strongest first. ContainAuto takes the strongest that is possible.
const (
	ContainAuto      Containment = "auto"
	ContainNamespace             = Containment(launch.Namespace)
	ContainSubreaper             = Containment(launch.Subreaper)
	ContainGroup                 = Containment(launch.Group)
)

// ContainmentReport says what keeps the processes of commands.
type ContainmentReport struct {
	Mode Containment // in force; empty where the one that is wanted is not possible
	Why  []string    // a line for each stronger one: why it is not in force
	Gaps []string    // what this one does not cover, a sentence each
	Err  error       // why no command can be started
}

// CheckContainment tries what is possible here, as the first command does.
func CheckContainment(ctx context.Context, wanted Containment) ContainmentReport {
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		return ContainmentReport{Err: err}
	}
	report := ContainmentReport{Mode: Containment(mode), Gaps: gapsOf(mode)}
	for _, stronger := range modesHere() {
		if stronger == mode {
			break
		}
		why := fmt.Sprintf("the setting tools.containment is %q", wanted)
		if err := possible(ctx, stronger); err != nil {
			why = err.Error()
		}
		report.Why = append(report.Why, fmt.Sprintf("%s: %s", stronger, why))
	}
	return report
}

// gapsOf says in words what a mode does not keep.
func gapsOf(mode launch.Mode) []string {
	gaps := []string{"What another program starts for a command (docker, systemd-run, at, a server that was there before) does not belong to the command and is not ended with it."}
	switch {
	case mode == launch.Namespace:
	case mode == launch.Subreaper:
		gaps = append(gaps,
			"A command can kill its helper: a process that has left the command's session and wiped its environment then keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, a process that has left the command's session keeps running.",
			"A process that forks into new sessions faster than they are found keeps running.")
	case runtime.GOOS == "linux":
		gaps = append(gaps, "A process that has left its group and session and wiped its environment is not found, and keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, everything but the command itself keeps running.")
	default:
		gaps = append(gaps, "A process that has left its group is not found, and keeps running.",
			"If Pawl, its guard and a helper are all killed with SIGKILL at once, the command keeps running.")
	}
	return gaps
}

// modeFor chooses how a command is kept.
func modeFor(ctx context.Context, wanted Containment) (launch.Mode, error) {
	for _, mode := range modesHere() {
		switch {
		case wanted == Containment(mode):
			if err := possible(ctx, mode); err != nil {
				return "", fmt.Errorf("tools.containment = %q is not possible here: %w", wanted, err)
			}
			return mode, nil
		case wanted != ContainAuto && wanted != "":
		case possible(ctx, mode) == nil:
			return mode, nil
		}
	}
	if wanted == ContainAuto || wanted == "" {
		return launch.Group, nil // its start says what is wrong
	}
	return "", fmt.Errorf("tools.containment = %q is not possible on %s: choose one of %v or %q", wanted, runtime.GOOS, modesHere(), ContainAuto)
}

// tried is what was found out about the modes, once a process: what a kernel
// allows does not change while Pawl runs.
var tried = struct {
	sync.Mutex
	answers map[trial]error
}{answers: map[trial]error{}}

// trial is what can be tried.
type trial struct {
	mode    launch.Mode
	mounts  bool // those of a confinement
	network bool // one of its own
}

// possible tries a mode with a helper that starts nothing.
func possible(ctx context.Context, mode launch.Mode) error { return trial{mode: mode}.answer(ctx) }

func (t trial) answer(ctx context.Context) error {
	tried.Lock()
	defer tried.Unlock()
	err, known := tried.answers[t]
	if !known {
		err = t.try(ctx)
		tried.answers[t] = err
	}
	return err
}

func (t trial) try(ctx context.Context) error {
	// Whoever asks first may be stopped; the answer is for all.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var p pipes
	theirs, err := p.open()
	if err != nil {
		return err
	}
	defer p.close()
	cmd := exec.CommandContext(ctx, launch.Name)
	cmd.Err, cmd.Dir, cmd.Env = nil, "/", []string{}
	how := manner{mode: t.mode}
	switch {
	case t.mounts:
		how.confinement = &launch.Confinement{Freeze: []string{"/proc"}, Terminals: true}
	case t.network:
		how.confinement = &launch.Confinement{Loopback: true}
	}
	how.intoHelper(cmd, launch.Arguments(t.mode, how.confinement, ""))
	cmd.ExtraFiles = theirs[1:]
	err = cmd.Start()
	closeFiles(theirs[:])
	if err != nil {
		step := "start"
		if t.mode == launch.Namespace || t.network {
			step = "namespace"
		}
		return inWords(step, errnoOf(err), cause(err))
	}
	p.tell(how.confinement)
	err = cmd.Wait()
	report := p.readReport()
	switch {
	case report.Ready:
		return nil
	case report.Step != "":
		return inWords(report.Step, report.Errno, report.Errno)
	default:
		return fmt.Errorf("the helper gave no answer (%w)", errors.Join(err, ctx.Err()))
	}
}

// powersFor is what this system has for a sandbox around commands that are kept so. A
// network of its own is looked into where the sandbox is to have one.
func powersFor(ctx context.Context, s sandbox.Policy, mode launch.Mode) sandbox.Powers {
	p := sandbox.Probe()
	if mode == launch.Namespace {
		p.Mounts = trial{mode: mode, mounts: true}.answer(ctx)
	}
	if s.Mode == sandbox.Strict {
		p.Loopback = trial{mode: mode, network: true}.answer(ctx)
	}
	return p
}

// CheckSandbox finds out what is possible here, as the first command does.
func CheckSandbox(ctx context.Context, wanted Containment, s sandbox.Policy) sandbox.Report {
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		return sandbox.Report{Mode: cmp.Or(s.Mode, sandbox.Auto), Network: sandbox.NetworkOpen, Err: err}
	}
	return s.Report(powersFor(ctx, s, mode))
}

// intoHelper makes a command that of the helper.
func (m manner) intoHelper(cmd *exec.Cmd, arguments []string) {
	if !launch.Ready() {
		cmd.Err = errors.New("this program has no helper for commands: its main must call launch.Main first")
	}
	cmd.Args = arguments
	cmd.SysProcAttr = m.attributes()
	path, err := helperPath()
	if err != nil && cmd.Err == nil {
		cmd.Err = err
	}
	cmd.Path = path
}

// inWords says what was not possible, at which step, and what that mostly means.
func inWords(step string, number syscall.Errno, err error) error {
	about := map[string]string{
		"namespace": "no namespace could be made", "mounts": "the mounts could not be made private",
		"proc": "no /proc of its own could be mounted", "subreaper": "the kernel has no subreaper",
		launch.StepFreeze: "no read-only mount could be made", launch.StepTerminals: "no terminals of its own could be mounted",
		launch.StepLoopback: "no network of its own could be made",
	}[step]
	if about == "" {
		about = "the helper failed at " + step
	}
	hint := ""
	switch number {
	case syscall.EPERM, syscall.EACCES:
		hint = "; a container or a rule of this system forbids it"
	case syscall.EINVAL, syscall.ENOSYS:
		hint = "; the kernel was built without it"
	case syscall.ENOSPC, syscall.EUSERS:
		hint = "; the system's limit of namespaces is used up or 0"
	default: // the error says it
	}
	return fmt.Errorf("%s: %w%s", about, err, hint)
}

func errnoOf(err error) syscall.Errno {
	var number syscall.Errno
	_ = errors.As(err, &number)
	return number
}

// cause is the innermost of an error about a path: its name says nothing here.
func cause(err error) error {
	var about *os.PathError
	if errors.As(err, &about) {
		return about.Err
	}
	return err
}
