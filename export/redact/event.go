package redact

import (
	"fmt"

	"pawl/lifecycle"
)

// event is an event without its texts. Every field is named, also those that stay: a new
// one is empty here until somebody has decided, and a test says so.
func (b *bared) event(event lifecycle.Event) lifecycle.Event {
	switch e := event.(type) {
	case lifecycle.Spawned:
		return lifecycle.Spawned{Spec: b.spec(e.Spec)}
	case lifecycle.Queued, lifecycle.Started, lifecycle.StepStarted, lifecycle.Nudged, lifecycle.Overdue, lifecycle.Detached,
		lifecycle.NotificationQueued: // numbers at most
		return e
	case lifecycle.UsageReported:
		said := lifecycle.Response{Model: b.model(e.Model), ID: b.text(e.ID), Finish: bareWord(e.Finish)}
		return lifecycle.UsageReported{Usage: e.Usage, Response: said, Effort: bareWord(e.Effort), Fallback: b.model(e.Fallback)}
	case lifecycle.Waiting:
		return lifecycle.Waiting{Why: b.text(e.Why), For: e.For, Attempt: e.Attempt, Discarded: e.Discarded}
	case lifecycle.Text:
		return lifecycle.Text{Text: b.text(e.Text)}
	case lifecycle.Thinking:
		return lifecycle.Thinking{Text: b.text(e.Text)}
	case lifecycle.Compacted:
		return lifecycle.Compacted{Summary: b.text(e.Summary), Before: e.Before, After: e.After}
	case lifecycle.Warned:
		return lifecycle.Warned{Kind: bareWord(e.Kind), Message: b.text(e.Message), Model: b.model(e.Model)}
	case lifecycle.Searched:
		return lifecycle.Searched{Query: b.text(e.Query), Opened: b.text(e.Opened), Found: b.pages(e.Found), Cited: b.pages(e.Cited), Error: b.text(e.Error)}
	case lifecycle.StopRequested:
		return lifecycle.StopRequested{Cause: bareWord(e.Cause), Reason: b.text(e.Reason)}
	case lifecycle.Ended:
		return b.ended(e)
	case lifecycle.ToolStarted, lifecycle.ToolEnded,
		lifecycle.PermissionAsked, lifecycle.PermissionGranted, lifecycle.PermissionDenied:
		return b.toolEvent(e)
	case lifecycle.MessageQueued, lifecycle.MessageEdited, lifecycle.MessageMoved,
		lifecycle.MessageTaken, lifecycle.MessageWithdrawn:
		return b.messageEvent(e)
	case lifecycle.FilesChanged, lifecycle.Landed, lifecycle.Rewound:
		return b.changeEvent(e)
	case lifecycle.Placed:
		return lifecycle.Placed{Worker: b.text(e.Worker), Machine: b.text(e.Machine), Version: bareWord(e.Version), Attempt: e.Attempt, Folder: b.text(e.Folder)}
	case lifecycle.NotificationDelivered:
		return lifecycle.NotificationDelivered{InRun: bareID(b, e.InRun), Step: e.Step}
	case lifecycle.NotificationWithdrawn:
		return lifecycle.NotificationWithdrawn{By: bareWord(e.By)}
	case lifecycle.Consumed:
		return lifecycle.Consumed{By: bareWord(e.By), InRun: bareID(b, e.InRun), Call: bareID(b, e.Call)}
	}
	panic(fmt.Sprintf("export: %T is not in the closed set of events", event))
}

func (b *bared) spec(s lifecycle.Spec) lifecycle.Spec {
	return lifecycle.Spec{
		Kind: bareWord(s.Kind), Root: b.session(s.Root), Parent: b.session(s.Parent), ParentRun: bareID(b, s.ParentRun), Call: bareID(b, s.Call),
		Trigger: bareWord(s.Trigger), Type: b.kind(s.Type), Description: b.text(s.Description), Model: b.model(s.Model), Effort: bareWord(s.Effort),
		Prompt: b.text(s.Prompt), From: bareWord(s.From), Attached: b.attached(s.Attached), Allowed: b.texts(s.Allowed), Folder: b.text(s.Folder),
		Background: s.Background, Isolation: bareWord(s.Isolation), Labels: b.texts(s.Labels), Idempotent: s.Idempotent, Branch: b.text(s.Branch), Command: b.text(s.Command), Limit: s.Limit, Closed: s.Closed,
	}
}

func (b *bared) pages(all []lifecycle.Page) []lifecycle.Page {
	var without []lifecycle.Page
	for _, one := range all {
		without = append(without, lifecycle.Page{URL: b.text(one.URL), Title: b.text(one.Title)})
	}
	return without
}

func (b *bared) attached(all []lifecycle.Attachment) []lifecycle.Attachment {
	var without []lifecycle.Attachment
	for _, one := range all {
		without = append(without, lifecycle.Attachment{Name: b.text(one.Name), Note: b.text(one.Note), Left: one.Left, Command: one.Command})
	}
	return without
}

func (b *bared) ended(e lifecycle.Ended) lifecycle.Ended {
	without := lifecycle.Ended{
		State: bareWord(e.State), Cause: bareWord(e.Cause), Reason: b.text(e.Reason), Result: b.text(e.Result), Partial: b.text(e.Partial),
		ExitCode: e.ExitCode, Worktree: b.worktree(e.Worktree), Found: e.Found,
	}
	if e.Error != nil {
		without.Error = &lifecycle.Failure{Kind: bareWord(e.Error.Kind), Message: b.text(e.Error.Message)}
	}
	return without
}

func (b *bared) worktree(w *lifecycle.Worktree) *lifecycle.Worktree {
	if w == nil {
		return nil
	}
	return &lifecycle.Worktree{
		Path: b.text(w.Path), Branch: b.text(w.Branch), Base: b.text(w.Base), Kept: w.Kept, Why: b.text(w.Why),
		Files: w.Files, Added: w.Added, Removed: w.Removed, Commits: w.Commits, Behind: w.Behind,
	}
}

func (b *bared) toolEvent(event lifecycle.Event) lifecycle.Event {
	switch e := event.(type) { //nolint:gochecksumtype // event has sorted them
	case lifecycle.ToolStarted:
		return lifecycle.ToolStarted{Call: bareID(b, e.Call), Tool: b.tool(e.Tool), Label: b.text(e.Label), Input: b.raw(e.Input)}
	case lifecycle.ToolEnded:
		return lifecycle.ToolEnded{Call: bareID(b, e.Call), Tool: b.tool(e.Tool), Status: bareWord(e.Status), View: b.view(e.View), Wrote: b.text(e.Wrote), Instructions: b.instructions(e.Instructions)}
	case lifecycle.PermissionAsked:
		return lifecycle.PermissionAsked{Question: lifecycle.Question{
			ID: bareID(b, e.ID), Session: b.session(e.Session), Run: bareID(b, e.Run), Call: bareID(b, e.Call),
			Tool: b.tool(e.Tool), Subject: b.subject(e.Subject), View: b.view(e.View), Who: b.text(e.Who), Effect: bareWord(e.Effect),
			AlwaysAsk: b.text(e.AlwaysAsk), Because: b.text(e.Because), Each: e.Each, Exact: e.Exact, Rules: b.texts(e.Rules), Why: b.text(e.Why),
		}}
	case lifecycle.PermissionGranted:
		return lifecycle.PermissionGranted{
			Question: bareID(b, e.Question), Call: bareID(b, e.Call), By: bareWord(e.By), Scope: bareWord(e.Scope),
			Rules: b.texts(e.Rules), Tool: b.tool(e.Tool), Subject: b.subject(e.Subject),
		}
	case lifecycle.PermissionDenied:
		return lifecycle.PermissionDenied{
			Question: bareID(b, e.Question), Call: bareID(b, e.Call), Tool: b.tool(e.Tool), Subject: b.subject(e.Subject),
			By: bareWord(e.By), Reason: b.text(e.Reason),
		}
	default:
		panic(fmt.Sprintf("export: %T is no event of a tool", event))
	}
}

func (b *bared) instructions(all []lifecycle.InstructionsRead) []lifecycle.InstructionsRead {
	var without []lifecycle.InstructionsRead
	for _, one := range all {
		without = append(without, lifecycle.InstructionsRead{Source: b.text(one.Source), Note: b.text(one.Note), Unread: one.Unread})
	}
	return without
}

func (b *bared) messageEvent(event lifecycle.Event) lifecycle.Event {
	switch e := event.(type) { //nolint:gochecksumtype // event has sorted them
	case lifecycle.MessageQueued:
		return lifecycle.MessageQueued{Message: lifecycle.Message{
			ID: bareID(b, e.ID), From: bareWord(e.From), Text: b.text(e.Text), Reach: b.texts(e.Reach), Call: bareID(b, e.Call), InRun: bareID(b, e.InRun),
		}}
	case lifecycle.MessageEdited:
		return lifecycle.MessageEdited{Message: bareID(b, e.Message), Text: b.text(e.Text), Reach: b.texts(e.Reach)}
	case lifecycle.MessageMoved:
		return lifecycle.MessageMoved{Message: bareID(b, e.Message), To: e.To}
	case lifecycle.MessageTaken:
		return lifecycle.MessageTaken{
			Message: bareID(b, e.Message), Step: e.Step, From: bareWord(e.From), Text: b.text(e.Text), Attached: b.attached(e.Attached),
		}
	case lifecycle.MessageWithdrawn:
		return lifecycle.MessageWithdrawn{Message: bareID(b, e.Message), Returned: e.Returned, From: bareWord(e.From), Text: b.text(e.Text)}
	default:
		panic(fmt.Sprintf("export: %T is no event of a message", event))
	}
}
