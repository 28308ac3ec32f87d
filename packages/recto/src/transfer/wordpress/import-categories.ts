import { newId } from '../../base/ids.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { TransferTally } from '../transfer-report.ts';
import { shortened } from './html-text.ts';
import { faultText, type ImportContext, inTransaction, type Outcome } from './import-context.ts';
import { aloneRemark, joinedRemark, leftOutFor, standsInRemark } from './language-remarks.ts';
import { type Body, localizedBody, mergeTranslations } from './merge-translations.ts';
import { importedSlug } from './wordpress-slug.ts';
import type { StagedCategory } from './wordpress-staging.ts';

const kind = 'categories';

const longest = { name: 200, description: 5000 } as const;

/** Stores the staged categories, those above before those below. Posts find them in the staging. */
export async function importCategories(context: ImportContext): Promise<void> {
  for (let after = { level: -1, number: 0 }; ; ) {
    const categories = context.staging.categories(after);
    await inTransaction(context, categories, (category, transaction, reader) =>
      importCategory(context, category, transaction, reader),
    );
    const last = categories.at(-1);
    if (last === undefined) return;
    after = { level: last.level, number: last.number };
  }
}

async function importCategory(
  context: ImportContext,
  category: StagedCategory,
  transaction: Transaction | null,
  reader: Executor,
): Promise<Outcome> {
  const { ledger, restorer, staging, types, otherLanguages } = context;
  const { key, number } = category;
  const language = staging.languages.category(key);
  const [main, ...translations] = translatedBodies(context, category);
  const known = await ledger.find(reader, 'category', key);
  if (known !== undefined) {
    const earlier = await stored(context, reader, key);
    // Deleted since an earlier import, as posts are: not brought back.
    if (earlier !== null) staging.setCategory(key, earlier);
    return translateStored(context, { record: known, translations }, transaction, reader);
  }
  const leftOut = leftOutFor(language, otherLanguages);
  if (leftOut !== undefined) return (tally) => tally.skipped(kind, leftOut, key);
  const parent = category.parent === '' ? null : await stored(context, reader, category.parent);
  const fresh: Translated[] = [];
  for (const each of translations)
    if ((await ledger.find(reader, 'category', each.key)) === undefined) fresh.push(each);
  const { body, remark } = merged(context, main, fresh);
  const alone = aloneRemark(language);
  const record = restorer.check(types.category, {
    ...body,
    id: newId(),
    parent_id: parent,
    depth: 0,
    position: number,
  });
  const faults =
    record.faults.length > 0 || transaction === null
      ? record.faults
      : [
          ...(await restorer.insert(transaction, record)),
          // Its depth is counted from the one above it.
          ...(parent === null ? [] : await restorer.relate(transaction, record)),
        ];
  if (faults.length > 0) return (tally) => tally.skipped(kind, faultText(faults), key);
  if (transaction !== null) {
    for (const each of [key, ...fresh.map((translation) => translation.key)]) {
      await ledger.note(transaction, 'category', each, record.id);
      staging.setCategory(each, record.id);
    }
  }
  return (tally) => {
    tally.taken(kind);
    for (const text of [alone, remark]) if (text !== undefined) tally.changed(kind, text, key);
    for (const each of translations) countTranslation(tally, each, fresh.includes(each));
  };
}

/** A category in a language of the service; without one, its tag is null. */
interface Translated {
  readonly key: string;
  readonly tag: string | null;
  readonly body: Body;
}

/** What a category says, then what its translations say. */
function translatedBodies({ staging }: ImportContext, category: StagedCategory): [Translated, ...Translated[]] {
  const [own, ...others] = staging.languages.categories(category.key);
  const parts = others.flatMap(({ key, tag }) => {
    const part = staging.category(key);
    return part === undefined ? [] : [{ key, tag, body: bodyOf(part) }];
  });
  return [{ key: category.key, tag: own?.tag ?? null, body: bodyOf(category) }, ...parts];
}

function bodyOf({ key, name, description }: StagedCategory): Body {
  const slug = importedSlug(key, name);
  return {
    name: shortened(name, longest.name),
    ...(slug === undefined ? {} : { slug }),
    description: shortened(description, longest.description) || null,
  };
}

/** One record of a category and its translations. */
function merged({ types, localized }: ImportContext, main: Translated, translations: readonly Translated[]) {
  const { languages } = types.category;
  const { tag } = main;
  if (languages === undefined || tag === null || !localized.category) return { body: main.body, remark: undefined };
  const parts = translations.flatMap((each) => (each.tag === null ? [] : [{ tag: each.tag, body: each.body }]));
  const { body } = mergeTranslations(types.category, { tag, body: main.body }, parts, languages.default.tag);
  return { body, remark: tag === languages.default.tag ? undefined : standsInRemark(tag, languages.default.tag) };
}

/** Adds the translations that an earlier import did not have. */
async function translateStored(
  context: ImportContext,
  { record, translations }: { readonly record: string; readonly translations: readonly Translated[] },
  transaction: Transaction | null,
  reader: Executor,
): Promise<Outcome> {
  const { ledger, restorer, staging, types } = context;
  const added = new Set<Translated>();
  const skipped = new Map<Translated, string>();
  for (const each of translations) {
    const { key, tag } = each;
    const earlier = await stored(context, reader, key);
    if (earlier !== null) staging.setCategory(key, earlier);
    if (tag === null || (await ledger.find(reader, 'category', key)) !== undefined) continue;
    const body = localizedBody(types.category, each.body);
    const outcome = await restorer.translate(reader, transaction, { type: types.category, id: record, tag, body });
    if (outcome !== 'gone') staging.setCategory(key, record);
    if (typeof outcome !== 'string' && outcome.length === 0) {
      if (transaction !== null) await ledger.note(transaction, 'category', key, record);
      added.add(each);
    } else
      skipped.set(
        each,
        typeof outcome === 'string' ? 'translations of what has changed since its import' : faultText(outcome),
      );
  }
  return (tally) => {
    tally.before(kind);
    for (const each of translations) {
      const reason = skipped.get(each);
      if (reason === undefined) countTranslation(tally, each, added.has(each));
      else tally.skipped(kind, reason, each.key);
    }
  };
}

function countTranslation(tally: TransferTally, { key, tag }: Translated, isNew: boolean): void {
  if (!isNew) {
    tally.before(kind);
    return;
  }
  tally.taken(kind);
  tally.changed(kind, joinedRemark(String(tag)), key);
}

/** The id of an imported category that still exists. */
async function stored(
  { ledger, restorer, types }: ImportContext,
  reader: Executor,
  key: string,
): Promise<string | null> {
  const id = await ledger.find(reader, 'category', key);
  return id !== undefined && (await restorer.exists(reader, types.category, id)) ? id : null;
}
