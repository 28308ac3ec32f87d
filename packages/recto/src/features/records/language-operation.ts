import Type, { type TObject, type TProperties } from 'typebox';
import { invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { isLocalized } from '../../definition/stored-field.ts';
import type { Operation } from '../../http/operation.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { unknownLanguage } from '../../query/missing-language.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, security } from './record-operation.ts';
import { readResponse, removedReply } from './record-response.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** What the routes of a type's records begin with. `public` absent: there are none that change records. */
interface RecordBases {
  readonly public?: string;
  readonly admin: string;
}

/** The routes about the languages of a record: what it is in each, and what takes away what it says in one. */
export function languageOperations(
  type: ContentType,
  records: Records,
  bases: RecordBases = { public: `/api/v1/cms/${type.plural}`, admin: `/api/v1/admin/cms/${type.plural}` },
): readonly Operation[] {
  const { languages } = records.types;
  if (!languages.several || !isLocalized(type)) return [];
  return [
    statesOperation(type, records, bases),
    ...(type.kind === 'single' ? [] : removalOperations(type, records, bases)),
  ];
}

function statesOperation(type: ContentType, records: Records, { admin }: RecordBases): Operation {
  return {
    id: `list${schemaName(type)}RecordLanguages`,
    method: 'GET',
    path: `${admin}/{id}/languages`,
    tag: type.name,
    summary: `List what a record is in each language (${type.name})`,
    ...security(type, { action: 'get', admin: true }),
    params: idParams,
    responses: {
      200: jsonResponse('All languages of the service, in their order.', () => statesSchema(type)),
      304: unchanged,
    },
    problems: commonProblems(404),
    async handle(context) {
      const answer = await records.languageStates({ type, caller: context.caller, id: context.param('id') });
      return readResponse(answer, context);
    },
  };
}

const statesSchema = (type: ContentType): TObject =>
  Type.Object(
    {
      items: Type.Array(
        Type.Object(
          {
            language: Type.Unsafe<string>({ type: 'string', enum: (type.languages?.all ?? []).map(({ tag }) => tag) }),
            default: Type.Boolean({ description: 'Whether it is the default language.' }),
            exists: Type.Boolean({ description: 'Whether the record says anything in it, of what the caller reads.' }),
            outdated: Type.Boolean({
              description: 'Whether the default language has changed since the translation was last written.',
            }),
            changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
              description: 'When the translation was last written.',
            }),
            draft: Type.Boolean({ description: 'Whether there is a draft of it.' }),
            ...stateMembers(type),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  );

/** The state of each language, of a type whose languages are published one by one. */
function stateMembers(type: ContentType): TProperties {
  if (publishedInLanguage(type) === undefined) return {};
  const status = Type.Union([Type.String(), Type.Null()], { description: 'The state that it is in.' });
  const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the status changes by itself.',
  });
  return { status: Type.Optional(status), scheduled_at: Type.Optional(time) };
}

/** The default language is the record itself, and stays. */
function removalOperations(type: ContentType, records: Records, bases: RecordBases): readonly Operation[] {
  const { languages } = records.types;
  const isClosed = bases.public === undefined || type.endpoints.update.access === 'none';
  return (isClosed ? [true] : [false, true]).map(
    (admin): Operation => ({
      id: `${admin ? 'adminR' : 'r'}emove${schemaName(type)}RecordLanguage`,
      method: 'DELETE',
      path: `${admin ? bases.admin : bases.public}/{id}/languages/{language}`,
      tag: type.name,
      summary: `Remove a translation of a record (${type.name}${admin ? ', admin' : ''})`,
      ...security(type, { action: 'update', admin }),
      params: { ...idParams, language: Type.String({ description: 'The tag of the language.' }) },
      headers: ifMatchHeader,
      responses: { 204: { description: 'The record says nothing in this language any more.' } },
      problems: commonProblems(403, 404, 409, 422),
      async handle(context) {
        const tag = context.param('language');
        const language = languages.find(tag);
        if (language === undefined) throw unknownLanguage(tag, languages);
        const read = readLanguage(languages, language, false, admin ? 'admin' : 'public');
        if (read === undefined) throw staysInDefault;
        const own = records.inLanguage(read);
        const write = own.prepareLanguageRemoval({
          type: own.types.get(type.singular),
          admin,
          caller: { ...context.caller, language: language.tag },
          search: '',
          id: context.param('id'),
          ifMatch: ifMatch(context),
        });
        return respondToWrite(context, own, write, () => removedReply);
      },
    }),
  );
}

const staysInDefault = invalid([
  {
    field: '',
    code: 'language_required',
    message: 'A record always has the default language: delete the record itself.',
  },
]);
