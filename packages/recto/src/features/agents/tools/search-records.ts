import Type from 'typebox';
import { adminAddress } from '../agent-requests.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, fieldsArgument, textOf, typeArgument } from './arguments.ts';
import { knownType } from './known-type.ts';
import { shownFields } from './shown-fields.ts';
import { fitting } from './size-limit.ts';

const mostRecords = 20;

/** A page of records. */
export const searchRecords: Tool = {
  name: 'search',
  title: 'Search records',
  description:
    'Finds records of a type by words, a filter such as status = "draft" && title ~ "press", or both. Without fields, long texts are left out.',
  inputSchema: argumentsOf({
    type: typeArgument,
    search: Type.Optional(Type.String({ maxLength: 400, description: 'Words.' })),
    filter: Type.Optional(Type.String({ maxLength: 2000 })),
    sort: Type.Optional(Type.String({ maxLength: 200, description: 'Such as created_at:desc.' })),
    fields: fieldsArgument,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  }),
  from: 'read',
  annotations: { readOnlyHint: true },
  async run(given, call) {
    const { type, may } = knownType(textOf(given, 'type'), call);
    const { fields = shownFields(type, may, 'many'), page = 1 } = given;
    const { json } = await call.requests.send({
      method: 'GET',
      path: adminAddress(type),
      query: {
        ...Object.fromEntries(
          ['search', 'filter', 'sort'].flatMap((name) => (name in given ? [[name, textOf(given, name)]] : [])),
        ),
        // The list's own schema: an array of names.
        fields: namesOf(fields),
        page: String(page),
        page_size: String(mostRecords),
      },
    });
    const found = Array.isArray(json.items) ? json.items : [];
    const { items: records, truncated } = fitting(found);
    return {
      records,
      total: json.total,
      page,
      ...(truncated ? { truncated, omitted: found.length - records.length } : {}),
    };
  },
};

export const namesOf = (fields: unknown): string =>
  Array.isArray(fields) ? [...new Set(['id', ...fields])].join(',') : 'id';
