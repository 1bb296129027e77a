// Decant from TypeScript (Node 18 or later, Deno, Bun): `fit` makes any tool result safe to show, `more` reads on.
// Neither throws.

declare const process: { env: Record<string, string | undefined> };

export type Block = { type: string; text?: string; [key: string]: unknown };
export type Result = { content: Block[]; [key: string]: unknown };
export type Options = { source?: string; policy?: string; budget?: number; query?: string };
export type Part = { find?: string; path?: string; startLine?: number; endLine?: number };

const URL_OF = process.env.DECANT_URL ?? "http://127.0.0.1:8080";
const TOKEN = process.env.DECANT_TOKEN ?? "";
const TIMEOUT = Number(process.env.DECANT_TIMEOUT ?? 5) * 1000; // whatever the service does
const MOST = 16_000; // characters that are shown of a result when the service cannot be asked
const NOTICE = "… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]";
const AGAIN = "Reading on is not possible now. Call this tool again in a few seconds.";

/** A CallToolResult (or any value) within the budget. */
export async function fit(value: unknown, options: Options = {}): Promise<any> {
  const result = asResult(value);
  return (await ask("/compact", { ...options, payload: result })) ?? cut(result);
}

/** What a printed cursor leads to; the body of the tool `fetch_more`. */
export async function more(cursor: string, part: Part = {}): Promise<any> {
  return (await ask("/more", { ...part, cursor })) ?? { ...asResult(AGAIN), isError: true };
}

/** A value as a CallToolResult. */
export function asResult(value: any): Result {
  if (Array.isArray(value?.content)) return value;
  return { content: [{ type: "text", text: typeof value === "string" ? value : (JSON.stringify(value) ?? "") }] };
}

/** What can be shown without the service: the beginning, never the whole of a large result. */
export function cut(result: Result): Result {
  if (JSON.stringify(result).length <= MOST) return result;
  const { structuredContent, ...known } = result;
  const content: Block[] = [];
  let room = MOST;
  for (const block of result.content) {
    if (block.type === "text" && room > 0) {
      const text = (block.text ?? "").slice(0, room).replace(/[\uD800-\uDBFF]$/, ""); // no half of a pair
      content.push({ ...block, text });
      room -= text.length;
    } else if (block.type === "image" || block.type === "audio") content.push(block);
  }
  return { ...known, content: [...content, { type: "text", text: NOTICE }] };
}

/** The service's result; undefined when there is none in time: gone, slow, busy, refused or unreadable. */
async function ask(path: string, body: object): Promise<Result | undefined> {
  try {
    const answer = await fetch(URL_OF + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(TOKEN && { Authorization: `Bearer ${TOKEN}` }) },
      body: JSON.stringify({ ...body, shape: "mcp" }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return answer.ok ? ((await answer.json()) as { result: Result }).result : undefined;
  } catch {
    return undefined;
  }
}
