package served

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pawl/agent/permission"
	"pawl/internal/base"
	"pawl/internal/front"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/mcp/serve"
)

// Options bound what may be started. Empty ones are the user's settings.
type Options struct {
	Model, Effort string          // unless a call names others
	Mode          permission.Mode // no session is freer; never empty
	Trust         bool            // trust the folder, as the flag of pawl does
}

// maxLive is how many sessions may be at work at once.
const maxLive = 20

// titleLength is how much of a prompt stands for it in a list, in characters.
const titleLength = 80

// Server implements serve.Sessions. It reaches no session but those that it has started.
type Server struct {
	world   base.World
	options Options

	mu       sync.Mutex
	started  []started // in order
	starting int       // calls that have a place, and whose session is not among those yet
}

// started is a session that was started here.
type started struct {
	id            lifecycle.SessionID
	folder        string
	title         string
	model, effort string // it was started with; empty: the settings' own
	mode          permission.Mode
	at            time.Time
}

// New serves sessions in the world's folder and those below it.
func New(w base.World, o Options) *Server { return &Server{world: w, options: o} }

// Start implements serve.Sessions.
func (s *Server) Start(ctx context.Context, in serve.Start) (any, error) {
	folder, err := s.below(in.Folder)
	if err != nil {
		return nil, err
	}
	mode, err := s.mode(in.Mode)
	if err != nil {
		return nil, err
	}
	if err := s.reserve(ctx); err != nil {
		return nil, err
	}
	one := started{
		folder: folder, title: words.CutLine(in.Prompt, titleLength), mode: mode, at: time.Now(),
		model: firstOf(in.Model, s.options.Model), effort: firstOf(in.Effort, s.options.Effort),
	}
	one.id, err = detach(s.flags(one), folder, in.Prompt)
	s.mu.Lock()
	s.starting--
	if err == nil {
		s.started = append(s.started, one)
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return view{
		Session: one.id, Status: string(lifecycle.StateRunning), Folder: folder, Mode: string(mode),
		Message: "It works by itself and nobody tells you when it has ended: go on with your own work, then call output with its session_id and wait_ms. You know nothing about its result until then. Do not start the same work again.",
	}, nil
}

// flags are those with which a session begins, and goes on.
func (s *Server) flags(one started) []string {
	args := []string{"-p", "--detach", "--permission-mode", string(one.mode)}
	for _, flag := range [][2]string{{"--model", one.model}, {"--effort", one.effort}} {
		if flag[1] != "" {
			args = append(args, flag[0]+"="+flag[1])
		}
	}
	if s.options.Trust {
		args = append(args, "--trust")
	}
	return args
}

// below is a folder in which a session may work.
func (s *Server) below(name string) (string, error) {
	own, err := filepath.EvalSymlinks(s.world.Folder)
	if err != nil {
		return "", fmt.Errorf("the folder of this server cannot be read: %w", err)
	}
	if name == "" {
		return own, nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(own, name)
	}
	folder, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	inside, err := filepath.Rel(own, folder)
	info, statErr := os.Stat(folder)
	switch {
	case err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)):
		return "", fmt.Errorf("folder %s is outside of %s, where this server was started: only that and what is below it may be worked in", name, own)
	case statErr != nil || !info.IsDir():
		return "", fmt.Errorf("folder %s is no folder", name)
	}
	return folder, nil
}

// mode is that of a session: the server's own, or a stricter one.
func (s *Server) mode(wanted string) (permission.Mode, error) {
	if wanted == "" {
		return s.options.Mode, nil
	}
	mode, err := permission.ParseMode(wanted)
	if err != nil {
		return "", err
	}
	if permission.Stricter(mode, s.options.Mode) != mode {
		return "", fmt.Errorf("permission_mode %s is freer than %s, with which this server was started: leave it out, or ask the user to start pawl mcp serve --permission-mode %s", mode, s.options.Mode, mode)
	}
	return mode, nil
}

// reserve gives a call the place of one session, or refuses one too many. The place is taken before
// the others are counted: calls that come side by side see each other.
func (s *Server) reserve(ctx context.Context) error {
	s.mu.Lock()
	s.starting++
	others, all := s.starting-1, append([]started(nil), s.started...)
	s.mu.Unlock()
	var busy []string
	for _, one := range all {
		if v := s.look(ctx, one); v.open() {
			busy = append(busy, fmt.Sprintf("%s (%s, %q)", one.id, v.Status, one.title))
		}
	}
	n := len(busy) + others
	if n < maxLive {
		return nil
	}
	s.mu.Lock()
	s.starting--
	s.mu.Unlock()
	return fmt.Errorf("%d sessions of this server have not ended, which is the most at once. Do not retry; wait with output until one has, or stop one: %s", n, strings.Join(busy, "; "))
}

func (s *Server) all() []started {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]started(nil), s.started...)
}

// find is a session that was started here.
func (s *Server) find(id string) (started, error) {
	for _, one := range s.all() {
		if string(one.id) == id {
			return one, nil
		}
	}
	return started{}, fmt.Errorf("session_id %q is none that this server has started: list names those. It reaches no others, also none that an earlier server has started", id)
}

// detach runs pawl -p --detach in a folder, and gives the id that it prints.
func detach(args []string, folder, prompt string) (lifecycle.SessionID, error) {
	var ends [3]*os.File // of ours: what is written to it, and what is read of it
	var theirs [3]*os.File
	for i := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			return "", fmt.Errorf("start a session: %w", err)
		}
		ends[i], theirs[i] = r, w
		if i == 0 {
			ends[i], theirs[i] = w, r
		}
		defer ends[i].Close()
		defer theirs[i].Close()
	}
	go func() {
		_, _ = ends[0].WriteString(prompt) // whoever does not read it says why
		_ = ends[0].Close()
	}()
	out, errs := readLater(ends[1]), readLater(ends[2])
	code := front.Start(args, folder, theirs[0], theirs[1], theirs[2])
	for _, file := range theirs {
		_ = file.Close()
	}
	id, said := strings.TrimSpace(out()), strings.TrimSpace(errs())
	if code != 0 || id == "" {
		return "", errors.New(firstOf(strings.TrimPrefix(words.FirstLine(said), "pawl: "), fmt.Sprintf("the session could not be started (exit code %d)", code)))
	}
	return lifecycle.SessionID(id), nil
}

// readGrace is how long what was written may take to come: the host may hold the other end for a moment.
const readGrace = 500 * time.Millisecond

// outputLimit is far more than an id, or what is wrong, takes.
const outputLimit = 64 << 10

// readLater reads a file from now on; the function it returns gives what has come.
func readLater(file *os.File) func() string {
	var text strings.Builder
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		buffer := make([]byte, 4<<10)
		for {
			n, err := file.Read(buffer)
			if text.Len() < outputLimit {
				text.Write(buffer[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	return func() string {
		_ = file.SetReadDeadline(time.Now().Add(readGrace)) // a pipe takes deadlines
		<-ended
		return text.String()
	}
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
