//go:build unix

package harness

import "testing"

func TestMain(m *testing.M) { Main(m, nil) }
