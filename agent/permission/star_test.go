package permission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allows says what a rule for a program with a star, or for its part, decides about a line.
func allows(t *testing.T, rule, line string) Decision {
	t.Helper()
	got, _ := ruled(t, nil, nil, []string{"shell(" + rule + ")"}).Decide(Default, shellEffect(line))
	return got
}

// What people write every day under the rules that people write goes ahead.
func TestEverydayLinesNeedNoQuestionUnderTheUsualRules(t *testing.T) {
	for rule, lines := range everydayLines {
		for _, line := range lines {
			if got := allows(t, rule, line); got != Allow {
				t.Errorf("shell(%s) does not cover %q", rule, line)
			}
		}
	}
}

// A star stands for no option of a program that Pawl does not know to be harmless.
func TestAStarStandsForNoOptionThatMayRunOrWrite(t *testing.T) {
	tricks := 0
	for program, lines := range starTricks {
		for _, line := range lines {
			tricks++
			if got := allows(t, program+" *", program+" "+line); got != Ask {
				t.Errorf("shell(%s *) covers %s %s", program, program, line)
			}
		}
	}
	require.Greater(t, tricks, 200)
}

// Another name of a program that Pawl knows is that program.
func TestAnAliasOfAGuardedProgramIsThatProgram(t *testing.T) {
	for name, want := range map[string]string{
		"c++": "gcc", "g++-13": "gcc", "gcc-13": "gcc", "cc": "gcc", "x86_64-linux-gnu-g++-12": "gcc", "clang++-17": "clang", "clang-15": "clang", "python3.11": "python",
		"python3.12-dbg": "python", "pypy3": "python", "nodejs": "node", "node-20": "node", "gmake": "make", "bmake": "make", "bsdtar": "tar", "gtar": "tar", "vim.tiny": "vim",
		"vim.basic": "vim", "vi.orig": "vi", "perl5.36.0": "perl", "ruby3.1": "ruby", "gawk-5.1": "gawk", "original-awk": "awk", "fdfind": "fd", "egrep": "grep", "bash.exe": "bash",
		"sudo.ws": "sudo", "nc.openbsd": "nc", "busybox.static": "busybox", "docker.io": "docker", "pip3.11": "pip", "git": "git", "/opt/x/GCC-9": "gcc", "lsd": "lsd", "script.sh": "script.sh",
	} {
		require.Equal(t, want, programName(name), name)
	}
	for _, name := range []string{"python3.11", "nodejs", "pypy3", "perl5.36", "vim.tiny", "sudo.ws", "bash5", "gmawk"} {
		var rule AllowRule
		require.Error(t, rule.UnmarshalText([]byte("shell("+name+" *)")), name)
	}
	for denied, names := range map[string]string{"gcc": "c++ gcc-13 x86_64-linux-gnu-gcc", "node": "nodejs node-20", "python": "python3.11 pypy", "tar": "bsdtar", "vim": "vim.tiny"} {
		r := ruled(t, []string{"shell(" + denied + " *)"}, nil, nil)
		for name := range strings.FieldsSeq(names) {
			got, _ := r.Decide(Bypass, shellEffect(name+" x"))
			require.NotEqual(t, Allow, got, fmt.Sprintf("%s under a rule for %s", name, denied))
		}
	}
}

// everydayLines are what people run, by the rule that they allow it with.
var everydayLines = map[string][]string{
	"go test *":            {"go test ./...", "go test ./a/... -run 'TestA|TestB' -count=1 -v", "go test -race -timeout 60s -bench=. -benchmem ./x", "go test -short -cover ./... 2>&1 | go test -json"},
	"go build *":           {"go build ./...", "go build -v -tags integration ./cmd/x"},
	"go vet *":             {"go vet ./...", "go vet -tags x ./..."},
	"go list *":            {"go list -m all", "go list -deps -f '{{.ImportPath}}' ./..."},
	"go mod *":             {"go mod tidy", "go mod tidy -v", "go mod why -m x"},
	"npm run *":            {"npm run build", "npm run test -- --watch=false", "npm run lint --silent", "npm run build --workspace a"},
	"npm test *":           {"npm test", "npm test -- --coverage"},
	"pnpm *":               {"pnpm test", "pnpm build --filter web", "pnpm build -r"},
	"yarn *":               {"yarn build", "yarn test --watch"},
	"git commit *":         {"git commit -m 'x'", "git commit -am 'fix: a=b'", "git commit --amend --no-edit", "git commit -s -m 'one' -m 'two'"},
	"git add *":            {"git add .", "git add -A", "git add -u src", "git add --all"},
	"git log *":            {"git log --oneline -20", "git log -p -3 -- main.go", "git log --since='2 weeks ago' --author=me --pretty=format:'%h=%s'", "git log -S'needle' --stat", "git log --graph --decorate --all", "git log -L 1,20:main.go"},
	"git diff *":           {"git diff", "git diff --stat main...HEAD", "git diff --cached", "git diff HEAD~1 -- a.go", "git diff -U10 -w", "git diff --name-only --diff-filter=ACM"},
	"git show *":           {"git show HEAD", "git show --stat HEAD~2", "git show HEAD:main.go"},
	"git checkout *":       {"git checkout -b fix/x", "git checkout main", "git checkout -- a.go"},
	"git stash *":          {"git stash", "git stash push -m 'x'", "git stash pop", "git stash list"},
	"git push *":           {"git push", "git push -u origin main", "git push --force-with-lease"},
	"git pull *":           {"git pull --rebase", "git pull --ff-only origin main"},
	"git *":                {"git status", "git status -sb", "git branch -a", "git rev-parse --abbrev-ref HEAD", "git blame -L 1,20 main.go", "git fetch --all --prune"},
	"make *":               {"make", "make -j8 test", "make -k -j lint", "make build test"},
	"grep *":               {"grep -rn foo .", "grep -rnE 'a|b' --include='*.go' .", "grep -A3 -B2 foo x", "grep -c foo x", "grep -e a -e b x"},
	"rg *":                 {"rg foo", "rg -n -t go 'func main' agent", "rg -g '!vendor' -A2 foo", "rg --files --hidden", "rg -l -i foo src"},
	"find *":               {"find . -name '*.go' -type f -not -path './vendor/*'", "find . -maxdepth 2 -newer x -print0"},
	"ls *":                 {"ls -la", "ls -lah --sort=time src", "ls"},
	"cat *":                {"cat main.go", "cat -n a b"},
	"head *":               {"head -20 x", "head -n 20 x", "head -c100 x"},
	"tail *":               {"tail -50 x", "tail -n +10 x", "tail -f x"},
	"wc *":                 {"wc -l x", "wc -lc a b"},
	"sort *":               {"sort -rn -k2,2 x", "sort -t: -u x", "sort --unique x"},
	"echo *":               {"echo a=b", "echo -n done", "echo --- x ---"},
	"mkdir *":              {"mkdir -p a/b"},
	"rm *":                 {"rm -rf build", "rm -f x"},
	"cp *":                 {"cp -r a b"},
	"pytest *":             {"pytest -k x -q", "pytest -x -vv tests/test_a.py::test_b", "pytest --tb=short --maxfail=1 -m 'not slow'", "pytest -n auto --lf"},
	"uv run pytest *":      {"uv run pytest -k x -q"},
	"cargo test *":         {"cargo test --release", "cargo test -p x --all-features", "cargo test --workspace -- --nocapture --test-threads=1"},
	"cargo build *":        {"cargo build --release --locked -j 4"},
	"cargo clippy *":       {"cargo clippy --all-targets --all-features"},
	"docker ps *":          {"docker ps", "docker ps -a --format '{{.Names}}'"},
	"docker logs *":        {"docker logs --tail 100 x", "docker logs --since=1h x"},
	"docker compose *":     {"docker compose ps", "docker compose up -d --build", "docker compose logs --tail=50 web"},
	"kubectl get *":        {"kubectl get pods -n x", "kubectl get pods -A -o wide", "kubectl get deploy -l app=x -o json", "kubectl get svc --namespace=x"},
	"kubectl logs *":       {"kubectl logs -n x pod -c web --tail=100 --previous"},
	"kubectl describe *":   {"kubectl describe pod x -n y"},
	"curl *":               {"curl -sSL https://go.dev", "curl -fsS -X POST -H 'Accept: x' https://go.dev", "curl -I --max-time 5 https://go.dev"},
	"jq *":                 {"jq -r '.a[] | .b' x.json"},
	"gh pr *":              {"gh pr view 12 --json title", "gh pr list --state open -L 5", "gh pr checks 12"},
	"gh run *":             {"gh run view 1 --log-failed"},
	"eslint *":             {"eslint src --ext .ts", "eslint --fix src"},
	"tsc *":                {"tsc --noEmit", "tsc -w"},
	"ruff *":               {"ruff check .", "ruff check --fix src", "ruff format --check"},
	"mypy *":               {"mypy src", "mypy --strict src"},
	"terraform plan *":     {"terraform plan", "terraform plan --help"},
	"./gradlew *":          {"./gradlew test", "./gradlew build --info"},
	"./scripts/check.sh *": {"./scripts/check.sh all", "./scripts/check.sh -v --dry-run unit"},
	"python manage.py *":   {"python manage.py test app", "python manage.py test --failfast", "python manage.py migrate --no-input"},
	"mvn *":                {"mvn test", "mvn -q -B verify -DskipTests", "mvn test -Dtest=ATest"},
	"gcc *":                {"gcc -c -Wall -Wextra -O2 -g x.c", "gcc -std=c11 -fsyntax-only -Iinclude -DX=1 x.c"},
	"tar *":                {"tar -tzf x.tar.gz", "tar tvf x.tar"},
	"du *":                 {"du -sh .", "du -h --max-depth=1"},
	"diff *":               {"diff -u a b", "diff -r a b"},
}

// starTricks are words with which a program runs another, writes or takes its settings from elsewhere.
var starTricks = map[string][]string{
	"pylint":                   {"--init-hook='import os'", "--load-plugins=x", "--rcfile=x", "--output=x", "--output-format=x.Y"},
	"kubectl get":              {"--kubeconfig=x", "--kubeconfig x", "--cache-dir=x", "--server=x", "--as root", "--profile-output=x", "-f x"},
	"mvn":                      {"-Dexec.executable=x exec:exec", "-f x", "--file=x", "-s x", "-gs x", "-Dmaven.ext.class.path=x", "-l x", "--settings x", "-Pevil", "--log-file=x"},
	"g++":                      {"-wrapper x a.c", "-fplugin=x a.c", "-B. a.c", "-specs=x a.c", "-o x a.c", "@x", "-Wl,-plugin,x a.c", "-Wp,-MD,x a.c", "-dumpdir x", "-save-temps=obj x.c", "-fdump-tree-all=x"},
	"clang++":                  {"-fplugin=x a.c", "-Xclang -load -Xclang x a.c", "--config=x", "-o x", "-MF x", "-serialize-diagnostics x", "-mllvm x", "@x"},
	"gcc-13":                   {"-wrapper x a.c", "-o x a.c"},
	"c++":                      {"-wrapper x a.c"},
	"aarch64-linux-gnu-gcc-12": {"-wrapper x a.c"},
	"curl":                     {"--expand-output '{{x}}' https://a", "--variable x@/etc/passwd", "--expand-url x", "--next -o x", "-Ka", "--etag-compare x", "--trace-config x", "--aws-sigv4 x", "--create-dirs", "--ftp-account x", "--proto-default file", "-Z", "-sSo x https://a", "--skip-existing", "-Q x", "-t x", "-H @x https://a", "--crlfile x"},
	"terraform":                {"-chdir=x plan", "plan -out=x", "apply -auto-approve", "init -plugin-dir=x", "plan -var-file=x"},
	"helm":                     {"--kubeconfig x list", "install x --post-renderer ./x"},
	"ansible-lint":             {"-c x", "-R -r x"},
	"eslint":                   {"--config x", "--rulesdir x", "--resolve-plugins-relative-to x", "-f x", "--parser=x", "-o x", "--plugin x"},
	"prettier":                 {"--plugin=./x", "--config x", "--find-config-path x"},
	"tsc":                      {"--outDir x", "-p x", "--project=x", "--generateTrace x"},
	"jest":                     {"--config x", "--globalSetup=x", "--runner=x", "--reporters=x", "--transform x", "-c x"},
	"vitest":                   {"--config x", "--globalSetup=x", "--reporter=x"},
	"webpack":                  {"--config x", "-c x", "--output-path x"},
	"mocha":                    {"--require ./x", "-r x", "--reporter x"},
	"rubocop":                  {"--require ./x", "-r ./x", "-o x", "--config x"},
	"rspec":                    {"-r ./x", "-I.", "-o x", "--require=x"},
	"rake":                     {"-f x", "-r ./x", "-e 'x'", "--rakefile=x"},
	"phpunit":                  {"--bootstrap x", "-c x", "--log-junit x"},
	"composer":                 {"--working-dir=x install", "-d x"},
	"gradle":                   {"-I x", "--init-script x", "-b x", "-Dorg.gradle.jvmargs=-agentpath:x", "-p x", "-Pa=b", "-g x"},
	"ant":                      {"-f x", "-lib x", "-listener x", "-Da=b"},
	"sbt":                      {"-J-agentpath:x", "-java-home x", "-Da=b"},
	"bazel":                    {"--output_base=x build", "--run_under=x", "--bazelrc=x", "--host_jvm_args=x"},
	"dotnet":                   {"--additionalprobingpath x", "-p:x=y", "--output x", "test --logger x", "build /p:A=b"},
	"flake8":                   {"--config=x", "--output-file=x", "--append-config x"},
	"mypy":                     {"--config-file=x", "--custom-typeshed-dir x", "--python-executable=x", "--html-report x", "--cache-dir x"},
	"black":                    {"--config x", "--stdin-filename=x"},
	"ruff":                     {"--config x", "--output-file x", "--cache-dir=x"},
	"pytest":                   {"-p x", "--rootdir=x", "--pdbcls=a:b", "-W error::x.Y", "--cov-config=x", "--cov-report=html:x", "--junitxml=x", "--result-log x", "--debug=x", "--pyargs x", "--pastebin=all", "--import-mode=append -c x"},
	"tox":                      {"-c x", "--workdir x", "-e x --override a=b"},
	"nox":                      {"-f x", "--noxfile=x"},
	"coverage":                 {"--rcfile=x run y", "html -d x"},
	"sphinx-build":             {"-c x", "-D a=b"},
	"golangci-lint":            {"-c x", "--config=x", "--output.json.path=x", "--cpu-profile-path x", "--out-format=json:x"},
	"staticcheck":              {"-debug.cpuprofile x", "-f x"},
	"shellcheck":               {"--rcfile=x", "-P x"},
	"protoc":                   {"--plugin=protoc-gen-x=./x", "--go_out=x y", "--x_out=y", "@x"},
	"rustc":                    {"-C linker=./x a.rs", "-o x", "-Zplugin=x", "--extern=x=y", "@x"},
	"javac":                    {"-processorpath x", "-d x", "-J-agentpath:x", "@x", "-proc:only"},
	"java":                     {"-agentpath:x", "-cp x Y", "-jar=x", "@x"},
	"ld":                       {"-plugin x", "-o x", "-T x", "@x"},
	"tshark":                   {"-X lua_script:x", "-w x"},
	"nmap":                     {"--script=./x", "-oN x", "--datadir x"},
	"tcpdump":                  {"-z ./x", "-w x"},
	"ffmpeg":                   {"-y x", "-i x -f null"},
	"pandoc":                   {"--filter ./x", "-o x", "--lua-filter=x", "-F x"},
	"7z":                       {"-ox", "-so"},
	"git log":                  {"--show-signature", "--output=x", "-O x", "--exec=x", "--no-such-option"},
	"git":                      {"merge-index ./x -a", "checkout-index --prefix=/x/ -a", "bundle create /x HEAD", "merge -s x y", "archive --format=x -o y", "--html-path=x"},
	"go test":                  {"-test.fuzzcachedir=x", "-covermode=x -coverprofile=y", "-exec=x", "-pgo=x", "-installsuffix x", "-args -x", "-linkshared", "-c"},
	"cargo":                    {"build --target x.json", "--config x build", "fix --broken-code", "-Zunstable build", "build --timings=x", "--color=x --unknown"},
	"make":                     {"--eval=x", "-f x", "--include-dir=x", "-W x", "-o x --file=x", "A=b", "-E x", "-Ifoo"},
	"npm":                      {"--node-options=x run y", "run y --foreground-scripts --scripts-prepend-node-path=x", "run y --shell=x", "run y --cafile=x", "run y --prefix=x"},
	"docker ps":                {"-H tcp://x", "--config x", "--context x", "--host=x"},
	"docker compose":           {"-f x up", "--env-file=x up", "--project-directory=x up", "up -V"},
	"gh":                       {"pr create -F /etc/passwd", "api -F a=@x", "gist create --web"},
	"rsync":                    {"-e ./x a b:", "--rsh=x a b:", "--files-from=x", "--daemon --config=x", "--password-file=x", "--log-file=x"},
	"tar":                      {"-tf x --to-command=y", "-tf x -F y", "--rsh-command=x -tf y", "-tf host:x", "tf host:x", "-tf x --index-file=y", "-tf x --checkpoint-action=exec=y"},
	"bsdtar":                   {"-tf x --use-compress-program y", "-xf x", "--options=x -tf y"},
	"gmake":                    {"--eval=x", "SHELL=x"},
	"find":                     {". -exec x", ". -fprint x", "-files0-from x", "-D exec"},
	"grep":                     {"-f x y", "--file=x", "--devices=read x"},
	"rg":                       {"--pre=x y", "--hostname-bin=x y", "-z x", "--ignore-file=x"},
	"sort":                     {"-o x", "--files0-from=x", "-T x", "--random-source=x"},
	"unzip":                    {"-d /x y", "-o x"},
	"wget":                     {"-O x", "--use-askpass=x", "-P x", "-i x", "-e x"},
	"date":                     {"-s x", "010100002020", "-f x"},
	"wibble":                   {"--config x", "-c x", "-o x", "-x", "--exec=x", "a=b", "@x", "+x", "--output x", "-e x", "-rx"},
	"./run.sh":                 {"--exec x", "-c x", "a=b"},
}
