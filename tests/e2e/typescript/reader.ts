// Reads as a model does: calls a tool, and then whatever the last line of a result says, so many times.
// node reader.js ERA STEPS [{"name": ..., "arguments": ...}, ...] COMMAND ARGUMENT ... ; prints every result.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [era, steps, calls, command, ...args] = process.argv.slice(2);
const mode = era === "2025-11-25" ? ("legacy" as const) : { pin: era };
const client = new Client({ name: "reader", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(
  new StdioClientTransport({ command, args, env: process.env as Record<string, string>, stderr: "inherit" }),
);

const found: { version: unknown; results: unknown[] }[] = [];
for (const call of JSON.parse(calls)) {
  const results = [];
  let next = call;
  for (let step = 0; next && step <= Number(steps); step++) {
    const result: any = await client.callTool(next);
    results.push(result);
    const said = result.content.filter((block: any) => block.type === "text").at(-1)?.text ?? "";
    const printed = /\n… .*There is more: call (\w+) with (\{.*?\})/.exec(said);
    next = printed && { name: printed[1], arguments: JSON.parse(printed[2]) };
  }
  found.push({ version: client.getNegotiatedProtocolVersion(), results });
}
await client.close();
console.log(JSON.stringify(found));
