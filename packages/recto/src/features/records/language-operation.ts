import Type from 'typebox';
import { invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { isLocalized } from '../../definition/stored-field.ts';
import type { Operation } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { unknownLanguage } from '../../query/missing-language.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems, ifMatch, ifMatchHeader, security } from './record-operation.ts';
import { removedReply } from './record-response.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** The routes that take away what a record says in a language. The default language is the record itself, and stays. */
export function languageOperations(type: ContentType, records: Records): readonly Operation[] {
  const { languages } = records.types;
  if (!languages.several || !isLocalized(type) || type.kind === 'single') return [];
  const isClosed = type.endpoints.update.access === 'none';
  return (isClosed ? [true] : [false, true]).map(
    (admin): Operation => ({
      id: `${admin ? 'adminR' : 'r'}emove${schemaName(type)}RecordLanguage`,
      method: 'DELETE',
      path: `/api/v1/${admin ? 'admin/' : ''}cms/${type.plural}/{id}/languages/{language}`,
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
        const read = readLanguage(languages, language, false);
        if (read === undefined) throw staysInDefault;
        const own = records.inLanguage(read);
        const write = own.prepareLanguageRemoval({
          type: own.types.get(type.singular),
          admin,
          caller: context.caller,
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
