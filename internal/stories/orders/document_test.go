//go:build linux

package orders

import (
	"fmt"
	"slices"
	"strings"
)

// document is a JSON export, as far as this test reads it.
type document struct {
	Runs    []farRun
	Records []struct{ Run, Event string }
}

// farRun is a run of it.
type farRun struct {
	Run, Parent, Description, State, Cause, Folder string

	Consumed *struct{ By string }
	Error    *struct{ Kind, Message string }
}

// far are the runs of subagents.
func (d document) far() []farRun {
	return slices.DeleteFunc(slices.Clone(d.Runs), func(r farRun) bool { return !strings.HasPrefix(r.Description, "dig ") })
}

// problems are ends that were lost or doubled, in the log or on the way to the model, and runs that
// ended as nothing here explains.
func (d document) problems(m *model) (all []string) {
	count := map[string]int{}
	for _, rec := range d.Records {
		count[rec.Event+" "+rec.Run]++
	}
	for _, r := range d.far() {
		wrong := func(format string, args ...any) {
			all = append(all, fmt.Sprintf("run %s (%s, %s %s): ", r.Run, r.Description, r.State, r.Cause)+fmt.Sprintf(format, args...))
		}
		if n := count["ended "+r.Run]; n != 1 {
			wrong("%d ends", n)
		}
		if n := count["notification_queued "+r.Run]; n != 1 {
			wrong("%d notifications", n)
		}
		if n := count["notification_delivered "+r.Run]; n != 1 || m.told[r.Run] != n {
			wrong("delivered %d times, told %d times", n, m.told[r.Run])
		}
		if r.Consumed == nil {
			wrong("its parent was not told")
		}
		if r.State != "completed" && (r.State != "interrupted" || r.Cause != "worker_lost") {
			wrong("an end that nothing explains: %+v", r.Error)
		}
		all = append(all, d.placed(m, r, count)...)
	}
	return all
}

// placed are the faults of where a run was worked at: only one of the type that may begin anew has
// more than one worker, and at most three.
func (d document) placed(m *model, r farRun, count map[string]int) (all []string) {
	var i int
	_, _ = fmt.Sscanf(r.Description, "dig number %d", &i) // it is one of ours
	dig := fmt.Sprintf("dig-%d", i)
	workers, most := m.workers(dig), 1
	if again(i) {
		most = 3
	}
	if len(workers) > most || count["placed "+r.Run] > most {
		all = append(all, fmt.Sprintf("run %s (%s): worked at by %q, placed %d times", r.Run, dig, workers, count["placed "+r.Run]))
	}
	if r.State == "completed" && len(workers) == 0 {
		all = append(all, fmt.Sprintf("run %s (%s): completed, and nobody asked", r.Run, dig))
	}
	return all
}

// count says how the runs ended.
func (d document) count() string {
	count := map[string]int{}
	for _, r := range d.far() {
		count[strings.TrimSpace(r.State+" "+r.Cause)]++
	}
	for _, rec := range d.Records {
		if rec.Event == "placed" {
			count["placed"]++
		}
	}
	return fmt.Sprint("ends: ", count)
}
