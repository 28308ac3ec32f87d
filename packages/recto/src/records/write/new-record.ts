import type { RuleEnvironment, SqlValue } from '../../base/bindings.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { saidColumn, saidName } from '../../definition/languages/languages-table.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { isToOne, targetOf } from '../../definition/stored-field.ts';
import type { Rule } from '../../rules/rule.ts';
import type { RuleRecord } from '../../rules/rule-evaluator.ts';
import { countsRead, relatedAnyOf, relationsRead } from '../../rules/rule-reads.ts';
import type { CheckedAny } from '../../rules/rule-tree.ts';
import { tenantOfRecord } from '../checks/tenancy.ts';
import { decodeRow, type RecordStatements } from '../statements/record-statements.ts';
import { anyOfHolding, isInverseOf } from './new-record-any-of.ts';
import type { WriteContext } from './write-context.ts';

/** A record that is not stored yet, as rules read it. */
class DraftRecord implements RuleRecord {
  readonly #values: StoredRecord;
  readonly #counts: ReadonlyMap<string, number>;
  readonly #related: ReadonlyMap<string, DraftRecord>;
  readonly #holding: ReadonlySet<CheckedAny>;

  constructor(
    values: StoredRecord,
    counts: ReadonlyMap<string, number>,
    related: ReadonlyMap<string, DraftRecord>,
    holding: ReadonlySet<CheckedAny> = new Set(),
  ) {
    this.#values = values;
    this.#counts = counts;
    this.#related = related;
    this.#holding = holding;
  }

  /** The same record, with the any-of comparisons that hold for it. */
  with(holding: ReadonlySet<CheckedAny>): DraftRecord {
    return new DraftRecord(this.#values, this.#counts, this.#related, holding);
  }

  get(field: string): FieldValue | null {
    return this.#values[field] ?? null;
  }

  related(field: string): RuleRecord | null {
    return this.#related.get(field) ?? null;
  }

  count(field: string): number {
    return this.#counts.get(field) ?? 0;
  }

  holdsForAny(comparison: CheckedAny): boolean {
    return this.#holding.has(comparison);
  }
}

/** The new record with those related records and counts loaded that the rules look into. */
export async function draftRecord(
  context: WriteContext,
  executor: Pick<Executor, 'first'>,
  statements: RecordStatements,
  draft: {
    readonly type: ContentType;
    readonly values: StoredRecord;
    readonly related: ReadonlyMap<Field, readonly string[]>;
    readonly rules: readonly Rule[];
    readonly environment: RuleEnvironment;
  },
): Promise<RuleRecord> {
  const { type, values, rules, environment } = draft;
  const tenant = tenantOfRecord(type, values);
  const loader = new DraftLoader(context, executor, statements, { type, values, tenant });
  const linked = new Map([...draft.related].map(([field, ids]) => [field.name, ids]));
  const counts = new Map([...linked].map(([name, ids]) => [name, ids.length]));
  // What ends at records of this type may end at the new one.
  const ends = rules
    .flatMap(({ tree }) => relatedAnyOf(tree))
    .filter(({ through }) => isInverseOf(through.at(-1), type));
  const read = [...rules.map(({ tree }) => tree), ...ends.map(({ comparison }) => comparison)];
  const record = await loader.record(type, { ...saidFirst(type), ...values }, counts, {
    relations: read.flatMap(relationsRead),
    counts: read.flatMap(countsRead),
  });
  const ids = (field: string): readonly string[] => {
    const id = values[field];
    return linked.get(field) ?? (typeof id === 'string' ? [id] : []);
  };
  return record.with(await anyOfHolding(context, executor, { type, tenant, ids, record }, rules, environment));
}

/** The languages in which a new record has values, as rules read them. */
const saidFirst = ({ languages, field }: ContentType): StoredRecord =>
  languages === undefined || field.has(saidName) ? {} : { [saidName]: [languages.default.tag] };

/** Those of a stored record. */
function saidIn({ languages, field }: ContentType, row: Readonly<Record<string, SqlValue>>): StoredRecord {
  const said = row[saidColumn];
  if (languages === undefined || field.has(saidName) || typeof said !== 'string') return {};
  // The column only ever gets an array of tags.
  return { [saidName]: JSON.parse(said) as readonly string[] };
}

type Paths = readonly (readonly string[])[];

/** What rules look into beyond a record's own columns, as paths from that record. */
interface Wanted {
  readonly relations: Paths;
  readonly counts: Paths;
}

/** The record that is not stored yet. */
interface NewRecord {
  readonly type: ContentType;
  readonly values: StoredRecord;
  readonly tenant: string | null;
}

class DraftLoader {
  readonly #context: WriteContext;
  readonly #executor: Pick<Executor, 'first'>;
  readonly #statements: RecordStatements;
  readonly #new: NewRecord;

  constructor(
    context: WriteContext,
    executor: Pick<Executor, 'first'>,
    statements: RecordStatements,
    created: NewRecord,
  ) {
    this.#context = context;
    this.#executor = executor;
    this.#statements = statements;
    this.#new = created;
  }

  async record(
    type: ContentType,
    values: StoredRecord,
    counts: ReadonlyMap<string, number>,
    wanted: Wanted,
  ): Promise<DraftRecord> {
    const related = new Map<string, DraftRecord>();
    const heads = new Set(wanted.relations.map(([head]) => head));
    for (const name of heads) {
      const field = name === undefined ? undefined : type.field.get(name);
      const id = field === undefined ? undefined : values[field.name];
      const singular = field !== undefined && isToOne(field) ? targetOf(field) : undefined;
      if (name === undefined || singular === undefined || typeof id !== 'string') continue;
      const target = this.#context.types.get(singular);
      const inner = { relations: after(name, wanted.relations), counts: after(name, wanted.counts) };
      const loaded = await this.#stored(target, id, inner);
      if (loaded !== null) related.set(name, loaded);
    }
    return new DraftRecord(values, counts, related);
  }

  async #stored(type: ContentType, id: string, wanted: Wanted): Promise<DraftRecord | null> {
    const row = await this.#executor.first<Record<string, SqlValue>>(this.#statements.row(type, id));
    if (row === undefined) return null;
    const record = { ...decodeRow(type, row, this.#context.database.dialect), ...saidIn(type, row) };
    // Another tenant's: it is rejected as if it did not exist, and a rule must not reveal that it does.
    if (type.partition !== null && tenantOfRecord(type, record) !== this.#new.tenant) return null;
    const counts = new Map<string, number>();
    for (const [name, ...rest] of wanted.counts) {
      if (name === undefined || rest.length > 0) continue;
      counts.set(name, await this.#count(type, name, id));
    }
    return this.record(type, record, counts, wanted);
  }

  async #count(type: ContentType, name: string, id: string): Promise<number> {
    const field = type.scope.field(name);
    if (field?.shape !== 'to_many') return 0;
    const row = await this.#executor.first<{ total: number | bigint }>(this.#statements.related(field, id));
    // As it would be stored, the new record is one of those that refer to this one.
    const { type: created, values } = this.#new;
    const isOne = field.linkedBy === undefined && field.type === created.singular && values[field.column] === id;
    return Number(row?.total ?? 0) + Number(isOne);
  }
}

/** The rest of those paths that begin with a name. */
const after = (head: string, paths: Paths): Paths =>
  paths.filter((path) => path[0] === head && path.length > 1).map((path) => path.slice(1));
