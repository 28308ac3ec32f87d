import { callerRole } from '../../base/caller.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typesInLanguage } from '../../definition/languages/types-in-language.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import { isLocalized, localizedFields } from '../../definition/stored-field.ts';
import { withKnownMembers } from '../../definition/structure/private-members.ts';
import { isVersioned } from '../../definition/type-facts.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Answer } from '../answers/answer.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import { translatedMember } from '../revisions/revision-body.ts';
import type { RevisionReader, RevisionsRequest } from '../revisions/revision-reader.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { RecordWriter } from './record-writer.ts';
import { prepareUpdate } from './update-record.ts';
import type { UpdateRecordRequest } from './write-request.ts';

export interface RestoreRequest extends Omit<RevisionsRequest, 'search'> {
  readonly revision: number;
  /** The `If-Match` header. */
  readonly ifMatch: string | null;
}

/**
 * Prepares an ordinary update that brings a version back: what today's definition no longer accepts is an error, what it no longer has is
 * left out, and fields that the version does not have, or that the caller may not read, keep their present values.
 */
export async function prepareRestore(
  writer: RecordWriter,
  revisions: RevisionReader,
  request: RestoreRequest,
): Promise<PreparedWrite<Answer>> {
  const { type, caller, revision, ifMatch } = request;
  const { id, body } = await revisions.read({ ...request, search: '' }, revision);
  return prepareUpdate(writer, {
    type,
    admin: true,
    caller,
    search: '',
    id,
    payload: writablePart(type, body),
    ...translatedPart(writer, request, body),
    ifMatch,
    action: 'restore',
    restoredFrom: revision,
    // To others, what is private in the version was not shown.
    keepsHidden: !rightsOf(caller, writer.context.types.roles).of(type).readsPrivateHistory,
    // No lock is asked for: the version that the update is based on is the one it names.
    act: () => ({}),
  });
}

/** What callers write, but for what organizes the work on the record: a plan of then is none for now. */
function writablePart(type: ContentType, body: RevisionBody): Readonly<Record<string, JsonValue>> {
  const { organizing } = type.facts;
  const writable = type.fields.filter((field) => field.writable && isVersioned(field) && !organizing.has(field.name));
  return Object.fromEntries(
    writable.flatMap((field) =>
      Object.hasOwn(body, field.name) ? [[field.name, withKnownMembers(field, body[field.name] ?? null)]] : [],
    ),
  );
}

/** What the version says in other languages, of the fields that the caller may write. Nothing of a version that knows none. */
function translatedPart(
  { context: { types } }: RecordWriter,
  { type, caller }: RestoreRequest,
  body: RevisionBody,
): Pick<UpdateRecordRequest, 'translations'> {
  if (!isLocalized(type) || body[translatedMember] === undefined) return {};
  const rights = rightsOf(caller, types.roles);
  const role = callerRole(caller);
  const mayWrite = ({ writers }: Field) =>
    writers === undefined || role === 'admin' || (role !== null && writers.includes(role));
  const fields = localizedFields(type).filter(
    (field) => field.writable && mayWrite(field) && Object.hasOwn(body, field.name),
  );
  return {
    translations: new Map(
      types.languages.others.map((language) => {
        const read = readLanguage(types.languages, language, false, 'admin');
        const own = rights.of(read === undefined ? type : typesInLanguage(types, read).get(type.singular));
        const values = fields
          .filter((field) => own.writes(field))
          .map((field) => [field.name, withKnownMembers(field, body[`${field.name}@${language.tag}`] ?? null)]);
        return [language.tag, Object.fromEntries(values)];
      }),
    ),
  };
}
