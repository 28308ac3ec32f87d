import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder } from '../support/processes/recto-process.ts';

// However wrong a definition file is, a command lists it with its error and prints no stack.

const type = (name: string, rest: string) => `export default { singular: '${name}', plural: '${name}s', ${rest} };`;

/** By file: its text, and what is printed of it. */
const wrong: Readonly<Record<string, readonly [text: string, printed: string]>> = {
  'throws.ts': ['throw new Error("boom\\n    at throws (elsewhere.ts:1:1)");', 'throws.ts:1:11: cannot be run: boom —'],
  'throws-nothing.ts': ['throw null;', 'throws-nothing.ts: cannot be run: null —'],
  'throws-textless.ts': ['throw Object.create(null);', 'throws-textless.ts: cannot be run: something without a text'],
  'throws-proxy.ts': [
    'throw new Proxy({}, { get() { throw new Error("no"); }, getPrototypeOf() { throw new Error("no"); } });',
    'throws-proxy.ts: cannot be run: something without a text',
  ],
  'throws-later.ts': [
    'setTimeout(() => { throw new Error("late"); }); await new Promise((go) => setTimeout(go, 20)); export default {};',
    'throws-later.ts:1:30: cannot be run: late —',
  ],
  'rejects.ts': ['Promise.reject(new Error("lost")); export default {};', 'rejects.ts:1:20: cannot be run: lost —'],
  'syntax.ts': ['export default {', 'syntax.ts:1:16: cannot be run:'],
  'syntaxes.ts': ['export default {};\na b c; x ( ; }', 'syntaxes.ts:2:3: cannot be run: Expected ";" but found "b" —'],
  'imports.ts': [
    'import x from "./nowhere.ts"; export default x;',
    "imports.ts: cannot be run: Cannot find module './nowhere",
  ],
  'getter.ts': [
    type('getter', 'get fields() { throw new Error("no fields"); }'),
    'getter.ts fields: it cannot be read: no fields',
  ],
  'singular.ts': [
    'export default { get singular() { throw new Error("no name"); } };',
    'singular.ts singular: it cannot be read',
  ],
  'extends.ts': [
    'export default { get extends() { throw new Error("no base"); } };',
    'extends.ts extends: it cannot be read',
  ],
  'proxy.ts': [
    'export default new Proxy({}, { ownKeys() { throw new Error("no keys"); } });',
    'proxy.ts: it cannot be read: no keys',
  ],
  'cycle.ts': [
    'const fields: unknown[] = []; fields.push(fields, fields); export default { singular: "cycle", plural: "cycles", fields };',
    'cycle.ts fields[0]: it contains itself',
  ],
  'wide.ts': [
    'let x: unknown = 1; for (let n = 0; n < 60; n += 1) x = [x, x]; export default { singular: "wide", plural: "wides", fields: x };',
    'wide.ts: it has more than 100000 values',
  ],
  'long.ts': [type('long', 'fields: new Array(4_000_000_000)'), 'long.ts fields: it has more than 100000 values'],
  'pattern.ts': [
    type('pattern', 'fields: [{ name: "x", field_type: "text", pattern: "[", default: "y" }]'),
    'pattern.ts fields[0].pattern: is not an ECMAScript regular expression',
  ],
  'mail.toml': [
    'singular = "mail"\nplural = "mails"\nfields = [{ name = "x", field_type = "email", pattern = "(", default = "a@example.org" }]',
    'is not an ECMAScript regular expression',
  ],
  'values.ts': [
    type('value', 'fields: [{ name: "x", field_type: "enum", enum_values: [], default: "y" }]'),
    'values.ts fields[0].enum_values:',
  ],
  'promise.ts': [
    'export default Promise.resolve({ singular: "promise" });',
    'promise.ts singular: singular is missing',
  ],
  'rule.ts': [type('rule', 'api: { list: { filter: "id != \\"\\"" } }'), 'rule.ts api.list.filter: "id" is never ""'],
  'symbol.ts': ['export default { singular: Symbol("x"), plural: "symbols" };', 'symbol.ts singular: is a symbol'],
  'deep.toml': [`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'deep.toml:1:'],
  'deep.json': ['['.repeat(50_000), 'deep.json:1:'],
};

function checkPrinted(text: string): void {
  for (const [, printed] of Object.values(wrong)) expect(text).toContain(printed);
  expect(text).toContain('loop.toml: cannot be read');
  expect(text).not.toMatch(/^\s*at .*[:(]\d+/m);
  expect(text).not.toContain('"stack"');
  expect(text).not.toContain('packages/recto/src');
}

const commands = ['check', 'check --files', 'check --json', 'start', 'start --workers 2', 'dev'];

describe('definitions that are wrong in every way', () => {
  test.each(commands)('recto %s lists them without a stack', async (command) => {
    using folder = new RectoFolder(Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text])));
    symlinkSync('loop.toml', join(folder.path, 'content-types/loop.toml'));
    const { exitCode, out, err } = await folder.run(command.split(' '));
    expect(exitCode).toBe(1);
    if (command !== 'check --json') {
      checkPrinted(err);
      return;
    }
    expect(err).toBe('');
    checkPrinted(JSON.parse(out).message);
  });
});

describe('a definition that ends the process', () => {
  const exits = {
    'note.toml': 'singular = "note"\nplural = "notes"',
    'exits.ts': 'process.exit(0); export default {};',
  };

  test.each(commands)('recto %s names its file, and fails', async (command) => {
    using folder = new RectoFolder(exits);
    const { exitCode, out, err } = await folder.run(command.split(' '));
    expect(exitCode).toBe(1);
    expect(err).toContain('exits.ts: cannot be run: it ends the process — fix the program');
    expect(out).toBe('');
    expect(err).not.toMatch(/^\s*at .*[:(]\d+/m);
  });

  test('is not served when it is written while recto dev runs', async () => {
    using folder = new RectoFolder({ 'note.toml': exits['note.toml'] });
    const service = folder.spawn(['dev']);
    await service.out(/read anew when a file/);
    folder.write('content-types/exits.ts', exits['exits.ts']);
    await service.err(/exits\.ts: cannot be run: it ends the process/);
    expect((await service.ended()).exitCode).toBe(1);
  });
});

test('recto dev goes on with the definitions before, until they are right', async () => {
  using folder = new RectoFolder({ 'note.toml': 'singular = "note"\nplural = "notes"' });
  const service = folder.spawn(['dev']);
  const url = await service.url();
  await service.out(/read anew when a file/);
  folder.write('content-types/throws.ts', 'throw Object.create(null);');
  await service.err(/throws\.ts: cannot be run[\s\S]*goes on with the definitions it had before/);
  folder.write('content-types/throws.ts', 'export default { get singular() { throw new Error("no name"); } };');
  await service.err(/throws\.ts singular: it cannot be read: no name[\s\S]*goes on with/);
  folder.write('content-types/throws.ts', 'export default { singular: "memo", plural: "memos" };');
  await service.out(/Reloaded: 2 content types/);
  expect((await fetch(`${url}/api/v1/cms/notes`)).status).toBe(200);
  service.kill('SIGTERM');
  const { exitCode, err } = await service.ended();
  expect(exitCode).toBe(0);
  expect(err).not.toMatch(/^\s*at .*[:(]\d+/m);
});
