package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// roles are what the test binary does in place of its tests, by the variable that asks for it.
var roles = map[string]func(){roleLine: playRole, roleReport: playReport}

// playAsked plays the role that the environment asks for, if it asks for one.
func playAsked() {
	for variable, play := range roles {
		if os.Getenv(variable) != "" {
			play()
		}
	}
}

// The variables of a test binary that plays a Pawl, to be killed.
const (
	roleLine  = "PAWL_TEST_LINE"
	roleMode  = "PAWL_TEST_MODE"
	roleTimes = "PAWL_TEST_TIMES"
	// roleSandbox makes it confine them, and hide itself; empty: neither.
	roleSandbox = "PAWL_TEST_SANDBOX"
	// roleReport makes it say which containment it finds.
	roleReport = "PAWL_TEST_REPORT"
)

// role starts a Pawl that runs a command line, one after the other in so many
// goroutines.
func role(t *testing.T, mode launch.Mode, folder, line string, times int, environ ...string) *exec.Cmd {
	t.Helper()
	path, err := helperPath()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), environ...), roleLine+"="+line, roleMode+"="+string(mode), fmt.Sprintf("%s=%d", roleTimes, times))
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd
}

func playRole() {
	l := &Launcher{Owner: "role", Containment: Containment(os.Getenv(roleMode))}
	if mode := os.Getenv(roleSandbox); mode != "" {
		l.Hide, l.Sandbox = true, &sandbox.Policy{Mode: sandbox.Mode(mode)}
	}
	c := shellCommand(os.Getenv(roleLine))
	c.Folder, _ = os.Getwd()
	times, _ := strconv.Atoi(os.Getenv(roleTimes))
	failed := make(chan error)
	for range times {
		go func() {
			for {
				if _, err := l.Run(context.Background(), c); err != nil {
					failed <- err
				}
			}
		}()
	}
	fmt.Fprintln(os.Stderr, <-failed)
	os.Exit(1)
}

func playReport() {
	found := CheckContainment(context.Background(), ContainAuto)
	fmt.Println(found.Mode)
	for _, why := range found.Why {
		fmt.Println(why)
	}
	_, err := (&Launcher{Containment: ContainNamespace}).Run(context.Background(), shellCommand("true"))
	fmt.Println("forced:", err)
	os.Exit(0)
}
