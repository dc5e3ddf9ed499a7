package machines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/tools/process"
)

// serverName is the program that is looked for beside this one, and then on PATH.
const serverName = "pawl-server"

// child is pawl-server, started by this process. Its first line says how it is reached.
type child struct {
	URL   string `json:"url"`
	Creds string `json:"creds"`
	Says  string `json:"says"`

	gone context.Context // ends with the server, for a cause that says why
	stop func()          // ends it, and returns when it has
}

// endLimit is how long a server may take to write down what it has, before it is killed.
const endLimit = 10 * time.Second

// checkAddress refuses what is no address to listen at.
func checkAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	const highest = 1<<16 - 1
	if n, wrong := strconv.Atoi(port); err != nil || wrong != nil || n < 0 || n > highest {
		return fmt.Errorf("--serve %q: must be HOST:PORT or :PORT, such as :4222", address)
	}
	return nil
}

// serverPath is the file of pawl-server.
func serverPath() (string, error) {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return "", err
	}
	if path := filepath.Join(filepath.Dir(own), serverName); system.Exists(path) {
		return path, nil
	}
	if path, here := process.ProgramPath(serverName); path != "" && !here {
		return path, nil
	}
	return "", fmt.Errorf("--serve needs %s, which is neither beside Pawl nor on PATH: install the package %[1]s or the archive of that name (sh install.sh --with-server), or name any NATS server with JetStream with --nats", serverName)
}

// startServer starts a server and returns when it can be reached.
func startServer(ctx context.Context, b *base.Base, address string) (*child, error) {
	path, err := serverPath()
	if err != nil {
		return nil, err
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, err
	}
	gone, end := context.WithCancelCause(context.WithoutCancel(ctx))
	running, kill := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		launcher := &process.Launcher{Containment: process.Containment(b.Settings.Tools.Containment), Withheld: b.Models.Withheld()}
		done, err := launcher.Run(running, process.Command{
			Name: path, Args: []string{"--child", "--listen", address, "--store", b.Folders.Server()}, Folder: "/",
			Stdin: pipes.itsInput, Stdout: pipes.itsOutput, Latest: func(line string) { b.World.Tell("%s", line) },
		})
		pipes.closeIts()
		kill()
		end(ended(done, err))
	}()
	c := &child{gone: gone, stop: func() {
		_ = pipes.input.Close() // which ends it
		timer := time.AfterFunc(endLimit, kill)
		<-gone.Done()
		timer.Stop()
		_ = pipes.output.Close()
	}}
	line, err := bufio.NewReader(pipes.output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, c)
	}
	if err != nil {
		c.stop()
		return nil, context.Cause(gone)
	}
	return c, nil
}

// ended says in one line how a server ended.
func ended(done process.Finished, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", serverName, err)
	}
	const longest = 2000 // characters
	lines := strings.Split(strings.TrimSpace(done.Output.End(longest)), "\n")
	if said := strings.TrimPrefix(lines[len(lines)-1], serverName+": "); said != "" {
		return errors.New(said)
	}
	return fmt.Errorf("%s ended with exit code %d", serverName, done.ExitCode)
}

// pipes are both ends of a server's input and output.
type pipes struct{ itsInput, input, output, itsOutput *os.File }

func openPipes() (p pipes, err error) {
	if p.itsInput, p.input, err = os.Pipe(); err != nil {
		return p, err
	}
	if p.output, p.itsOutput, err = os.Pipe(); err != nil {
		_ = p.itsInput.Close()
		_ = p.input.Close()
	}
	return p, err
}

func (p pipes) closeIts() {
	_ = p.itsInput.Close()
	_ = p.itsOutput.Close()
}
