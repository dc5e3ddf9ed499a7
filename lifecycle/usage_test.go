package lifecycle

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// A figure that the sum forgot would be lost on every card and in every export.
func TestASumOfUsagesForgetsNoFigure(t *testing.T) {
	var one, sum Usage
	for i := range reflect.TypeFor[Usage]().NumField() {
		for v, n := range map[*Usage]int64{&one: 1, &sum: 2} {
			if field := reflect.ValueOf(v).Elem().Field(i); field.CanInt() {
				field.SetInt(n)
			} else {
				field.SetFloat(float64(n))
			}
		}
	}
	require.Equal(t, sum, one.Add(one))
}
