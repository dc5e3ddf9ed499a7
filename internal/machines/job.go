package machines

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pawl/lifecycle"
)

// Job is an attempt that waits for a worker: names alone, nothing of what the run is about.
type Job struct {
	Attempt
	Root       lifecycle.SessionID `json:"root"`
	Protocol   int                 `json:"protocol"` // of agent/remote
	Labels     []string            `json:"labels,omitempty"`
	Idempotent bool                `json:"idempotent,omitempty"`
}

// anyLabel stands in a subject for no label.
const anyLabel = "any"

// CheckLabels says in one line what is wrong with labels, if anything is.
func CheckLabels(labels []string) error { return lifecycle.CheckLabels(labels) }

// queueOf is the part of a subject that names the queue for these labels.
func queueOf(labels []string) string {
	if len(labels) == 0 {
		return anyLabel
	}
	return strings.Join(slices.Sorted(slices.Values(labels)), "+")
}

// Subject is where a job waits.
func (j Job) Subject() string {
	return fmt.Sprintf("pawl.job.%d.%s.%s.%s.%d", j.Protocol, queueOf(j.Labels), j.Root, j.Run, j.Number)
}

// choices returns all choices of labels, none among them, the longest first.
func choices(labels []string) [][]string {
	all := [][]string{nil}
	for _, label := range slices.Sorted(slices.Values(labels)) {
		for _, smaller := range all {
			all = append(all, append(slices.Clone(smaller), label))
		}
	}
	slices.SortStableFunc(all, func(a, b []string) int { return len(b) - len(a) })
	return all
}

// parseSubject reads root, run and attempt from a job's subject, which is all that is known of a
// job that cannot be trusted.
func parseSubject(subject string) (j Job, err error) {
	parts := strings.Split(subject, ".")
	if len(parts) != 7 {
		return j, errors.New("its subject is not that of a job")
	}
	j.Root, j.Run = lifecycle.SessionID(parts[4]), lifecycle.RunID(parts[5])
	j.Number, err = strconv.Atoi(parts[6])
	return j, err
}

// parseJob reads a job that was found under a subject. It returns what the subject says beside an
// error.
func parseJob(subject string, body []byte) (Job, error) {
	named, err := parseSubject(subject)
	if err != nil {
		return named, err
	}
	var j Job
	if err := json.Unmarshal(body, &j); err != nil {
		return named, errors.New("it cannot be read: it is not from this version of Pawl")
	}
	if j.Subject() != subject {
		return named, errors.New("it is of another queue than the one that it was put into")
	}
	return j, nil
}
