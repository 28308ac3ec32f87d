import { idOf } from '../../base/ids.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { shortened } from './html-text.ts';
import { faultText, type ImportContext, inTransaction, type Outcome } from './import-context.ts';
import { aloneRemark, joinedRemark, leftOutFor, standsInRemark } from './language-remarks.ts';
import { type Body, localizedBody, mergeTranslations } from './merge-translations.ts';
import { type MappedPublication, tagNames } from './post-mapping.ts';
import type { StagedTranslation } from './staged-languages.ts';
import type { StagedItem } from './wordpress-staging.ts';

/** Stores the staged pages and posts, pages after their parents. `step` gets the number processed. */
export async function importPublications(context: ImportContext, step: (count: number) => void): Promise<void> {
  for (let after = { level: -1, number: 0 }; ; ) {
    const items = context.staging.items(after);
    await inTransaction(context, items, (item, transaction, reader) =>
      new PublicationImport(context, item, reader).run(transaction),
    );
    step(items.length);
    const last = items.at(-1);
    if (last === undefined) return;
    after = { level: last.level, number: last.number };
  }
}

const omittedMetaText =
  'custom fields whose names begin with “_”, which WordPress and its plugins keep to themselves: left out';

/** One page or post of the file, mapped. */
interface Entry {
  readonly id: string;
  readonly tag: string | null;
  readonly mapped: MappedPublication;
}

/** The import of one page or post, with its translations. */
class PublicationImport {
  readonly #context: ImportContext;
  readonly #item: StagedItem;
  readonly #reader: Executor;
  readonly #remarks: string[] = [];
  /** What the translations are counted as. */
  readonly #outcomes: Outcome[] = [];

  constructor(context: ImportContext, item: StagedItem, reader: Executor) {
    this.#context = context;
    this.#item = item;
    this.#reader = reader;
  }

  async run(transaction: Transaction | null): Promise<Outcome> {
    const { ledger, staging, otherLanguages } = this.#context;
    const { kind, external_id: externalId, number } = this.#item;
    const earlier = await ledger.find(this.#reader, kind, externalId);
    const leftOut = leftOutFor(this.#item, otherLanguages);
    if (earlier === undefined && leftOut !== undefined) return this.#skipped(leftOut);
    const parts: StagedTranslation[] = [];
    for (const part of staging.translations(number)) {
      if ((await ledger.find(this.#reader, kind, part.external_id)) === undefined) parts.push(part);
      else this.#outcomes.push((tally) => tally.before(this.#kind));
    }
    if (earlier === undefined) return this.#record(transaction, parts);
    for (const part of parts) this.#outcomes.push(await this.#translate(transaction, earlier, part));
    return this.#together((tally) => tally.before(this.#kind));
  }

  /** A new record. */
  async #record(transaction: Transaction | null, parts: readonly StagedTranslation[]): Promise<Outcome> {
    const { restorer, staging, types } = this.#context;
    const { kind, external_id: externalId, number, tag } = this.#item;
    const mapped = staging.publication(number);
    const main = { id: externalId, tag, mapped };
    const translations = parts.map((part) => ({
      ...{ id: part.external_id, tag: part.tag },
      mapped: staging.publication(part.number),
    }));
    this.#remarks.push(...mapped.remarks);
    const alone = aloneRemark(this.#item);
    if (alone !== undefined) this.#remarks.push(alone);
    if (this.#outcomes.length > 0) this.#remarks.push('with translations that an earlier import made records of');
    const record = restorer.check(types[kind], await this.#whole(main, translations));
    const faults = record.faults.length > 0 ? record.faults : await this.#store(transaction, record, translations);
    if (faults.length > 0) return this.#skipped(faultText(faults), translations);
    return this.#together((tally) => {
      tally.taken(this.#kind);
      for (const remark of this.#remarks) tally.changed(this.#kind, remark, this.#name);
      for (const each of translations) {
        tally.taken(this.#kind);
        tally.changed(this.#kind, joinedRemark(each.tag), titled(each));
        for (const remark of each.mapped.remarks) tally.changed(this.#kind, remark, titled(each));
      }
      const omitted = [main, ...translations].reduce((sum, each) => sum + each.mapped.omittedMeta, 0);
      if (omitted > 0) tally.changed(this.#kind, omittedMetaText, '', omitted);
    });
  }

  async #store(
    transaction: Transaction | null,
    record: RestoredRecord,
    translations: readonly Entry[],
  ): Promise<readonly FieldFault[]> {
    const { ledger, restorer } = this.#context;
    if (transaction === null) return [];
    let faults = await restorer.insert(transaction, record);
    const parent = record.type.field.get('parent_id');
    if (parent !== undefined && faults.length > 0 && faults.every(({ field }) => field === 'parent_id')) {
      this.#remarks.push('below a page that they cannot stand below here: put at the top');
      record.changes.values.set(parent, null);
      faults = await restorer.insert(transaction, record);
    }
    if (faults.length > 0) return faults;
    for (const id of [this.#item.external_id, ...translations.map((each) => each.id)])
      await ledger.note(transaction, this.#item.kind, id, record.id);
    return faults;
  }

  /** Adds a translation to the record of an earlier import. */
  async #translate(transaction: Transaction | null, record: string, part: StagedTranslation): Promise<Outcome> {
    const { ledger, restorer, staging, types } = this.#context;
    const { kind } = this.#item;
    const mapped = staging.publication(part.number);
    const entry = { id: part.external_id, tag: part.tag, mapped };
    const name = titled(entry);
    const body = localizedBody(types[kind], this.#said(entry));
    const status = String(mapped.body.status);
    const addition = { type: types[kind], id: record, tag: part.tag, body, status };
    const outcome = await restorer.translate(this.#reader, transaction, addition);
    if (typeof outcome === 'string') {
      return (tally) => {
        staging.leaveOut(part.number);
        tally.skipped(this.#kind, cannotTranslate[outcome], name);
      };
    }
    if (outcome.length > 0) return (tally) => tally.skipped(this.#kind, faultText(outcome), name);
    if (transaction !== null) await ledger.note(transaction, kind, part.external_id, record);
    return (tally) => {
      tally.taken(this.#kind);
      tally.changed(this.#kind, joinedRemark(part.tag), name);
    };
  }

  /** The record completed with data from other entries of the file. */
  async #whole(main: Entry, translations: readonly Entry[]): Promise<Readonly<Record<string, unknown>>> {
    const { mapped } = main;
    const body = this.#merged(main, translations);
    const categories = [main, ...translations].flatMap((each) => each.mapped.categories);
    return {
      ...body,
      id: idOf(Date.parse(String(mapped.body.created_at))),
      author_id: this.#author(mapped.creator),
      ...(this.#item.kind === 'page'
        ? { parent_id: await this.#parent() }
        : { categories: this.#categories(categories), tags: this.#tags([main, ...translations]) }),
    };
  }

  /** What the entries say, by language where the service has theirs. */
  #merged(main: Entry, translations: readonly Entry[]): Body {
    const { types, localized } = this.#context;
    const type = types[this.#item.kind];
    const { languages } = type;
    const own = this.#said(main);
    if (languages === undefined || main.tag === null || !localized[this.#item.kind]) return own;
    const parts = translations.flatMap((each) =>
      each.tag === null ? [] : [{ tag: each.tag, body: this.#said(each) }],
    );
    const defaultTag = languages.default.tag;
    if (main.tag !== defaultTag) this.#remarks.push(standsInRemark(main.tag, defaultTag));
    const { body, others: fields } = mergeTranslations(type, { tag: main.tag, body: own }, parts, defaultTag);
    const isByAnother = translations.some(({ mapped }) => mapped.creator !== main.mapped.creator);
    const others = [...fields, ...(isByAnother ? ['author_id'] : [])];
    if (others.length > 0)
      this.#remarks.push(`with translations that have another ${others.join(', ')}: that of “${main.tag}” is kept`);
    return { ...body, __meta: metaOf(main, translations) };
  }

  /** The body of one entry with its files. */
  #said({ mapped: { body, thumbnail } }: Entry): Body {
    const { files } = this.#context;
    const content =
      typeof body.content === 'string' && files !== undefined ? files.rewritten(body.content) : body.content;
    return { ...body, content: content ?? null, cover_image: this.#image(thumbnail) };
  }

  /** Tags have one language: a tag of a translation is named in the first language that it has a name in. */
  #tags(entries: readonly Entry[]): readonly string[] {
    const { staging } = this.#context;
    const tags = entries.flatMap(({ mapped }) => mapped.tags);
    return tagNames(
      tags.map((tag) => ({ name: staging.languages.tagName(tag) })),
      entries.length > 1 ? this.#remarks : [],
    );
  }

  #categories(categories: MappedPublication['categories']): readonly string[] {
    const { staging, dryRun } = this.#context;
    return dryRun ? [] : [...new Set(categories.flatMap((category) => staging.categoryRecord(category) ?? []))];
  }

  #author(creator: string): string | null {
    const account = this.#context.staging.accountOf(creator);
    if (account === undefined) this.#remarks.push('by an author whom the file does not describe: without author');
    return account ?? null;
  }

  #image(thumbnail: string): string | null {
    if (thumbnail === '' || thumbnail === '0') return null;
    const { staging, types, files } = this.#context;
    const file = files?.find(thumbnail);
    if (file !== undefined) return file.id;
    const url = staging.attachment(thumbnail);
    const field = types[this.#item.kind].field.get('cover_image');
    if (url !== undefined && field?.type.parse(url, field).ok === true) return url;
    this.#remarks.push('with a featured image that the file does not hold an address of: without image');
    return null;
  }

  async #parent(): Promise<string | null> {
    const { parent } = this.#item;
    if (parent === '0' || parent === '') return null;
    const { ledger, restorer, types, dryRun } = this.#context;
    const id = await ledger.find(this.#reader, 'page', parent);
    if (id !== undefined && (await restorer.exists(this.#reader, types.page, id))) return id;
    if (!dryRun) this.#remarks.push('below a page that was not imported: put at the top');
    return null;
  }

  #skipped(reason: string, translations: readonly Entry[] = []): Outcome {
    const { staging } = this.#context;
    return this.#together((tally) => {
      staging.leaveOut(this.#item.number);
      for (const name of [this.#name, ...translations.map(titled)]) tally.skipped(this.#kind, reason, name);
    });
  }

  /** An outcome with those of the translations. */
  #together(own: Outcome): Outcome {
    return (tally) => {
      for (const outcome of [own, ...this.#outcomes]) outcome(tally);
    };
  }

  /** As a report counts them. */
  get #kind(): string {
    return `${this.#item.kind}s`;
  }

  get #name(): string {
    return entryName(this.#item.external_id, this.#item.title);
  }
}

/** Why a translation is not added to the record of an earlier import. */
const cannotTranslate = {
  gone: 'translations of what has been deleted since its import',
  other_status: 'translations of what has another status since its import',
  said: 'translations of what has been translated since its import',
} as const;

/** The metadata of a record, with that of its translations. */
function metaOf(main: Entry, translations: readonly Entry[]): JsonValue {
  const own = tableOf(main.mapped.body.__meta);
  if (translations.length === 0) return own;
  const others = translations.map(({ tag, mapped }) => {
    const { _wordpress: origin, ...meta } = tableOf(mapped.body.__meta);
    const custom = Object.keys(meta).length === 0 ? {} : { meta };
    return [String(tag), { ...tableOf(origin), ...custom }] as const;
  });
  return { ...own, _wordpress: { ...tableOf(own._wordpress), translations: Object.fromEntries(others) } };
}

const tableOf = (value: JsonValue | undefined): Readonly<Record<string, JsonValue>> => (isTable(value) ? value : {});

/** The name of an entry in a report: `1168 “Template: Password Protected”`. */
export const entryName = (id: string, title: string): string =>
  title.trim() === '' ? id : `${id} “${shortened(title, 40)}”`;

const titled = ({ id, mapped }: Entry): string => entryName(id, String(mapped.body.title));
