import { compileRule } from '../../rules/compile-rule.ts';
import { neverRule } from '../../rules/never-rule.ts';
import type { Rule } from '../../rules/rule.ts';
import { RuleError } from '../../rules/rule-error.ts';
import { childPath } from '../../values/field-path.ts';
import type { ContentType, Field } from '../content-type.ts';
import { closest } from '../definition-structure.ts';
import { mustBeSent } from '../must-be-sent.ts';
import { publishedInLanguage } from '../published-state.ts';
import { ruleFault } from '../rule-fault.ts';
import { hidesPrivate } from '../structure/structure-items.ts';
import type { Report } from '../type-draft.ts';
import { isVersioned } from '../type-facts.ts';
import {
  anyType,
  type CompiledRole,
  type Grant,
  type RoleAction,
  type RoleBase,
  type RoleMay,
  roleActions,
  type TypeGrant,
  type WrittenFields,
  type WrittenRole,
  type WrittenTypeGrant,
} from './role.ts';

/** The types whose records a part of `may` decides on. */
const ruledByMay: Readonly<Record<string, keyof RoleMay>> = { media: 'media', comment: 'comments' };

/** What is decided by the record that a payload makes of it. */
const withBody: ReadonlySet<RoleAction> = new Set(['create', 'update']);

/** What the check of one role looks at. */
export interface RoleDraft {
  readonly written: WrittenRole;
  readonly report: Report;
  readonly source: string;
  readonly stored: boolean;
}

/** A role compiled against the types; every error is reported, and what has one grants nothing. */
export function compileRole(draft: RoleDraft, types: readonly ContentType[]): CompiledRole {
  const { written, source, stored } = draft;
  const { name = '', label = name, base = 'member' } = written;
  checkTypeNames(draft, types);
  const may = mayOf(written, base);
  const grants = types.map((type): [string, TypeGrant] => [type.singular, grantFor(type, { draft, base, may })]);
  checkAnyType(draft, types);
  return Object.freeze({ name, label, base, types: new Map(grants), may, source, stored, written });
}

function mayOf({ may = {} }: WrittenRole, base: RoleBase): RoleMay {
  const isEditor = base === 'editor';
  return Object.freeze({
    media: may.media ?? (isEditor ? 'all' : 'none'),
    comments: may.comments ?? (isEditor ? 'moderate' : 'none'),
    users: may.users ?? false,
    // Editors read the events of content types.
    events: may.events ?? isEditor,
    releases: may.releases ?? isEditor,
    // Who may change a record shows it to others anyway.
    share: may.share ?? true,
  });
}

function checkTypeNames({ written, report }: RoleDraft, types: readonly ContentType[]): void {
  const names = types.map(({ singular }) => singular).filter((name) => ruledByMay[name] === undefined);
  for (const name of Object.keys(written.types ?? {})) {
    const path = childPath('types', name);
    const right = Object.hasOwn(ruledByMay, name) ? ruledByMay[name] : undefined;
    if (right !== undefined) {
      const example = right === 'media' ? 'media = "own"' : 'comments = "moderate"';
      report(path, `[may] decides on the type "${name}"`, `write ${example} below [may]`);
    } else if (name !== anyType && !names.includes(name)) {
      const plural = types.find((type) => type.plural === name);
      const remedy =
        plural === undefined ? closest(name, names, 'there are') : `write its singular, "${plural.singular}"`;
      report(path, `there is no content type "${name}"`, remedy);
    }
  }
}

interface Around {
  readonly draft: RoleDraft;
  readonly base: RoleBase;
  readonly may: RoleMay;
}

function grantFor(type: ContentType, { draft, base, may }: Around): TypeGrant {
  if (type.singular === 'media') return mediaGrant(type, may.media);
  if (type.singular === 'comment') return wholeGrant(type, may.comments === 'moderate');
  const own = draft.written.types?.[type.singular];
  const [named, name] = own === undefined ? [draft.written.types?.[anyType], anyType] : [own, type.singular];
  if (named === undefined) return wholeGrant(type, base === 'editor');
  const path = childPath('types', name);
  return writtenGrant(type, named, { draft, base, path, forAny: name === anyType });
}

/** Everything that an editor may, or nothing at all. */
function wholeGrant(type: ContentType, granted: boolean): TypeGrant {
  const { list, get, create, update, delete: remove, publish } = sameFor(granted);
  const read = namesOf(type.fields.filter((field) => (granted ? isShown(field) : isOpen(field))));
  const write = namesOf(type.fields.filter((field) => granted && field.writable));
  return Object.freeze({ list, get, create, update, delete: remove, publish, read, write, ...allLanguages });
}

function mediaGrant(type: ContentType, right: RoleMay['media']): TypeGrant {
  if (right !== 'own') return wholeGrant(type, right === 'all');
  const own = compileRule('created_by = @request.auth.id', type.scope);
  const open = type.fields.filter(isOpen);
  return Object.freeze({
    ...{ list: own, get: own, create: true, update: own, delete: own, publish: own },
    read: namesOf(open),
    write: namesOf(open.filter(({ writable }) => writable)),
    ...allLanguages,
  });
}

const allLanguages = { languages: null, publishesLanguages: false } as const;

const sameFor = (granted: boolean): Record<RoleAction, boolean> => ({
  list: granted,
  get: granted,
  create: granted,
  update: granted,
  delete: granted,
  publish: granted,
});

const isShown = ({ type }: Field): boolean => !type.secret;

const isOpen = (field: Field): boolean => isShown(field) && !field.private;

const namesOf = (fields: readonly Field[]): ReadonlySet<string> => new Set(fields.map(({ name }) => name));

interface Writing {
  readonly draft: RoleDraft;
  readonly base: RoleBase;
  readonly path: string;
  /** The table is for all types without one of their own. */
  readonly forAny: boolean;
}

function writtenGrant(type: ContentType, written: WrittenTypeGrant, writing: Writing): TypeGrant {
  const isEditor = writing.base === 'editor';
  const grant = (action: RoleAction): Grant => {
    const given = written[action];
    if (given === undefined) return isEditor;
    return typeof given === 'boolean' ? given : ruled(given, action, type, writing);
  };
  const grants = Object.fromEntries(roleActions.map((action) => [action, grant(action)]));
  const read = withoutPartialDraft(type, readNames(type, written.read, writing), writing.base);
  const write = writeNames(type, written.write, { ...writing, read });
  // True because the entries are made of all actions.
  const languages = languagesFor(type, written.languages, writing);
  const publishesLanguages = publishedInLanguage(type) !== undefined;
  const all = grants as Record<RoleAction, Grant>;
  const compiled: TypeGrant = Object.freeze({ ...all, read, write, languages, publishesLanguages });
  checkCreatable(type, compiled, written, writing);
  return compiled;
}

/**
 * A role that creates records writes what a new one must have: all its requests would be refused otherwise. The one record of a single
 * type is made by the service.
 */
function checkCreatable(
  type: ContentType,
  { create, read, write, languages }: TypeGrant,
  written: WrittenTypeGrant,
  { draft, path, forAny }: Writing,
): void {
  if (create === false || type.kind === 'single') return;
  const needed = type.fields.filter((field) => field.writable && mustBeSent(field));
  const missing = needed.filter((field) => !write.has(field.name));
  const parts = Map.groupBy(missing, ({ name, type: { secret } }) => (read.has(name) || secret ? 'write' : 'read'));
  for (const [does, fields] of parts) {
    const names = fields.map(({ name }) => `"${name}"`).join(', ');
    draft.report(
      `${path}.${written[does] === undefined ? 'create' : does}`,
      `a new record${of(type, forAny)} must have ${names}, which the role does not ${does}`,
      `let the role ${does} ${names}, write create = false, or give ${fields.length === 1 ? 'the field' : 'each field'} a default`,
    );
  }
  const first = type.languages?.default.tag;
  const said = needed.filter(({ localized }) => localized).map(({ name }) => `"${name}"`);
  if (languages === null || first === undefined || languages.has(first) || said.length === 0) return;
  draft.report(
    `${path}.languages`,
    `a new record${of(type, forAny)} says ${said.join(', ')} in "${first}", which the role does not write in`,
    `add "${first}", or write create = false`,
  );
}

/** The languages of a type that the role writes in; null: all. What is no language of the service is reported, and allows nothing. */
function languagesFor(
  type: ContentType,
  written: readonly string[] | undefined,
  { draft, path, forAny }: Writing,
): ReadonlySet<string> | null {
  if (written === undefined) return null;
  const { languages } = type;
  if (languages === undefined) {
    if (!forAny)
      draft.report(`${path}.languages`, `"${type.singular}" has no values by language`, 'leave languages out');
    return null;
  }
  const tags = languages.all.map(({ tag }) => tag);
  return new Set(
    written.flatMap((tag, index) => {
      const found = languages.find(tag);
      if (found === undefined)
        draft.report(
          `${path}.languages[${index}]`,
          `"${tag}" is no language of this service`,
          closest(tag, tags, 'there are'),
        );
      return found?.tag ?? [];
    }),
  );
}

function ruled(source: string, action: RoleAction, type: ContentType, { draft, path, forAny }: Writing): Rule {
  try {
    return Object.freeze(compileRule(source, type.scope, withBody.has(action) ? 'payload' : 'none'));
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const { message, remedy, details } = ruleFault(error);
    draft.report(
      `${path}.${action}`,
      forAny ? `for the type "${type.singular}": ${message}` : message,
      forAny ? `${remedy}, or write [types.${type.singular}]` : remedy,
      details,
    );
    return neverRule(source);
  }
}

function readNames(type: ContentType, written: WrittenFields | undefined, writing: Writing): ReadonlySet<string> {
  const ofBase = type.fields.filter(writing.base === 'editor' ? isShown : isOpen);
  if (written === undefined) return namesOf(ofBase);
  const named = namedFields(type, written, `${writing.path}.read`, writing);
  const fields = written.only === undefined ? ofBase.filter((field) => !named.includes(field)) : named.filter(isShown);
  return new Set(['id', ...namesOf(fields)]);
}

/**
 * A draft holds changes of any field that callers set, but for what organizes the work. A role that does not read all of them, or not
 * all that is inside them, does not read drafts.
 */
function withoutPartialDraft(type: ContentType, read: ReadonlySet<string>, base: RoleBase): ReadonlySet<string> {
  const draft = type.protocols.map(({ protocol, options }) => protocol.draftColumn?.(options)).find(Boolean);
  const { organizing } = type.facts;
  const drafted = type.fields.filter(
    (field) => field.writable && isVersioned(field) && field.name !== draft && !organizing.has(field.name),
  );
  const isWhole = drafted.every((field) => read.has(field.name) && (base === 'editor' || !hidesPrivate(field)));
  return draft === undefined || isWhole ? read : new Set([...read].filter((name) => name !== draft));
}

function writeNames(
  type: ContentType,
  written: WrittenFields | undefined,
  writing: Writing & { readonly read: ReadonlySet<string> },
): ReadonlySet<string> {
  const { read, path, draft, forAny } = writing;
  const may = type.fields.filter((field) => field.writable && (read.has(field.name) || field.type.secret));
  if (written === undefined) return namesOf(may);
  const names = namedFields(type, written, `${path}.write`, writing);
  if (written.only === undefined) return namesOf(may.filter((field) => !names.includes(field)));
  for (const { name, writable } of names) {
    if (may.some((field) => field.name === name)) continue;
    const place = `${path}.write.only[${written.only.indexOf(name)}]`;
    if (!writable) draft.report(place, `nobody sets "${name}"${of(type, forAny)}`, 'leave it out');
    else
      draft.report(
        place,
        `the role does not read "${name}"${of(type, forAny)}`,
        'name it in read as well, or leave it out',
      );
  }
  return namesOf(names.filter((field) => may.includes(field)));
}

const of = ({ singular }: ContentType, forAny: boolean): string => (forAny ? ` of the type "${singular}"` : '');

/** The fields that are named. For types without a table of their own, a type need not have each of them. */
function namedFields(
  type: ContentType,
  { only, except }: WrittenFields,
  path: string,
  { draft, forAny }: Writing,
): readonly Field[] {
  const [names, list] = only === undefined ? [except ?? [], 'except'] : [only, 'only'];
  return names.flatMap((name, index) => {
    const field = type.field.get(name);
    const place = `${path}.${list}[${index}]`;
    if (field === undefined) {
      if (!forAny && name !== '')
        draft.report(place, noField(name, type), closest(name, [...type.field.keys()], 'there are'));
      return [];
    }
    if (name === 'id' && list === 'except') draft.report(place, 'every answer has the id', 'leave it out');
    if (field.type.secret && path.endsWith('.read') && list === 'only')
      draft.report(place, `"${name}" is a ${field.type.name}, which is never returned`, 'leave it out');
    return [field];
  });
}

const noField = (name: string, { singular }: ContentType): string => `"${singular}" has no field "${name}"`;

/** A field that is named for all types without a table of their own is one of at least one of them. */
function checkAnyType({ written, report }: RoleDraft, types: readonly ContentType[]): void {
  const any = written.types?.[anyType];
  if (any === undefined) return;
  const covered = types.filter(
    ({ singular }) => ruledByMay[singular] === undefined && written.types?.[singular] === undefined,
  );
  const names = new Set(covered.flatMap(({ field }) => [...field.keys()]));
  for (const part of ['read', 'write'] as const) {
    for (const list of ['only', 'except'] as const) {
      for (const [index, name] of (any[part]?.[list] ?? []).entries()) {
        if (name === '' || names.has(name)) continue;
        const path = `${childPath('types', anyType)}.${part}.${list}[${index}]`;
        report(path, `no type that this is for has a field "${name}"`, closest(name, [...names], 'there are'));
      }
    }
  }
}
