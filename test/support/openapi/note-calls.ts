import type { TestService } from '../service.ts';

interface World {
  readonly service: TestService;
}

interface NoteCall {
  readonly path: string;
  readonly as: 'ada';
  readonly body?: object;
}

type MakeNoteCall = (world: World, operation: { readonly path: string }) => Promise<NoteCall>;

const categories = '/api/v1/admin/cms/categories';
let count = 0;

async function made({ service }: World, line: string, body: object): Promise<{ readonly id: string }> {
  const reply = await service.send(line, { as: 'ada', body });
  if (reply.status >= 300) throw new Error(`${line} failed: ${reply.text}`);
  return reply.json;
}

/** A record with a note on it, written by the admin. */
export async function noted(world: World): Promise<{ readonly record: string; readonly note: string }> {
  const { id: record } = await made(world, `POST ${categories}`, { name: `noted ${++count}` });
  const { id: note } = await made(world, `POST ${categories}/${record}/notes`, { text: 'A note' });
  return { record, note };
}

/** A call of an operation on such a note. */
const ofNote =
  (body?: object): MakeNoteCall =>
  async (world, { path }) => {
    const { note } = await noted(world);
    return { path: path.replace('{id}', note), as: 'ada', ...(body === undefined ? {} : { body }) };
  };

/** How the operations on one note, and on the people who write some, are called. */
export const noteCalls: Readonly<Record<string, MakeNoteCall>> = {
  listPeople: async (_, { path }) => ({ path, as: 'ada' }),
  updateNote: ofNote({ text: 'Another text' }),
  deleteNote: ofNote(),
  resolveNote: ofNote({ resolved: true }),
};

/** Somebody else has replied. */
export const noteRefusals: Readonly<Record<string, Readonly<Record<409, MakeReply>>>> = {
  deleteNote: {
    409: async ({ service }, { path }) => {
      const as = `writer-${++count}`;
      await service.account(as, 'editor');
      const world = { service };
      const { id: record } = await made(world, `POST ${categories}`, { name: `noted ${++count}` });
      const first = await service.send(`POST ${categories}/${record}/notes`, { as, body: { text: 'Mine' } });
      await made(world, `POST ${categories}/${record}/notes`, { text: 'A reply', parent_id: first.json.id });
      return { path: path.replace('{id}', first.json.id), as };
    },
  },
};

type MakeReply = (
  world: World,
  operation: { readonly path: string },
) => Promise<{ readonly path: string; readonly as: string }>;
