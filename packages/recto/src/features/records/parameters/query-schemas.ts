import Type, { type TObject, type TSchema } from 'typebox';
import type { ContentType, ContentTypes, EndpointName } from '../../../definition/content-type.ts';
import { listParameters } from '../../../definition/list-parameters.ts';
import { readableFields } from '../../../definition/readable-fields.ts';
import { type ViewName, viewNamed } from '../../../definition/rights/read-view.ts';
import { isInverse } from '../../../definition/stored-field.ts';
import { pageParameters } from '../../../http/page-parameters.ts';
import { missingParameter } from '../../../query/missing-language.ts';
import {
  choiceParameters,
  everyLanguage,
  readableField,
  takesAlternates,
  takesEveryLanguage,
  takesMay,
} from '../../../query/read-view.ts';
import { mostMetaFilters, searchFields, usedParameter } from '../../../query/row-query.ts';
import { draftsOf } from '../../../records/drafts/draft.ts';
import { ruleParameters } from '../../../records/plans/access.ts';
import { fieldsParameter } from './fields-parameter.ts';
import { filterParameter } from './filter-parameter.ts';
import { includeParameter } from './include-parameter.ts';
import { sortParameter } from './sort-parameter.ts';
import { takesAt } from './takes-at.ts';

/** The parameters of a list. For the document: the list reads them itself. */
export function listQuerySchema(type: ContentType, view: 'list' | 'admin', types: ContentTypes): TObject {
  const properties: Record<string, TSchema> = {};
  for (const name of listParameters) {
    const schema = listParameter(name, type, view, types);
    if (schema !== undefined) properties[name] = Type.Optional(schema);
  }
  for (const field of readableFields(type, viewNamed(view))) {
    if (!field.type.filterable || isInverse(field)) continue;
    properties[field.name] = Type.Optional(filterParameter(field));
    const { filteredAs } = field;
    if (filteredAs !== undefined && !type.field.has(filteredAs.name)) {
      const description = `Only records whose ${field.name} contain the one with this id or ${filteredAs.slug}.`;
      properties[filteredAs.name] = Type.Optional(Type.String({ description }));
    }
    const { filterAlias } = field.type;
    if (filterAlias !== undefined && !type.field.has(filterAlias)) {
      properties[filterAlias] = Type.Optional({
        ...filterParameter(field),
        description: `The same as ${field.name}.`,
      });
    }
  }
  if (readableField(type, viewNamed(view), '__meta') !== undefined) properties.__meta = Type.Optional(metaFilter);
  Object.assign(properties, choiceSchemas(type, view), usedSchema(type, view));
  if (takesMay(type, viewNamed(view))) properties.may = mayParameter;
  if (takesAlternates(type)) properties.alternates = alternatesParameter;
  addLanguage(properties, types, view, type);
  if (view === 'admin' && takesAt(type)) properties.at = atParameter;
  Object.assign(properties, missingSchema(type, view));
  for (const name of ruleParameters(type, viewNamed(view), 'list')) properties[name] ??= readByRule;
  return Type.Object(properties);
}

/** The parameter that asks for records without a translation. */
function missingSchema(type: ContentType, view: ViewName): Record<string, TSchema> {
  const name = missingParameter(type, viewNamed(view));
  if (name === undefined || type.languages === undefined) return {};
  const tags = type.languages.all.map(({ tag }) => tag);
  const description = 'Only records that say nothing in this language.';
  return { [name]: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: tags, description })) };
}

/** The parameters that say in which language records are meant; none where another parameter has the name. */
function addLanguage(
  properties: Record<string, TSchema>,
  { languages }: ContentTypes,
  view: ViewName | null,
  type?: ContentType,
): void {
  if (!languages.several || properties.language !== undefined) return;
  const every = view === 'admin' && type !== undefined && takesEveryLanguage(type, viewNamed(view));
  const tags = [...languages.all.map(({ tag }) => tag), ...(every ? [everyLanguage] : [])];
  const all = every ? ' `*`: all, so that each localized field has an object of values by language.' : '';
  const description = `The language of the records. Default: ${languages.default.tag}.${all}`;
  properties.language = Type.Optional(Type.Unsafe<string>({ type: 'string', enum: tags, description }));
  if (view !== null) properties.fallback ??= fallback[view === 'admin' ? 'admin' : 'public'];
}

const fallbackTo = (standard: boolean) =>
  Type.Optional(
    Type.Boolean({
      component: standard ? 'Fallback' : 'AdminFallback',
      default: standard,
      description: 'Whether values that the language lacks are those of the languages that it falls back to.',
    }),
  );

const fallback = { admin: fallbackTo(false), public: fallbackTo(true) };

/** The parameter that asks for records which others refer to, or which none does. */
export function usedSchema(type: ContentType, view: ViewName): Record<string, TSchema> {
  const name = usedParameter(type, viewNamed(view));
  const description = 'Only records that others refer to (`true`), or that none does (`false`).';
  return name === undefined ? {} : { [name]: Type.Optional(Type.Boolean({ description })) };
}

type ListParameter = (typeof listParameters)[number];

function listParameter(
  name: ListParameter,
  type: ContentType,
  view: 'list' | 'admin',
  types: ContentTypes,
): TSchema | undefined {
  switch (name) {
    case 'sort':
      return sortParameter(type, view);
    case 'include':
      return includeParameter(type, view, types);
    case 'fields':
      return fieldsParameter(type, view);
    case 'search':
      return searchFields(type, viewNamed(view)).length === 0 ? undefined : searchParameter;
    case 'filter':
      return expressionParameter;
    case 'page':
    case 'page_size':
      return pageParameters[name];
    case 'skip_total':
      return skipTotalParameter;
    case 'cursor':
      return cursorParameter;
    default:
      return name satisfies never;
  }
}

export const expressionParameter = Type.String({
  component: 'Filter',
  description:
    'Only records for which this expression holds, such as `views >= 10 && author.name ~ "Ines%"`, or the same as a JSON object, such as `{"views":{"gte":10},"author":{"name":{"like":"Ines%"}}}`. At most 4 KiB.',
});

const searchParameter = Type.String({
  component: 'Search',
  description: 'Words that must all occur. The last one may be the beginning of a word.',
});

export const skipTotalParameter = Type.Boolean({
  component: 'SkipTotal',
  default: false,
  description: 'Do not count: `total` is then -1.',
});

const cursorParameter = Type.String({
  component: 'Cursor',
  description: 'The `next_cursor` of the page before, with the same filters and order. Sent instead of `page`.',
});

/** Its members are parameters of their own. */
const metaFilter: TSchema = Type.Unsafe({
  component: 'MetaFilter',
  type: 'object',
  patternProperties: { '^__meta(?:\\.[A-Za-z0-9_-]{1,64}){1,10}$': { type: 'string' } },
  additionalProperties: false,
  maxProperties: mostMetaFilters,
  description: 'Only records whose metadata has this value at the path: `__meta.{path}={value}`.',
});

/** The parameters of a route for one record: `include` and `fields` where it is read, and what the endpoint's rules read. */
export function recordQuerySchema(
  type: ContentType,
  action: EndpointName,
  admin: boolean,
  types: ContentTypes,
): TObject {
  const properties: Record<string, TSchema> = {};
  if (action === 'get') {
    const view = admin ? 'admin' : 'get';
    const include = includeParameter(type, view, types);
    if (include !== undefined) properties.include = Type.Optional(include);
    properties.fields = Type.Optional(fieldsParameter(type, view));
    if (takesMay(type, viewNamed(view))) properties.may = mayParameter;
    if (takesAlternates(type)) properties.alternates = alternatesParameter;
    Object.assign(properties, choiceSchemas(type, view));
    if (admin && takesAt(type)) properties.at = atParameter;
  }
  if (admin && (action === 'get' || action === 'update') && draftsOf(type) !== undefined)
    properties.draft = draft[action];
  if (admin && action === 'update' && type.facts.revisions !== undefined) properties.autosave = autosave;
  addRecordLanguage(properties, type, { action, admin }, types);
  for (const name of ruleParameters(type, viewNamed(admin ? 'admin' : action), action)) properties[name] ??= readByRule;
  return Type.Object(properties);
}

function addRecordLanguage(
  properties: Record<string, TSchema>,
  type: ContentType,
  { action, admin }: { readonly action: EndpointName; readonly admin: boolean },
  types: ContentTypes,
): void {
  if (type.field.has('language')) return;
  if (action === 'get') addLanguage(properties, types, admin ? 'admin' : 'get', type);
  if (action === 'update' && type.languages !== undefined) addLanguage(properties, types, null);
}

const atParameter = Type.Optional(
  Type.String({
    component: 'At',
    format: 'date-time',
    description:
      'A time to come: records as they will stand then, by their schedules and by scheduled releases. Not together with `format=csv`.',
  }),
);

const alternatesParameter = Type.Optional(
  Type.Boolean({
    component: 'Alternates',
    default: false,
    description: 'Add `__alternates` to each record: its slug and address in all languages in which it can be read.',
  }),
);

const mayParameter = Type.Optional(
  Type.Boolean({
    component: 'May',
    default: false,
    description: 'Add `__may` to each record: what the caller may do with it.',
  }),
);

const draft = {
  get: Type.Optional(
    Type.Boolean({
      component: 'ReadDraft',
      default: false,
      description: 'Return the record with the changes of its draft.',
    }),
  ),
  update: Type.Optional(
    Type.Boolean({ component: 'WriteDraft', default: false, description: 'Change the draft of a published record.' }),
  ),
};

const autosave = Type.Optional(
  Type.Boolean({
    component: 'Autosave',
    description:
      'True: saved while somebody writes; the changes of a sitting make one revision, which moves along. False: saved by the person, which keeps that revision.',
  }),
);

/** The parameters with which an admin read asks for rows that protocols hide. */
export const choiceSchemas = (type: ContentType, view: ViewName): Record<string, TSchema> =>
  Object.fromEntries(
    choiceParameters(type, viewNamed(view)).map(({ name, description, choices }) => [
      name,
      Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...choices.keys()], description })),
    ]),
  );

const readByRule = Type.Optional(Type.String({ description: 'Read by a rule of this endpoint.' }));
