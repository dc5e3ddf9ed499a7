package lifecycle

import "github.com/stretchr/testify/require"

// Witness judges the logs that the model test makes by what another room knows of
// sessions. The test of that room's that lives in this folder sets it. faulty says that the
// journal has refused something.
var Witness func(records []Record, runs []Run, limits Limits, faulty bool) error

// witness asks it, after every few records: each time it reads the whole log.
func (th *harness) witness() {
	const apart = 7
	if Witness == nil || !th.closed && len(th.journal.records)%apart != 0 {
		return
	}
	var runs []Run
	for _, id := range th.journal.order {
		runs = append(runs, th.journal.runs[id])
	}
	require.NoError(th.t, Witness(th.journal.records, runs, small, th.faults > 0))
}
