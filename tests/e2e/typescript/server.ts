// An MCP server whose tools may answer with megabytes: each hands its result to Decant, and fetch_more reads on.

import { readdirSync, readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { fit, more } from "./clients/decant.js";

const SOURCES = process.env.SOURCES!;
const read = (name: string) => readFileSync(`${SOURCES}/${name}`, "utf8");

serveStdio(() => {
  const server = new McpServer({ name: "example", version: "1.0.0" });

  server.registerTool("list_files", { description: "The files of a folder." }, async () => {
    const names = readdirSync(`${SOURCES}/files`).sort();
    return fit(names.map((name) => `[FILE] ${name}`).join("\n"), { source: "filesystem.list_directory" });
  });

  server.registerTool("read_log", { description: "A log of 3 MB." }, async () =>
    fit(read("read_log"), { source: "logs.read" }),
  );

  server.registerTool(
    "read_query",
    { description: "Rows of a database, as a Python repr.", inputSchema: z.object({ query: z.string() }) },
    async () => fit(read("read_query"), { source: "sqlite.read_query" }),
  );

  server.registerTool("read_graph", { description: "A graph, as text and as structuredContent." }, async () => {
    const text = read("read_graph");
    const result = { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
    return fit(result, { source: "memory.read_graph" });
  });

  server.registerTool(
    "fetch_more",
    {
      description: "Reads on where a result said that there is more.",
      inputSchema: z.object({
        cursor: z.string(),
        find: z.string().optional(),
        path: z.string().optional(),
        startLine: z.number().int().optional(),
        endLine: z.number().int().optional(),
      }),
    },
    async ({ cursor, ...part }) => more(cursor, part),
  );

  return server;
});
