import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDefinitions } from '../check-definitions.ts';
import { faultText } from '../definition-fault.ts';
import { roleTypes } from './damaged-roles.fixture.ts';
import { readRoleFiles } from './role-files.ts';

const files = roleTypes.map((definition, index) => ({ file: `${index}.toml`, definition }));

/** The errors of role files, as they are printed. */
async function errorsOf(written: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-roles-'));
  try {
    for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
    const { faults = [] } = checkDefinitions(files, { roles: await readRoleFiles(folder) });
    return faults.map((fault) => faultText(fault).replaceAll(`${folder}/`, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const contract = `name = "writer"
label = "Writer"
base = "member"

[types.article]
list = true
get = true
create = true
update = 'created_by = @request.auth.id && status != "published"'
delete = false
publish = false
read = { except = ["desk"] }
write = { only = ["title", "body"] }

[types."*"]
get = true

[may]
media = "own"
comments = "moderate"
users = false
import = false
events = false
`;

describe('a role file', () => {
  test('as the documentation has it compiles', async () => {
    expect(await errorsOf({ 'writer.toml': contract })).toEqual([]);
  });

  test('reports all errors at once, each with its line', async () => {
    const text = `name = "writer"
bas = "member"
[types.articel]
list = true
[types.article]
list = "true"
get = 'status = "gone"'
publsh = true
read = { only = ["title", "fees"] }
write = { only = ["desk"] }
[types.media]
list = true
[may]
media = "mine"
releases = "all"
`;
    expect(await errorsOf({ 'writer.toml': text })).toEqual([
      'writer.toml:2 bas: unknown name "bas" — did you mean "base"?',
      'writer.toml:3 types.articel: there is no content type "articel" — did you mean "article"?',
      'writer.toml:6 types.article.list: "true" is text, and no rule — write true without quotes',
      expect.stringContaining('writer.toml:7 types.article.get: '),
      'writer.toml:8 types.article.publsh: unknown name "publsh" — did you mean "publish"?',
      'writer.toml:9 types.article.read.only[1]: "article" has no field "fees" — did you mean "fee"?',
      'writer.toml:10 types.article.write.only[0]: the role does not read "desk" — name it in read as well, or leave it out',
      'writer.toml:11 types.media: [may] decides on the type "media" — write media = "own" below [may]',
      'writer.toml:14 may.media: "mine" is no media — did you mean "none"?',
      'writer.toml:15 may.releases: releases is true or false, not "all" — write true or false',
    ]);
  });

  test('cannot have a built-in name, a taken one, or none', async () => {
    expect(
      await errorsOf({
        'a.toml': 'name = "editor"\n',
        'b.toml': 'name = "writer"\n',
        'c.toml': 'name = "writer"\n',
        'd.toml': 'label = "D"\n',
        'e.toml': 'name = "Writer"\n',
      }),
    ).toEqual([
      'a.toml:1 name: the role "editor" is built in, and cannot be changed — choose another name',
      'c.toml:1 name: b.toml has a role "writer" already — choose another name',
      'd.toml name: name is missing — name the role, such as name = "writer"',
      expect.stringContaining('e.toml:1 name: "Writer" is no name of a role — '),
    ]);
  });

  test('that cannot be read is an error, and never no role', async () => {
    const errors = await errorsOf({
      'a.toml': 'name = \n',
      'b.json': '{"name": "b"',
      'c.yaml': 'name: c\n',
      'd.ts': 'export default {}\n',
      'notes.md': 'not a role',
    });
    expect(errors.map((text) => text.split(/[: ]/)[0]).toSorted()).toEqual(['a.toml', 'b.json', 'c.yaml', 'd.ts']);
  });

  test('takes languages where a type has values by language', async () => {
    expect(await errorsOf({ 'w.toml': 'name = "w"\n[types.article]\nget = true\nlanguages = ["de"]\n' })).toEqual([
      'w.toml:4 types.article.languages: "article" has no values by language — leave languages out',
    ]);
    for (const [written, given] of [
      ['[]', 'an empty one'],
      ['"de"', '"de"'],
      ['[1]', 'a list with something else'],
    ])
      expect(await errorsOf({ 'w.toml': `name = "w"\n[types."*"]\nlanguages = ${written}\n` })).toEqual([
        `w.toml:3 types["*"].languages: languages are a list of tags, not ${given} — write ["de"]`,
      ]);
  });
});

describe('a role that creates records', () => {
  const note = {
    singular: 'note',
    plural: 'notes',
    protocols: ['ownable', 'sortable', { name: 'statusable', values: ['draft', 'live'], default: 'draft' }],
    fields: [
      { name: 'text', field_type: 'text', required: true },
      { name: 'desk', field_type: 'text', required: true },
      { name: 'code', field_type: 'text', required: true, private: true },
      { name: 'pin', field_type: 'password', required: true },
      { name: 'slug', field_type: 'uid', required: true, target_field: 'text' },
      { name: 'kind', field_type: 'text', required: true, default: 'short' },
      { name: 'size', field_type: 'integer' },
    ],
  };
  const settings = {
    singular: 'settings',
    kind: 'single',
    fields: [{ name: 'motto', field_type: 'text', required: true }],
  };
  const faultsWith = (role: object) =>
    checkDefinitions(
      [note, settings].map((definition, index) => ({ file: `${index}.toml`, definition })),
      {
        roles: { sources: [{ file: 'roles/w.toml', definition: { name: 'w', ...role } }], unreadable: [] },
      },
    ).faults?.map((fault) => faultText(fault)) ?? [];
  const needs = (path: string, names: string, does: string, defaults = 'the field') =>
    `roles/w.toml types.note.${path}: a new record must have ${names}, which the role does not ${does} — let the role ${does} ${names}, write create = false, or give ${defaults} a default`;

  test('writes what a new one must have, by its own table', () => {
    expect(faultsWith({ types: { note: { create: true } } })).toEqual([needs('create', '"code"', 'read')]);
    expect(faultsWith({ types: { note: { create: 'text != "x"', write: { only: ['text'] } } } })).toEqual([
      needs('write', '"desk", "pin"', 'write', 'each field'),
      needs('create', '"code"', 'read'),
    ]);
    expect(faultsWith({ base: 'editor', types: { note: { read: { except: ['text', 'kind', 'slug'] } } } })).toEqual([
      needs('read', '"text"', 'read'),
    ]);
  });

  test('and by that for all types without one', () => {
    expect(faultsWith({ types: { '*': { create: true } } })).toEqual([
      'roles/w.toml types["*"].create: a new record of the type "note" must have "code", which the role does not read — let the role read "code", write create = false, or give the field a default',
    ]);
  });

  test('may leave out what has a default, and what protocols and single types add', () => {
    const write = { only: ['text', 'desk', 'code', 'pin'] };
    expect(faultsWith({ base: 'editor', types: { note: { write } } })).toEqual([]);
    expect(faultsWith({ types: { note: { create: false, update: true, write: { only: ['size'] } } } })).toEqual([]);
    expect(faultsWith({ base: 'editor', types: { settings: { read: { except: ['motto'] } } } })).toEqual([]);
  });
});

describe('imports', () => {
  test('are not for roles: what writes ids, owners and times has no bounds in rights', async () => {
    expect(await errorsOf({ 'w.toml': 'name = "w"\nbase = "editor"\n[may]\nimport = true\n' })).toEqual([
      'w.toml:4 may.import: imports write ids, owners, times and accounts past the rights of every role, so only the role admin runs them — leave import out',
    ]);
    expect(await errorsOf({ 'w.toml': 'name = "w"\n[may]\nimport = false\n' })).toEqual([]);
  });
});

describe('rules of content types', () => {
  const withRule = (filter: string) =>
    checkDefinitions(
      [
        {
          file: 'task.toml',
          definition: { singular: 'task', plural: 'tasks', fields: [], api: { list: { access: 'member', filter } } },
        },
      ],
      { roles: { sources: [{ file: 'roles/writer.toml', definition: { name: 'writer' } }], unreadable: [] } },
    );

  test('know the names of roles, and no others', () => {
    expect(withRule('@request.auth.role = "writer"').faults).toBeUndefined();
    expect(withRule('@request.auth.role = "writr"').faults?.[0]?.message).toContain('Did you mean "writer"?');
  });
});
