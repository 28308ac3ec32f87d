import { type Caller, system, tenantAsked } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { checkPayload } from '../checks/payload.ts';
import { applyProtocols, wholeRecord } from '../checks/protocol-values.ts';
import { mayBeginTenant, partitionField } from '../checks/tenancy.ts';
import { finds } from '../statements/record-statements.ts';
import type { RecordWriter } from './record-writer.ts';

/** Whether the one record of a single type (the caller's tenant's, of a type that keeps tenants apart) has been made. */
export async function hasSingle(writer: RecordWriter, asked: ContentType, caller: Caller): Promise<boolean> {
  const type = asked.shownIn?.base ?? asked;
  const tenant = partitionField(type) === undefined ? null : tenantAsked(caller);
  return finds(writer.context.database, writer.statements.any(type, tenant));
}

/**
 * Creates the one record of a single type (the caller's tenant's, of a type that keeps tenants apart) with its defaults if
 * there is none yet, once, also under concurrent calls. Returns whether it exists now.
 */
export async function ensureSingle(writer: RecordWriter, asked: ContentType, caller: Caller): Promise<boolean> {
  // It begins in the default language.
  const type = asked.shownIn?.base ?? asked;
  const field = partitionField(type);
  if (field !== undefined && !mayBeginTenant(caller)) return false;
  const tenant = field === undefined ? null : tenantAsked(caller);
  const any = writer.statements.any(type, tenant);
  if (await finds(writer.context.database, any)) return true;
  const run = async (transaction: Transaction): Promise<boolean> => {
    // Another request was first: the record is there now all the same.
    if (await finds(transaction, any)) return true;
    const id = newId();
    // What is required is asked for when the record is first updated: until then it has its defaults.
    const changes = checkPayload(type, {}, 'create');
    if (field !== undefined) changes.values.set(field, tenant);
    const moment = { type, caller: system, now: new Date().toISOString(), id };
    applyProtocols(type, changes, ({ protocol, options }, changed) =>
      protocol.onCreate?.({ ...moment, changed }, options),
    );
    const authorship = { ...moment, action: 'create' };
    await writer.insert(transaction, { type, record: wholeRecord(type, id, changes), changes, authorship });
    return true;
  };
  return writer.runInTransaction({ type, run });
}
