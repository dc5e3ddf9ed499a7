package update

import (
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/regular"
)

// OtherWay says how a program is renewed that something else has installed, whose record of its files
// would be wrong otherwise. It is empty if nothing else has.
func OtherWay(program string) string {
	folders := strings.Split(filepath.ToSlash(program), "/")
	for _, name := range folders[:len(folders)-1] {
		switch name {
		case "node_modules":
			return "npm has installed it: npm install -g pawl@latest"
		case "Cellar":
			return "Homebrew has installed it: brew upgrade pawl"
		case "nix":
			if strings.HasPrefix(program, "/nix/store/") {
				return "Nix has installed it: nix profile upgrade pawl"
			}
		}
	}
	return byPackage(filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "pawl", "package"))
}

// byPackage reads what a package of a system (deb, rpm, apk, archlinux) says of itself.
func byPackage(mark string) string {
	kind, err := regular.Read(mark, 64)
	if err != nil {
		return ""
	}
	name := map[string]string{"deb": "apt", "rpm": "dnf or zypper", "apk": "apk", "archlinux": "pacman"}[strings.TrimSpace(string(kind))]
	if name == "" {
		return ""
	}
	return "a package has installed it: renew that with " + name
}

// ThisProgram is the file that this process was started from, links followed.
func ThisProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}
