package process

import (
	"testing"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// What a command pays before and after it does anything, in each mode.
func BenchmarkLauncherStart(b *testing.B) {
	for _, mode := range modesHere() {
		b.Run(string(mode), func(b *testing.B) { startAndEnd(b, mode) })
	}
}

func startAndEnd(b *testing.B, mode launch.Mode) {
	l := &Launcher{Owner: "bench", Containment: Containment(mode)}
	for b.Loop() {
		if done, err := l.Run(b.Context(), Command{Name: "/bin/true", Folder: "/"}); err != nil || done.ExitCode != 0 {
			b.Fatal(done, err)
		}
	}
}

// The same in a sandbox, in a checkout: what is frozen is mounted.
func BenchmarkLauncherSandboxed(b *testing.B) {
	folder := b.TempDir()
	if done, err := (&Launcher{}).Run(b.Context(), Command{Name: "git", Args: []string{"init", "-q", "."}, Folder: folder}); err != nil || done.ExitCode != 0 {
		b.Skip("no git", done, err)
	}
	for _, mode := range modesHere() {
		b.Run(string(mode), func(b *testing.B) {
			l := &Launcher{Owner: "bench", Containment: Containment(mode), Sandbox: &sandbox.Policy{}}
			for b.Loop() {
				if done, err := l.Run(b.Context(), Command{Name: "/bin/true", Folder: folder}); err != nil || done.ExitCode != 0 {
					b.Fatal(done, err)
				}
			}
		})
	}
}
