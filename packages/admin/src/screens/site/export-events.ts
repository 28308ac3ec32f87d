import { adminRoutes } from '../../api/admin-routes.ts';
import { saveFile } from '../../ui/save-file.ts';

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
