// A client of the Agent Client Protocol, made of its makers' library: in the folder argv[2] it starts the agent
// of the command line that follows, does what an editor does, and prints what it saw as JSON. Each message
// of the agent is held against the library's schemas, and what these would drop or mend is a fault too.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const schemas = await import(new URL("./node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js", import.meta.url));
const [folder, program, ...args] = process.argv.slice(2);
const saw = { messages: 0, faults: [], updates: {}, kinds: [], statuses: [], asked: 0, text: "", stops: [], errors: [] };

const names = {
  initialize: "Initialize", "session/new": "NewSession", "session/load": "LoadSession", "session/prompt": "Prompt",
  "session/list": "ListSessions", "session/set_mode": "SetSessionMode", "session/set_config_option": "SetSessionConfigOption",
  "session/resume": "ResumeSession", "session/close": "CloseSession", "session/delete": "DeleteSession",
};
const asked = new Map(); // method of each request, by id

function lost(value, parsed, at) {
  if (value === null || typeof value !== "object") return Object.is(value, parsed) ? [] : [at];
  if (parsed === null || typeof parsed !== "object") return [at];
  return Object.keys(value).flatMap((key) => lost(value[key], parsed[key], `${at}.${key}`));
}

function hold(value, schema, what) {
  if (!schema) return saw.faults.push(`${what}: nobody knows it`);
  const { success, data, error } = schema.safeParse(value);
  if (!success) saw.faults.push(`${what}: ${error.message}`);
  else saw.faults.push(...lost(value, data, "").map((path) => `${what}${path} is not in the schema`));
}

function check(message) {
  saw.messages++;
  if (message.jsonrpc !== "2.0") saw.faults.push("no JSON-RPC 2.0");
  if (message.method === "session/update") hold(message.params, schemas.zSessionNotification, message.method);
  else if (message.method === "session/request_permission") hold(message.params, schemas.zRequestPermissionRequest, message.method);
  else if (message.method) saw.faults.push(`${message.method}: not asked for`);
  else if (message.error) hold(message.error, schemas.zError, "error");
  else hold(message.result, schemas[`z${names[asked.get(message.id)]}Response`], asked.get(message.id));
}

const watched = (look) => new TransformStream({ transform(message, on) { look(message); on.enqueue(message); } });
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const pipe = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
const sent = watched((message) => message.method && message.id !== undefined && asked.set(message.id, message.method));
sent.readable.pipeTo(pipe.writable).catch(() => {});
const stream = { readable: pipe.readable.pipeThrough(watched(check)), writable: sent.writable };

let answer = "allow_once";
let told = () => {};
const client = acp.client({ name: "counterparts" })
  .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
    saw.asked++;
    return { outcome: { outcome: "selected", optionId: params.options.find((option) => option.kind === answer).optionId } };
  })
  .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
    saw.updates[update.sessionUpdate] = (saw.updates[update.sessionUpdate] ?? 0) + 1;
    if (update.kind) saw.kinds.push(update.kind);
    if (update.status) saw.statuses.push(update.status);
    if (update.sessionUpdate === "agent_message_chunk") saw.text += update.content.text;
    told();
  });

await client.connectWith(stream, async (ctx) => {
  const ask = (method, params) => ctx.request(method, params);
  const refused = (method, params) => ask(method, params).then(() => saw.faults.push(`${method} is not refused`), (error) => saw.errors.push(error.code));
  const { agent: { session } } = acp.methods;
  saw.initialized = await ask(acp.methods.agent.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId, modes, configOptions } = await ask(session.new, { cwd: folder, mcpServers: [] });
  const prompt = async (text) => saw.stops.push((await ask(session.prompt, { sessionId, prompt: [{ type: "text", text }] })).stopReason);
  await prompt("delegate it");
  answer = "reject_once";
  await prompt("remove it");
  for (const mode of modes?.availableModes ?? []) await ask(session.setMode, { sessionId, modeId: mode.id });
  for (const option of configOptions ?? []) {
    if (option.type === "select") await ask(session.setConfigOption, { sessionId, configId: option.id, value: option.currentValue });
  }
  await ask(session.setMode, { sessionId, modeId: "accept-edits" });
  await prompt("edit it");
  const begun = new Promise((resolve) => { told = () => saw.text.endsWith("It ") && resolve(); });
  const endless = prompt("talk without end");
  await begun;
  await ctx.notify(session.cancel, { sessionId });
  await endless;
  await refused("session/nothing", {});
  await refused(session.prompt, { sessionId: "nobody", prompt: [{ type: "text", text: "?" }] });
  saw.listed = (await ask(session.list, { cwd: folder })).sessions.map((one) => one.sessionId).includes(sessionId);
  const can = saw.initialized.agentCapabilities.sessionCapabilities ?? {};
  const before = saw.messages;
  if (can.close) await ask(session.close, { sessionId });
  await ask(session.load, { sessionId, cwd: folder, mcpServers: [] });
  saw.replayed = saw.messages - before;
  if (can.close && can.resume) {
    await ask(session.close, { sessionId });
    await ask(session.resume, { sessionId, cwd: folder, mcpServers: [] });
  }
  if (can.delete) await ask(session.delete, { sessionId });
});
child.stdin.end();
await new Promise((resolve) => child.on("close", (code) => { saw.code = code; resolve(); }));
console.log(JSON.stringify(saw));
