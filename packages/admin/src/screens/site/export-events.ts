import { adminRoutes } from '../../api/admin-routes.ts';

const pageSize = 1_000;

/** Saves all matching events in a file, oldest first, one JSON object on each line. */
export async function exportEvents(query: Readonly<Record<string, string>>): Promise<void> {
  const parts: string[] = [];
  const { signal } = new AbortController();
  for (let after = 0; ; ) {
    const { items } = await adminRoutes.events({ ...query, after, limit: pageSize }, signal);
    parts.push(...items.map((event) => `${JSON.stringify(event)}\n`));
    const last = items.at(-1);
    if (last === undefined || items.length < pageSize) break;
    after = last.seq;
  }
  saveFile('audit-log.ndjson', new Blob(parts, { type: 'application/x-ndjson' }));
}

/** Hands a file to the browser's downloads. */
function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
