package base

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/internal/keys"
	"pawl/internal/models"
	"pawl/internal/words"
	"pawl/tools/process"
)

// Keys is the user's key store. PAWL_HOME, which puts everything of Pawl's in one place, keeps it
// out of the system's key ring, which all homes would share.
func Keys(folders settings.Folders) *keys.Store {
	return keys.New(folders.Data, os.Getenv("PAWL_HOME") == "")
}

// ModelsOf are the models that the user can ask: the built-in providers, those of the settings,
// and their keys.
func ModelsOf(w World, folders settings.Folders, s settings.Settings, pace script.Pace) *models.Set {
	m := models.New(w.Environ, Secrets(w.Environ), pace).With(s.Models)
	if w.Learned != nil {
		m.Learned = w.Learned
	}
	kept := Keys(folders)
	m.Keys = kept
	m.Learned.Add(kept.Held()...)
	m.Run = func(ctx context.Context, command []string) (string, error) {
		return printed(ctx, w.Environ, command)
	}
	return m.WithProviders(s.Providers)
}

// ModelsToName are the models and providers that can be named, for what completes a word: what is
// wrong with the settings is not said.
func ModelsToName(w World) *models.Set {
	folders := settings.FindFolders()
	s, _, _ := LoadSettings(folders.ConfigFile(), w.Environ)
	return ModelsOf(w, folders, s, 0)
}

// maxPrinted is how much of what a key_command prints is read, in bytes.
const maxPrinted = 64 << 10

// drainLimit is how long the rest of what a key_command has printed may take to arrive. A program
// that it left running, such as an agent for keys, may hold its output open for ever.
const drainLimit = 200 * time.Millisecond

// printed runs a program of the user's, with the whole environment, and returns what it prints.
// The error is how it failed, with the first line that it wrote to standard error. Agents for keys
// that it starts go on.
func printed(ctx context.Context, environ, command []string) (string, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer in.Close()
	text := make(chan []byte, 1)
	go func() {
		var kept bytes.Buffer
		_, _ = io.Copy(&kept, io.LimitReader(in, maxPrinted)) // a part is judged as it is
		_, _ = io.Copy(io.Discard, in)
		text <- kept.Bytes()
	}()
	folder, err := os.UserHomeDir() // not the folder of a project, whose programs it would find first
	if err != nil {
		folder = os.TempDir()
	}
	launcher := process.Launcher{Containment: process.ContainGroup}
	done, err := launcher.Run(ctx, process.Command{Name: command[0], Args: command[1:], Folder: folder, Environ: outside(environ), Stdout: out})
	out.Close()
	_ = in.SetReadDeadline(time.Now().Add(drainLimit)) // without one it ends with the program's output
	kept := string(<-text)
	said := words.FirstLine(done.Output.Head)
	switch {
	case err != nil:
		return "", err
	case done.ExitCode != 0 && said != "":
		return "", fmt.Errorf("exit code %d: %s", done.ExitCode, said)
	case done.ExitCode != 0:
		return "", fmt.Errorf("exit code %d", done.ExitCode)
	}
	return kept, nil
}

// outside are the variables that are not Pawl's own.
func outside(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool { return strings.HasPrefix(entry, "PAWL_") })
}
