import { newId } from '../../base/ids.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import { shortened } from './html-text.ts';
import { faultText, type ImportContext, inTransaction, type Outcome } from './import-context.ts';
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
  const { ledger, restorer, staging, types } = context;
  const { key, name, number } = category;
  const earlier = await stored(context, reader, key);
  if (earlier !== null) {
    staging.setCategory(key, earlier);
    return (tally) => tally.before(kind);
  }
  // Deleted since an earlier import, as posts are: not brought back.
  if ((await ledger.find(reader, 'category', key)) !== undefined) return (tally) => tally.before(kind);
  const parent = category.parent === '' ? null : await stored(context, reader, category.parent);
  const record = restorer.check(types.category, {
    id: newId(),
    name: shortened(name, longest.name),
    slug: importedSlug(key, name),
    description: shortened(category.description, longest.description) || null,
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
    await ledger.note(transaction, 'category', key, record.id);
    staging.setCategory(key, record.id);
  }
  return (tally) => tally.taken(kind);
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
