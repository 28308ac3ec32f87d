import { plant, plantedId } from '../../spec/rules/planted.ts';
import { type Reply, type ServiceOptions, TestService } from '../service.ts';

// Two services whose records differ in nothing but what the role `clerk` may not read.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const closed = { list: { access: 'none' }, get: { access: 'none' } };

/** `task` has a field of each way to hide one: `fee`, `codename`, `checker`, `quiet`, `place`, and those that are private. */
export const definitions = [
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      text('name'),
      relation('checks', 'one_to_many', 'tasks', { mapped_by: 'checker' }),
      relation('tasks', 'one_to_many', 'tasks', { mapped_by: 'topic' }),
    ],
    api: closed,
  },
  {
    singular: 'task',
    plural: 'tasks',
    unique: [['lot', 'codename']],
    protocols: [
      'metaable',
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
      { name: 'sortable', field: 'place', direction: 'desc' },
    ],
    fields: [
      text('title'),
      { name: 'body', field_type: 'richtext' },
      { name: 'open', field_type: 'boolean' },
      { name: 'fee', field_type: 'integer', indexed: true },
      text('codename', { max_length: 60 }),
      text('lot', { max_length: 20 }),
      text('memo', { private: true }),
      { name: 'place', field_type: 'integer', indexed: true },
      text('serial', { unique: true }),
      relation('topic', 'many_to_one', 'topics'),
      relation('checker', 'many_to_one', 'topics'),
      relation('topics', 'many_to_many', 'topics'),
      relation('quiet', 'many_to_many', 'topics'),
      {
        name: 'details',
        field_type: 'group',
        fields: [text('shown'), text('inner', { private: true }), relation('about', 'many_to_one', 'topics')],
      },
      { name: 'vault', field_type: 'json' },
    ],
    admin: { labels: { __meta: 'More', status: { en: 'Stage', de: 'Stand' } } },
    api: closed,
  },
];

/** What the clerk does not read. The rule of its list reads `open`, which it does not read either. */
export const unread = ['fee', 'codename', 'memo', 'place', 'serial', 'checker', 'quiet', 'vault', 'open', '__meta'];

export const clerk = {
  name: 'clerk',
  types: {
    topic: { list: true, get: true },
    task: {
      list: 'open = true',
      get: 'open = true',
      create: true,
      update: 'open = true',
      delete: 'open = true',
      publish: true,
      read: { except: unread.filter((name) => name !== 'memo') },
    },
  },
  may: { events: true },
};

/** The same, based on an editor, who reads what is private inside structured fields. */
export const chief = {
  ...clerk,
  name: 'chief',
  base: 'editor',
  types: { ...clerk.types, task: { ...clerk.types.task, read: { except: [...unread, 'details'] } } },
};

export type Side = 'left' | 'right';

const topic = (place: number): string => plantedId(100 + place);
export const task = (place: number): string => plantedId(200 + place);
export const topicId = topic;

const hiddenOf = (side: Side, place: number) => {
  const isLeft = side === 'left';
  return {
    fee: isLeft ? place : 10 - place,
    codename: isLeft ? 'walnut leftsecret' : 'rightsecret',
    memo: isLeft ? 'leftsecret' : null,
    place: isLeft ? place : 10 - place,
    serial: isLeft ? `leftsecret-${place}` : null,
    checker: isLeft ? topic(1) : null,
    quiet: isLeft ? [topic(1), topic(2)] : [],
    vault: isLeft ? { deep: 'leftsecret' } : null,
    __meta: { color: isLeft ? 'leftsecret' : 'rightsecret' },
  };
};

const shownOf = (place: number) => ({
  title: ['amber lamp', 'birch bowl', 'cedar chest'][place - 1] ?? 'none',
  lot: `lot ${place}`,
  body: `basket ${place}`,
  open: true,
  topic: topic(1 + (place % 2)),
  topics: [topic(2)],
  status: 'published',
});

/** Records of one side: three tasks that the clerk gets, and some that it does not. */
const recordsOf = (side: Side) => [
  { type: 'topic', id: topic(1), body: { name: 'Wood' } },
  { type: 'topic', id: topic(2), body: { name: 'Stone' } },
  ...[1, 2, 3].map((place) => ({
    type: 'task',
    id: task(place),
    body: {
      ...shownOf(place),
      ...hiddenOf(side, place),
      details: { shown: 'amber', inner: side === 'left' ? 'leftsecret' : 'rightsecret', about: topic(2) },
    },
  })),
  ...(side === 'left' ? [7, 8] : [9]).map((place) => ({
    type: 'task',
    id: task(place),
    body: { ...shownOf(place), title: `${side}secret amber`, open: false, fee: 3, topic: topic(1), topics: [topic(1)] },
  })),
];

export interface Twins extends AsyncDisposable {
  readonly left: TestService;
  readonly right: TestService;
  /** Sends the same to both, and returns what both answer; throws where they differ. */
  ask(line: string, as: string, body?: unknown): Promise<Reply>;
  /** Sends what an admin changes, by side. */
  change(line: string, bodies: Readonly<Record<Side, unknown>>): Promise<void>;
}

/** What is another in each service: ids of accounts and requests, and times. */
function comparable(service: TestService, { status, headers, text: body }: Reply): object {
  const names = ['clara', 'ada', 'charlotte'];
  const named = names.reduce((all, name) => all.replaceAll(service.idOf(name), name), body);
  const timeless = named
    .replace(/"request_id":"[^"]*"/g, '"request_id":""')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME');
  const kept = [...headers].filter(([name]) => !['x-request-id', 'etag', 'cache-status', 'location'].includes(name));
  return { status, headers: Object.fromEntries(kept), body: timeless };
}

export async function openTwins(options: ServiceOptions = {}): Promise<Twins> {
  const open = async (side: Side): Promise<TestService> => {
    const service = await TestService.open(definitions, { ...options, roles: [clerk, chief] });
    await service.account('ada', 'admin');
    await service.account('clara', 'clerk');
    await service.account('charlotte', 'chief');
    await plant(service, recordsOf(side));
    return service;
  };
  const left = await open('left');
  const right = await open('right');
  return {
    left,
    right,
    async ask(line, as, body) {
      const sent = { as, ...(body === undefined ? {} : { body }) };
      const [a, b] = [await left.send(line, sent), await right.send(line, sent)];
      const [one, other] = [comparable(left, a), comparable(right, b)];
      if (!Bun.deepEquals(one, other, true)) {
        throw new Error(`${as}: ${line}\n${JSON.stringify(one, null, 1)}\n${JSON.stringify(other, null, 1)}`);
      }
      // What both say is the request's own: each stores one of the two alone.
      for (const secret of ['leftsecret', 'rightsecret']) {
        if (a.text.includes(secret) !== b.text.includes(secret)) {
          throw new Error(`${as}: ${line} shows a secret: ${a.text}\n${b.text}`);
        }
      }
      return a;
    },
    async change(line, bodies) {
      for (const [service, body] of [
        [left, bodies.left],
        [right, bodies.right],
      ] as const) {
        const { status, text: reply } = await service.send(line, { as: 'ada', body });
        if (status >= 300) throw new Error(`${line}: ${reply}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await left[Symbol.asyncDispose]();
      await right[Symbol.asyncDispose]();
    },
  };
}
