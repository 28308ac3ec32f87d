import { isDeepStrictEqual } from 'node:util';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { isTranslated } from '../../definition/stored-field.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { BoundLanguages } from './foreign-languages.ts';
import { ByLanguage, type ForeignValue, type Resolution, resolved } from './foreign-value.ts';
import type { ForeignRecord } from './importer.ts';

/** What the values of records of a type are made with. */
export interface BodyParts {
  readonly type: ContentType;
  /** Names here, by those of the source. */
  readonly fields: ReadonlyMap<string, string>;
  readonly languages: BoundLanguages;
  readonly resolution: Resolution;
  /** The time of a draft of which the source says none: a canonical datetime. */
  readonly now: string;
  /** Reports that something of the record is left out. */
  remark(text: string): void;
}

type Values = Readonly<Record<string, JsonValue>>;
/** What a field says, by the languages of the service. Those that say nothing are null. */
type InLanguages = Readonly<Record<string, JsonValue>>;

/** The values of a record as an import of records has them: localized fields by language, and the draft as it is stored. */
export function foreignBody(parts: BodyParts, { values, draft }: ForeignRecord): Values {
  const { type, fields } = parts;
  const said = new Map<string, InLanguages>();
  const body: Record<string, JsonValue> = {};
  for (const [from, to] of fields) {
    const value = values[from];
    const field = type.field.get(to);
    if (value === undefined || field === undefined) continue;
    const own = inLanguages(parts, field, value);
    said.set(to, own);
    if (Object.keys(own).length > 0) body[to] = stored(type, field, own);
  }
  const next = draft === undefined ? undefined : draftOf(parts, said, draft);
  return next === undefined ? body : { ...body, ...next };
}

/** The tag of the language that records begin in. */
const mainTag = ({ languages }: ContentType): string => languages?.default.tag ?? '';

/** As `language=*` reads it. What is an object could be mistaken for values by language, so it is always written so. */
const stored = (type: ContentType, field: Field, own: InLanguages): JsonValue => {
  const main = mainTag(type);
  const value = own[main] ?? null;
  const isAlone = Object.keys(own).length === 1 && main in own;
  return !isByLanguage(type, field) || (isAlone && !isTable(value)) ? value : own;
};

const isByLanguage = ({ languages }: ContentType, { localized }: Field): boolean =>
  languages !== undefined && localized;

function inLanguages(parts: BodyParts, field: Field, value: ForeignValue): InLanguages {
  const { type, languages, resolution } = parts;
  const main = mainTag(type);
  if (!(value instanceof ByLanguage)) return { [main]: resolved(value, resolution) };
  const isLocal = isByLanguage(type, field);
  // Of what protocols keep, a language that is not there has the usual.
  const own: Record<string, JsonValue> = field.origin === 'declared' ? { [main]: null } : {};
  for (const [name, each] of value.values) {
    const tag = name === languages.main ? main : languages.tags.get(name);
    if (tag === undefined) continue;
    if (!isLocal && tag !== main) {
      if (each !== null && !isDeepStrictEqual(each, value.values.get(languages.main ?? '')))
        parts.remark(`${field.name} in other languages: left out, because it has one value for all`);
    } else own[tag] = resolved(each, resolution);
  }
  return field.required && field.origin === 'declared' ? begun(parts, field, value, own) : own;
}

/** A record begins in the main language: what it cannot be without, it says there in another one if need be. */
function begun({ type, resolution, remark }: BodyParts, { name }: Field, { values }: ByLanguage, own: InLanguages) {
  const main = mainTag(type);
  const other = isNothing(own[main]) ? [...values].find(([, each]) => !isNothing(each)) : undefined;
  if (other === undefined) return own;
  remark(`${name} is required, and not there in the main language: it begins with what another language says`);
  return { ...own, [main]: resolved(other[1], resolution) };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The columns of a draft, of what differs from the record. Undefined: nothing does. */
function draftOf(
  parts: BodyParts,
  live: ReadonlyMap<string, InLanguages>,
  { values, at }: NonNullable<ForeignRecord['draft']>,
): Values | undefined {
  const { type, fields, now, remark } = parts;
  const main = mainTag(type);
  const drafts = new Map<string, { changes: Record<string, JsonValue>; base: Record<string, JsonValue> }>();
  for (const [from, to] of fields) {
    const value = values[from];
    const field = type.field.get(to);
    // What an engine keeps, such as the status, is of the record and never of its draft.
    if (value === undefined || field === undefined || field.origin !== 'declared') continue;
    const next = inLanguages(parts, field, value);
    const before = live.get(to) ?? {};
    for (const tag of new Set([...Object.keys(next), ...Object.keys(before)])) {
      const [now, then] = [next[tag] ?? null, before[tag] ?? null];
      if (isDeepStrictEqual(now, then) || (tag !== main && !isTranslated(field))) continue;
      const draft = drafts.get(tag) ?? { changes: {}, base: {} };
      draft.changes[to] = now;
      draft.base[to] = then;
      drafts.set(tag, draft);
    }
  }
  if (drafts.size === 0) return undefined;
  const column = draftsOf(type)?.field;
  if (column === undefined) {
    remark('changes that are not published: left out, because the type has no drafts');
    return undefined;
  }
  const whole = [...drafts].map(([tag, { changes, base }]) => {
    const draft: JsonValue = { author: null, author_kind: null, at: at ?? now, changes, base };
    return [tag, draft] as const;
  });
  return { [column.name]: stored(type, column, Object.fromEntries(whole)) };
}
