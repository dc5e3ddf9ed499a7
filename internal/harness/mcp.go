//go:build unix

package harness

// MCPScript is an MCP server in a few lines of shell, which leaves a mark when it is
// run and has one tool.
const MCPScript = `echo ran > "$MARK"
echo "the server's last words" >&2
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
  *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
  *'"tools/list"'*) result='{"tools":[{"name":"look","description":"looks","inputSchema":{"type":"object"}}]}' ;;
  *'"tools/call"'*) result='{"content":[{"type":"text","text":"a heap of stones"}]}' ;;
  *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
`
