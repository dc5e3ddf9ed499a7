package permission

import "testing"

// A deny rule leaves alone what people run every day: only a line that may run what is
// denied is asked about where nothing else is.
func TestADenyRuleLeavesEverydayLinesAlone(t *testing.T) {
	r := ruled(t, []string{"shell(git push *)", "shell(rm *)", "shell(shutdown *)", "shell(docker rm *)"}, nil, nil)
	for _, line := range []string{
		"go test ./... 2>&1 | tail -20", "npm run build && npm test", "git commit -m 'rm the old file, push later'", "git stash push -m x", "git log --oneline | head", "make -j8 test", "grep -rn 'rm -rf' .", "pytest -k 'push or rm' -q",
		"cargo test --release", "docker ps -a", "kubectl get pods -n x", "for f in a b; do echo \"$f\"; done", "cd sub && ls", "X=1 go test ./...", "export PATH=\"$PATH:/x\"; go version", "echo $((1+2))", "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
		"n=$(wc -l < x); echo $((n + 1))", "cat <<EOF > x\nhello $USER\nEOF", "git commit -m \"$(cat <<'EOF'\nUse `push`, not $(date)\nEOF\n)\"", "python3 manage.py test", "python3 -m pytest -q", "python3 -c 'print(1)'", "node --version", "python3 --version",
		"awk '{print $1}' x", "awk '{ s += $1 } END { print s }' \"$f\"", "sed -n 1,20p x", "sed -i 's/push/pull/' x", "find . -name '*.go' | head", "find . -type f -exec grep -l foo {} +", "cat x | jq .a", "ls rm", "cat docs/rm.md", "which git", "command -v rm", "type rm",
		"test -f x && echo yes", "[[ -f x && $a == b ]]", "printf '%s\\n' a b", "if [ -n \"$X\" ]; then echo \"$X\"; fi", "mkdir -p a/b && cp -r c a/b", "tar -xzf x.tar.gz", "curl -sSL https://go.dev | jq .x", "a=(1 2 3); echo \"${a[@]}\" ${#a[@]} ${a[0]}",
		"while read -r line; do echo \"$line\"; done < x", "IFS=$'\\n' read -r a b <<< 'x y'", "x=${1:-default}; echo ${x%.go} ${x##*/}", "set -euo pipefail; go vet ./...", "local_x=1; readonly y=2; unset local_x", "git diff | head -50", "git show HEAD:rm.go", "./scripts/build.sh --fast",
		"pip install -r requirements.txt", "npx prettier --check .", "sleep 1 & wait", "echo 'a|b' | tr '|' '\\n' | sort | uniq -c", "git branch -D old", "git checkout -b push", "gh pr create --title 'rm x' --body 'push'", "docker compose up -d", "go build -o bin/x ./cmd/x && ./bin/x --help",
		"cat x | python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])'", "echo \"price: \\$5\"", "timeout 60 go test ./...", "time make", "nohup ./server > log.txt 2>&1 &", "ps aux | grep node | grep -v grep", "sudo apt-get install -y jq",
	} {
		if got, reason := r.Decide(Bypass, shellEffect(line)); got != Allow {
			t.Errorf("%q: %s", line, reason)
		}
	}
}
