package cli

import _ "embed"

// The scripts that teach a shell to ask pawl what can stand at a place.
var (
	//go:embed completion.bash
	Bash string
	//go:embed completion.zsh
	Zsh string
	//go:embed completion.fish
	Fish string
)
