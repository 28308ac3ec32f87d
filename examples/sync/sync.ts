import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChangeEvent, Client, UntypedContent } from '@recto/client';

// Keeps all records of a content type in a file, and goes on where it was when it is started again.
// CMS_URL=http://localhost:9898 node examples/sync/sync.ts articles articles.json
// In Node before 22.18, which does not run TypeScript, with `npx bun` or `npx tsx`.

interface Copy {
  /** The last event that the file knows. */
  seq: number | undefined;
  records: Record<string, unknown>;
}

/** Follows the changes of a type until the signal aborts; `changed` is called when the file has been written. */
export async function sync(
  recto: Client<UntypedContent>,
  type: string,
  file: string,
  signal: AbortSignal,
  changed: (copy: Copy) => void = () => undefined,
): Promise<void> {
  const copy = read(file);
  const keep = (): void => {
    // The file is never half written.
    writeFileSync(`${file}.new`, JSON.stringify(copy));
    renameSync(`${file}.new`, file);
    changed(copy);
  };
  const loadAll = async (): Promise<void> => {
    const records: Copy['records'] = {};
    for await (const record of recto.collection(type).all({ signal })) records[record.id] = record;
    copy.records = records;
  };
  // Without a place in the log: far behind all events, which the service answers with a reset.
  const after = copy.seq ?? Number.MAX_SAFE_INTEGER;
  for await (const event of recto.events({ types: [type], after, signal })) {
    // The stream is open, so nothing is missed while everything is loaded.
    if (event.action === 'reset') await loadAll();
    else apply(copy, event);
    copy.seq = event.seq;
    keep();
  }
}

function apply(copy: Copy, event: Exclude<ChangeEvent, { readonly action: 'reset' }>): void {
  if (event.action === 'delete') delete copy.records[event.id];
  else copy.records[event.id] = event.record;
}

function read(file: string): Copy {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { seq: undefined, records: {} };
  }
}

// Started by itself, and not imported.
if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const { createClient } = await import('@recto/client');
  const [type = 'articles', file = `${type}.json`] = process.argv.slice(2);
  const { CMS_URL: url = 'http://localhost:9898', CMS_TOKEN: token } = process.env;
  const recto = createClient({ url, ...(token === undefined ? {} : { token }) });
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  await sync(recto, type, file, controller.signal).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
}
