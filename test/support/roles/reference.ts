/**
 * What a caller with a role of the installation's own gets, computed record by record from the written role. It shares no code with the
 * product: the tests compare the two.
 */

export type Value = string | number | boolean | null;

/** A rule of a role, or a filter of a request. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  /** The field of the record, or of the record that a relation leads to, holds the value. */
  | { readonly path: readonly string[]; readonly operator: '=' | '!=' | '<' | '>'; readonly value: Value }
  /** The field holds the id of the account that asks. */
  | { readonly own: string };

export type Grant = boolean | Condition;

export type Action = 'list' | 'get' | 'create' | 'update' | 'delete' | 'publish';

export interface Fields {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

export type TypeTable = Partial<Readonly<Record<Action, Grant>>> & { readonly read?: Fields; readonly write?: Fields };

export interface RoleModel {
  readonly name: string;
  readonly base?: 'member' | 'editor';
  readonly types: Readonly<Record<string, TypeTable>>;
}

export interface FieldModel {
  readonly name: string;
  /** Text that a search looks into. */
  readonly isText?: boolean;
  readonly isPrivate?: boolean;
  /** Callers cannot set it. */
  readonly isKept?: boolean;
  /** The singular name of the type that it leads to. */
  readonly target?: string;
}

export interface TypeModel {
  readonly singular: string;
  readonly plural: string;
  readonly fields: readonly FieldModel[];
  /** The state that takes the right to publish. */
  readonly published?: { readonly field: string; readonly value: string };
}

export type RecordModel = Readonly<Record<string, Value>> & { readonly id: string };

/** The stored records by type, in the order of their ids. */
export type Stored = Readonly<Record<string, readonly RecordModel[]>>;

export type RequestModel =
  | {
      readonly do: 'list';
      readonly type: string;
      readonly filter?: Condition;
      readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' };
      readonly search?: string;
      readonly include?: string;
    }
  | { readonly do: 'get'; readonly type: string; readonly id: string; readonly include?: string }
  | { readonly do: 'count'; readonly type: string; readonly group: string }
  | { readonly do: 'create'; readonly type: string; readonly body: Readonly<Record<string, Value>> }
  | {
      readonly do: 'update';
      readonly type: string;
      readonly id: string;
      readonly body: Readonly<Record<string, Value>>;
    }
  | { readonly do: 'delete'; readonly type: string; readonly id: string };

/** A record as it is shown, with the records that it includes. */
export interface Shown {
  readonly [name: string]: Value | Shown;
}

export interface AnswerModel {
  readonly status: number;
  readonly items?: readonly Shown[];
  readonly record?: Shown;
  /** How many records have each value of a field, by its text. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** What is asked for, and by whom. */
export interface Situation {
  readonly role: RoleModel;
  readonly account: string;
  readonly types: readonly TypeModel[];
  readonly stored: Stored;
}

export function answerOf(situation: Situation, request: RequestModel): AnswerModel {
  const reader = new Reader(situation);
  const type = reader.type(request.type);
  switch (request.do) {
    case 'list':
      return reader.list(type, request);
    case 'count':
      return reader.count(type, request.group);
    case 'get':
      return reader.get(type, request.id, request.include);
    case 'create':
      return reader.create(type, request.body);
    case 'update':
      return reader.update(type, request.id, request.body);
    case 'delete':
      return reader.remove(type, request.id);
  }
}

class Reader {
  readonly #situation: Situation;

  constructor(situation: Situation) {
    this.#situation = situation;
  }

  type(singular: string): TypeModel {
    const found = this.#situation.types.find((type) => type.singular === singular);
    if (found === undefined) throw new Error(`The test has no type ${singular}.`);
    return found;
  }

  list(type: TypeModel, request: Extract<RequestModel, { do: 'list' }>): AnswerModel {
    if (this.#grant(type, 'list') === false) return { status: 403 };
    const { filter, sort, search, include } = request;
    if (filter !== undefined && !this.#mayName(type, filter)) return { status: 400 };
    if (sort !== undefined && !this.#reads(type, sort.field)) return { status: 400 };
    if (search !== undefined && this.#searched(type).length === 0) return { status: 400 };
    if (include !== undefined && !this.#reads(type, include)) return { status: 400 };
    const items = this.#listed(type)
      .filter((record) => filter === undefined || this.#matches(type, filter, record))
      .filter((record) => search === undefined || this.#finds(type, search, record))
      .toSorted((a, b) => (sort === undefined ? this.#byMatch(type, search, a, b) : 0) || order(a, b, sort));
    return { status: 200, items: items.map((record) => this.#shown(type, record, include)) };
  }

  count(type: TypeModel, group: string): AnswerModel {
    if (this.#grant(type, 'list') === false) return { status: 403 };
    if (!this.#reads(type, group)) return { status: 400 };
    const counts: Record<string, number> = {};
    for (const record of this.#listed(type)) {
      const key = JSON.stringify(record[group] ?? null);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return { status: 200, counts };
  }

  get(type: TypeModel, id: string, include: string | undefined): AnswerModel {
    if (this.#grant(type, 'get') === false) return { status: 403 };
    if (include !== undefined && !this.#reads(type, include)) return { status: 400 };
    const record = this.#found(type, id);
    return record === undefined ? { status: 404 } : { status: 200, record: this.#shown(type, record, include) };
  }

  create(type: TypeModel, body: Readonly<Record<string, Value>>): AnswerModel {
    const grant = this.#grant(type, 'create');
    if (grant === false) return { status: 403 };
    const record: RecordModel = { ...emptyOf(type), ...body, id: '' };
    const nothing: RecordModel = { ...emptyOf(type), id: '' };
    if (!this.#mayWrite(type, body, nothing)) return { status: 403 };
    if (!this.#knows(type, body)) return { status: 422 };
    if (!this.#holds(type, grant, record)) return { status: 403 };
    if (isPublished(type, record) && !this.#holds(type, this.#grant(type, 'publish'), record)) return { status: 403 };
    if (!this.#leadsToKnown(type, body, nothing)) return { status: 422 };
    return { status: 201, record: this.#shown(type, record, undefined) };
  }

  update(type: TypeModel, id: string, body: Readonly<Record<string, Value>>): AnswerModel {
    const grant = this.#grant(type, 'update');
    if (grant === false) return { status: 403 };
    const record = this.#found(type, id);
    if (record === undefined) return { status: 404 };
    if (!this.#holds(type, grant, record) || !this.#mayWrite(type, body, record)) return { status: 403 };
    if (!this.#knows(type, body) || !this.#leadsToKnown(type, body, record)) return { status: 422 };
    const after: RecordModel = { ...record, ...body };
    if (isPublished(type, record) !== isPublished(type, after)) {
      if (!this.#holds(type, this.#grant(type, 'publish'), record)) return { status: 403 };
    }
    return { status: 200, record: this.#shown(type, after, undefined) };
  }

  remove(type: TypeModel, id: string): AnswerModel {
    const grant = this.#grant(type, 'delete');
    if (grant === false) return { status: 403 };
    const record = this.#found(type, id);
    if (record === undefined) return { status: 404 };
    return { status: this.#holds(type, grant, record) ? 204 : 403 };
  }

  /** Whether the role may write what it reads and changes. Into and out of the published state, the right to publish decides. */
  #mayWrite(type: TypeModel, body: Readonly<Record<string, Value>>, before: RecordModel): boolean {
    return Object.entries(body).every(([name, value]) => {
      const stored = before[name] ?? null;
      const isMove = type.published?.field === name && [value, stored].includes(type.published.value);
      return value === stored || isMove || !this.#reads(type, name) || this.#writes(type, name);
    });
  }

  #knows(type: TypeModel, body: Readonly<Record<string, Value>>): boolean {
    return Object.keys(body).every((name) => this.#reads(type, name));
  }

  /** Whether all records that the body leads to anew are ones that the role may get. */
  #leadsToKnown(type: TypeModel, body: Readonly<Record<string, Value>>, before: RecordModel): boolean {
    return Object.entries(body).every(([name, value]) => {
      const target = type.fields.find((field) => field.name === name)?.target;
      if (target === undefined || value === null || value === (before[name] ?? null)) return true;
      return this.#found(this.type(target), String(value)) !== undefined;
    });
  }

  #table({ singular }: TypeModel): TypeTable | undefined {
    const { types } = this.#situation.role;
    return types[singular] ?? types['*'];
  }

  #grant(type: TypeModel, action: Action): Grant {
    const isEditor = this.#situation.role.base === 'editor';
    return this.#table(type)?.[action] ?? isEditor;
  }

  #reads(type: TypeModel, name: string): boolean {
    const field = type.fields.find((each) => each.name === name);
    if (name === 'id') return true;
    if (field === undefined) return false;
    const table = this.#table(type);
    const ofBase = this.#situation.role.base === 'editor' || field.isPrivate !== true;
    if (table === undefined) {
      // Without a table, a role that is based on a member has no right at all.
      return ofBase;
    }
    if (table.read?.only !== undefined) return table.read.only.includes(name);
    return ofBase && table.read?.except?.includes(name) !== true;
  }

  #writes(type: TypeModel, name: string): boolean {
    const field = type.fields.find((each) => each.name === name);
    if (field === undefined || field.isKept === true || !this.#reads(type, name)) return false;
    const write = this.#table(type)?.write;
    if (write?.only !== undefined) return write.only.includes(name);
    return write?.except?.includes(name) !== true;
  }

  #records({ singular }: TypeModel): readonly RecordModel[] {
    return this.#situation.stored[singular] ?? [];
  }

  #listed(type: TypeModel): readonly RecordModel[] {
    return this.#records(type).filter((record) => this.#holds(type, this.#grant(type, 'list'), record));
  }

  /** The record if the role may get it. */
  #found(type: TypeModel, id: string): RecordModel | undefined {
    const record = this.#records(type).find((each) => each.id === id);
    return record !== undefined && this.#holds(type, this.#grant(type, 'get'), record) ? record : undefined;
  }

  /** Rules read every record and field, whatever the role reads. */
  #holds(type: TypeModel, grant: Grant, record: RecordModel): boolean {
    if (typeof grant === 'boolean') return grant;
    return this.#evaluate(type, grant, record, () => true);
  }

  /** A filter finds nothing through a record that the role may not get. */
  #matches(type: TypeModel, condition: Condition, record: RecordModel): boolean {
    return this.#evaluate(type, condition, record, (target, related) => this.#found(target, related.id) !== undefined);
  }

  #evaluate(
    type: TypeModel,
    condition: Condition,
    record: RecordModel,
    seen: (target: TypeModel, related: RecordModel) => boolean,
  ): boolean {
    if ('all' in condition) return condition.all.every((each) => this.#evaluate(type, each, record, seen));
    if ('any' in condition) return condition.any.some((each) => this.#evaluate(type, each, record, seen));
    if ('own' in condition) return record[condition.own] === this.#situation.account;
    let [at, current]: [TypeModel, RecordModel | undefined] = [type, record];
    for (const name of condition.path.slice(0, -1)) {
      const target = this.type(at.fields.find((field) => field.name === name)?.target ?? '');
      const id: Value = current?.[name] ?? null;
      const related: RecordModel | undefined = this.#records(target).find((each) => each.id === id);
      if (related !== undefined && !seen(target, related)) return false;
      [at, current] = [target, related];
    }
    const last = condition.path.at(-1) ?? '';
    return compare(current?.[last] ?? null, condition.operator, condition.value);
  }

  #mayName(type: TypeModel, condition: Condition): boolean {
    if ('all' in condition) return condition.all.every((each) => this.#mayName(type, each));
    if ('any' in condition) return condition.any.every((each) => this.#mayName(type, each));
    const path = 'own' in condition ? [condition.own] : condition.path;
    let at = type;
    for (const [index, name] of path.entries()) {
      if (!this.#reads(at, name)) return false;
      const target = at.fields.find((field) => field.name === name)?.target;
      if (index < path.length - 1) at = this.type(target ?? '');
    }
    return true;
  }

  #searched(type: TypeModel): readonly string[] {
    return type.fields
      .filter(({ name, isText, isPrivate }) => isText === true && isPrivate !== true && this.#reads(type, name))
      .map(({ name }) => name);
  }

  #finds(type: TypeModel, word: string, record: RecordModel): boolean {
    return this.#searched(type).some((name) =>
      String(record[name] ?? '')
        .split(' ')
        .includes(word),
    );
  }

  /** A search without an order of its own: the earlier the field that has the word, the better. */
  #byMatch(type: TypeModel, word: string | undefined, a: RecordModel, b: RecordModel): number {
    if (word === undefined) return 0;
    const has = (name: string, record: RecordModel) =>
      String(record[name] ?? '')
        .split(' ')
        .includes(word);
    const decisive = this.#searched(type).find((name) => has(name, a) !== has(name, b));
    return decisive === undefined ? 0 : has(decisive, a) ? -1 : 1;
  }

  #shown(type: TypeModel, record: RecordModel, include: string | undefined): Shown {
    const shown: Record<string, Value | Shown> = { id: record.id };
    for (const { name, target } of type.fields) {
      if (!this.#reads(type, name)) continue;
      const value = record[name] ?? null;
      if (name !== include || target === undefined) {
        shown[name] = value;
        continue;
      }
      const targetType = this.type(target);
      const related = value === null ? undefined : this.#found(targetType, String(value));
      shown[name] = related === undefined ? null : this.#shown(targetType, related, undefined);
    }
    return shown;
  }
}

const emptyOf = (type: TypeModel): Readonly<Record<string, Value>> => ({
  ...Object.fromEntries(type.fields.map(({ name }) => [name, null])),
  ...(type.published === undefined ? {} : { [type.published.field]: 'draft' }),
});

const isPublished = ({ published }: TypeModel, record: RecordModel): boolean =>
  published !== undefined && record[published.field] === published.value;

function compare(left: Value, operator: '=' | '!=' | '<' | '>', right: Value): boolean {
  if (operator === '=') return left === right;
  if (operator === '!=') return left !== right;
  if (left === null || right === null) return false;
  return operator === '<' ? left < right : left > right;
}

/** Nulls come first when ascending; equal values are in the order of the ids, in the same direction. */
function order(a: RecordModel, b: RecordModel, sort: { field: string; direction: 'asc' | 'desc' } | undefined): number {
  const sign = sort?.direction === 'desc' ? -1 : 1;
  const [left, right] = sort === undefined ? [a.id, b.id] : [a[sort.field] ?? null, b[sort.field] ?? null];
  return sign * (rank(left, right) || rank(a.id, b.id));
}

function rank(left: Value, right: Value): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

/** A condition in the rule language. */
export function ruleText(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(ruleText).join(' && ')})`;
  if ('any' in condition) return `(${condition.any.map(ruleText).join(' || ')})`;
  if ('own' in condition) return `${condition.own} = @request.auth.id`;
  return `${condition.path.join('.')} ${condition.operator} ${JSON.stringify(condition.value)}`;
}

/** A role as a role file has it. */
export function writtenRole({ name, base, types }: RoleModel): object {
  const tables = Object.entries(types).map(([type, table]) => [
    type,
    Object.fromEntries(
      Object.entries(table).map(([key, value]) => [
        key,
        typeof value === 'object' && key !== 'read' && key !== 'write' ? ruleText(value as Condition) : value,
      ]),
    ),
  ]);
  return { name, ...(base === undefined ? {} : { base }), types: Object.fromEntries(tables) };
}
