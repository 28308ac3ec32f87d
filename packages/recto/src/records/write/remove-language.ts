import { notFound } from '../../base/problem.ts';
import type { Field } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { fieldsByLanguage, isTranslated } from '../../definition/stored-field.ts';
import type { Answer } from '../answers/answer.ts';
import { checkPayload } from '../checks/payload.ts';
import { requireLanguage, sendingOf } from '../checks/role-rights.ts';
import { RequestBindings } from '../plans/plan.ts';
import { currentRecord } from './current-record.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { RecordWriter } from './record-writer.ts';
import { updateRecord } from './update-record.ts';
import type { UpdateRecordRequest } from './write-request.ts';

/** A request to take away what a record says in the language that its type is shown in. */
export type LanguageRemoval = Omit<UpdateRecordRequest, 'payload' | 'act' | 'action'>;

/** Prepares an update that leaves none of the values that the caller sees of the language; 404 where there is none. */
export function prepareLanguageRemoval(writer: RecordWriter, request: LanguageRemoval): PreparedWrite<Answer> {
  const { type, caller, admin } = request;
  const view = viewFor(admin ? 'admin' : 'update', caller, writer.context.types);
  return {
    type,
    view,
    async run(transaction) {
      const bindings = new RequestBindings(caller, [], new Map(), {});
      const current = await currentRecord(writer, transaction, 'update', request, bindings);
      requireLanguage(type, view);
      const isThere = ({ name }: Field): boolean => (current[name] ?? null) !== null;
      const seen = readableFields(type, view);
      const there = seen.filter((field) => isTranslated(field) && field.writable && isThere(field));
      const draft = type.field.get(draftColumnOf(type.protocols) ?? '');
      const isDrafted = draft !== undefined && isThere(draft);
      if (there.length === 0 && !(isDrafted && seen.includes(draft)))
        throw notFound(`This ${type.singular} says nothing in this language.`);
      const payload = Object.fromEntries(there.map(({ name }) => [name, null]));
      const sent = checkPayload(type, payload, 'update', sendingOf(type, view, false));
      // Its draft goes along, and its state: it is one that nobody has written yet.
      const kept = fieldsByLanguage(type).filter((field) => !isTranslated(field));
      const act = () => Object.fromEntries(kept.map(({ name }) => [name, null]));
      const ready = { type, admin, caller, payload, now: bindings.now, act };
      return updateRecord(writer, transaction, ready, current, sent);
    },
  };
}
