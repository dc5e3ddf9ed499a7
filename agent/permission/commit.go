package permission

import "strings"

// onlyCommits says whether a command is git add or git commit in its plain form, or the look
// at what there is to commit: what it takes in is below the checkout, what it changes is
// the index and the branch that is checked out, and no option of it starts a program,
// opens an editor or names a file to read. A commit has its message among its words:
// without one git opens an editor.
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

// plainOptions says whether all options among some words are of these, the long ones
// written in full, and whether a message is among them. m and --message take one, from
// their own word or the next.
func plainOptions(words command, short string, long map[string]bool) (plain, message bool) {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		if text == "--" {
			break // paths follow
		}
		if !strings.HasPrefix(text, "-") {
			continue
		}
		said, takes := "", false
		if strings.HasPrefix(text, "--") {
			name, value, valued := strings.Cut(text, "=")
			takes, said = name == "--message", value
			if !long[name] || valued && !takes {
				return false, false
			}
		} else {
			flags, value, _ := strings.Cut(text[1:], "m")
			takes, said = strings.Contains(text, "m"), value
			if text == "-" || strings.Trim(flags, short) != "" || takes && !strings.Contains(short, "m") {
				return false, false
			}
		}
		if takes && said == "" {
			if i++; i == len(words) {
				return false, false
			}
			said = words[i].text
		}
		message = message || takes && strings.TrimSpace(said) != ""
	}
	return true, message
}
