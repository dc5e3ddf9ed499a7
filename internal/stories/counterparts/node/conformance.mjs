// The client of @modelcontextprotocol/conformance: it hands the address of the server to the test at
// argv[2], which has Pawl play there, and ends when that has.
const [at, url] = process.argv.slice(2);
const about = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const answer = await fetch(at, { method: "POST", body: JSON.stringify({ ...about, url }) });
process.exit(answer.ok ? 0 : 1);
