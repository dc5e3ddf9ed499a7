package verify

import "fmt"

// Promise is one thing that holds of every recorded session. Those with a number are the
// invariants of the design, under its numbers; the others are of the log and the document.
// The names are part of what "pawl verify --json" prints.
type Promise struct {
	Number int    `json:"number,omitempty"`
	Name   string `json:"name"`
	Says   string `json:"says"`
}

// The promises.
var (
	promiseAnswered  = Promise{1, "answered", "every tool call has exactly one result before the next model request"}
	promiseOneEnd    = Promise{2, "one end", "a run ends once; only its notification, its delivery and what is done with its files follow"}
	promiseTold      = Promise{3, "told once", "each notification of an end is delivered or withdrawn, exactly once"}
	promiseSlots     = Promise{4, "slots", "no more background runs work at once than the limit allows"}
	promiseWords     = Promise{5, "words", "no text that a model is given is empty"}
	promiseOwn       = Promise{6, "own runs", "a model reads, messages and stops only runs of its own session"}
	promiseNothing   = Promise{7, "nothing left", "a run that ends leaves no tool call and no question open"}
	promiseOnRecord  = Promise{8, "on record", "what is in a transcript is in the log, and the other way round"}
	promiseNumbers   = Promise{0, "numbers", "records are numbered from 1 on, without a gap"}
	promiseClock     = Promise{0, "clock", "every record has a time"}
	promisePlace     = Promise{0, "place", "every record belongs to a run, every run to a session, every session to this root"}
	promiseDepth     = Promise{0, "depth", "subagents do not start subagents"}
	promiseOneAtWork = Promise{0, "one at work", "a session has one run at a time"}
	promiseStates    = Promise{0, "states", "a run goes through its states in their order"}
	promiseCauses    = Promise{0, "causes", "how a run ended fits what ended it"}
	promiseLine      = Promise{0, "line", "queued runs get free slots in their order"}
	promiseQueue     = Promise{0, "queue", "a message is queued once, and delivered or withdrawn once"}
	promiseQuestions = Promise{0, "questions", "every answer has its question"}
	promiseChanges   = Promise{0, "changes", "a changed file is named once, by its path in a folder; what is landed is of a subagent with a worktree"}
	promiseRewinds   = Promise{0, "rewinds", "a rewind goes back to a prompt, a landing or a rewind, and to what was there before"}
	promiseRemote    = Promise{0, "remote", "a remote run has one worker at a time, and each of its requests is recorded once"}
	promiseReceipts  = Promise{0, "receipts", "every run in the list of runs matches its records"}
	promiseOrder     = Promise{0, "order", "runs and sessions are listed in the order in which they began"}
	promiseCalls     = Promise{0, "calls", "a call lists the runs that it started"}
	promiseTotals    = Promise{0, "totals", "the totals are the sum of the runs"}
)

// Promises lists them, the design's first.
func Promises() []Promise {
	return []Promise{
		promiseAnswered, promiseOneEnd, promiseTold, promiseSlots, promiseWords, promiseOwn, promiseNothing, promiseOnRecord,
		promiseNumbers, promiseClock, promisePlace, promiseDepth, promiseOneAtWork, promiseStates, promiseCauses, promiseLine,
		promiseQueue, promiseQuestions, promiseChanges, promiseRewinds, promiseRemote, promiseReceipts, promiseOrder, promiseCalls, promiseTotals,
	}
}

// String is the number, where there is one, and the name.
func (p Promise) String() string {
	if p.Number == 0 {
		return p.Name
	}
	return fmt.Sprintf("%d %s", p.Number, p.Name)
}

// check is how one promise is held against the records: each after it was folded in, and
// all at the end. Either may be nil.
type check struct {
	promise Promise
	each    func(*audit, *transition)
	last    func(*audit)
}

// checks are in the order in which a record is held against them: the first promise that
// it breaks is named, and what only follows from that is not.
func checks() []check {
	return []check{
		{promisePlace, (*audit).place, nil},
		{promiseDepth, (*audit).depth, nil},
		{promiseClock, (*audit).clock, nil},
		{promiseOneAtWork, (*audit).oneAtWork, nil},
		{promiseStates, (*audit).states, nil},
		{promiseCauses, (*audit).causes, nil},
		{promiseQuestions, (*audit).questions, nil},
		{promiseQueue, (*audit).queue, nil},
		{promiseTold, (*audit).owed, (*audit).stillOwed},
		{promiseOwn, (*audit).ownRuns, nil},
		{promiseSlots, (*audit).slots, nil},
		{promiseLine, (*audit).line, nil},
		{promiseNothing, (*audit).nothingLeft, nil},
		{promiseRemote, (*audit).remote, nil},
		{promiseAnswered, (*audit).answered, nil},
		{promiseRewinds, (*audit).rewound, nil},
		{promiseChanges, (*audit).changed, nil}, // the last: it notes what a rewind was held against
	}
}
