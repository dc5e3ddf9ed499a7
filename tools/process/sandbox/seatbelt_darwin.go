package sandbox

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"pawl/internal/launch"
)

// seatbelt says why commands cannot be confined by Seatbelt here; nil: they can. It tries once a
// process, with every rule that a profile may have.
var seatbelt = sync.OnceValue(func() error {
	text, err := Profile(&launch.Confinement{
		Landlock: true, NoNetwork: true, Write: []string{"/private/tmp"}, Freeze: []string{"/private/tmp/a"},
		Pin: []string{"/private/tmp/b"}, Hide: []string{"/private/tmp/c"},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, SeatbeltProgram)
	cmd.Args = SeatbeltArguments(text, "/usr/bin/true")
	if said, err := cmd.CombinedOutput(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return fmt.Errorf("%s does not work here: %w %s", SeatbeltProgram, err, line)
	}
	return nil
})
