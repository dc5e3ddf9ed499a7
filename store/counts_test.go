package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

// What the log costs: see counttest. What is the same each time stands as it is, or a
// twentieth above where the pages of the file have a say.
const (
	mostAllocsAlone = 155 // allocations of a record in a transaction of its own: 126
	mostAllocsOf100 = 32  // of one among a hundred: 25.4
	mostToOpen      = 2   // queries of a program that opens the database: 2
	mostToShow      = 4   // queries for the first screen of an old session: 4
)

// mostOnDisk is what 100 records cost, by how many of them a transaction has.
var mostOnDisk = []struct {
	size         int
	transactions float64
	flushes      float64 // as many as transactions: synchronous=FULL
	statements   float64 // 5 of a record alone: 500, 220, 112
	writes       float64 // two of a page that a transaction changes: 1202, 260, 48
	bytes        float64 // 2,476,000, 535,600, 98,880
}{
	{1, 100, 100, 500, 1260, 2_600_000},
	{10, 10, 10, 220, 275, 560_000},
	{100, 1, 1, 112, 50, 104_000},
}

func TestCostOfARecordInAllocations(t *testing.T) {
	for size, bound := range map[int]float64{1: mostAllocsAlone, 100: mostAllocsOf100} {
		s := open(t, swift(t))
		j := busy(t, s)
		changes := work(j, size*21) // one time more than they are counted
		counttest.Allocations(t, fmt.Sprintf("a record among %d", size), bound, size, func() {
			require.NoError(t, s.Append(context.Background(), changes[:size]))
			changes = changes[size:]
		})
	}
}

// swift is where a database of these tests is: what a flush takes is not counted.
func swift(t testing.TB) string { return filepath.Join(quick(t), "data", "pawl.db") }

// One transaction is flushed once, whatever it holds, so 100 records that come at once
// cost a hundredth of what 100 cost that come one by one.
func TestCostOf100RecordsOnTheDisk(t *testing.T) {
	for _, most := range mostOnDisk {
		size := most.size
		d := newDisk(t, failures[0], 0)
		s := open(t, swift(t), onDisk(d))
		j := busy(t, s)
		require.NoError(t, s.Append(context.Background(), work(j, 10)))
		d.tape = &tape{}
		for range 100 / size {
			require.NoError(t, s.Append(context.Background(), work(j, size)))
		}
		counts, bytes := map[operation]float64{}, 0
		for _, a := range d.tape.acts {
			counts[a.op]++
			bytes += len(a.data)
		}
		counttest.AtMost(t, fmt.Sprintf("flushes of 100 records, %d a transaction", size), most.flushes, counts[opSync])
		counttest.AtMost(t, fmt.Sprintf("writes of 100 records, %d a transaction", size), most.writes, counts[opWrite])
		counttest.AtMost(t, fmt.Sprintf("bytes of 100 records, %d a transaction", size), most.bytes, float64(bytes))
	}
}

func TestCostOf100RecordsInTransactions(t *testing.T) {
	for _, most := range mostOnDisk {
		size := most.size
		n := &teller{}
		s := open(t, swift(t), Options{engine: n.engine()})
		j := busy(t, s)
		spent := n.spent(func() {
			for range 100 / size {
				require.NoError(t, s.Append(context.Background(), work(j, size)))
			}
		})
		counttest.AtMost(t, fmt.Sprintf("transactions of 100 records, %d each", size), most.transactions, float64(spent[0]))
		counttest.AtMost(t, fmt.Sprintf("statements of 100 records, %d each", size), most.statements, float64(spent[1]+spent[2]))
	}
}

// What the first screen of an old session waits for, as main asks for it.
func TestCostOfAnOpenedScreenInQueries(t *testing.T) {
	path := swift(t)
	s := open(t, path)
	j := story(t, s)
	require.NoError(t, s.Close())
	n := &teller{}
	spent := n.spent(func() { s = open(t, path, Options{engine: n.engine()}) })
	counttest.AtMost(t, "queries to open the database", mostToOpen, float64(spent[2]))
	require.Zero(t, spent[0], "nothing is written to read")
	spent = n.spent(func() {
		_, err := s.Load(t.Context(), j.root)
		require.NoError(t, err)
		_, err = s.Tail(t.Context(), j.root, j.root, 0, 150)
		require.NoError(t, err)
	})
	counttest.AtMost(t, "queries of a first screen", mostToShow, float64(spent[2]))
	require.Zero(t, spent[0])
}
