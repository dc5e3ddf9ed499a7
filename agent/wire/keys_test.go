package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// readKeys are enough of the shapes that providers read for all of check.
var readKeys = Keys{"text": nil, "inner": {"index": nil, "deep": {"text": nil}}, "type": nil}

// keysSlowly says what check says, by a decoder that copies all it reads.
func keysSlowly(k Keys, value any) error {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			if err := keysSlowly(k, one); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, inner := range value {
			within, known := k[name]
			if known && within != nil {
				if err := keysSlowly(within, inner); err != nil {
					return err
				}
			}
			for other := range k {
				if _, there := value[other]; !known && !there && byteOff(name, other) {
					return errDamaged
				}
			}
		}
	}
	return nil
}

func TestKeysAreFoundWhereverTheyStand(t *testing.T) {
	for name, row := range map[string]struct {
		data    string
		damaged bool
	}{
		"spaces":            {" { \"text\" : \"a\\\"}\" ,\n\"tex\" : [ ] } ", false},
		"escaped name":      {`{"t\u0065xt":1,"tex":2}`, false},
		"escaped odd name":  {`{"t\u0066xt":1}`, true},
		"in a list of list": {`{"inner":[[{"Index":1}]]}`, true},
		"beside, later":     {`{"tex":1,"inner":{"a":[{"text":2}]},"text":3}`, false},
		"only deeper":       {`{"tex":1,"inner":{"text":3}}`, true},
		"brackets in texts": {`{"other":"}]{[\\","inner":{"deep":{"texts":0}}}`, true},
		"inside is nothing": {`{"text":{"tex":1},"inner":null,"type":-1.5e3}`, false},
		"a number alone":    {`12`, false},
		"nothing in it":     {`{"inner":[],"text":{}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := readKeys.check([]byte(row.data))
			if row.damaged {
				require.ErrorIs(t, err, errDamaged)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// What is in an event is looked at without a copy of it: there are thousands in an answer.
func TestAnEventIsCheckedWithoutMemory(t *testing.T) {
	const many = 200
	event := `data: {"id":"x","type":"delta","inner":[{"index":0,"deep":{"text":"a \"word\""},"other":null}],"usage":{"n":1.5}}` + "\n\n"
	stream := []byte(strings.Repeat(event, many))
	spent := testing.AllocsPerRun(5, func() {
		e := NewEvents(bytes.NewReader(stream), readKeys)
		for range many {
			if _, err := e.Next(); err != nil {
				panic(err)
			}
		}
	})
	// Two in all, and one an event under the race detector, whose pools forget.
	require.Less(t, spent, 1.5*many, "allocations of %d events", many)
}

// The walk over an event sees what a decoder sees.
func FuzzKeys(f *testing.F) {
	files, err := filepath.Glob("../*/testdata/*.sse")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		for line := range bytes.Lines(data) {
			if event, is := bytes.CutPrefix(line, []byte("data: ")); is {
				f.Add(event)
			}
		}
	}
	f.Add([]byte(`{"inner":[{"indexx":"\\\""}],"a":{"b":[1,true,{}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var value any
		if json.Unmarshal(data, &value) != nil || !utf8.Valid(data) || twice(data) {
			t.Skip()
		}
		want := keysSlowly(readKeys, value)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(readKeys.checkValue(&cursor{data: data})))
	})
}

// twice says whether some name may stand twice in an object: of those a decoder keeps
// the last.
func twice(data []byte) bool {
	again, err := json.Marshal(json.RawMessage(data))
	var value any
	if err != nil || json.Unmarshal(data, &value) != nil {
		return true
	}
	once, err := json.Marshal(value)
	return err != nil || bytes.Count(again, []byte(":")) != bytes.Count(once, []byte(":"))
}
