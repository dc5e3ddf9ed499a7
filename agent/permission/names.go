package permission

import (
	"path"
	"slices"
	"strings"
)

// programName is the name under which the tables list a program: without folder, in lower
// case and, if they list it that way, without a version, a target platform or the g of GNU
// programs on a Mac. /usr/bin/Python3.12 is python, gfind is find, c++ is gcc.
func programName(word string) string {
	name := strings.TrimSuffix(fold(path.Base(word)), ".exe")
	for _, loader := range []string{"ld-linux", "ld-musl", "ld.so"} {
		if strings.HasPrefix(name, loader) {
			return "ld.so"
		}
	}
	for _, bare := range bareNames(name) {
		if same := sameAs[bare]; same != "" {
			return same
		}
		if listed(bare) {
			return bare
		}
	}
	return name
}

// bareNames are the names that a program may have without prefixes and suffixes, longest first.
func bareNames(name string) []string {
	all := []string{name}
	add := func(bare string) {
		if bare != "" && !slices.Contains(all, bare) {
			all = append(all, bare)
		}
	}
	for i := 0; i < len(all) && len(all) < maxNames; i++ {
		at := all[i]
		add(strings.TrimRight(at, "0123456789.-"))
		add(strings.TrimPrefix(at, "g"))
		for _, end := range variantSuffixes {
			add(strings.TrimSuffix(at, end))
		}
		if target, program, ok := strings.Cut(at, "-"); ok && (targetPrefixes.has(target) || i > 0 && strings.Contains(name, "-gnu")) {
			add(program)
		}
	}
	return all
}

// maxNames is how many names are tried.
const maxNames = 40

// variantSuffixes tell variants of a program apart.
var variantSuffixes = []string{
	".athena", ".basic", ".bat", ".cmd", ".com", ".distrib", ".gtk", ".gtk3", ".io", ".mini", ".motif", ".nox", ".openbsd", ".orig", ".ps1", ".real",
	".rs", ".small", ".static", ".tiny", ".traditional", ".ws", "-basic", "-dbg", "-debug", "-gtk", "-gtk3", "-huge", "-nox", "-original", "-rs",
	"-static", "-tiny", "-x11",
}

// targetPrefixes begin the name of a cross compiler's program.
var targetPrefixes = set(`
	aarch64 alpha arm armv7a armv7l hppa i386 i486 i586 i686 linux gnu gnueabi gnueabihf loongarch64 m68k mingw32 mips mips64 mips64el mipsel musl none
	pc powerpc powerpc64 powerpc64le ppc64 ppc64le riscv32 riscv64 s390x sh4 sparc64 unknown w64 wasm32 x86_64 original apple elf`)

// sameAs are other names of programs in the tables.
var sameAs = map[string]string{
	"c++": "gcc", "g++": "gcc", "cc": "gcc", "c89": "gcc", "c99": "gcc", "cpp": "gcc", "gnat": "gcc", "gdc": "gcc", "gfortran": "gcc", "fortran": "gcc",
	"gobjc": "gcc", "tcc": "gcc", "icc": "gcc", "icx": "gcc", "gm2": "gcc",
	"clang++": "clang", "clang-cl": "clang", "clang-cpp": "clang", "emcc": "clang", "em++": "clang", "zig-cc": "clang", "icpx": "clang",
	"bmake": "make", "gmake": "make", "pmake": "make", "remake": "make", "mingw32-make": "make", "nmake": "make",
	"bsdtar": "tar", "gtar": "tar", "star": "tar", "ptar": "tar", "ripgrep": "rg", "fdfind": "fd", "egrep": "grep", "fgrep": "grep", "rgrep": "grep",
	"zgrep": "grep", "zegrep": "grep", "zfgrep": "grep", "bsdgrep": "grep", "batcat": "bat", "bsdfind": "find",
	"nodejs": "node", "iojs": "node", "electron": "node", "pypy": "python", "ipython": "python", "pythonw": "python", "jython": "python",
	"micropython": "python", "graalpy": "python", "py": "python", "python-dbg": "python", "jruby": "ruby", "mruby": "ruby", "truffleruby": "ruby",
	"bsdsed": "sed", "ssed": "sed", "original-awk": "awk", "bwk": "awk", "goawk": "awk", "igawk": "awk", "busybox-awk": "awk",
	"nvi": "vi", "vim-nox": "vim", "gvim": "vim", "rgvim": "vim", "evim": "vim", "eview": "vim", "gview": "vim", "mvim": "vim", "elvis": "vi", "vigr": "vi",
	"vipw": "vi", "visudo": "vi", "emacsclient": "emacs", "xemacs": "emacs", "jove": "emacs",
	"yarnpkg": "yarn", "pnpx": "npx", "hub": "git", "sudo-rs": "sudo", "sudoedit": "sudo", "docker-compose": "docker",
	"oc": "kubectl", "tofu": "terraform", "tcl": "tclsh", "luac": "lua", "sqlite": "sqlite3", "netcat": "nc",
	"rbash": "bash", "static-sh": "sh", "bsh": "sh", "posh": "sh", "zsh-static": "zsh", "rzsh": "zsh", "rksh": "ksh", "pdksh": "ksh", "lksh": "mksh",
	"pytest-3": "pytest", "py.test": "pytest", "mvnw": "mvn", "mvnd": "mvn", "gradlew": "gradle",
}
