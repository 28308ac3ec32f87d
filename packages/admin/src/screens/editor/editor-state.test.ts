import 'fake-indexeddb/auto';
import '../../text/en/editor.ts';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { type Answer, type Asked, type UnitPage, unitPage } from '../../unit/page.fixture.ts';
import { articles } from '../list/data/list.fixture.ts';

// What the editor does about the saving, against a service that answers as the test says. The saving itself is tested in `editing/`.

const stories: ContentTypeInfo = {
  ...articles,
  ...{ singular: 'story', plural: 'stories', name: 'Story' },
  fields: articles.fields
    .filter(({ name }) => name !== 'author' && name !== 'deleted_at')
    .map((field) => (field.origin === 'protocol' ? { ...field, writable: true } : field)),
  definition: {
    ...{ singular: 'story', plural: 'stories' },
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'reads', field_type: 'integer' },
    ],
    // Protocols with options are objects; the type of definitions names them alone.
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['draft', 'published'], schedule: 'published' },
    ] as unknown as string[],
    admin: { title_field: 'title' },
  },
};

type Stored = Readonly<Record<string, unknown>>;
const path = '/admin/cms/stories';

let page: UnitPage;
/** What the service has. */
let record: Stored;
let version: number;

beforeEach(() => {
  record = { id: 's1', title: 'On paper', reads: 1, status: 'draft', scheduled_at: null, __draft: null };
  version = 1;
});
afterEach(() => page[Symbol.asyncDispose]());

const answered = (value: Stored): Response => Response.json(value, { headers: { ETag: `"${version}"` } });
const change = (values: Stored): Response => {
  version += 1;
  record = { ...record, ...values };
  return answered(record);
};
const drafted = () => {
  const draft = record.__draft;
  return typeof draft === 'object' && draft !== null && 'changes' in draft ? Object(draft.changes) : {};
};
const answer: Answer = ({ line, query, body }) => {
  const isDraft = query.get('draft') === 'true';
  if (line === `GET ${path}/s1`) return answered(isDraft ? { ...record, ...drafted() } : record);
  if (line === `POST ${path}`) return change({ ...body, id: 's1', status: body.status ?? 'draft' });
  if (line === `PUT ${path}/s1` && !isDraft) return change(body);
  if (line === `PUT ${path}/s1`) {
    change({ __draft: { changes: { ...drafted(), ...body }, base: {} } });
    return answered({ ...record, ...drafted() });
  }
  if (line === `POST ${path}/s1/publish`) return change({ ...drafted(), __draft: null });
  if (line === `DELETE ${path}/s1/draft`) return change({ __draft: null }) && new Response(null, { status: 204 });
  return line.startsWith('GET') ? { items: [], total: 0 } : undefined;
};

async function open(id: string | null = 's1', type = stories) {
  page = await unitPage(`/content/stories/${id ?? 'new'}`, answer);
  const { openRecord } = await import('./open-record.ts');
  const { EditorState } = await import('./editor-state.svelte.ts');
  const opened = await openRecord(type, id ?? undefined, undefined);
  page.onEnd(() => opened.editing.close());
  return page.make(() => new EditorState(opened));
}
type Editor = Awaited<ReturnType<typeof open>>;
const published = (): void => {
  record = { ...record, status: 'published' };
};
const isSaved = (editor: Editor) => page.until(() => editor.opened.editing.status === 'clean');
/** A service that reads, and answers so to what is to be changed. */
const fails =
  (status: number, body: object): Answer =>
  (asked) =>
    asked.line.startsWith('GET') ? answer(asked) : Response.json(body, { status });
const tooLong = fails(422, {
  ...{ code: 'validation_failed', detail: 'Not valid.' },
  errors: [{ field: 'title', code: 'too_long', message: 'Too long.' }],
});
const writes = (): readonly Asked[] => page.requests.filter(({ line }) => !line.startsWith('GET'));
/** What was asked for, without the id. */
const written = () => writes().map(({ line, body }) => [line.replace(path, ''), body]);

describe('saving', () => {
  test('stores what was changed, and gives a new record its address', async () => {
    const editor = await open(null);
    expect([editor.title, editor.id]).toEqual(['New Story', null]);
    editor.change('title', 'On ink');
    editor.save();
    await isSaved(editor);
    expect([editor.id, editor.title, location.pathname]).toEqual(['s1', 'On ink', '/admin/content/stories/s1']);
  });

  test('is not begun while a field holds what is no value, which is shown instead', async () => {
    const editor = await open();
    const { unreadable } = await import('../../fields/unreadable.ts');
    editor.change('reads', unreadable('many', 'Enter a number.'));
    editor.save();
    expect([editor.errors, editor.showsSummary, writes()]).toEqual([{ reads: 'Enter a number.' }, true, []]);
    editor.publish();
    expect(writes()).toEqual([]);
  });

  test('shows errors with a summary to whoever waits for it, and clears them when it is done', async () => {
    const editor = await open();
    page.answer = tooLong;
    editor.change('title', 'x');
    editor.save();
    await page.until(() => Object.keys(editor.errors).length > 0);
    expect([editor.errors, editor.showsSummary]).toEqual([{ title: 'Too long.' }, true]);
    page.answer = answer;
    editor.change('title', 'y');
    editor.save();
    await isSaved(editor);
    expect([editor.errors, editor.showsSummary]).toEqual([{}, false]);
  });

  test('shows errors without a summary to whoever has typed on, whose focus stays', async () => {
    const editor = await open();
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    page.answer = async (request) => {
      if (!request.line.startsWith('GET')) {
        asked.resolve();
        await held.promise;
      }
      return tooLong(request);
    };
    editor.change('title', 'x');
    editor.save();
    await asked.promise;
    editor.change('title', 'xy');
    held.resolve();
    await page.until(() => Object.keys(editor.errors).length > 0);
    expect([editor.errors, editor.showsSummary]).toEqual([{ title: 'Too long.' }, false]);
  });

  test('is not for whoever may not change the record', async () => {
    const editor = await open('s1', { ...stories, may: { ...stories.may, update: false } });
    editor.change('title', 'x');
    editor.save();
    editor.setStatus('published');
    expect([editor.mayEdit, writes()]).toEqual([false, []]);
  });
});

describe('publishing', () => {
  test('a record that nobody sees yet: its changes and its status go together', async () => {
    const editor = await open();
    expect([editor.mayPublish, editor.showsPublish, editor.isPublished]).toEqual([true, true, false]);
    editor.change('title', 'On ink');
    editor.publish();
    await isSaved(editor);
    expect(written()).toEqual([['PUT /s1', { title: 'On ink', status: 'published' }]]);
    expect([editor.isPublished, page.toasts()]).toEqual([true, ['On ink is published.']]);
    // There is nothing to publish then.
    expect([editor.mayPublish, editor.showsPublish]).toEqual([false, true]);
    editor.publish();
    expect(writes()).toHaveLength(1);
  });

  test('what was changed of a published one: it is saved as a draft first', async () => {
    published();
    const editor = await open();
    editor.change('title', 'On ink');
    expect(editor.mayPublish).toBe(true);
    editor.publish();
    await page.until(() => page.toasts().length > 0);
    expect(writes().map(({ line }) => line.replace(path, ''))).toEqual(['PUT /s1', 'POST /s1/publish']);
    expect([record.title, record.__draft, editor.hasDraft]).toEqual(['On ink', null, false]);
    expect(page.toasts()).toEqual(['On ink is published.']);
  });

  test('says nothing when it fails, and nothing of it when something else is saved later', async () => {
    const editor = await open();
    page.answer = tooLong;
    editor.publish();
    await page.until(() => Object.keys(editor.errors).length > 0);
    page.answer = answer;
    editor.change('title', 'y');
    editor.save();
    await isSaved(editor);
    expect([page.toasts(), record.status]).toEqual([[], 'draft']);
  });

  test('is taken back with what was drafted, which nobody sees any more', async () => {
    published();
    record = { ...record, __draft: { changes: { title: 'On glue' }, base: {} } };
    const editor = await open();
    expect([editor.hasDraft, editor.opened.editing.values.title]).toEqual([true, 'On glue']);
    editor.unpublish();
    await page.until(() => page.toasts().length > 0);
    expect([record.status, record.title, record.__draft]).toEqual(['draft', 'On glue', null]);
    expect(page.toasts()).toEqual(['On glue is no longer published.']);
  });
});

describe('a schedule', () => {
  const at = '2999-01-01T10:00:00.000Z';

  test('of a new record is saved with it', async () => {
    const editor = await open(null);
    editor.change('title', 'In spring');
    editor.setSchedule(at);
    await isSaved(editor);
    expect(written()).toEqual([['POST ', expect.objectContaining({ title: 'In spring', scheduled_at: at })]]);
    expect([editor.chosenTime, page.toasts().length]).toEqual([null, 1]);
  });

  test('that could not be set is still chosen', async () => {
    const editor = await open();
    page.answer = tooLong;
    editor.setSchedule(at);
    await page.until(() => Object.keys(editor.errors).length > 0);
    expect([editor.chosenTime, page.toasts()]).toEqual([at, []]);
  });

  test('is removed', async () => {
    record = { ...record, scheduled_at: at };
    const editor = await open();
    editor.setSchedule(null);
    await isSaved(editor);
    expect([record.scheduled_at, page.toasts().length]).toEqual([null, 1]);
  });
});

describe('changes that are given up', () => {
  test('are gone from the form; those that are drafted also from the service', async () => {
    published();
    record = { ...record, __draft: { changes: { title: 'On glue' }, base: {} } };
    const editor = await open();
    editor.change('title', 'On glue and thread');
    await editor.discardChanges();
    await page.until(() => writes().length === 1 && editor.opened.editing.status === 'clean');
    expect(written()[0]?.[0]).toBe('DELETE /s1/draft');
    expect([editor.opened.editing.values.title, editor.hasDraft]).toEqual(['On paper', false]);
  });

  test('take errors with them, and ask nothing of the service where nothing is drafted', async () => {
    const editor = await open();
    const { unreadable } = await import('../../fields/unreadable.ts');
    editor.change('reads', unreadable('many', 'Enter a number.'));
    editor.save();
    await editor.discardChanges();
    expect([editor.errors, editor.opened.editing.values.reads, writes()]).toEqual([{}, 1, []]);
  });
});

describe('leaving', () => {
  test('is free when everything is saved', async () => {
    expect(await (await open()).mayLeave()).toBe(true);
  });

  test('waits for what is sent by itself, and asks nobody', async () => {
    published();
    const editor = await open();
    editor.change('title', 'On ink');
    expect(await editor.mayLeave()).toBe(true);
    expect([editor.dialog, written()]).toEqual([undefined, [['PUT /s1', { title: 'On ink' }]]]);
  });

  test.each([
    ['stay', false, 'On ink', 'On paper'],
    ['discard', true, 'On paper', 'On paper'],
    ['save', true, 'On ink', 'On ink'],
  ] as const)('asks about the rest: %s', async (choice, leaves, shown, stored) => {
    const editor = await open();
    editor.change('title', 'On ink');
    const leaving = editor.mayLeave();
    await Promise.resolve();
    expect(editor.dialog).toBe('leave');
    editor.answerLeaving(choice);
    expect(await leaving).toBe(leaves);
    expect([editor.opened.editing.values.title, record.title]).toEqual([shown, stored]);
  });

  test('does not go on when it cannot be saved', async () => {
    const editor = await open();
    page.answer = tooLong;
    editor.change('title', 'x');
    const leaving = editor.mayLeave();
    await Promise.resolve();
    editor.answerLeaving('save');
    expect(await leaving).toBe(false);
    expect(editor.errors).toEqual({ title: 'Too long.' });
  });

  test('is free after the record was deleted here', async () => {
    const editor = await open();
    editor.change('title', 'x');
    editor.deleted();
    expect([await editor.mayLeave(), location.pathname]).toEqual([true, '/admin/content/stories']);
  });
});

describe('a conflict', () => {
  /** Somebody else has changed the title since the form was read. */
  const overtaken: Answer = (request) => {
    if (request.line.startsWith('PUT') && version === 1) {
      change({ title: 'Theirs' });
      return Response.json({ code: 'stale', detail: 'Changed.' }, { status: 412 });
    }
    return answer(request);
  };

  test('is shown over the page to whoever waits for the save', async () => {
    const editor = await open();
    page.answer = overtaken;
    editor.change('title', 'Mine');
    editor.save();
    await page.until(() => editor.dialog === 'conflict');
    editor.opened.editing.choose('title', 'mine');
    editor.save();
    await isSaved(editor);
    expect(record.title).toBe('Mine');
  });

  test('waits at the edge of the page for whoever types on', async () => {
    const editor = await open();
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    page.answer = async (request) => {
      if (request.line.startsWith('PUT')) {
        asked.resolve();
        await held.promise;
      }
      return overtaken(request);
    };
    editor.change('title', 'Mine');
    editor.save();
    await asked.promise;
    editor.change('title', 'Mine too');
    held.resolve();
    await page.until(() => editor.opened.editing.status === 'conflict');
    expect(editor.dialog).toBeUndefined();
    editor.save();
    await page.until(() => editor.dialog === 'conflict');
  });
});

test('an earlier revision of a published record comes into the form, as far as it may be written', async () => {
  published();
  const editor = await open();
  editor.restore(1, { title: 'Before', deleted_at: 'never', id: 'other' });
  expect([editor.opened.editing.values.title, page.toasts().length]).toEqual(['Before', 1]);
  expect(Object.keys(editor.opened.editing.values)).not.toContain('deleted_at');
});
