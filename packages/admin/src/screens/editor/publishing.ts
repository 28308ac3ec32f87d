import type { ContentTypeInfo } from '../../api/content-type-info.ts';

/** How records of a type are published, where its records have a status. */
export interface Publishing {
  /** All statuses. */
  readonly values: readonly string[];
  /** That of new records, and of those that are unpublished. */
  readonly initial: string;
  /** That of published records; undefined: the type has none. */
  readonly published: string | undefined;
  /** The statuses that may follow each; undefined: any may follow. */
  readonly transitions: Readonly<Record<string, readonly string[]>> | undefined;
  /** The status that a record gets at its `scheduled_at`; undefined: nothing can be scheduled. */
  readonly scheduled: string | undefined;
  /** Whether the person may change anything into or out of the published status. */
  readonly mayPublish: boolean;
  /** Published records may have drafts. */
  readonly hasDrafts: boolean;
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

export function publishingOf(type: ContentTypeInfo): Publishing | undefined {
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
      ...{ values, initial: 'Draft', published: 'Published', transitions: undefined },
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
    scheduled: mayPublish || statusable.schedule !== published ? textOf(statusable.schedule) : undefined,
    mayPublish,
    hasDrafts: hasDrafts && published !== undefined,
  };
}

function transitionsOf(value: unknown): Publishing['transitions'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).map(([from, to]) => [from, textsOf(to)]));
}

/** Whether a record may go from one status to another. */
export function mayBecome({ transitions, published, mayPublish }: Publishing, from: string, to: string): boolean {
  if (from === to) return true;
  if (!mayPublish && (from === published || to === published)) return false;
  return transitions === undefined || transitions[from]?.includes(to) === true;
}
