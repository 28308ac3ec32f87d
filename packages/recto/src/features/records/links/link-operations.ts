import Type from 'typebox';
import { notFound } from '../../../base/problem.ts';
import { idPattern } from '../../../definition/fields/id-field.ts';
import { slugFieldOf } from '../../../definition/slug-field.ts';
import type { Operation } from '../../../http/operation.ts';
import { jsonRead } from '../../../http/responses/json-response.ts';
import { unchanged } from '../../../http/shared-responses.ts';
import { idParams, recordId } from '../../../http/shared-schemas.ts';
import { tenantHeaders } from '../../../http/tenant-header.ts';
import { deadReasons } from '../../../records/read/dead-links.ts';
import { SiteAddresses } from '../../../records/read/html-links.ts';
import type { Records } from '../../../records/records.ts';
import { commonProblems, jsonResponse } from '../record-operation.ts';

const common = {
  method: 'GET',
  tag: 'Links',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
} as const;

const reference = `^[a-z][a-z0-9_-]{0,63}/${idPattern.slice(1, -1)}(?:/[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3})?$`;
const singular = Type.String({ description: 'The singular name of the type of the record that has the link.' });
const place = Type.String({ description: 'Where the link stands, such as `body` or `sections[2].text`.' });

const linkingSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { type: singular, id: recordId, places: Type.Array(place) },
        { $id: 'LinkingRecord', additionalProperties: false },
      ),
    ),
  },
  { $id: 'LinkingRecords', additionalProperties: false },
);

const deadSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          type: singular,
          id: recordId,
          place,
          language: Type.Union([Type.String(), Type.Null()], {
            description: 'The language of the text; null: the default one.',
          }),
          draft: Type.Boolean({ description: 'Whether it stands in the draft of a published record.' }),
          href: Type.String(),
          record: Type.Union([Type.String(), Type.Null()], {
            description: 'The record that the link names in `data-record`.',
          }),
          reason: Type.Enum([...deadReasons], {
            description: '`no_record`: there is none, or you do not see it; `hidden`: visitors do not see it.',
          }),
        },
        { $id: 'DeadLink', additionalProperties: false },
      ),
    ),
    next: Type.Union([Type.String(), Type.Null()], { description: 'What `after` takes for the next part.' }),
  },
  { $id: 'DeadLinks', additionalProperties: false },
);

/** Which texts link to a record, and links that lead nowhere. `publicUrl`: what addresses of the site begin with. */
export function linkOperations(records: Records, publicUrl: string | undefined): readonly Operation[] {
  const site = new SiteAddresses(publicUrl);
  const { types } = records;
  const hasTenants = types.all.some(({ partition }) => partition !== null);
  const own = { ...common, ...(hasTenants ? { headers: tenantHeaders } : {}) };
  return [
    {
      ...own,
      id: 'listLinksTo',
      path: '/api/v1/admin/links/{plural}/{id}',
      params: { plural: Type.String({ description: 'The plural of a content type.' }), ...idParams },
      summary: 'List the records whose texts link to a record',
      description:
        'By `data-record`, or by an address `/{plural}/{slug}` of the site; at most 100, of those that the admin routes show the caller. Drafts and other languages than the default are not looked through.',
      responses: { 200: jsonResponse('The records.', () => linkingSchema), 304: unchanged },
      problems: commonProblems(404),
      async handle(context) {
        const { caller, request } = context;
        const [plural, id] = [context.param('plural'), context.param('id')];
        const type = types.all.find((each) => each.plural === plural);
        if (type === undefined || type.kind === 'single') throw notFound();
        return jsonRead(request, { items: await records.linksTo({ type, id, caller }, site, slugFieldOf(type)) });
      },
    },
    {
      ...own,
      id: 'listDeadLinks',
      path: '/api/v1/admin/links/dead',
      summary: 'List links in texts that lead nowhere',
      description:
        'Links with `data-record`, and addresses `/{plural}/{slug}` of the site, by type and in the order of the ids, in records and in their drafts. One answer looks through about 2,000 records with links.',
      query: {
        schema: Type.Object({
          after: Type.Optional(
            Type.String({ pattern: reference, maxLength: 137, description: 'The `next` of the answer before.' }),
          ),
        }),
        validation: 'schema',
      },
      responses: { 200: jsonResponse('A part of the report.', () => deadSchema), 304: unchanged },
      problems: commonProblems(),
      async handle({ query, caller, request }) {
        const after = query.after === undefined ? null : String(query.after);
        return jsonRead(request, await records.deadLinks(caller, site, after));
      },
    },
  ];
}
