import { compileRule } from '../rules/compile-rule.ts';
import { neverRule } from '../rules/never-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { RuleError } from '../rules/rule-error.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import { checkAdminHints } from './admin-hints.ts';
import { checkCompiled, checkSources } from './compiled-whole.ts';
import type { ContentType, ContentTypes, Field, FieldPlace, Visibility } from './content-type.ts';
import type { DefinitionFault } from './definition-fault.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import type { DefinitionSource } from './definition-source.ts';
import { checkStructure, closest } from './definition-structure.ts';
import { extendBuiltIns } from './extend-built-ins.ts';
import { fieldConditions } from './field-conditions.ts';
import { namedFields } from './field-names.ts';
import { resolveFields } from './field-resolution.ts';
import { idField } from './fields/id-field.ts';
import { flatLayout } from './flat-layout.ts';
import { type Languages, oneLanguage, tagsOf } from './languages/languages.ts';
import { checkLocalizedFields } from './languages/localized-fields.ts';
import { plainDefinition } from './plain-definition.ts';
import { profileScope, profileSingular, profileType } from './profile/profile-type.ts';
import type { ActiveProtocol, Protocol } from './protocol.ts';
import { protocolField } from './protocols/protocol-field.ts';
import { checkOrders } from './public-orders.ts';
import { checkRenamedFields, checkRenamedTypes } from './renamed-names.ts';
import { rolesOf } from './rights/role-rights.ts';
import { compileRoles, readRoles, roleNames } from './roles/check-roles.ts';
import { checkCompiledRoles } from './roles/compiled-roles.ts';
import { noOwnRoles } from './roles/role.ts';
import { rightsOfRole } from './roles/role-rights.ts';
import { standardRegistry } from './standard-registry.ts';
import { isTranslated } from './stored-field.ts';
import { innerFields } from './structure/structure-items.ts';
import type { DraftIndex, Report, TypeDraft } from './type-draft.ts';
import { type BrokenFields, typeEndpoints } from './type-endpoints.ts';
import { TypeFacts } from './type-facts.ts';
import { draftOf, indexDrafts } from './type-names.ts';
import { activeProtocols } from './type-protocols.ts';
import { typeScope } from './type-scope.ts';
import { uniqueSets } from './unique-sets.ts';

export type CheckedDefinitions =
  | { readonly types: ContentTypes; readonly faults?: never }
  | { readonly faults: readonly DefinitionFault[]; readonly types?: never };

/** What else there is to know of the definitions. */
export interface CheckTraits {
  /**
   * What is wrong with definitions that could not be read at all. A reference to a type that is not there may be to one of
   * theirs, and is not reported.
   */
  readonly unreadable?: readonly DefinitionFault[];
  /** The field types and protocols that they can name; default: those of the product. */
  readonly registry?: DefinitionRegistry;
  /** The roles of the installation's own, and what is wrong with those that could not be read at all. */
  readonly roles?: { readonly sources: readonly DefinitionSource[]; readonly unreadable: readonly DefinitionFault[] };
  /** The languages of the content; default: one that nobody has named. */
  readonly languages?: Languages;
}

const noSources = Object.freeze({ sources: [], unreadable: [] });

/**
 * Checks all definitions of a service against one another: its content types, or every error. Whatever the
 * definitions hold, this does not throw. There are types only where nothing was reported and all that is written holds.
 */
export function checkDefinitions(
  files: readonly DefinitionSource[],
  { unreadable = [], registry = standardRegistry, roles = noSources, languages = oneLanguage }: CheckTraits = {},
): CheckedDefinitions {
  const faults: DefinitionFault[] = [...unreadable, ...roles.unreadable];
  const reporterOf = (source: DefinitionSource): Report => faultReporter(source, faults);
  const whole = extendBuiltIns(files, reporterOf);
  const drafts = whole.flatMap((source) => readDefinition(source, reporterOf(source), registry) ?? []);
  const index = indexDrafts(drafts, unreadable.length > 0 || drafts.length < whole.length);
  checkRenamedTypes(drafts);
  const shapes = drafts.map((draft) => shapeOf(draft, { drafts: index, registry, languages }));
  checkTenancy(shapes);
  const readRole = readRoles(roles.sources, reporterOf);
  const typed = typesOf(shapes, roleNames(readRole), languages);
  checkNamedRoles(shapes, roleNames(readRole));
  const ownRoles = compileRoles(readRole, typed.all);
  const types: ContentTypes = Object.freeze({
    ...typed,
    languages,
    ownRoles,
    roles: ownRoles.all.length === 0 ? typed.roles : rolesOf(ownRoles.all.map(rightsOfRole)),
  });
  for (const [index, type] of types.all.entries()) {
    const draft = drafts[index];
    if (draft !== undefined) checkOrders(draft, type);
  }
  if (faults.length === 0) {
    checkSources(files, whole, reporterOf);
    for (const draft of drafts) checkCompiled(draft, types.find(draft.singular), languages);
    checkCompiledRoles(roles.sources, readRole, { roles: types.ownRoles, types: types.all }, reporterOf);
  }
  return faults.length > 0 ? { faults: inOrder(faults, [...files, ...roles.sources]) } : { types };
}

/** A definition in its flat layout and rid of what is wrong in shape; undefined when nothing is left of it. */
function readDefinition(
  source: DefinitionSource,
  reportWritten: Report,
  registry: DefinitionRegistry,
): TypeDraft | undefined {
  const plain = plainDefinition(source.definition, reportWritten);
  const { definition: whole, sourcePath, alias } = flatLayout(plain, reportWritten);
  const report: Report = (path, ...fault) => {
    const flat = sourcePath(path);
    reportWritten(source.ownPath?.(flat) ?? flat, ...fault);
  };
  const written = checkStructure(whole, report, registry);
  return written === undefined ? undefined : draftOf(source, { whole, written, alias }, report);
}

/** Keeps the first error at each path: later ones there mostly follow from it. */
function faultReporter(source: DefinitionSource, faults: DefinitionFault[]): Report {
  const reported = new Set<string>();
  return (path, message, remedy, details) => {
    if (reported.has(path)) return;
    reported.add(path);
    // An error of an item is one of its list.
    reported.add(path.replace(/\[\d+\]$/, ''));
    const place = source.locate?.(path);
    faults.push({ file: source.file, ...place, path, message, remedy, ...details });
  };
}

/** By file, then from top to bottom; what has no line comes first. */
function inOrder(faults: readonly DefinitionFault[], files: readonly DefinitionSource[]): readonly DefinitionFault[] {
  const order = new Map(files.map(({ file }, index) => [file, index]));
  const rank = ({ file }: DefinitionFault): number => order.get(file) ?? 0;
  return faults.toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0));
}

/** A type with its fields, before its rules. */
interface TypeShape {
  readonly draft: TypeDraft;
  readonly protocols: readonly ActiveProtocol[];
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  readonly broken: ReadonlySet<string>;
}

const identifier: Field = Object.freeze(
  protocolField('id', idField, {
    origin: 'engine',
    unique: true,
    immutable: true,
    description: 'The record’s identifier.',
  }),
);

function shapeOf(
  draft: TypeDraft,
  around: { readonly drafts: DraftIndex; readonly registry: DefinitionRegistry; readonly languages: Languages },
): TypeShape {
  const own = draft.builtIn ?? [];
  const protocols = [...own.map((protocol) => ({ protocol, options: {} })), ...activeProtocols(draft, around.registry)];
  const added = protocolFields(draft, protocols);
  const parameters = protocols.flatMap(({ protocol, options }) => protocol.visible?.(options)?.parameter?.name ?? []);
  const named = namedFields(draft, added, parameters);
  const declared = resolveFields({ draft, named, ...around });
  const fields = Object.freeze([identifier, ...declared, ...inLanguages(added, declared, protocols)]);
  const field = new Map(fields.map((one) => [one.name, one]));
  checkFields(draft, protocols, field, named.broken);
  checkRenamedFields(draft, field);
  checkLocalizedFields(draft, protocols, field);
  return { draft, protocols, fields, field, broken: named.broken };
}

/** What protocols have to say of the fields beside theirs. */
function checkFields(
  draft: TypeDraft,
  protocols: readonly ActiveProtocol[],
  fields: ReadonlyMap<string, Field>,
  broken: ReadonlySet<string>,
): void {
  for (const { protocol, options } of protocols) {
    for (const { option, message, remedy } of protocol.checkFields?.(fields, options, protocols) ?? []) {
      // A field that has an error of its own is not missing.
      if (broken.has(String(options[option]))) continue;
      draft.report(`${protocolPath(draft, protocol)}.${option}`, message, remedy);
    }
  }
}

const protocolPath = ({ written }: TypeDraft, { name }: Protocol): string =>
  `protocols[${written.protocols?.findIndex((entry) => (typeof entry === 'string' ? entry : entry?.name) === name)}]`;

/** A role that there is not could do nothing: whoever was meant would be refused. */
function checkNamedRoles(shapes: readonly TypeShape[], roles: readonly string[]): void {
  for (const { draft, protocols } of shapes) {
    for (const { protocol, options } of protocols) {
      for (const { option, role } of protocol.namedRoles?.(options) ?? []) {
        if (roles.includes(role)) continue;
        const path = `${protocolPath(draft, protocol)}.${option}`;
        draft.report(path, `there is no role "${role}"`, closest(role, roles, 'there are'));
      }
    }
  }
}

function protocolFields(draft: TypeDraft, protocols: readonly ActiveProtocol[]): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const { protocol, options } of protocols) {
    for (const field of protocol.fields(options, draft.singular)) {
      // Protocols may share a column, which then is the very same field.
      const other = fields.get(field.name);
      if (other !== undefined && other !== field) {
        const remedy = 'leave one of the protocols out';
        draft.report('protocols', `two protocols have a column "${field.name}", one is ${protocol.name}`, remedy);
      }
      fields.set(field.name, Object.freeze(field));
    }
  }
  return [...fields.values()];
}

/** The columns of protocols, of which each language has some where it has values of its own. */
function inLanguages(
  added: readonly Field[],
  declared: readonly Field[],
  protocols: readonly ActiveProtocol[],
): readonly Field[] {
  if (declared.every(({ localized }) => !localized)) return added;
  const names = new Set(protocols.flatMap(({ protocol, options }) => protocol.byLanguage?.(options) ?? []));
  return added.map((field) => (names.has(field.name) ? Object.freeze({ ...field, localized: true }) : field));
}

const partitionedTypes = (shapes: readonly TypeShape[]): ReadonlySet<string> =>
  new Set(shapes.flatMap(({ draft, protocols }) => (partitionOf(protocols) === null ? [] : [draft.singular])));

/** A record that all tenants share cannot lead to one that belongs to one of them. */
function checkTenancy(shapes: readonly TypeShape[]): void {
  const partitioned = partitionedTypes(shapes);
  for (const { draft, fields } of shapes) {
    if (partitioned.has(draft.singular)) continue;
    for (const field of fields) {
      const { name, place } = field;
      const targets = [place, ...innerFields(field).map((inner) => inner.field.place)].flatMap(targetOf);
      const target = targets.find((each) => partitioned.has(each));
      if (target === undefined) continue;
      const index = draft.written.fields?.findIndex((each) => each?.name === name) ?? -1;
      draft.report(
        field.structure === undefined ? `fields[${index}].relation.target` : `fields[${index}]`,
        `the records of ${target} belong to tenants, those of ${draft.singular} to all of them`,
        `make ${draft.singular} tenantable, or turn the relation round`,
      );
    }
  }
}

const targetOf = (place: FieldPlace): readonly string[] =>
  place.shape === 'to_one' || place.shape === 'to_many' ? [place.target] : [];

function typesOf(shapes: readonly TypeShape[], roles: readonly string[], languages: Languages): ContentTypes {
  const scopes = new Map<string, RuleScope>([[profileSingular, profileScope]]);
  const partitioned = partitionedTypes(shapes);
  const nowhere: RuleScope = { type: '', table: '', field: () => undefined, fieldNames: [] };
  const tags = tagsOf(languages);
  const own = shapes.map(({ draft, fields, field }) => {
    const { singular, table } = draft;
    const others = {
      tableOf: (target: string) => scopes.get(target)?.table ?? '',
      partitioned: (target: string) => partitioned.has(target),
      scopeOf: (target: string) => scopes.get(target) ?? nowhere,
    };
    const own = {
      ...{ singular, table, field, partitioned: partitioned.has(singular), showsPrivate: true, roles },
      ...(tags === undefined ? {} : { languages: tags, namesLanguages: fields.some(isTranslated) }),
    };
    const scope = typeScope(own, others);
    scopes.set(singular, scope);
    return scope;
  });
  const broken = brokenFields(shapes);
  return contentTypesOf(
    // Two types may have one name, which has been reported: each is read in the light of its own fields.
    shapes.map((shape, index) => contentTypeOf(shape, own[index] ?? nowhere, broken, languages)),
  );
}

/** Two types may have one name, which has been reported. */
function brokenFields(shapes: readonly TypeShape[]): BrokenFields {
  const broken = new Map<string, ReadonlySet<string>>();
  for (const { draft, broken: names } of shapes) {
    broken.set(draft.singular, new Set([...(broken.get(draft.singular) ?? []), ...names]));
  }
  return broken;
}

function contentTypeOf(shape: TypeShape, scope: RuleScope, broken: BrokenFields, languages: Languages): ContentType {
  const { draft, protocols, fields, field } = shape;
  const { written, singular, plural, kind, table, source } = draft;
  const endpoints = typeEndpoints({ draft, field, scope, broken });
  const sets = uniqueSets(draft, field, shape.broken);
  checkAdminHints(draft, field, shape.broken);
  return Object.freeze({
    name: written.name ?? singular,
    singular,
    ...(written.renamed_from === undefined ? {} : { renamedFrom: written.renamed_from }),
    plural,
    description: written.description,
    kind,
    restful: written.api_restful ?? true,
    table,
    fields,
    field,
    protocols,
    ...(sets.length === 0 ? {} : { uniqueSets: sets }),
    conditions: fieldConditions({ draft, field, broken: shape.broken }),
    endpoints,
    scope,
    facts: new TypeFacts({ fields, protocols, ...(sets.length === 0 ? {} : { uniqueSets: sets }) }),
    ...(fields.some(({ localized }) => localized) ? { languages } : {}),
    partition: partitionOf(protocols),
    visible: Object.freeze(protocols.flatMap((active) => visibility(active, scope) ?? [])),
    builtIn: draft.builtIn !== undefined,
    ...(draft.ownRoutes ? { ownRoutes: true } : {}),
    stored: draft.stored,
    source,
    definition: written,
  });
}

const partitionOf = (protocols: readonly ActiveProtocol[]): string | null =>
  protocols.find(({ protocol }) => protocol.partition !== undefined)?.protocol.partition ?? null;

function visibility({ protocol, options }: ActiveProtocol, scope: RuleScope): Visibility | undefined {
  const rows = protocol.visible?.(options);
  if (rows === undefined) return undefined;
  const { condition, hiddenFrom, parameter } = rows;
  const rule = protocolRule(condition, scope);
  if (parameter === undefined) return Object.freeze({ rule, hiddenFrom, parameter });
  const choices = Object.entries(parameter.choices).map(
    ([choice, source]) => [choice, protocolRule(source, scope)] as const,
  );
  return Object.freeze({ rule, hiddenFrom, parameter: Object.freeze({ ...parameter, choices: new Map(choices) }) });
}

/** A protocol's condition fits its own columns, but where another protocol has one of the same name, which is reported. */
function protocolRule(source: string | null, scope: RuleScope): Rule | null {
  if (source === null) return null;
  try {
    return compileRule(source, scope);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return neverRule(source);
  }
}

function contentTypesOf(all: readonly ContentType[]): ContentTypes {
  const bySingular = new Map([...all, profileType(all)].map((type) => [type.singular, type]));
  return Object.freeze({
    all: Object.freeze(all),
    languages: oneLanguage,
    roles: rolesOf(),
    ownRoles: noOwnRoles,
    find: (singular: string) => bySingular.get(singular),
    get(singular: string): ContentType {
      const type = bySingular.get(singular);
      if (type === undefined) throw new Error(`There is no content type ${singular}.`);
      return type;
    },
  });
}
