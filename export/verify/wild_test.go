package verify

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/recording"
	"pawl/internal/soaktest"
)

// wild changes one value of a document: to another of the same kind that stands elsewhere
// in it, to nothing, to something that nobody knows; or takes it away, or has it twice.
type wild struct {
	*rand.Rand
	values []any
}

func newWild(document any, seed uint64) *wild {
	w := &wild{Rand: rand.New(rand.NewPCG(seed, 8))}
	w.collect(document)
	return w
}

func (w *wild) collect(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(keysOf(value)) {
			w.collect(value[name])
		}
	case []any:
		for _, inner := range value {
			w.collect(inner)
		}
	}
	w.values = append(w.values, value)
}

func keysOf(value map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range value {
			if !yield(name) {
				return
			}
		}
	}
}

// changed is a copy with a change at the place of that number, counted down.
func (w *wild) changed(value any, at *int) any {
	if *at--; *at == -1 {
		return w.other(value)
	}
	switch value := value.(type) {
	case map[string]any:
		copied := map[string]any{}
		for _, name := range slices.Sorted(keysOf(value)) {
			copied[name] = w.changed(value[name], at)
		}
		return copied
	case []any:
		copied := make([]any, 0, len(value)+1)
		for _, inner := range value {
			copied = append(copied, w.changed(inner, at))
		}
		return copied
	}
	return value
}

func (w *wild) other(value any) any {
	switch value := value.(type) {
	case []any:
		if len(value) > 1 {
			i, j := w.IntN(len(value)), w.IntN(len(value))
			copied := slices.Clone(value)
			copied[i] = value[j]
			return copied
		}
		return []any{}
	case string:
		for range 50 {
			if other, is := w.values[w.IntN(len(w.values))].(string); is && other != value && len(other) < 40 {
				return other
			}
		}
		return "nobody knows it"
	case float64:
		return []any{float64(0), float64(-1), value + 1, value * 1000, 1e15}[w.IntN(5)]
	case bool:
		return !value
	}
	return nil
}

// Whatever one or two values of a document are, there is a verdict on it or one line that
// says what is wrong, and never a crash.
func TestAnyDocumentWithAnyValueChangedGetsAVerdict(t *testing.T) {
	long, short := exporttest.Everything(t), exporttest.Plot(t)
	for name, document := range map[string][]byte{
		"long": document(long, long.Upto()), "short": document(short, short.Upto()),
	} {
		var whole any
		require.NoError(t, json.Unmarshal(document, &whole))
		count := newWild(whole, 0)
		tries, read := soaktest.Count(t, 10, 3_000), 0
		for seed := range tries {
			w := newWild(whole, uint64(seed))
			changed := whole
			for range 1 + w.IntN(2) {
				at := w.IntN(len(count.values))
				changed = w.changed(changed, &at)
			}
			text, err := json.Marshal(changed)
			require.NoError(t, err)
			if r, err := recording.Read(t.Context(), bytes.NewReader(text), "wild"); err == nil {
				read++
				_, err := Session(t.Context(), r.Source(), r.Upto())
				if err != nil {
					require.NotContains(t, err.Error(), "\n")
				}
				require.NoError(t, r.Close())
			} else {
				require.NotContains(t, err.Error(), "\n")
			}
		}
		t.Logf("%s: %d values, %d of %d copies could be read", name, len(count.values), read, tries)
	}
}
