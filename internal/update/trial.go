package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// trialLimit is how long a program may take to say its version. It takes some 10 ms.
const trialLimit = 30 * time.Second

// versionOf starts a program once and returns the version that it says of itself.
func versionOf(ctx context.Context, program string, environ []string) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, trialLimit)
	defer cancel()
	said, err := started(ctx, program, environ, "version", "--json")
	var build struct{ Version string }
	if err == nil {
		err = json.Unmarshal(said, &build)
	}
	if err != nil {
		return "", fmt.Errorf("it does not run here: %w", err)
	}
	return build.Version, nil
}

// started runs a program to its end, without input, and returns what it wrote.
func started(ctx context.Context, program string, environ []string, args ...string) ([]byte, error) {
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer nothing.Close()
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	process, err := os.StartProcess(program, append([]string{programName}, args...), &os.ProcAttr{Env: environ, Files: []*os.File{nothing, to, nothing}})
	_ = to.Close()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = process.Kill(); _ = from.SetReadDeadline(time.Now()) })
	defer stop()
	said, wrong := io.ReadAll(io.LimitReader(from, 1<<20))
	state, err := process.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || wrong != nil:
		return nil, errors.Join(err, wrong)
	case !state.Success():
		return nil, errors.New(state.String())
	}
	return said, nil
}
