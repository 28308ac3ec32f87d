import { truncate } from '../../base/truncate.ts';
import { childPath } from '../../values/field-path.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { closest } from '../definition-structure.ts';
import type { Report } from '../type-draft.ts';
import {
  commentRights,
  mediaRights,
  type RoleMay,
  roleActions,
  roleBases,
  type WrittenFields,
  type WrittenGrant,
  type WrittenRole,
  type WrittenTypeGrant,
} from './role.ts';

/** The longest name of a role. */
export const longestRoleName = 50;
const longestLabel = 100;
/** More characters than any rule of a role needs. */
const longestRule = 10_000;

export const roleNamePattern = '^[a-z][a-z0-9_-]*$';
const roleName = new RegExp(roleNamePattern);

const namesOf = {
  role: ['name', 'label', 'base', 'types', 'may'],
  type: [...roleActions, 'read', 'write', 'languages'],
  fields: ['only', 'except'],
  may: ['media', 'comments', 'users', 'events', 'releases', 'share'],
} as const;

/** What is known, and not there yet: no role may say it, because it would mean nothing. */
const notYet: Readonly<Record<string, string>> = {
  import:
    'imports write ids, owners, times and accounts past the rights of every role, so only the role admin runs them',
};

/**
 * Checks the shape of a role and reports every error. Returns what is left without wrong values, so that the rest can be checked
 * too; undefined for what is no table.
 */
export function checkRoleStructure(definition: JsonValue, report: Report): WrittenRole | undefined {
  if (!isTable(definition)) {
    report('', 'a role is a table', 'write name = "writer" and what the role may do');
    return undefined;
  }
  checkNames(definition, '', namesOf.role, report, ['$schema']);
  const name = roleNameOf(definition, report);
  const label = textOf(definition, 'label', longestLabel, report);
  const base = wordOf(definition, 'base', 'base', roleBases, report);
  const types = typesOf(definition.types, report);
  const may = mayOf(definition.may, report);
  return {
    ...(name === undefined ? {} : { name }),
    ...(label === undefined ? {} : { label }),
    ...(base === undefined ? {} : { base }),
    ...(types === undefined ? {} : { types }),
    ...(may === undefined ? {} : { may }),
  };
}

function roleNameOf({ name }: Table, report: Report): string | undefined {
  if (name === undefined) report('name', 'name is missing', 'name the role, such as name = "writer"');
  else if (typeof name !== 'string') report('name', `a name is text, not ${shown(name)}`, 'write name = "writer"');
  else if (!roleName.test(name) || name.length > longestRoleName)
    report(
      'name',
      `${shown(name)} is no name of a role`,
      `a name begins with a letter a to z, goes on with a to z, 0 to 9, "_" or "-", and has at most ${longestRoleName} characters`,
    );
  else return name;
  return undefined;
}

function textOf(table: Table, name: string, longest: number, report: Report): string | undefined {
  const value = table[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
  report(name, `${name} is text of 1 to ${longest} characters, not ${shown(value)}`, `write ${name} = "Writer"`);
  return undefined;
}

function wordOf<T extends string>(
  table: Table,
  name: string,
  path: string,
  words: readonly T[],
  report: Report,
): T | undefined {
  const value = table[name];
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined)
    report(path, `${shown(value)} is no ${name}`, closest(String(value), words, 'it is one of'), {
      code: 'not_allowed',
    });
  return found;
}

function typesOf(types: JsonValue | undefined, report: Report): Readonly<Record<string, WrittenTypeGrant>> | undefined {
  if (types === undefined) return undefined;
  if (!isTable(types)) {
    report('types', `types is a table, not ${shown(types)}`, 'write [types.article]');
    return undefined;
  }
  const grants = Object.entries(types).map(([type, grant]): [string, WrittenTypeGrant] => {
    const path = childPath('types', type);
    if (isTable(grant)) return [type, typeGrant(grant, path, report)];
    report(path, `the rights for a type are a table, not ${shown(grant)}`, `write [${path}]`);
    return [type, {}];
  });
  return Object.fromEntries(grants);
}

function typeGrant(table: Table, path: string, report: Report): WrittenTypeGrant {
  checkNames(table, path, namesOf.type, report);
  const grants: Partial<Record<(typeof roleActions)[number], WrittenGrant>> = {};
  for (const action of roleActions) {
    const value = table[action];
    if (value === undefined) continue;
    const grant = grantOf(value, `${path}.${action}`, report);
    // Whatever is wrong with it is reported: until then it grants nothing.
    grants[action] = grant ?? false;
  }
  const read = fieldsOf(table.read, `${path}.read`, report);
  const write = fieldsOf(table.write, `${path}.write`, report);
  const languages =
    table.languages === undefined ? undefined : languagesIn(table.languages, `${path}.languages`, report);
  return {
    ...grants,
    ...(read === undefined ? {} : { read }),
    ...(write === undefined ? {} : { write }),
    ...(languages === undefined ? {} : { languages }),
  };
}

/** What is wrong is reported, and until then the role writes in no language. */
function languagesIn(value: JsonValue, path: string, report: Report): readonly string[] {
  if (Array.isArray(value) && value.length > 0 && value.every((tag: JsonValue) => typeof tag === 'string')) {
    // True because all are texts.
    return value as readonly string[];
  }
  const given = Array.isArray(value) && value.length > 0 ? 'a list with something else' : shown(value);
  report(
    path,
    `languages are a list of tags, not ${Array.isArray(value) && value.length === 0 ? 'an empty one' : given}`,
    'write ["de"]',
  );
  return [];
}

function grantOf(value: JsonValue, path: string, report: Report): WrittenGrant | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') {
    report(path, `a right is true, false or a rule, not ${shown(value)}`, `write true, false or '${exampleRule}'`);
    return undefined;
  }
  if (value === 'true' || value === 'false') {
    report(path, `"${value}" is text, and no rule`, `write ${value} without quotes`);
    return undefined;
  }
  if (value.length <= longestRule) return value;
  report(path, `a rule has at most ${longestRule} characters`, 'write a shorter one');
  return undefined;
}

const exampleRule = 'created_by = @request.auth.id';

function fieldsOf(value: JsonValue | undefined, path: string, report: Report): WrittenFields | undefined {
  if (value === undefined) return undefined;
  // Reported, and until then no fields at all.
  const none: WrittenFields = { only: [] };
  if (!isTable(value)) {
    report(path, `fields are a table, not ${shown(value)}`, 'write { only = ["title"] } or { except = ["fee"] }');
    return none;
  }
  checkNames(value, path, namesOf.fields, report);
  const given = namesOf.fields.filter((name) => value[name] !== undefined);
  const [one, other] = given;
  if (one === undefined || other !== undefined) {
    report(
      path,
      one === undefined ? 'names no fields' : 'has both only and except',
      'write only or except, one of the two',
    );
    return none;
  }
  const names = namesIn(value[one], `${path}.${one}`, report);
  return names === undefined ? none : { [one]: names };
}

/** A name that is none stays as an empty text, so that the places of the others are right. */
function namesIn(list: JsonValue | undefined, path: string, report: Report): readonly string[] | undefined {
  if (!Array.isArray(list)) {
    report(path, `fields are a list of names, not ${shown(list)}`, 'write ["title", "body"]');
    return undefined;
  }
  const names = list.map((name: JsonValue, index) => {
    if (typeof name === 'string') return name;
    report(`${path}[${index}]`, `a field is a name, not ${shown(name)}`, 'write it as text, such as "title"');
    return '';
  });
  for (const [index, name] of names.entries()) {
    if (name !== '' && names.indexOf(name) < index)
      report(`${path}[${index}]`, `"${name}" stands there twice`, 'leave one of them out');
  }
  return names;
}

function mayOf(may: JsonValue | undefined, report: Report): Partial<RoleMay> | undefined {
  if (may === undefined) return undefined;
  if (!isTable(may)) {
    report('may', `may is a table, not ${shown(may)}`, 'write [may]');
    return undefined;
  }
  // What a role may not do anyway, it can say.
  const denied = ['import'].filter((name) => may[name] === false);
  checkNames(may, 'may', namesOf.may, report, denied);
  const media = wordOf(may, 'media', 'may.media', mediaRights, report);
  const comments = wordOf(may, 'comments', 'may.comments', commentRights, report);
  const flags: Partial<Record<'users' | 'events' | 'releases' | 'share', boolean>> = {};
  for (const name of ['users', 'events', 'releases', 'share'] as const) {
    const value = may[name];
    if (value === undefined) continue;
    if (typeof value !== 'boolean')
      report(`may.${name}`, `${name} is true or false, not ${shown(value)}`, 'write true or false');
    flags[name] = value === true;
  }
  return {
    ...flags,
    // What is written and wrong is reported: until then it grants nothing, whatever the base is.
    ...(may.media === undefined ? {} : { media: media ?? 'none' }),
    ...(may.comments === undefined ? {} : { comments: comments ?? 'none' }),
  };
}

function checkNames(
  table: Table,
  path: string,
  known: readonly string[],
  report: Report,
  ignored: readonly string[] = [],
): void {
  for (const name of Object.keys(table)) {
    if (known.includes(name) || ignored.includes(name)) continue;
    const missing = Object.hasOwn(notYet, name) && path !== '' ? notYet[name] : undefined;
    const at = childPath(path, name);
    if (missing === undefined)
      report(at, `unknown name "${name}"`, closest(name, known, 'known here'), { code: 'unknown_field' });
    else report(at, missing, `leave ${name} out`, { code: 'unknown_field' });
  }
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a table';
  return truncate(JSON.stringify(value), 60);
}
