// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { NewsRoom, root } from './notifications.fixture.ts';

// Random histories of assignments, mentions, reads, rights and removals: what everyone is shown is what a simple model says, whenever
// the log is read in between.

const people = ['ada', 'eve', 'ed', 'cleo', 'olga'] as const;
type Person = (typeof people)[number];
const writers = ['ada', 'eve'] as const;
const stories = 3;

const story = fc.nat({ max: stories - 1 });
const writer = fc.constantFrom(...writers);
const person = fc.constantFrom(...people);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('assign' as const), by: writer, story, to: fc.option(person) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('note' as const),
      by: writer,
      story,
      to: fc.uniqueArray(person, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unnote' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), by: person, which: fc.option(fc.nat()) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trash' as const), story, is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('role' as const), is: fc.constantFrom('editor', 'member') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Made {
  readonly kind: 'assigned' | 'mentioned';
  readonly story: number;
  /** The note; null of an assignment. */
  readonly note: number | null;
  isRead: boolean;
}

/** What should be. */
class Model {
  readonly assignee: (Person | null)[] = Array(stories).fill(null);
  readonly seen: (Person | null)[] = Array(stories).fill(null);
  /** Who has last assigned each story since the log was read. */
  readonly assignedBy = new Map<number, Person>();
  readonly isTrashed: boolean[] = Array(stories).fill(false);
  readonly notes: {
    readonly by: Person;
    readonly story: number;
    readonly to: readonly Person[];
    isGone: boolean;
    isSeen: boolean;
  }[] = [];
  readonly made = new Map<Person, Made[]>(people.map((name) => [name, []]));
  edIs = 'editor';

  look(): void {
    for (const [story, by] of this.assignedBy) {
      const to = this.assignee[story] ?? null;
      if (to !== this.seen[story] && to !== null && to !== by) this.#add(to, { kind: 'assigned', story, note: null });
      this.seen[story] = to;
    }
    this.assignedBy.clear();
    for (const [note, { by, story, to, isGone, isSeen }] of this.notes.entries()) {
      if (!isGone && !isSeen)
        for (const each of to) if (each !== by) this.#add(each, { kind: 'mentioned', story, note });
    }
    for (const note of this.notes) note.isSeen = true;
  }

  #add(to: Person, made: Omit<Made, 'isRead'>): void {
    if (to !== 'ed' || this.edIs !== 'member') this.made.get(to)?.push({ ...made, isRead: false });
  }

  shown(to: Person): readonly Made[] {
    return (this.made.get(to) ?? []).filter(({ story, note }) => {
      if (this.isTrashed[story] || (note !== null && this.notes[note]?.isGone)) return false;
      if (to === 'ed' && this.edIs === 'member') return false;
      return to !== 'olga' || this.assignee[story] === 'olga';
    });
  }
}

test('notifications are what a model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await using room = await NewsRoom.open();
      const ids: string[] = [];
      for (let made = 0; made < stories; made += 1) ids.push(await room.create('ada'));
      const model = new Model();
      const noteIds: string[] = [];
      await room.runJobs();
      for (const each of steps) await run(room, { model, ids, noteIds }, each);
      await run(room, { model, ids, noteIds }, { kind: 'look' });
    }),
    { numRuns: randomCases(8) },
  );
});

interface World {
  readonly model: Model;
  readonly ids: readonly string[];
  readonly noteIds: string[];
}

async function run(room: NewsRoom, world: World, step: Step): Promise<void> {
  const { model, ids, noteIds } = world;
  switch (step.kind) {
    case 'assign': {
      const { story, by, to } = step;
      // Nobody is assigned what they cannot get, and a record in the trash is not changed.
      if (model.isTrashed[story] || (to === 'ed' && model.edIs === 'member')) return;
      if ((model.assignee[story] ?? null) === to) return;
      await room.update(by, ids[story] ?? '', { assignee: to === null ? null : room.id(to) });
      model.assignee[story] = to;
      model.assignedBy.set(story, by);
      return;
    }
    case 'note': {
      const { story, by, to } = step;
      if (model.isTrashed[story]) return;
      noteIds.push(await room.note(by, ids[story] ?? '', to));
      model.notes.push({ by, story, to, isGone: false, isSeen: false });
      return;
    }
    case 'unnote': {
      const open = model.notes.flatMap(({ isGone, story }, index) => (isGone || model.isTrashed[story] ? [] : [index]));
      const index = open[step.which % Math.max(1, open.length)];
      const note = index === undefined ? undefined : model.notes[index];
      if (index === undefined || note === undefined) return;
      await room.send(`DELETE /api/v1/admin/notes/${noteIds[index]}`, 'ada');
      note.isGone = true;
      return;
    }
    case 'read': {
      // What is read is what was shown: nothing waits in the log then.
      await run(room, world, { kind: 'look' });
      const { items } = await room.send(`GET ${root}?page_size=50`, step.by);
      if (step.which === null) {
        await room.readAll(step.by);
        for (const made of model.made.get(step.by) ?? []) made.isRead = true;
        return;
      }
      const item = items[step.which % Math.max(1, items.length)];
      if (item === undefined) return;
      await room.send(`POST ${root}/read`, step.by, { ids: [item.id] });
      const key = keyOf(item, ids, noteIds);
      const made = model
        .shown(step.by)
        .find(({ kind, story, note, isRead }) => JSON.stringify([kind, story, note, isRead]) === JSON.stringify(key));
      if (made !== undefined) made.isRead = true;
      return;
    }
    case 'trash': {
      if (model.isTrashed[step.story] === step.is) return;
      const path = `/api/v1/admin/cms/stories/${ids[step.story]}`;
      await room.send(step.is ? `DELETE ${path}` : `POST ${path}/restore`, 'ada');
      model.isTrashed[step.story] = step.is;
      return;
    }
    case 'role':
      await room.send(`PUT /api/v1/admin/users/${room.id('ed')}`, 'ada', { role: step.is });
      model.edIs = step.is;
      return;
    case 'look': {
      await room.runJobs();
      model.look();
      for (const name of people) {
        const { items, unread } = await room.send(`GET ${root}?page_size=50`, name);
        const shown = items.map((item: Item) => keyOf(item, ids, noteIds));
        const wanted = model.shown(name).map(({ kind, story, note, isRead }) => [kind, story, note, isRead]);
        expect([name, shown.toSorted(compare), unread]).toEqual([
          name,
          wanted.toSorted(compare),
          wanted.filter(([, , , isRead]) => !isRead).length,
        ]);
      }
    }
  }
}

const compare = (a: readonly unknown[], b: readonly unknown[]): number =>
  JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;

interface Item {
  readonly kind: string;
  readonly record: string;
  readonly note: { readonly id: string } | null;
  readonly read_at: string | null;
}

const keyOf = ({ kind, record, note, read_at: read }: Item, ids: readonly string[], notes: readonly string[]) => [
  ...[kind, ids.indexOf(record)],
  note === null ? null : notes.indexOf(note.id),
  read !== null,
];
