package verify

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
)

// broken copies of the session with everything, and the promise that each breaks.
var brokenCopies = map[string]struct {
	promise Promise
	do      func(*dented)
}{
	"a result twice": {promiseAnswered, func(d *dented) {
		talk := d.talk(exporttest.Root)
		i := d.message(exporttest.Root, resultOf("c-test"))
		*talk = slices.Insert(*talk, i+1, (*talk)[i])
	}},
	"no result":         {promiseAnswered, func(d *dented) { d.unsay(exporttest.Root, resultOf("c-test")) }},
	"no result, no end": {promiseAnswered, func(d *dented) { d.unsay(exporttest.Root, resultOf("c-edit")); d.remove(d.toolEnded("c-edit")) }},
	"a result too late": {promiseAnswered, func(d *dented) {
		talk := d.talk(exporttest.Root)
		m := d.unsay(exporttest.Root, resultOf("c-curl"))
		i := d.message(exporttest.Root, func(m book.Message) bool { return len(m.Parts) > 0 && m.Parts[0].Call == "c-map" })
		*talk = slices.Insert(*talk, i+1, m)
	}},
	"a call that ends twice": {promiseAnswered, func(d *dented) {
		i := d.toolEnded("c-test")
		d.insert(i, d.Records[i].Event)
	}},
	"a second end": {promiseOneEnd, func(d *dented) {
		d.insert(d.first("r-p1", "ended"), lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailTool}})
	}},
	"text after the end": {promiseOneEnd, func(d *dented) { d.insert(d.first("r-plan", "ended"), lifecycle.Text{Text: "and"}) }},
	"late usage":         {promiseOneEnd, func(d *dented) { d.insert(d.first("r-p4", "ended"), exporttest.Usage(1, 1)) }},
	"a message after the end": {promiseOneEnd, func(d *dented) {
		d.insert(d.first("r-plan", "consumed"), lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m-late", From: lifecycle.FromUser, Text: "hey"}})
	}},
	"a notification that is lost": {promiseTold, func(d *dented) {
		for _, event := range []string{"consumed", "notification_delivered", "notification_queued"} {
			d.remove(d.first("r-proc", event))
		}
		d.unsay(exporttest.Root, noticeOf("r-proc"))
	}},
	"a notification queued later": {promiseTold, func(d *dented) {
		i := d.first("r-proc", "notification_queued")
		d.Records[i].Time = d.Records[i].Time.Add(time.Second)
	}},
	"a notification told, not delivered": {promiseTold, func(d *dented) {
		d.remove(d.first("r-fix", "notification_delivered"))
	}},
	"a notification delivered twice": {promiseTold, func(d *dented) {
		i := d.first("r-fix", "notification_delivered")
		d.insert(i, d.Records[i].Event)
	}},
	"a notification delivered, not told": {promiseTold, func(d *dented) { d.unsay(exporttest.Root, noticeOf("r-fix")) }},
	"a notification told twice": {promiseTold, func(d *dented) {
		talk := d.talk(exporttest.Root)
		i := d.message(exporttest.Root, noticeOf("r-fix"))
		*talk = slices.Insert(*talk, i+1, (*talk)[i])
	}},
	"a notification told to another session": {promiseTold, func(d *dented) {
		m := d.unsay(exporttest.Root, noticeOf("r-fix"))
		m.Run = "r-audit"
		talk := d.talk("s-audit")
		*talk = append(*talk, m)
	}},
	"a notification at a step that was not": {promiseTold, func(d *dented) {
		change(d, d.first("r-fix", "notification_delivered"), func(e *lifecycle.NotificationDelivered) { e.Step = 7 })
	}},
	"a command of the user's, told at a step that was not": {promiseTold, func(d *dented) {
		change(d, d.first("r-own", "notification_delivered"), func(e *lifecycle.NotificationDelivered) { e.Step = 7 })
	}},
	"a command of the user's, stopped by a model": {promiseOwn, func(d *dented) {
		d.insert(d.first("r-own", "started"), lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop})
	}},
	"a notification delivered in a run that ended": {promiseTold, func(d *dented) {
		change(d, d.first("r-fix", "notification_delivered"), func(e *lifecycle.NotificationDelivered) { e.InRun = "r-p1" })
		change(d, d.first("r-fix", "consumed"), func(e *lifecycle.Consumed) { e.InRun = "r-p1" })
	}},
	"an end that is read by no call": {promiseTold, func(d *dented) {
		change(d, d.first("r-plan", "consumed"), func(e *lifecycle.Consumed) { e.Call = "c-ghost" })
	}},
	"an end that is read twice": {promiseTold, func(d *dented) {
		i := d.first("r-plan", "consumed")
		d.insert(i, d.Records[i].Event)
	}},
	"an end that nobody tells": {promiseTold, func(d *dented) { d.remove(d.first("r-plan", "consumed")) }},
	"an end that is read and still owed": {promiseTold, func(d *dented) {
		d.remove(d.first("r-wait", "notification_withdrawn"))
	}},
	"a notification of a run that goes on": {promiseStates, func(d *dented) { d.insert(d.first("r-n1", "text"), lifecycle.NotificationQueued{}) }},
	"a run at home, placed": {promiseRemote, func(d *dented) {
		d.insert(d.first("r-n1", "text"), lifecycle.Placed{Worker: "w-9", Machine: "ash", Attempt: 1})
	}},
	"a remote run, placed twice": {promiseRemote, func(d *dented) {
		d.insert(d.first("r-truncated", "placed"), lifecycle.Placed{Worker: "w-9", Machine: "ash", Attempt: 2})
	}},
	"an attempt with two workers": {promiseRemote, func(d *dented) {
		change(d, d.at("r-truncated", "placed", 2), func(e *lifecycle.Placed) { e.Attempt = 1 })
	}},
	"a run that may not be placed again": {promiseRemote, func(d *dented) {
		change(d, d.first("r-truncated", "spawned"), func(e *lifecycle.Spawned) { e.Idempotent = false })
	}},
	"a fourth attempt": {promiseRemote, func(d *dented) {
		change(d, d.at("r-truncated", "placed", 2), func(e *lifecycle.Placed) { e.Attempt = 4 })
	}},
	"a worker that is nobody": {promiseRemote, func(d *dented) {
		change(d, d.first("r-truncated", "placed"), func(e *lifecycle.Placed) { e.Worker = "" })
	}},
	"a lost worker of a run at home": {promiseRemote, func(d *dented) {
		d.insert(d.first("r-n1", "text"), lifecycle.Warned{Kind: lifecycle.WarnWorkerLost})
	}},
	"a request of a run at home": {promiseRemote, func(d *dented) { d.Records[d.first("r-n1", "text")].Request = 3 }},
	"a request that is recorded twice": {promiseRemote, func(d *dented) {
		i := d.first("r-truncated", "text")
		d.Records[i].Request = 1
	}},
	"a request that is recorded too late": {promiseRemote, func(d *dented) {
		i := d.first("r-truncated", "text")
		d.Records[i].Request, d.Records[i+1].Request = 3, 2
	}},
	"a question that is recorded twice": {promiseRemote, func(d *dented) {
		i := d.first("r-truncated", "text")
		for range 2 {
			d.insert(i, lifecycle.PermissionDenied{Question: "q-9", Tool: "shell", By: "nobody"})
			d.insert(i, lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q-9", Session: d.Records[i].Session, Run: "r-truncated"}})
			d.Records[i+1].Request = 2
		}
	}},
	"six in the background": {promiseSlots, func(d *dented) { d.insert(d.first("r-n6", "queued"), lifecycle.Started{}) }},
	"an empty result": {promiseWords, func(d *dented) {
		(*d.talk(exporttest.Root))[d.message(exporttest.Root, resultOf("c-test"))].Parts[0].Text = " \n"
	}},
	"an empty notification": {promiseWords, func(d *dented) {
		(*d.talk(exporttest.Root))[d.message(exporttest.Root, noticeOf("r-fix"))].Parts[0].Text = ""
	}},
	"told in a run of another session": {promiseOwn, func(d *dented) {
		change(d, d.first("r-fix", "notification_delivered"), func(e *lifecycle.NotificationDelivered) { e.InRun = "r-audit" })
		change(d, d.first("r-fix", "consumed"), func(e *lifecycle.Consumed) { e.InRun = "r-audit" })
		m := d.unsay(exporttest.Root, noticeOf("r-fix"))
		m.Run = "r-audit"
		talk := d.talk("s-audit")
		*talk = slices.Insert(*talk, len(*talk)-1, m)
	}},
	"read by a foreign run": {promiseOwn, func(d *dented) {
		change(d, d.first("r-plan", "consumed"), func(e *lifecycle.Consumed) { e.InRun = "r-audit" })
	}},
	"written to by a foreign run": {promiseOwn, func(d *dented) {
		change(d, d.at("r-talk", "message_queued", 4), func(e *lifecycle.MessageQueued) { e.InRun = "r-audit" })
	}},
	"started by a call that nobody made": {promiseOwn, func(d *dented) {
		change(d, d.first("r-n5", "spawned"), func(e *lifecycle.Spawned) { e.Call = "c-ghost" })
	}},
	"started by a run that is over": {promiseOwn, func(d *dented) {
		change(d, d.first("r-n5", "spawned"), func(e *lifecycle.Spawned) { e.ParentRun = "r-p1" })
	}},
	"stopped by a model that made no call": {promiseOwn, func(d *dented) {
		change(d, d.first("r-talk", "stop_requested"), func(e *lifecycle.StopRequested) { e.Cause = lifecycle.CauseAgentStop })
	}},
	"an end with a tool at work": {promiseNothing, func(d *dented) {
		d.remove(d.toolEnded("t-rm2"))
		d.unsay("s-map", resultOf("t-rm2"))
		d.remove(d.at("r-map2", "step_started", 2))
	}},
	"an end with an open question": {promiseNothing, func(d *dented) { d.remove(d.at("r-p1", "permission_granted", 2)) }},
	"a message that no record knows": {promiseOnRecord, func(d *dented) {
		talk := d.talk("s-talk")
		*talk = append(*talk, book.Message{Kind: lifecycle.EntryUser, Role: "user", Run: "r-talk", From: lifecycle.FromUser, Parts: []book.Part{{Type: book.PartText, Text: "psst"}}})
	}},
	"a message that no transcript has": {promiseOnRecord, func(d *dented) { d.unsay("s-talk", func(m book.Message) bool { return m.Message == "m-1" }) }},
	"a prompt with other words":        {promiseOnRecord, func(d *dented) { (*d.talk("s-plan"))[0].Parts[0].Text = "Please do nothing." }},
	"a call that no record knows": {promiseOnRecord, func(d *dented) {
		d.remove(d.toolStarted("c-glob"))
		d.remove(d.toolEnded("c-glob"))
		d.unsay(exporttest.Root, resultOf("c-glob"))
	}},
	"a call that no transcript has": {promiseOnRecord, func(d *dented) {
		i := d.message(exporttest.Root, func(m book.Message) bool {
			return slices.ContainsFunc(m.Parts, func(p book.Part) bool { return p.Type == book.PartCall && p.Call == "c-todo" })
		})
		m := &(*d.talk(exporttest.Root))[i]
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p book.Part) bool { return p.Call == "c-todo" })
	}},
	"a rewind of the conversation that no transcript has": {promiseOnRecord, func(d *dented) {
		d.unsay(exporttest.Root, func(m book.Message) bool { return m.Kind == lifecycle.EntryRewind })
	}},
	"a rewind that no record knows": {promiseOnRecord, func(d *dented) {
		change(d, d.first("r-back", "rewound"), func(e *lifecycle.Rewound) { e.Conversation = false })
	}},
	"a rewind to a record that is no prompt": {promiseRewinds, func(d *dented) {
		change(d, d.first("r-fix", "rewound"), func(e *lifecycle.Rewound) { e.To++ })
	}},
	"a rewind to what was not there": {promiseRewinds, func(d *dented) {
		change(d, d.first("r-fix", "rewound"), func(e *lifecycle.Rewound) {
			e.Files = slices.Clone(e.Files)
			e.Files[0].After.Hash = e.Files[1].Before.Hash
		})
	}},
	"a rewind of a file that nobody changed": {promiseRewinds, func(d *dented) {
		change(d, d.first("r-fix", "rewound"), func(e *lifecycle.Rewound) {
			e.Files = slices.Clone(e.Files)
			e.Files[0].Path = "other.go"
		})
	}},
	"a rewind of one subagent on a run of another": {promiseRewinds, func(d *dented) {
		change(d, d.first("r-fix", "rewound"), func(e *lifecycle.Rewound) { e.Only, e.Files = "s-map", nil })
	}},
	"a rewind of a conversation that goes on": {promiseRewinds, func(d *dented) {
		i := d.first("r-back", "rewound")
		rec := d.Records[i]
		d.Records = slices.Insert(slices.Delete(d.Records, i, i+1), d.first("r-back", "ended"), rec)
		d.renumber()
		talk := *d.talk(exporttest.Root)
		at := d.message(exporttest.Root, func(m book.Message) bool { return m.Kind == lifecycle.EntryRewind })
		talk[at], talk[at-1] = talk[at-1], talk[at]
	}},
	"a changed file outside its folder": {promiseChanges, func(d *dented) {
		change(d, d.first("r-fix", "files_changed"), func(e *lifecycle.FilesChanged) {
			e.Files = slices.Clone(e.Files)
			e.Files[0].Path = "../cart.go"
		})
	}},
	"a changed file that is named twice": {promiseChanges, func(d *dented) {
		change(d, d.first("r-fix", "files_changed"), func(e *lifecycle.FilesChanged) { e.Files = append(slices.Clone(e.Files), e.Files[0]) })
	}},
	"a changed file that is as it was": {promiseChanges, func(d *dented) {
		change(d, d.first("r-fix", "files_changed"), func(e *lifecycle.FilesChanged) {
			e.Files = slices.Clone(e.Files)
			e.Files[0].After = e.Files[0].Before
		})
	}},
	"a landing of nobody's worktree": {promiseChanges, func(d *dented) {
		change(d, d.first("r-fix", "spawned"), func(e *lifecycle.Spawned) { e.Isolation = lifecycle.IsolationNone })
	}},
	"a summary that is lost": {promiseOnRecord, func(d *dented) {
		d.unsay(exporttest.Root, func(m book.Message) bool { return m.Kind == lifecycle.EntrySummary })
	}},
	"an answer too many": {promiseOnRecord, func(d *dented) {
		talk := d.talk("s-fix")
		*talk = slices.Insert(*talk, 1, book.Message{Kind: lifecycle.EntryAssistant, Role: "assistant", Run: "r-fix", Parts: []book.Part{{Type: book.PartText, Text: "No, leave it."}}})
	}},
	"a last answer that is lost": {promiseOnRecord, func(d *dented) {
		d.unsay("s-map", func(m book.Message) bool {
			return m.Kind == lifecycle.EntryAssistant && allText(m) == d.result("r-map")
		})
	}},
	"a last answer with other words": {promiseOnRecord, func(d *dented) {
		i := d.message("s-map", func(m book.Message) bool {
			return m.Kind == lifecycle.EntryAssistant && allText(m) == d.result("r-map")
		})
		(*d.talk("s-map"))[i].Parts = []book.Part{{Type: book.PartText, Text: "There is nothing to do."}}
	}},
	"a call of another tool": {promiseOnRecord, func(d *dented) {
		change(d, d.toolStarted("c-test"), func(e *lifecycle.ToolStarted) { e.Tool = "fetch" })
	}},
	"a result of another tool": {promiseOnRecord, func(d *dented) {
		(*d.talk(exporttest.Root))[d.message(exporttest.Root, resultOf("c-test"))].Parts[0].Name = "fetch"
	}},
	"a prompt of somebody else": {promiseOnRecord, func(d *dented) { (*d.talk("s-plan"))[0].From = lifecycle.FromUser }},
	"a message under another's run": {promiseOnRecord, func(d *dented) {
		(*d.talk(exporttest.Root))[d.message(exporttest.Root, resultOf("c-test"))].Run = "r-p2"
	}},
	"a skipped record":            {promiseNumbers, func(d *dented) { d.Records = slices.Delete(d.Records, 40, 41) }},
	"two records in wrong order":  {promiseNumbers, func(d *dented) { d.Records[40], d.Records[41] = d.Records[41], d.Records[40] }},
	"no time":                     {promiseClock, func(d *dented) { d.Records[d.first("r-p3", "text")].Time = time.Time{} }},
	"a record of another root":    {promisePlace, func(d *dented) { d.Records[d.first("r-p3", "text")].Root = "s-other" }},
	"a record of no session":      {promisePlace, func(d *dented) { d.Records[d.first("r-p3", "usage")].Session = "s-gone" }},
	"a record of another session": {promisePlace, func(d *dented) { d.Records[d.first("r-p3", "text")].Session = "s-map" }},
	"a run that never began":      {promisePlace, func(d *dented) { d.Records[d.first("r-p3", "text")].Run = "r-ghost" }},
	"a child of a stranger": {promisePlace, func(d *dented) {
		change(d, d.first("r-n5", "spawned"), func(e *lifecycle.Spawned) { e.ParentRun = "r-map" })
	}},
	"a subagent of a subagent": {promiseDepth, func(d *dented) {
		change(d, d.first("r-n5", "spawned"), func(e *lifecycle.Spawned) { e.Parent, e.ParentRun = "s-n1", "r-n1" })
	}},
	"two runs of a session at once": {promiseOneAtWork, func(d *dented) {
		i := d.first("r-p1", "step_started")
		d.insert(i, lifecycle.Spawned{Spec: lifecycle.Spec{Root: exporttest.Root, Trigger: lifecycle.TriggerContinue}})
		d.insert(i+1, lifecycle.Started{})
		d.Records[i+1].Run, d.Records[i+2].Run = "r-second", "r-second"
	}},
	"a step left out": {promiseStates, func(d *dented) {
		change(d, d.at("r-p1", "step_started", 2), func(e *lifecycle.StepStarted) { e.Step = 3 })
	}},
	"work before the start":     {promiseStates, func(d *dented) { d.insert(d.first("r-n6", "queued"), lifecycle.Text{Text: "hey"}) }},
	"asked for its words twice": {promiseStates, func(d *dented) { d.insert(d.first("r-plan", "nudged"), lifecycle.Nudged{}) }},
	"a failure without an error": {promiseCauses, func(d *dented) {
		change(d, d.first("r-p5", "ended"), func(e *lifecycle.Ended) { e.Error = nil })
	}},
	"stopped by nobody": {promiseCauses, func(d *dented) {
		change(d, d.first("r-deep", "ended"), func(e *lifecycle.Ended) { e.Cause = "" })
	}},
	"a person's key that no person pressed": {promiseCauses, func(d *dented) {
		change(d, d.first("r-deep", "ended"), func(e *lifecycle.Ended) { e.Cause = lifecycle.CauseProcessEnd })
	}},
	"a lost worker, but none": {promiseCauses, func(d *dented) {
		change(d, d.first("r-cut", "ended"), func(e *lifecycle.Ended) { e.Cause, e.Found = lifecycle.CauseWorkerLost, false })
	}},
	"completed without a word": {promiseCauses, func(d *dented) {
		change(d, d.first("r-p4", "ended"), func(e *lifecycle.Ended) { e.Result = "" })
	}},
	"a wrong place in line": {promiseLine, func(d *dented) {
		change(d, d.first("r-n6", "queued"), func(e *lifecycle.Queued) { e.Position = 3 })
	}},
	"a message taken that was never queued": {promiseQueue, func(d *dented) {
		d.insert(d.first("r-talk", "message_taken"), lifecycle.MessageTaken{Message: "m-none", Step: 2, From: lifecycle.FromUser, Text: "hey"})
	}},
	"a message taken twice": {promiseQueue, func(d *dented) {
		i := d.first("r-talk", "message_taken")
		d.insert(i, d.Records[i].Event)
	}},
	"a message that a step left waiting": {promiseQueue, func(d *dented) {
		d.remove(d.first("r-talk", "message_taken"))
		d.unsay("s-talk", func(m book.Message) bool { return m.Message == "m-2" })
	}},
	"a message that a stopped run left waiting": {promiseQueue, func(d *dented) { d.remove(d.at("r-talk", "message_withdrawn", 2)) }},
	"a run that neither begins nor waits":       {promiseStates, func(d *dented) { d.remove(d.first("r-n6", "queued")) }},
	"a message queued twice": {promiseQueue, func(d *dented) {
		i := d.first("r-talk", "message_queued")
		d.insert(i, d.Records[i].Event)
	}},
	"a message taken with other words": {promiseQueue, func(d *dented) {
		change(d, d.first("r-talk", "message_taken"), func(e *lifecycle.MessageTaken) { e.Text = "Hurry" })
		(*d.talk("s-talk"))[d.message("s-talk", func(m book.Message) bool { return m.Message == "m-2" })].Parts[0].Text = "Hurry"
	}},
	"an answer without a question": {promiseQuestions, func(d *dented) { d.remove(d.first("r-audit", "permission_asked")) }},
}

// brokenDocuments are broken in what a document says beside its records.
var brokenDocuments = map[string]struct {
	promise Promise
	do      func(*dented)
}{
	"a changed run":          {promiseReceipts, func(d *dented) { d.Runs[3].Usage.Steps++ }},
	"a run that is left out": {promiseReceipts, func(d *dented) { d.Runs = slices.Delete(d.Runs, 3, 4) }},
	"a run without records": {promiseReceipts, func(d *dented) {
		ghost := d.Runs[3]
		ghost.ID = "r-ghost"
		d.Runs = append(d.Runs, ghost)
	}},
	"runs in wrong order": {promiseOrder, func(d *dented) { d.Runs[3], d.Runs[4] = d.Runs[4], d.Runs[3] }},
	"changed totals":      {promiseTotals, func(d *dented) { d.Totals.Children.OutputTokens++ }},
	"a run too many":      {promiseTotals, func(d *dented) { d.Totals.Runs++ }},
	"a call with another run": {promiseCalls, func(d *dented) {
		i := d.message(exporttest.Root, func(m book.Message) bool {
			return slices.ContainsFunc(m.Parts, func(p book.Part) bool { return p.Metadata != nil })
		})
		part := &(*d.talk(exporttest.Root))[i].Parts[0]
		part.Metadata = lifecycle.CallMetadata(d.Runs[:1])
	}},
	"a call without its run": {promiseCalls, func(d *dented) {
		i := d.message(exporttest.Root, func(m book.Message) bool {
			return slices.ContainsFunc(m.Parts, func(p book.Part) bool { return p.Metadata != nil })
		})
		(*d.talk(exporttest.Root))[i].Parts[0].Metadata = nil
	}},
	"a rewind that keeps too much":   {promiseRewinds, func(d *dented) { d.rewind().Keep += 2 }},
	"a rewind that keeps too little": {promiseRewinds, func(d *dented) { d.rewind().Keep -= 3 }},
	"a call with a run that it did not start": {promiseCalls, func(d *dented) {
		i := d.message(exporttest.Root, func(m book.Message) bool {
			return slices.ContainsFunc(m.Parts, func(p book.Part) bool { return p.Call == "c-todo" })
		})
		(*d.talk(exporttest.Root))[i].Parts[1].Metadata = lifecycle.CallMetadata(d.Runs[:1])
	}},
}

func TestABrokenCopyIsFoundOut(t *testing.T) {
	s := exporttest.Everything(t)
	document := document(s, s.Upto())
	whole := dent(t, document)
	names, _ := whole.tried()
	require.Empty(t, names, "the copy is whole")
	names, verdict := whole.judged(whole.filed(document))
	require.Empty(t, names, "the file is whole: %v", verdict.Faults)
	settled := whole.again(t)
	settled.settle()
	names, verdict = settled.tried()
	require.Empty(t, names, "settling breaks nothing: %v", verdict.Faults)
	for name, c := range brokenCopies {
		t.Run(name, func(t *testing.T) {
			d := whole.again(t)
			c.do(d)
			d.settle()
			names, verdict := d.tried()
			require.Equal(t, []string{c.promise.Name}, names, "%v", verdict.Faults)
		})
	}
	for name, c := range brokenDocuments {
		t.Run(name, func(t *testing.T) {
			d := whole.again(t)
			c.do(d)
			names, verdict := d.judged(d.filed(document))
			require.Equal(t, []string{c.promise.Name}, names, "%v", verdict.Faults)
		})
	}
}

// Each promise has a copy that breaks it: a check that sleeps is found out.
func TestEachPromiseIsBrokenByACopy(t *testing.T) {
	broken := map[Promise]bool{}
	for _, c := range brokenCopies {
		broken[c.promise] = true
	}
	for _, c := range brokenDocuments {
		broken[c.promise] = true
	}
	for _, p := range Promises() {
		require.True(t, broken[p], "no copy breaks %q", p)
		require.NotEmpty(t, p.Says)
	}
}

// A record that is left out is missed by its run's receipt. The vital ones are missed even
// where somebody has made receipts, calls and totals that fit what is left: without them no
// session is one that could have been. Tried are the first of each event and a third of the rest,
// in the soak all.
func TestARecordThatIsLeftOutIsMissed(t *testing.T) {
	vital := []string{
		"spawned", "queued", "started", "tool_started", "tool_ended", "message_taken", "message_edited", "message_withdrawn",
		"compacted", "notification_queued", "notification_delivered", "consumed",
	}
	s := exporttest.Everything(t)
	whole := dent(t, document(s, s.Upto()))
	left := map[string]bool{}
	for i, rec := range whole.Records {
		name, d := lifecycle.Name(rec.Event), whole.again(t)
		if left[name] && i%9 != 0 && !soaktest.Wanted() {
			continue
		}
		left[name] = true
		d.remove(i)
		if slices.Contains(vital, name) {
			d.settle()
		}
		names, _ := d.tried()
		require.NotEmpty(t, names, "record %d, %s of %s, is not missed", rec.Seq, name, rec.Run)
	}
}

// What was written in one change with a prompt goes back with it: a rewind may keep it or not.
func TestARewindKeepsOfOneChangeAllOrNothing(t *testing.T) {
	s := exporttest.Everything(t)
	d := dent(t, document(s, s.Upto()))
	var to lifecycle.Seq
	for _, rec := range d.Records {
		if e, is := rec.Event.(lifecycle.Rewound); is && e.Conversation {
			to = e.To
		}
	}
	for i := d.first("r-p8", "ended"); i < int(to); i++ {
		d.Records[i].Time = d.Records[to-1].Time
	}
	d.settle()
	whole := d.rewind().Keep
	for keep, kept := range map[int]bool{whole: true, whole - 1: true, whole - 3: false, whole + 1: false} {
		d.rewind().Keep = keep
		names, verdict := d.tried()
		require.Equal(t, kept, !slices.Contains(names, promiseRewinds.Name), "%d of %d: %v", keep, whole, verdict.Faults)
	}
}
