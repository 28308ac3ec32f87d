import { conflict } from '../base/problem.ts';
import type { Query, Transaction } from '../database/database.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { treeOf } from '../definition/tree-columns.ts';
import { readRecordQuery } from '../query/record-query.ts';
import { currentRecord } from './current-record.ts';
import { finds } from './record-statements.ts';
import { applyProtocols, type RecordWriter, type Work } from './record-writer.ts';
import { RequestBindings } from './request-bindings.ts';
import { ruleParameters } from './rule-parameters.ts';
import type { RemoveRequest } from './write-request.ts';

/**
 * Removes a record, or marks it where a protocol does so instead. Records that go with it are removed too; other
 * references to it go, and where a required one would be left empty, the removal is refused (409). Gives back the part
 * that is done within the transaction.
 */
export async function removeRecord(writer: RecordWriter, request: RemoveRequest): Promise<Work<void>> {
  const { type, admin, caller } = request;
  const view = admin ? 'admin' : 'delete';
  const question = { type, types: writer.context.types, view } as const;
  const { parameters } = readRecordQuery(request.search, question, ruleParameters(type, view), false);
  const bindings = new RequestBindings(caller, [], parameters);
  return async (transaction) => {
    const current = await currentRecord(writer, transaction, 'delete', request, bindings);
    const id = String(current.id);
    const changes = { values: new Map(), related: new Map() };
    applyProtocols(type, changes, ({ protocol, options }, changed) =>
      request.outright === true
        ? undefined
        : protocol.onDelete?.({ caller, now: bindings.now, id, changed }, current, options),
    );
    const authorship = { caller, now: bindings.now, action: 'delete' };
    if (changes.values.size > 0) await writer.update(transaction, type, current, changes, authorship);
    else await removeRow(writer, transaction, type, id);
  };
}

async function removeRow(writer: RecordWriter, transaction: Transaction, type: ContentType, id: string): Promise<void> {
  const pointing = referrers(writer.context.types, type);
  for (const { owner, field } of pointing) {
    if (goesWith(owner, field)) {
      const going = await transaction.rows<{ id: string }>(writer.statements.pointing(owner, field, id));
      for (const record of going) await removeRow(writer, transaction, owner, record.id);
    } else if (field.required && (await finds(transaction, needing(writer, owner, field, id)))) {
      throw conflict('record_in_use', `A ${owner.singular} needs this ${type.singular} as its ${field.name}.`);
    }
  }
  const orphans = await orphansOf(writer, transaction, type, id);
  await writer.remove(transaction, type, id);
  for (const settle of orphans) await transaction.run(settle);
  for (const { owner } of pointing) transaction.touch(owner.singular);
}

/** What sets the depths of those that stand directly below a record, and of all below them, once it is gone. */
async function orphansOf(
  { statements }: RecordWriter,
  transaction: Transaction,
  type: ContentType,
  id: string,
): Promise<readonly Query[]> {
  const tree = treeOf(type);
  const parent = tree === undefined ? undefined : type.field.get(tree.parent);
  if (tree === undefined || parent === undefined) return [];
  const rows = await transaction.rows<{ id: string }>(statements.pointing(type, parent, id));
  return rows.map((row) => statements.depth(type, tree, row.id));
}

/** Finds a record whose required reference would be left empty. */
const needing = ({ statements }: RecordWriter, owner: ContentType, field: Field, id: string): Query =>
  field.place.shape === 'to_many'
    ? statements.solelyLinked(field.place.junction, id)
    : statements.pointing(owner, field, id);

const goesWith = (owner: ContentType, field: Field): boolean =>
  owner.protocols.some(({ protocol }) => protocol.goesWith?.includes(field.name));

/** The fields of all types whose stored references to a type change when a record of it goes. */
function referrers(
  types: ContentTypes,
  type: ContentType,
): readonly { readonly owner: ContentType; readonly field: Field }[] {
  return types.all.flatMap((owner) =>
    owner.fields
      .filter(({ place }) => (place.shape === 'to_one' || place.shape === 'to_many') && place.target === type.singular)
      .map((field) => ({ owner, field })),
  );
}
