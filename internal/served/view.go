package served

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/socket"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// needsYou is the status of a session in which a question is open.
const needsYou = string(fleet.NeedsYou)

// unreachable is the status of a session whose host is there and could not be asked. It goes on, as far
// as anybody knows.
const unreachable = "unreachable"

// outputLength is how much of an answer is given, in characters.
const outputLength = 30_000

// view is how a session stands, for the other tool's model. Status is the state of its agent's run,
// verbatim, needs_you or unreachable.
type view struct {
	Session   lifecycle.SessionID `json:"session_id"`
	Status    string              `json:"status"`
	Folder    string              `json:"folder,omitempty"`
	Title     string              `json:"title,omitempty"`
	Mode      string              `json:"permission_mode,omitempty"`
	Activity  string              `json:"activity,omitempty"`
	Elapsed   int64               `json:"elapsed_ms,omitempty"`
	Questions []question          `json:"questions,omitempty"`
	Output    string              `json:"output,omitempty"`
	Error     *lifecycle.Failure  `json:"error,omitempty"`
	Cause     lifecycle.Cause     `json:"cause,omitempty"`
	Usage     *lifecycle.Usage    `json:"usage,omitempty"`
	Denied    int                 `json:"denied,omitempty"` // calls that nobody allowed
	Events    json.RawMessage     `json:"events,omitempty"`
	Last      lifecycle.Seq       `json:"last,omitempty"` // of Events: where to go on
	Message   string              `json:"message,omitempty"`
}

// question is what a person has to answer.
type question struct {
	Who  string `json:"who,omitempty"` // the subagent that asks; empty: the agent itself
	Tool string `json:"tool"`
	Text string `json:"text"`
}

// works reports whether it goes on by itself.
func (v view) works() bool {
	return v.Status == string(lifecycle.StateRunning) || v.Status == string(lifecycle.StateQueued)
}

// open reports whether it has not ended.
func (v view) open() bool { return v.works() || v.Status == needsYou || v.Status == unreachable }

// look says how a session stands.
func (s *Server) look(ctx context.Context, one started) view {
	v := view{Session: one.id, Folder: one.folder}
	err, otherwise := s.lookAt(ctx, one, &v), unreachable
	if errors.Is(err, hosted.ErrGone) || errors.Is(err, socket.ErrNoHost) { // it was just leaving
		err, otherwise = s.recorded(ctx, one, &v), string(lifecycle.StateInterrupted)
	}
	if err != nil {
		v.Status, v.Error = otherwise, &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: words.FirstLine(err.Error())}
	}
	v.advise(one)
	return v
}

// lookAt asks the session's host.
func (s *Server) lookAt(ctx context.Context, one started, v *view) error {
	host, err := hosted.Dial(ctx, one.id)
	if err != nil {
		return err
	}
	defer host.Close()
	status, err := host.Status(ctx)
	if err != nil {
		return err
	}
	v.Activity, v.Elapsed = status.Activity, time.Since(status.Since).Milliseconds()
	switch {
	case status.State == fleet.NeedsYou:
		v.Status = needsYou
		for _, q := range status.Questions {
			v.Questions = append(v.Questions, question{q.Who, q.Tool, words.Cut(q.Text, outputLength/4)})
		}
		return nil
	case status.State == fleet.Works && status.Runs.Running == 0 && status.Runs.Queued > 0:
		v.Status = string(lifecycle.StateQueued)
		return nil
	case status.State == fleet.Works:
		v.Status = string(lifecycle.StateRunning)
		return nil
	}
	v.Activity = ""
	return s.settled(ctx, one, v)
}

// settled asks an idle host what the session answered last.
func (s *Server) settled(ctx context.Context, one started, v *view) error {
	host, err := hosted.Dial(ctx, one.id)
	if err != nil {
		return err
	}
	defer host.Close()
	var text bytes.Buffer
	if _, err := host.Run(ctx, hosted.Prompt{Format: hosted.JSON, Out: &text, Errors: io.Discard}); err != nil {
		return err
	}
	return v.read(text.Bytes())
}

// recorded reads what the database has of a session that nobody drives.
func (s *Server) recorded(ctx context.Context, one started, v *view) error {
	var text bytes.Buffer
	if _, err := hosted.Recorded(ctx, s.world, one.id, hosted.Prompt{Format: hosted.JSON, Out: &text, Errors: io.Discard}); err != nil {
		return err
	}
	return v.read(text.Bytes())
}

// read reads the object of --output-format json.
func (v *view) read(text []byte) error {
	var result struct {
		Status  lifecycle.State    `json:"status"`
		Output  string             `json:"output"`
		Error   *lifecycle.Failure `json:"error"`
		Cause   lifecycle.Cause    `json:"cause"`
		Usage   lifecycle.Usage    `json:"usage"`
		Denials []lifecycle.Denial `json:"denials"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return errors.New("its result cannot be read")
	}
	v.Status, v.Output, v.Error, v.Cause = string(result.Status), words.Cut(result.Output, outputLength), result.Error, result.Cause
	v.Usage, v.Denied, v.Activity, v.Elapsed = &result.Usage, len(result.Denials), "", 0
	if strings.TrimSpace(v.Output) == "" {
		v.Output = "(no text)"
	}
	if v.Output != result.Output && len(result.Output) > outputLength {
		v.Output += "\n[the rest is left out here: pawl show " + hosted.ShortID(v.Session) + " has all of it]"
	}
	return nil
}
