// The terminal of @xterm/headless: it reads a size and what came to a terminal as lines of JSON,
//   {"size": [width, height]}, {"bytes": "in base64"}, {"look": true}
// and prints what it shows at each look: its lines, without spaces at their ends, and where the cursor is.
import { createInterface } from "node:readline";
import headless from "@xterm/headless";
import unicode from "@xterm/addon-unicode11";

const terminal = new headless.Terminal({ allowProposedApi: true, convertEol: false });
terminal.loadAddon(new unicode.Unicode11Addon());
terminal.unicode.activeVersion = "11";
for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  if (step.size) terminal.resize(...step.size);
  if (step.bytes) await new Promise((resolve) => terminal.write(Buffer.from(step.bytes, "base64"), resolve));
  if (step.look) {
    const shown = terminal.buffer.active;
    const lines = Array.from({ length: terminal.rows }, (_, y) => shown.getLine(shown.viewportY + y).translateToString().trimEnd());
    console.log(JSON.stringify({ lines, cursor: [shown.cursorX, shown.cursorY] }));
  }
}
