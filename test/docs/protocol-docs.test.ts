import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentType } from '../../packages/recto/src/definition/content-type.ts';
import type { Protocol } from '../../packages/recto/src/definition/protocol.ts';
import { protocols } from '../../packages/recto/src/definition/protocols/index.ts';
import {
  answerTo,
  type Block,
  infoOf,
  projectRoot,
  protocolPages,
  readDocument,
  tableRows,
} from '../support/documents.ts';
import { expectAnswer, isAnswer, requestOf } from '../support/http-examples.ts';
import { TestService } from '../support/service.ts';

// Each protocol has a page. Its definitions are served, its tables are held to the code, and its requests are sent in
// order: `$ADMIN`, `$EDITOR` and `$MEMBER` are tokens, `$FIRST`, `$SECOND`, `$THIRD` the ids of the records that the page
// has made.

const ordinals = ['FIRST', 'SECOND', 'THIRD', 'FOURTH'];

const pathOf = (protocol: Protocol): string => `${protocolPages}${protocol.name}.md`;
const active = Object.values(protocols);

test.each(active.map((protocol) => [pathOf(protocol), protocol] as const))('%s is there', (path) => {
  expect(existsSync(join(projectRoot, path))).toBe(true);
});

const written = active.filter((protocol) => existsSync(join(projectRoot, pathOf(protocol))));

describe.each(written.map((protocol) => [pathOf(protocol), protocol] as const))('%s', (path, protocol) => {
  const page = readDocument(path);
  const definitions = page.blocks
    .filter((block) => block.language === 'toml' && infoOf(block, 'file') !== undefined)
    .map(({ text }) => Bun.TOML.parse(text));
  const requests = page.blocks.filter(({ language, text }) => language === 'http' && !isAnswer(text));
  const variables = new Map<string, string>();
  let service: TestService;
  let types: readonly ContentType[] = [];

  beforeAll(async () => {
    service = await TestService.open(definitions, { builtIn: true });
    types = service.types.all.filter(
      (type) => !type.builtIn && type.protocols.some((one) => one.protocol === protocol),
    );
    for (const [name, role] of Object.entries({ ADMIN: 'admin', EDITOR: 'editor', MEMBER: 'member' } as const)) {
      await service.account(name.toLowerCase(), role);
      variables.set(name, service.tokenOf(name.toLowerCase()));
    }
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('has a type with the protocol, and a conversation', () => {
    expect(page.text).toStartWith(`# \`${protocol.name}\`\n`);
    expect(types).not.toEqual([]);
    expect(requests).not.toEqual([]);
  });

  test('lists its fields', () => {
    const documented = tableRows(page, 'Field').map(([name, type, writer]) => [name, type, writer]);
    const added = types.flatMap(({ fields }) => fields.filter(({ origin }) => origin === 'protocol'));
    const own = added.filter((field) => ownFields(protocol, types).has(field.name));
    const expected = own.map(({ name, type, writable }) => [name, type.name, writable ? 'callers' : 'the service']);
    expect(documented).toEqual([...new Map(expected.map((row) => [row[0], row])).values()]);
  });

  test('lists its options', () => {
    const options: Readonly<Record<string, unknown>> = Object(protocol.options).properties ?? {};
    expect(tableRows(page, 'Option').map(([name]) => name)).toEqual(Object.keys(options));
  });

  test('lists what it changes in each route', () => {
    expect(tableRows(page, 'Route').map(([name]) => name)).toEqual(['list', 'get', 'create', 'update', 'delete']);
  });

  test('lists the routes of its own', async () => {
    const bare = definitions.map((definition) => ({ ...definition, protocols: [], api: {} }));
    await using plain = await TestService.open(bare, { builtIn: true });
    const usual = new Set(plain.operations.map(({ method, path: at }) => `${method} ${at}`));
    const documented = tableRows(page, 'Own route').map(([route = '']) => route);
    const own = service.operations.map(({ method, path: at }) => `${method} ${at}`).filter((at) => !usual.has(at));
    expect(documented.toSorted()).toEqual(own.toSorted());
  });

  test.each(requests.map((block): [string, Block] => [block.place, block]))('%s', async (_, block) => {
    const answer = answerTo(page.blocks, block, 'http');
    if (answer === undefined) throw new Error(`${block.place} is not followed by its answer`);
    const response = await service.app.fetch(requestOf('http://recto.test', block.text, variables));
    const body = await response.text();
    variables.set('ETAG', response.headers.get('etag') ?? '');
    if (response.status === 201) {
      const name = ordinals.find((ordinal) => !variables.has(ordinal)) ?? '';
      variables.set(name, response.headers.get('location')?.split('/').at(-1) ?? '');
    }
    expectAnswer(response, body, answer.text);
  });
});

/** The names of the fields that a protocol gives its types, with the options that they have. */
function ownFields(protocol: Protocol, types: readonly ContentType[]): ReadonlySet<string> {
  const names = types.flatMap((type) =>
    type.protocols
      .filter((one) => one.protocol === protocol)
      .flatMap(({ options }) => protocol.fields(options, type.singular).map(({ name }) => name)),
  );
  return new Set(names);
}
