import type { ContentTypeInfo } from '../../api/content-type-info.ts';

/** How records of a type are published, where its records have a status. */
export interface Publishing {
  /** All statuses. */
  readonly values: readonly string[];
  /** That of new records, and of those that are unpublished. */
  readonly initial: string;
  /** That of published records; undefined: the type has none. */
  readonly published: string | undefined;
  /** The statuses that may follow each, whoever gives them; undefined: any may follow. */
  readonly transitions: Readonly<Record<string, readonly Move[]>> | undefined;
  /** Whose rights count. */
  readonly role: string | undefined;
  /** The status that a record gets at its `scheduled_at`; undefined: nothing can be scheduled. */
  readonly scheduled: string | undefined;
  /** Whether the person may change anything into or out of the published status. */
  readonly mayPublish: boolean;
  /** Published records may have drafts. */
  readonly hasDrafts: boolean;
}

/** A status that may follow another one. */
interface Move {
  readonly to: string;
  /** The roles that may give it, beside admins; undefined: whoever may change the record. */
  readonly roles: readonly string[] | undefined;
}

interface ProtocolUse {
  readonly name: string;
  readonly [option: string]: unknown;
}

/** A protocol as a definition uses it: by its name, or with options. */
function protocolsOf(type: ContentTypeInfo): readonly ProtocolUse[] {
  // A definition has names and objects with a name here.
  const written: readonly unknown[] = type.definition.protocols ?? [];
  return written.flatMap((one) => {
    if (typeof one === 'string') return [{ name: one }];
    // The service has checked it.
    return typeof one === 'object' && one !== null && 'name' in one ? [one as ProtocolUse] : [];
  });
}

export const protocolOf = (type: ContentTypeInfo, name: string): ProtocolUse | undefined =>
  protocolsOf(type).find((protocol) => protocol.name === name);

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function publishingOf(type: ContentTypeInfo, role: string | undefined): Publishing | undefined {
  const status = type.fields.find(({ name }) => name === 'status');
  if (status === undefined || status.origin !== 'protocol' || !status.writable) return undefined;
  const mayPublish = type.may.publish ?? true;
  const hasDrafts = protocolOf(type, 'versionable')?.drafts === true;
  const statusable = protocolOf(type, 'statusable');
  if (statusable === undefined) {
    // Pages and posts have the statuses of the product.
    const isScheduled = type.fields.some(({ name }) => name === 'scheduled_at');
    if (!isScheduled) return undefined;
    const values = ['Draft', 'Published', 'Archived'];
    return {
      ...{ values, initial: 'Draft', published: 'Published', transitions: undefined, role },
      ...{ scheduled: mayPublish ? 'Published' : undefined, mayPublish, hasDrafts },
    };
  }
  const given = textsOf(statusable.values);
  const values = given.length > 0 ? given : ['draft', 'published', 'archived'];
  const published = textOf(statusable.published) ?? values.find((value) => value === 'published');
  return {
    values,
    initial: textOf(statusable.default) ?? values[0] ?? '',
    published,
    transitions: transitionsOf(statusable.transitions),
    role,
    scheduled: mayPublish || statusable.schedule !== published ? textOf(statusable.schedule) : undefined,
    mayPublish,
    hasDrafts: hasDrafts && published !== undefined,
  };
}

function transitionsOf(value: unknown): Publishing['transitions'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([from, moves]) => [from, Array.isArray(moves) ? moves.flatMap(moveOf) : []]),
  );
}

function moveOf(value: unknown): readonly Move[] {
  if (typeof value === 'string') return [{ to: value, roles: undefined }];
  if (typeof value !== 'object' || value === null || !('to' in value) || typeof value.to !== 'string') return [];
  return [{ to: value.to, roles: 'roles' in value ? textsOf(value.roles) : undefined }];
}

/** Whether the person may move a record from one status to another. */
export function mayBecome({ transitions, published, mayPublish, role }: Publishing, from: string, to: string): boolean {
  if (from === to) return true;
  if (!mayPublish && (from === published || to === published)) return false;
  if (transitions === undefined) return true;
  const move = transitions[from]?.find((each) => each.to === to);
  if (move === undefined) return false;
  return move.roles === undefined || role === 'admin' || (role !== undefined && move.roles.includes(role));
}

/** A move between stages of the work on a record that is not published. */
export interface StageMove {
  readonly to: string;
  /** `ask`: somebody is to decide on its publication; `on`: to another stage before that; `back`: away from it. */
  readonly kind: 'ask' | 'on' | 'back';
}

/** The moves between stages that the person may make from a status. None where the type has no transitions. */
export function stageMoves(publishing: Publishing, from: string): readonly StageMove[] {
  const { transitions, published } = publishing;
  if (transitions === undefined || published === undefined || from === published) return [];
  const left = stepsToPublished(transitions, published);
  const here = left.get(from) ?? Number.POSITIVE_INFINITY;
  return (transitions[from] ?? []).flatMap(({ to }): readonly StageMove[] => {
    const there = left.get(to);
    if (to === published || there === undefined || there === here || !mayBecome(publishing, from, to)) return [];
    if (there > here) return [{ to, kind: 'back' }];
    return [{ to, kind: there === 1 ? 'ask' : 'on' }];
  });
}

/** How many moves there are from each status to the published one, made by anybody. */
function stepsToPublished(
  transitions: NonNullable<Publishing['transitions']>,
  published: string,
): ReadonlyMap<string, number> {
  const steps = new Map([[published, 0]]);
  // A map is walked with what is added to it meanwhile.
  for (const [to, count] of steps)
    for (const [from, moves] of Object.entries(transitions))
      if (!steps.has(from) && moves.some((move) => move.to === to)) steps.set(from, count + 1);
  return steps;
}
