import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { compileRule } from '../../rules/compile-rule.ts';
import { checkDefinitions } from '../check-definitions.ts';
import type { Json } from '../damaged-definitions.fixture.ts';
import { damagedRole, isTable, roleDamages, roleTypes, soundRoles } from './damaged-roles.fixture.ts';
import { type CompiledRole, roleActions } from './role.ts';

const files = roleTypes.map((definition, index) => ({ file: `${index}.toml`, definition }));

const check = (role: Json) =>
  checkDefinitions(files, { roles: { sources: [{ file: 'roles/x.toml', definition: role }], unreadable: [] } });

test('sound roles compile, with everything that they say', () => {
  fc.assert(
    fc.property(soundRoles, (role) => {
      const { types, faults } = check(role);
      expect(faults).toBeUndefined();
      const [made, ...others] = types?.ownRoles.all ?? [];
      expect(others).toEqual([]);
      if (made !== undefined && types !== undefined) expect(granted(role, made)).toEqual([]);
      expect(made).toBeDefined();
    }),
    { numRuns: randomCases(300) },
  );
});

test('a damaged role is an error, or grants no more than it says', () => {
  fc.assert(
    fc.property(soundRoles, fc.array(roleDamages, { minLength: 1, maxLength: 3 }), (role, all) => {
      const damaged = all.reduce(damagedRole, role);
      const { types, faults } = check(damaged);
      if (types === undefined) {
        expect(faults?.length).toBeGreaterThan(0);
        for (const fault of faults ?? [])
          expect(fault).toMatchObject({ file: 'roles/x.toml', path: expect.any(String) });
        return;
      }
      const made = types.ownRoles.all[0];
      expect(made === undefined ? ['no role'] : granted(damaged, made)).toEqual([]);
    }),
    { numRuns: randomCases(2000) },
  );
});

/** What a role grants that is not written; a second reading of the contract, apart from the compiler. */
function granted(role: Json, made: CompiledRole): readonly string[] {
  if (!isTable(role)) return ['it is no table'];
  const isEditor = role.base === 'editor';
  const tables = isTable(role.types) ? role.types : {};
  const may = isTable(role.may) ? role.may : {};
  const wrong: string[] = [];
  for (const [type, grant] of made.types) {
    if (type === 'media' || type === 'comment') continue;
    const own = tables[type] ?? tables['*'];
    const table = isTable(own) ? own : {};
    for (const action of roleActions) {
      const written = table[action] ?? isEditor;
      const right = grant[action];
      const text = typeof right === 'boolean' ? right : right.source;
      if (text !== written) wrong.push(`${type}.${action} is ${text}, not ${written}`);
    }
    const read = isTable(table.read) ? table.read : undefined;
    for (const name of grant.read) {
      const isPrivate = name === 'fee';
      const only = Array.isArray(read?.only) ? read.only : undefined;
      const except = Array.isArray(read?.except) ? read.except : [];
      const is = only === undefined ? (isEditor || !isPrivate) && !except.includes(name) : only.includes(name);
      if (!is && name !== 'id') wrong.push(`${type} reads ${name}`);
    }
    for (const name of grant.write)
      if (!grant.read.has(name)) wrong.push(`${type} writes ${name} and does not read it`);
  }
  if (made.may.users !== (may.users ?? false)) wrong.push('may.users');
  if (made.may.media !== (may.media ?? (isEditor ? 'all' : 'none'))) wrong.push('may.media');
  if (made.may.comments !== (may.comments ?? (isEditor ? 'moderate' : 'none'))) wrong.push('may.comments');
  return wrong;
}

test('rules of roles are the rules of the language', () => {
  const { types } = check({ name: 'writer', types: { article: { update: 'status != "published"' } } });
  const article = types?.get('article');
  const grant = types?.ownRoles.find('writer')?.types.get('article');
  const update = grant?.update;
  expect(typeof update === 'object' && article !== undefined && update.tree).toEqual(
    article === undefined ? false : compileRule('status != "published"', article.scope, 'payload').tree,
  );
  expect(grant).toMatchObject({ list: false, get: false, create: false, delete: false, publish: false });
});
