import { jsonFault } from '../../definition/fields/json-value.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { fieldNames, Names, ownName } from '../importers/foreign-names.ts';
import {
  ByLanguage,
  ForeignBlock,
  type ForeignFile,
  ForeignRef,
  type ForeignValue,
} from '../importers/foreign-value.ts';
import type { ForeignRecord, LeftOut, NewType } from '../importers/importer.ts';
import { type FieldKind, otherValidations, type PlannedField, plannedField, validation } from './contentful-field.ts';
import { type ContentfulSource, idOf, tableOf, tablesOf } from './contentful-source.ts';
import { entriesIn, richTextHtml } from './rich-text.ts';

interface TypesParts {
  readonly isPublic: boolean;
  file(id: string): ForeignFile | undefined;
}

interface Mapped {
  readonly from: string;
  readonly to: string;
  readonly kind: FieldKind;
  readonly definition: Table;
  readonly isLocalized: boolean;
}

/** What no field of Contentful is called. */
const statusValue = '(status)';
const updatedValue = '(updated)';

/** A value that cannot be brought in. */
class BadValue extends Error {}

/** The content types of an export. */
export class ContentfulTypes {
  readonly #source: ContentfulSource;
  readonly #parts: TypesParts;
  readonly #names = new Map<string, { readonly singular: string; readonly plural: string; readonly block: string }>();
  readonly #entries: ReadonlyMap<string, readonly { readonly entry: Table; readonly line: number }[]>;
  readonly #byId: ReadonlyMap<string, Table>;

  constructor(source: ContentfulSource, parts: TypesParts) {
    this.#source = source;
    this.#parts = parts;
    const names = new Names(['user', 'users']);
    for (const type of source.types) {
      const singular = names.take(ownName(idOf(type), 'record'), '_item');
      const plural = names.take(/s$/.test(singular) ? `${singular}_records` : pluralOf(singular), '_records');
      this.#names.set(idOf(type), { singular, plural, block: ownName(idOf(type), 'block') });
    }
    const all = source.entries.map((entry, index) => ({ entry, line: index + 1 }));
    this.#entries = Map.groupBy(all, ({ entry }) => idOf(tableOf(entry.sys).contentType));
    this.#byId = new Map(source.entries.map((entry) => [idOf(entry), entry]));
  }

  all(): readonly NewType[] {
    return this.#source.types.map((type) => this.#type(type));
  }

  #type(type: Table): NewType {
    const id = idOf(type);
    const { singular = '', plural = '' } = this.#names.get(id) ?? {};
    const leftOut: LeftOut[] = [];
    const mapped = this.#fields(type, leftOut);
    const entries = this.#entries.get(id) ?? [];
    const changed = entries.filter(({ entry }) => isChanged(entry)).length;
    if (changed > 0)
      leftOut.push({
        place: `${id} (status)`,
        why: `The export has the changes of ${changed} published entries, and not what is published: they are drafts.`,
      });
    const read = this.#parts.isPublic ? { access: 'public', filter: 'status = "published"' } : { access: 'admin' };
    const closed = { access: 'admin' };
    const title = mapped.find(({ from, definition }) => from === type.displayField && definition.field_type === 'text');
    return {
      ...{ from: id, file: this.#source.file, total: entries.length, leftOut },
      definition: {
        ...{ name: String(type.name ?? id), singular, plural },
        ...(typeof type.description === 'string' && type.description !== '' ? { description: type.description } : {}),
        protocols: [
          'timestampable',
          { name: 'metaable', private: true },
          { name: 'statusable', values: ['draft', 'published', 'archived'], schedule: 'published' },
          { name: 'versionable', drafts: true },
        ],
        fields: mapped.map(({ definition }) => definition),
        api: { list: read, get: read, create: closed, update: closed, delete: closed },
        ...(title === undefined ? {} : { admin: { title_field: title.to } }),
      },
      fields: [
        ...mapped.map(({ from, to }) => ({ from, to })),
        ...[
          { from: statusValue, to: 'status' },
          { from: updatedValue, to: 'updated_at' },
        ],
      ],
      records: () => this.#records(id, mapped),
    };
  }

  #fields(type: Table, leftOut: LeftOut[]): readonly Mapped[] {
    const id = idOf(type);
    const taken = fieldNames();
    for (const name of ['status', 'scheduled_at']) taken.take(name);
    const entries = this.#entries.get(id) ?? [];
    const [main = ''] = this.#source.locales;
    return tablesOf(type.fields).flatMap((field): readonly Mapped[] => {
      const from = String(field.id);
      const place = `${id}.${from}`;
      const values = entries.map(({ entry }) => tableOf(tableOf(entry.fields)[from]));
      const planned = plannedField(field, {
        control: this.#control(id, from),
        target: (each) => this.#names.get(each),
        linked: () => this.#linked(values),
        holdsOnly: (choices) =>
          values.every((each) => Object.values(each).every((value) => value === '' || choices.includes(value))),
      });
      if (typeof planned === 'string') {
        leftOut.push({ place, why: planned });
        return [];
      }
      const others = otherValidations(field);
      if (others.length > 0)
        leftOut.push({ place, why: `Its validations are not taken over: ${[...new Set(others)].join(', ')}.` });
      if (planned.kind === 'rich_text') this.#embedded(values, place, leftOut);
      const to = taken.take(ownName(from, 'field'), '_field');
      const why = whyOptional(
        planned,
        values.map((each) => each[main]),
      );
      const isRequired = field.required === true;
      if (isRequired && why !== undefined) leftOut.push({ place, why });
      const isLocalized = field.localized === true && this.#source.locales.length > 1;
      const definition = {
        ...{ name: to, label: String(field.name ?? from), ...planned.definition },
        ...(isRequired && why === undefined ? { required: true } : {}),
        ...(validation(field, 'unique') === true && planned.kind === 'text' ? { unique: true } : {}),
        ...(isLocalized ? { localized: true } : {}),
      };
      return [{ from, to, kind: planned.kind, definition, isLocalized }];
    });
  }

  #embedded(values: readonly Table[], place: string, leftOut: LeftOut[]): void {
    const count = values.flatMap((each) => Object.values(each).flatMap((value) => [...entriesIn(value)])).length;
    if (count > 0)
      leftOut.push({ place, why: `HTML shows no records: ${count} entries inside texts become their titles.` });
  }

  #control(type: string, field: string): string {
    const editor = this.#source.editors.find(({ sys }) => idOf(tableOf(sys).contentType) === type);
    return String(tablesOf(editor?.controls).find(({ fieldId }) => fieldId === field)?.widgetId ?? '');
  }

  #linked(values: readonly Table[]): readonly string[] {
    const links = values
      .flatMap((each) => Object.values(each))
      .flatMap((value) => (Array.isArray(value) ? value : [value]));
    return [...new Set(links.flatMap((link: JsonValue) => this.#source.typeOf.get(idOf(link)) ?? []))];
  }

  *#records(type: string, mapped: readonly Mapped[]): Generator<ForeignRecord> {
    const { locales } = this.#source;
    for (const { entry, line } of this.#entries.get(type) ?? []) {
      const errors: string[] = [];
      const remarks = new Set<string>();
      const fields = tableOf(entry.fields);
      const values: Record<string, ForeignValue> = { [statusValue]: statusOf(entry) };
      for (const each of mapped) {
        const said = tableOf(fields[each.from]);
        try {
          const inLanguages = Object.entries(said).map(
            ([locale, value]) => [locale, this.#value(each, value, entry, remarks)] as const,
          );
          const [only] = locales.flatMap((locale) => inLanguages.filter(([name]) => name === locale));
          values[each.from] = each.isLocalized ? new ByLanguage(new Map(inLanguages)) : (only?.[1] ?? null);
        } catch (error) {
          if (!(error instanceof BadValue)) throw error;
          errors.push(`${each.to}: ${error.message}`);
        }
      }
      const { createdAt, updatedAt } = tableOf(entry.sys);
      const updated = momentOf(updatedAt);
      if (updated !== undefined) values[updatedValue] = updated;
      yield { id: idOf(entry), line, createdAt: momentOf(createdAt), values, errors, remarks: [...remarks] };
    }
  }

  #value({ kind, from }: Mapped, value: JsonValue, entry: Table, remarks: Set<string>): ForeignValue {
    if (value === null) return null;
    const list = Array.isArray(value) ? value : [value];
    switch (kind) {
      case 'text':
        if (typeof value !== 'string') throw new BadValue('it holds no text.');
        return value === '' ? null : value;
      case 'plain':
      case 'location': {
        const fault = jsonFault(value);
        if (fault !== undefined) throw new BadValue(fault.message);
        // True because JSON is a value of a source without references.
        return value as ForeignValue;
      }
      case 'time': {
        const time = momentOf(value);
        if (time === undefined) throw new BadValue(`${JSON.stringify(value)} is no time.`);
        return time;
      }
      case 'rich_text':
        return richTextHtml(value, {
          file: (id) => this.#parts.file(id),
          title: (id) => this.#title(id),
          tooDeep: () => remarks.add(`${from}: parts that are nested too deep: left out`),
        });
      case 'asset':
        return this.#parts.file(idOf(value)) ?? null;
      case 'assets':
        return list.flatMap((each: JsonValue): readonly ForeignValue[] => {
          const file = this.#parts.file(idOf(each));
          return file === undefined ? [] : [file];
        });
      case 'entry':
        return this.#ref(value) ?? null;
      case 'entries':
        return [...new Map(list.map((each: JsonValue) => [idOf(each), each])).values()].flatMap(
          (each): readonly ForeignRef[] => {
            const ref = this.#ref(each);
            return ref === undefined ? [] : [ref];
          },
        );
      case 'block':
      case 'blocks':
        return list.flatMap((each: JsonValue, index): readonly ForeignBlock[] => {
          const ref = this.#ref(each);
          const block = ref && this.#names.get(ref.type)?.block;
          if (ref === undefined || block === undefined) return [];
          return [new ForeignBlock(block, `${idOf(entry)}/${from}/${index}`, { item: ref })];
        });
      default:
        return kind satisfies never;
    }
  }

  /** A link whose entry is not in the export leads nowhere there either. */
  #ref(link: JsonValue): ForeignRef | undefined {
    const type = this.#source.typeOf.get(idOf(link));
    return type === undefined ? undefined : new ForeignRef(type, idOf(link));
  }

  #title(id: string): string {
    const entry = this.#byId.get(id);
    const type = this.#source.types.find((each) => idOf(each) === this.#source.typeOf.get(id));
    const said = tableOf(tableOf(entry?.fields)[String(type?.displayField)]);
    const title = this.#source.locales.map((locale) => said[locale]).find((value) => typeof value === 'string');
    return typeof title === 'string' ? title : id;
  }
}

/** Why a field cannot be required here; undefined: it can. */
function whyOptional(
  { definition, kind }: PlannedField,
  values: readonly (JsonValue | undefined)[],
): string | undefined {
  if (definition.field_type === 'media' || /^(?:entry|entries|block|blocks)$/.test(kind))
    return 'What it leads to can be missing from the export, so it is not required.';
  const isEmpty = values.some((value) => value === undefined || value === null || value === '');
  return isEmpty ? 'Some entries have no value, so it is not required.' : undefined;
}

const pluralOf = (singular: string): string =>
  singular === 'person'
    ? 'people'
    : /[^aeiou]y$/.test(singular)
      ? singular.replace(/y$/, 'ies')
      : /(?:s|x|ch|sh)$/.test(singular)
        ? `${singular}es`
        : `${singular}s`;

/** Whether an entry was changed since it was published: each publication raises its version by one. */
function isChanged({ sys }: Table): boolean {
  const { version, publishedVersion } = tableOf(sys);
  return typeof publishedVersion === 'number' && typeof version === 'number' && version > publishedVersion + 1;
}

/** What is published in some languages alone is a draft: nothing that was closed opens. */
function statusOf(entry: Table): string {
  const { archivedAt, archivedVersion, publishedVersion, fieldStatus } = tableOf(entry.sys);
  if (archivedAt !== undefined || archivedVersion !== undefined) return 'archived';
  const inLanguages = Object.values(tableOf(tableOf(fieldStatus)['*']));
  const isPublished = typeof publishedVersion === 'number' && !isChanged(entry);
  return isPublished && inLanguages.every((each) => each === 'published') ? 'published' : 'draft';
}

function momentOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) || !value.includes(':');
  const time = new Date(hasZone ? value : `${value}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
