// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// A random sequence of changes, restores, drafts and publications of a few records, against a model that holds for each
// the record, all its versions, and its draft.

const keep = 4;
const definition = {
  singular: 'note',
  plural: 'notes',
  protocols: [{ name: 'versionable', drafts: true, keep }, 'statusable', 'lockable', 'soft_deletable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'data', field_type: 'json' },
    { name: 'hidden', field_type: 'integer', private: true },
  ],
  api: { get: { filter: 'status = "published"' }, list: { filter: 'status = "published"' } },
};

type Content = Readonly<Record<string, unknown>>;

interface Modelled {
  readonly id: string;
  content: Content;
  lock: number;
  deleted: boolean;
  /** By number, from 1; what is no longer kept stays in the model. */
  readonly versions: Content[];
  draft: { changes: Content; base: Content } | null;
}

const contentNames = ['title', 'data', 'hidden'] as const;
const values = {
  title: fc.constantFrom('a', 'b', 'c', null),
  data: fc.constantFrom<unknown>(null, [1, 2], [2, 1, 3], { x: 1 }, { x: { y: [] } }),
  hidden: fc.constantFrom(null, 1, 2),
};
const changes = fc.record(values, { requiredKeys: [] });
const status = fc.constantFrom('draft', 'published', 'archived');
const which = fc.nat({ max: 9 });

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), changes, status }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), which, changes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('status' as const), which, status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), which, revision: fc.nat({ max: 8 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('draft' as const), which, changes }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('publish' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'undelete' as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const differs = (before: unknown, after: unknown): boolean => !isDeepStrictEqual(before, after);

/** An update of the content, which is a version where it changes anything; the lock counts in any case. */
function write(note: Modelled, content: Content): void {
  if (differs(note.content, content)) note.versions.push(content);
  note.content = content;
  note.lock += 1;
}

class Walk {
  readonly notes: Modelled[] = [];
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  send(line: string, body?: unknown): Promise<Reply> {
    return this.#service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
  }

  path(note: Modelled, tail = ''): string {
    return `/api/v1/admin/cms/notes/${note.id}${tail}`;
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'create') return this.#create({ ...step.changes, status: step.status });
    const note = this.notes[step.which % Math.max(1, this.notes.length)];
    if (note === undefined) return;
    const reply = await this.#send(note, step);
    expect([step.do, reply.status, reply.json?.code]).toEqual([step.do, ...this.#expected(note, step)]);
  }

  async #create(content: Content): Promise<void> {
    const { status, json, text } = await this.send('POST /api/v1/admin/cms/notes', content);
    expect({ status, text }).toEqual({ status: 201, text });
    const whole = { title: null, data: null, hidden: null, ...content, deleted: false };
    this.notes.push({ id: json.id, content: whole, lock: 1, deleted: false, versions: [whole], draft: null });
  }

  #send(note: Modelled, step: Exclude<Step, { do: 'create' }>): Promise<Reply> {
    switch (step.do) {
      case 'update':
        return this.send(`PUT ${this.path(note)}`, step.changes);
      case 'status':
        return this.send(`PUT ${this.path(note)}`, { status: step.status });
      case 'restore':
        return this.send(`POST ${this.path(note, `/revisions/${step.revision}/restore`)}`);
      case 'draft':
        return this.send(`PUT ${this.path(note)}?draft=true`, step.changes);
      case 'publish':
        return this.send(`POST ${this.path(note, '/publish')}`);
      case 'discard':
        return this.send(`DELETE ${this.path(note, '/draft')}`);
      case 'delete':
        return this.send(`DELETE ${this.path(note)}`);
      case 'undelete':
        return this.send(`POST ${this.path(note, '/restore')}`);
    }
  }

  /** What the model makes of a step: the status and, of a refusal, the code. */
  #expected(note: Modelled, step: Exclude<Step, { do: 'create' }>): readonly [number, string | undefined] {
    if (note.deleted !== (step.do === 'undelete')) return [404, 'not_found'];
    switch (step.do) {
      case 'update':
        write(note, { ...note.content, ...step.changes });
        return [200, undefined];
      case 'status':
        write(note, { ...note.content, status: step.status });
        return [200, undefined];
      case 'delete':
      case 'undelete':
        note.deleted = step.do === 'delete';
        // A mark is no update, and taking it away is one.
        note.lock -= note.deleted ? 1 : 0;
        write(note, { ...note.content, deleted: note.deleted });
        return [note.deleted ? 204 : 200, undefined];
      case 'restore': {
        const version = keptVersions(note).get(step.revision);
        if (version === undefined) return [404, 'not_found'];
        write(note, { ...version, deleted: note.content.deleted });
        return [200, undefined];
      }
      case 'draft':
        return this.#drafted(note, step.changes);
      case 'publish':
        return this.#published(note);
      case 'discard': {
        const had = note.draft !== null;
        note.draft = null;
        return had ? [204, undefined] : [404, 'not_found'];
      }
    }
  }

  #drafted(note: Modelled, sent: Content): readonly [number, string | undefined] {
    if (note.content.status !== 'published') return [409, 'not_published'];
    const next: Record<string, unknown> = { ...note.draft?.changes };
    const base: Record<string, unknown> = { ...note.draft?.base };
    for (const [name, value] of Object.entries(sent)) {
      if (isDeepStrictEqual(value, note.content[name])) {
        delete next[name];
        delete base[name];
      } else {
        if (!Object.hasOwn(next, name)) base[name] = note.content[name];
        next[name] = value;
      }
    }
    note.draft = Object.keys(next).length === 0 ? null : { changes: next, base };
    return [200, undefined];
  }

  #published(note: Modelled): readonly [number, string | undefined] {
    if (note.draft === null && note.content.status === 'published') return [409, 'no_draft'];
    const { changes = {}, base = {} } = note.draft ?? {};
    const lost = Object.keys(changes).some((name) => {
      const now = note.content[name];
      return differs(now, base[name]) && differs(now, changes[name]);
    });
    if (lost) return [409, 'draft_conflict'];
    write(note, { ...note.content, ...changes, status: 'published' });
    note.draft = null;
    return [200, undefined];
  }

  async check(): Promise<void> {
    for (const note of this.notes) await this.#checkOne(note);
  }

  async #checkOne(note: Modelled): Promise<void> {
    const { json } = await this.send(`GET ${this.path(note)}?deleted=with`);
    expect(contentOf(json)).toEqual(note.content);
    expect(json.lock_version).toBe(note.lock);
    const isPublic = !note.deleted && note.content.status === 'published';
    const open = await this.#service.send(`GET /api/v1/cms/notes/${note.id}`);
    expect(open.status).toBe(isPublic ? 200 : 404);
    if (isPublic) expect([open.json.title, open.json.data]).toEqual([note.content.title, note.content.data]);
    const draft = json.__draft === null ? null : { changes: json.__draft.changes, base: json.__draft.base };
    expect(draft).toEqual(note.draft);
    const preview = await this.send(`GET ${this.path(note)}?draft=true&deleted=with`);
    expect(contentOf(preview.json)).toEqual({ ...note.content, ...note.draft?.changes });
    await this.#checkVersions(note);
  }

  async #checkVersions(note: Modelled): Promise<void> {
    const { json } = await this.send(`GET ${this.path(note, '/revisions')}?deleted=with`);
    const kept = keptVersions(note);
    expect(json.items.map(({ revision }: Reply['json']) => revision)).toEqual([...kept.keys()]);
    const contents = new Map<number, Content>();
    for (const [number, content] of kept) {
      const one = await this.send(`GET ${this.path(note, `/revisions/${number}`)}?deleted=with`);
      expect(contentOf(one.json.record)).toEqual(content);
      contents.set(number, one.json.record);
    }
    const [newest, oldest] = [json.items[0].revision, json.items.at(-1).revision];
    const patch = await this.send(`GET ${this.path(note, `/revisions/${oldest}/diff/${newest}`)}?deleted=with`);
    const patched = structuredClone(contents.get(oldest));
    applyPatch(patched, patch.json);
    expect(patched).toEqual(contents.get(newest));
  }
}

/** The versions that are kept, newest first. */
const keptVersions = ({ versions }: Modelled): ReadonlyMap<number, Content> =>
  new Map(
    [...versions.entries()]
      .map(([index, content]) => [index + 1, content] as const)
      .toReversed()
      .slice(0, keep),
  );

const contentOf = (record: Reply['json']): Content => ({
  ...Object.fromEntries([...contentNames, 'status'].map((name) => [name, record[name]])),
  deleted: record.deleted_at !== null,
});

test('versions and drafts are what a model says', async () => {
  await using service = await TestService.open([definition]);
  await service.account('ada', 'admin');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const walk = new Walk(service);
      await walk.take({ do: 'create', changes: {}, status: 'published' });
      for (const each of steps) await walk.take(each);
      await walk.check();
    }),
    { numRuns: randomCases(60) },
  );
}, 600_000);
