package book

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Detail says in one line what an event adds to its name. The texts in it are raw: clean and
// mask the line as a whole.
func (b *Book) Detail(event lifecycle.Event) string {
	switch e := event.(type) {
	case lifecycle.Spawned:
		return b.spawned(e.Spec)
	case lifecycle.Queued:
		return fmt.Sprintf("place %d in line", e.Position)
	case lifecycle.Started, lifecycle.Detached, lifecycle.Nudged, lifecycle.NotificationQueued:
		return ""
	case lifecycle.StepStarted:
		return fmt.Sprintf("step %d", e.Step)
	case lifecycle.Waiting:
		return waiting(e)
	case lifecycle.Text:
		return e.Text
	case lifecycle.Thinking:
		return e.Text
	case lifecycle.Overdue:
		return fmt.Sprintf("after %s", e.After)
	case lifecycle.Compacted:
		return fmt.Sprintf("%s tokens to %s", words.Grouped(e.Before), words.Grouped(e.After))
	case lifecycle.UsageReported:
		return Joined(Tokens(e.Usage), effort(e.Effort), by(e.Fallback))
	case lifecycle.Searched:
		return e.Words()
	case lifecycle.Warned:
		return string(e.Kind) + ": " + e.Message
	case lifecycle.StopRequested:
		return Joined(string(e.Cause), e.Reason)
	case lifecycle.Ended:
		return ended(e)
	case lifecycle.NotificationDelivered:
		return fmt.Sprintf("in %s, step %d", b.Name(e.InRun), e.Step)
	case lifecycle.NotificationWithdrawn:
		return "by " + string(e.By)
	case lifecycle.Consumed:
		return Joined("by "+string(e.By), "in "+b.Name(e.InRun), string(e.Call))
	case lifecycle.Placed:
		return placed(e)
	case lifecycle.FilesChanged, lifecycle.Landed, lifecycle.Rewound:
		return changeDetail(e)
	case lifecycle.ToolStarted, lifecycle.ToolEnded,
		lifecycle.PermissionAsked, lifecycle.PermissionGranted, lifecycle.PermissionDenied:
		return b.toolDetail(e)
	case lifecycle.MessageQueued, lifecycle.MessageEdited, lifecycle.MessageMoved,
		lifecycle.MessageTaken, lifecycle.MessageWithdrawn:
		return messageDetail(e)
	}
	panic(fmt.Sprintf("export: %T is not in the closed set of events", event))
}

func (b *Book) toolDetail(event lifecycle.Event) string {
	switch e := event.(type) { //nolint:gochecksumtype // detail has sorted them
	case lifecycle.ToolStarted:
		return Joined(e.Tool, e.Label, string(e.Call))
	case lifecycle.ToolEnded:
		return Joined(e.Tool, string(e.Status), b.glance(e.View), e.InstructionWords(), string(e.Call))
	case lifecycle.PermissionAsked:
		return Joined(e.Tool, e.Subject, e.Who)
	case lifecycle.PermissionGranted:
		return Joined("by "+string(e.By), string(e.Scope), strings.Join(e.Rules, ", "), string(e.Call), e.Tool, e.Subject)
	case lifecycle.PermissionDenied:
		return Joined(e.Tool, e.Subject, "by "+string(e.By), e.Reason)
	default:
		panic(fmt.Sprintf("export: %T is no event of a tool", event))
	}
}

func changeDetail(event lifecycle.Event) string {
	switch e := event.(type) { //nolint:gochecksumtype // detail has sorted them
	case lifecycle.FilesChanged:
		return Joined(e.Words(), changedPaths(e.Files), string(e.Call))
	case lifecycle.Landed:
		return Joined(e.Words(""), changedPaths(e.Files), e.Branch)
	case lifecycle.Rewound:
		return Joined(e.Words(), changedPaths(e.Files))
	default:
		panic(fmt.Sprintf("export: %T is no event of changes", event))
	}
}

// changedPaths names what fits into a line.
func changedPaths(files []lifecycle.FileChange) string {
	var paths []string
	for _, file := range files[:min(len(files), LongLine/2)] {
		paths = append(paths, file.Path)
	}
	return strings.Join(paths, ", ")
}

func messageDetail(event lifecycle.Event) string {
	switch e := event.(type) { //nolint:gochecksumtype // detail has sorted them
	case lifecycle.MessageQueued:
		return Joined("from "+e.From, string(e.ID), e.Text)
	case lifecycle.MessageEdited:
		return Joined(string(e.Message), e.Text)
	case lifecycle.MessageMoved:
		return fmt.Sprintf("%s, to place %d", e.Message, e.To+1)
	case lifecycle.MessageTaken:
		return Joined(fmt.Sprintf("at step %d, from %s", e.Step, e.From), string(e.Message), e.Text, enclosed(e.Attached))
	case lifecycle.MessageWithdrawn:
		if e.Returned {
			return Joined("returned to its writer", string(e.Message), e.Text)
		}
		return string(e.Message)
	default:
		panic(fmt.Sprintf("export: %T is no event of a message", event))
	}
}

func (b *Book) spawned(s lifecycle.Spec) string {
	if s.Parent == "" {
		return Joined("by "+string(s.Trigger), s.Model, effort(s.Effort), s.Prompt, enclosed(s.Attached))
	}
	kind := "foreground"
	if s.Background {
		kind = "background"
	}
	isolation := ""
	switch s.Isolation {
	case "", lifecycle.IsolationNone:
	case lifecycle.IsolationRemote:
		isolation = Joined("on another machine", strings.Join(s.Labels, ", "))
	default:
		isolation = "in a " + string(s.Isolation) + " of its own"
	}
	if s.Branch != "" {
		isolation += " on " + s.Branch
	}
	under := "under " + b.Name(s.ParentRun)
	if s.ParentRun == "" { // a command of the user's, before anything was said
		under = "in " + b.NameOf(s.Parent)
	}
	return Joined("by "+string(s.Trigger), kind, isolation, s.Type, s.Description, s.Command, s.Model, effort(s.Effort), under, string(s.Call), enclosed(s.Attached))
}

// ModelOf is what a run works with: its model, the effort that it is asked for, and the model
// that works in its place.
func ModelOf(run lifecycle.Run) string {
	return Joined(run.Model, effort(run.EffortShown()), by(run.Fallback))
}

func effort(level string) string {
	if level == "" {
		return ""
	}
	return "effort " + level
}

func by(fallback string) string {
	if fallback == "" {
		return ""
	}
	return "by " + fallback
}

// enclosed names the attachments of a message.
func enclosed(all []lifecycle.Attachment) string {
	var words []string
	for _, one := range all {
		word := "with " + one.Name + " (" + one.Note + ")"
		if one.Left {
			word = "without " + one.Name + " (" + one.Note + ")"
		}
		words = append(words, word)
	}
	return Joined(words...)
}

func waiting(e lifecycle.Waiting) string {
	attempt, discarded := "", ""
	if e.Attempt > 0 {
		attempt = fmt.Sprintf("attempt %d", e.Attempt)
	}
	if e.Discarded {
		discarded = "its partial text is discarded"
	}
	return Joined(e.Why, attempt, discarded)
}

func ended(e lifecycle.Ended) string {
	fault := ""
	if e.Error != nil {
		fault = string(e.Error.Kind) + ": " + e.Error.Message
	}
	text := e.Result
	if text == "" && e.Partial != "" {
		text = "partial: " + e.Partial
	}
	code := ""
	if e.ExitCode != nil {
		code = fmt.Sprintf("exit code %d", *e.ExitCode)
	}
	return Joined(string(e.State), string(e.Cause), e.Reason, fault, code, WorktreeLine(e.Worktree), text)
}

func placed(e lifecycle.Placed) string {
	version := ""
	if e.Version != "" {
		version = "Pawl " + e.Version
	}
	return Joined(e.Machine, "worker "+e.Worker, version, fmt.Sprintf("attempt %d", e.Attempt), e.Folder)
}

// PlaceLine says where a remote run worked; empty for one at home, or that no worker has taken.
func PlaceLine(p *lifecycle.Placement) string {
	if p == nil {
		return ""
	}
	return "ran on " + placed(p.Event())
}

// WorktreeLine says what became of a worktree; empty if there was none.
func WorktreeLine(w *lifecycle.Worktree) string {
	if w == nil {
		return ""
	}
	return "worktree: " + w.Summary()
}
