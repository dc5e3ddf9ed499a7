package process

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// powersFor is what this system has for a sandbox around commands that are kept so. A
// network of its own is looked into where the sandbox is to have one.
func powersFor(ctx context.Context, s sandbox.Policy, mode launch.Mode) sandbox.Powers {
	p := sandbox.Probe()
	if mode == launch.Namespace {
		p.Mounts = trial{mode: mode, mounts: true, hides: s.Closed}.answer(ctx)
	}
	if s.Mode == sandbox.Strict || s.Closed {
		p.Loopback = trial{mode: mode, network: true}.answer(ctx)
	}
	return p
}

// CheckClosed says what a sandbox lacks for commands that run without a question in a folder;
// nil: it is whole. It tries what the first such command would try.
func CheckClosed(ctx context.Context, wanted Containment, s sandbox.Policy, folder string) error {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	if err := sandbox.Narrow(folder, os.Environ()); err != nil {
		return err
	}
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		return err
	}
	s.Closed = true
	return s.Whole(powersFor(ctx, s, mode))
}

// CheckSandbox finds out what a policy keeps commands from here that are contained as
// wanted. It tries what the first command would try.
func CheckSandbox(ctx context.Context, wanted Containment, s sandbox.Policy) sandbox.Report {
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		return sandbox.Report{Mode: cmp.Or(s.Mode, sandbox.Auto), Network: sandbox.NetworkOpen, Err: err}
	}
	return s.Report(powersFor(ctx, s, mode))
}
