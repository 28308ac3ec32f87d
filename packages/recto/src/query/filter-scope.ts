import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { publishedInLanguage } from '../definition/published-state.ts';
import { readableFields, readsPrivate } from '../definition/readable-fields.ts';
import { includedView, type ReadView } from '../definition/rights/read-view.ts';
import { isLocalized, isTranslated, localizedFields } from '../definition/stored-field.ts';
import { typeScope } from '../definition/type-scope.ts';
import type { RuleField, RuleScope } from '../rules/rule-scope.ts';
import { readableField } from './read-view.ts';

const known = new WeakMap<ContentTypes, Map<string, RuleScope>>();

/**
 * What a filter of a view can name: the fields that it shows, and through relations those that it shows of included records.
 * Any other name is one that there is not.
 */
export function filterScope(type: ContentType, view: ReadView, types: ContentTypes): RuleScope {
  const scopes = known.get(types) ?? new Map<string, RuleScope>();
  known.set(types, scopes);
  const key = `${type.singular}|${view.key}`;
  const found = scopes.get(key) ?? viewScope(type, view, types);
  scopes.set(key, found);
  return found;
}

function viewScope(type: ContentType, view: ReadView, types: ContentTypes): RuleScope {
  const further = includedView(view);
  const field = new Map(readableFields(type, view).map((each) => [each.name, each]));
  const { singular, table } = type;
  const scope = typeScope(
    // Of related records, a filter sees those that the caller does: those of other tenants never count.
    {
      ...{ singular, table, field, partitioned: true, showsPrivate: readsPrivate(view), roles: type.scope.roles },
      ...(type.scope.languages === undefined ? {} : { languages: type.scope.languages }),
      namesLanguages: readsLanguages(type, view),
    },
    {
      tableOf: (target) => types.get(target).table,
      partitioned: () => false,
      scopeOf: (target) => filterScope(types.get(target), further, types),
    },
  );
  const leadsBack = (name: string): boolean => {
    const place = field.get(name)?.place;
    if (place?.shape !== 'inverse') return true;
    return readableField(types.get(place.target), further, place.mappedBy) !== undefined;
  };
  return Object.freeze({ ...scope, field: (name: string) => (leadsBack(name) ? scope.field(name) : hidden) });
}

/**
 * Whether a view shows in which languages a record has values, whichever fields they are of. To the public, a language that is not
 * published says nothing.
 */
const readsLanguages = (type: ContentType, view: ReadView): boolean =>
  isLocalized(type) &&
  (view.audience === 'admin' || publishedInLanguage(type) === undefined) &&
  readableFields(type, view).filter(isTranslated).length === localizedFields(type).length;

const hidden: RuleField = Object.freeze({
  shape: 'unusable',
  reason: 'you may not read which record its records belong to.',
});
