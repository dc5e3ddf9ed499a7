//go:build windows

package launch

import "syscall"

// Nothing is launched on Windows: pawl/internal/guard ends the program before. It compiles so
// that whoever builds it is told what to do.

type mechanism struct {
	prepare func(*Confinement) (step string, err error)
}

var mechanisms map[Mode]mechanism

type call struct{}

func newCall(mechanism) *call { return &call{} }

func (*call) start(string, []string) error { return syscall.EWINDOWS }

func (*call) attend() Report { return Report{} }

func readFrom(int, []byte) (int, error) { return 0, syscall.EWINDOWS }

// LandlockVersion returns EWINDOWS.
func LandlockVersion() (int, error) { return 0, syscall.EWINDOWS }

func (c *Confinement) restrict() (string, error) { return StepLandlock, syscall.EWINDOWS }

// Stray is a process that must not be left behind. There is none here.
type Stray struct{}

// Signal does nothing.
func (Stray) Signal(syscall.Signal) {}

// Survivors finds none.
func Survivors(int, string) []Stray { return nil }

// FilterPossible returns EWINDOWS.
func FilterPossible() error { return syscall.EWINDOWS }

func (c *Confinement) raiseLoopback() error { return syscall.EWINDOWS }
