import type { Database } from '../../../packages/recto/src/database/database.ts';
import type { ContentTypes } from '../../../packages/recto/src/definition/content-type.ts';
import { syncSchema } from '../../../packages/recto/src/migrations/sync-schema.ts';
import { AnswerCache } from '../../../packages/recto/src/records/answers/answer-cache.ts';
import { CursorSealer } from '../../../packages/recto/src/records/answers/cursor-sealer.ts';
import { Records } from '../../../packages/recto/src/records/records.ts';
import { withBuiltIns } from '../../support/definitions.ts';
import { home, makers, type Size } from './content.ts';
import { definitionsAfter } from './steps.ts';
import { type Values, World } from './world.ts';

export const admin = {
  kind: 'account',
  id: '01990000-0000-7000-8000-000000000001',
  role: 'admin',
  session: 's',
} as const;

/** The content types after so many steps, with those of the product. */
export const typesAfter = (count: number): ContentTypes => withBuiltIns(...definitionsAfter(count));

export function recordsOf(database: Database, types: ContentTypes): Records {
  return new Records({
    database,
    types,
    answers: new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 }),
    cursors: new CursorSealer('a secret of the tests, long enough'),
    limits: { pageSize: 1000, maxPageSize: 1000 },
  });
}

/** Makes the first tables and fills them; gives back the model of what is there. */
export async function fill(database: Database, size: Size): Promise<World> {
  const types = typesAfter(0);
  await syncSchema(database, types);
  const records = recordsOf(database, types);
  const world = new World();
  const ids: Record<string, string[]> = {};
  for (const [name, count, make] of makers) {
    const type = types.get(name);
    world.addType(name, Object.keys(make(0, ids)));
    const made: string[] = [];
    ids[name] = made;
    for (let index = 0; index < size[count]; index++) {
      const values = make(index, ids);
      const payload = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
      const created = await records.create({ type, admin: true, caller: admin, search: '', payload });
      made.push(created.id);
      world.addRecord(name, created.id, { ...values });
    }
  }
  const type = types.get('home');
  const { id } = await listAll(records, types, 'home').then(([record]) => ({ id: String(record?.id) }));
  await records.update({ type, admin: true, caller: admin, search: '', id: null, ifMatch: null, payload: { ...home } });
  world.addType('home', Object.keys(home));
  world.addRecord('home', id, { ...home });
  return world;
}

/** All records of a type, as the admin routes return them. */
export async function listAll(records: Records, types: ContentTypes, name: string): Promise<readonly Values[]> {
  const answer = await records.list(types.get(name), 'admin', admin, '');
  return JSON.parse(String(answer.body)).items;
}

/** What the database holds, in the form of the model: by type, by id, the fields that the model looks at. */
export async function servedBy(records: Records, types: ContentTypes, world: World) {
  const served: Record<string, Record<string, Values>> = {};
  for (const [name, { served: isServed, fields }] of world.types) {
    if (!isServed) continue;
    const items = await listAll(records, types, name);
    served[name] = Object.fromEntries(
      items.map((item) => [
        String(item.id),
        Object.fromEntries([...fields].map((field): [string, unknown] => [field, item[field]])),
      ]),
    );
  }
  return served;
}
