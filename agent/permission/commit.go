package permission

import "strings"

// onlyCommits reports whether a command is git add, commit or status in its plain form.
// Such a command takes in files of the checkout and changes only the index and the current
// branch; none of its options starts a program, opens an editor or reads a named file. A
// commit needs a message, or git would open an editor.
func (c command) onlyCommits() bool {
	if len(c) < 2 || !c.known() || c[0].text != "git" {
		return false
	}
	switch c[1].text {
	case "status":
		plain, _ := plainOptions(c[2:], "bs", set(`--short --branch --porcelain`))
		return plain
	case "add":
		plain, _ := plainOptions(c[2:], "AuvnN", set(`--all --update --verbose --dry-run --intent-to-add`))
		return plain
	case "commit":
		plain, message := plainOptions(c[2:], "aqsnm", set(`--all --quiet --signoff --no-verify --allow-empty --message`))
		return plain && message
	}
	return false
}

// plainOptions reports whether all options among the words are listed, long ones in full,
// and whether there is a message. -m and --message take one, attached or in the next word.
func plainOptions(words command, short string, long *names) (plain, message bool) {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		if text == "--" {
			break // paths follow
		}
		if !strings.HasPrefix(text, "-") {
			continue
		}
		given, takes := "", false
		if strings.HasPrefix(text, "--") {
			name, value, valued := strings.Cut(text, "=")
			takes, given = name == "--message", value
			if !long.has(name) || valued && !takes {
				return false, false
			}
		} else {
			flags, value, _ := strings.Cut(text[1:], "m")
			takes, given = strings.Contains(text, "m"), value
			if text == "-" || strings.Trim(flags, short) != "" || takes && !strings.Contains(short, "m") {
				return false, false
			}
		}
		if takes && given == "" {
			if i++; i == len(words) {
				return false, false
			}
			given = words[i].text
		}
		message = message || takes && strings.TrimSpace(given) != ""
	}
	return true, message
}
