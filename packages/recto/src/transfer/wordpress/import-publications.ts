import { idOf } from '../../base/ids.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { shortened } from './html-text.ts';
import { faultText, type ImportContext, inTransaction, type Outcome } from './import-context.ts';
import type { MappedPublication } from './post-mapping.ts';
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

/** The import of one page or post. */
class PublicationImport {
  readonly #context: ImportContext;
  readonly #item: StagedItem;
  readonly #reader: Executor;
  readonly #remarks: string[] = [];

  constructor(context: ImportContext, item: StagedItem, reader: Executor) {
    this.#context = context;
    this.#item = item;
    this.#reader = reader;
  }

  async run(transaction: Transaction | null): Promise<Outcome> {
    const { ledger, restorer, staging, types } = this.#context;
    const { kind, external_id: externalId, number } = this.#item;
    if ((await ledger.find(this.#reader, kind, externalId)) !== undefined) return (tally) => tally.before(`${kind}s`);
    const mapped = staging.publication(number);
    this.#remarks.push(...mapped.remarks);
    const record = restorer.check(types[kind], await this.#whole(mapped));
    const faults = record.faults.length > 0 ? record.faults : await this.#store(transaction, record);
    if (faults.length > 0) return this.#skipped(faults);
    const { omittedMeta } = mapped;
    return (tally) => {
      tally.taken(`${kind}s`);
      for (const remark of this.#remarks) tally.changed(`${kind}s`, remark, this.#name);
      if (omittedMeta > 0) tally.changed(`${kind}s`, omittedMetaText, '', omittedMeta);
    };
  }

  async #store(transaction: Transaction | null, record: RestoredRecord): Promise<readonly FieldFault[]> {
    const { ledger, restorer } = this.#context;
    if (transaction === null) return [];
    let faults = await restorer.insert(transaction, record);
    const parent = record.type.field.get('parent_id');
    if (parent !== undefined && faults.length > 0 && faults.every(({ field }) => field === 'parent_id')) {
      this.#remarks.push('below a page that they cannot stand below here: put at the top');
      record.changes.values.set(parent, null);
      faults = await restorer.insert(transaction, record);
    }
    if (faults.length === 0) await ledger.note(transaction, this.#item.kind, this.#item.external_id, record.id);
    return faults;
  }

  /** The record completed with data from other entries of the file. */
  async #whole({
    body,
    creator,
    thumbnail,
    categories,
  }: MappedPublication): Promise<Readonly<Record<string, unknown>>> {
    const { files } = this.#context;
    const content =
      typeof body.content === 'string' && files !== undefined ? files.rewritten(body.content) : body.content;
    return {
      ...body,
      content: content ?? null,
      id: idOf(Date.parse(String(body.created_at))),
      author_id: this.#author(creator),
      cover_image: this.#image(thumbnail),
      ...(this.#item.kind === 'page'
        ? { parent_id: await this.#parent() }
        : { categories: this.#categories(categories) }),
    };
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

  #skipped(faults: readonly FieldFault[]): Outcome {
    const { staging } = this.#context;
    return (tally) => {
      staging.leaveOut(this.#item.number);
      tally.skipped(`${this.#item.kind}s`, faultText(faults), this.#name);
    };
  }

  get #name(): string {
    return entryName(this.#item.external_id, this.#item.title);
  }
}

/** The name of an entry in a report: `1168 “Template: Password Protected”`. */
export const entryName = (id: string, title: string): string =>
  title.trim() === '' ? id : `${id} “${shortened(title, 40)}”`;
