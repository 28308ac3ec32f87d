import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FatalError } from '../../packages/recto/src/base/fatal-error.ts';
import {
  environmentName,
  fileName,
  type Setting,
  settingKeys,
  settingTable,
} from '../../packages/recto/src/config/setting-table.ts';
import { readSettings } from '../../packages/recto/src/config/settings.ts';
import type { ContentTypes } from '../../packages/recto/src/definition/content-type.ts';
import type { FieldType } from '../../packages/recto/src/definition/field-type.ts';
import { fieldTypes } from '../../packages/recto/src/definition/fields/index.ts';
import { loadContentTypes } from '../../packages/recto/src/definition/load-definitions.ts';
import { protocols } from '../../packages/recto/src/definition/protocols/index.ts';
import { builtInTypes } from '../../packages/recto/src/features/index.ts';
import { compileRule } from '../../packages/recto/src/rules/compile-rule.ts';
import { RuleError } from '../../packages/recto/src/rules/rule-error.ts';
import {
  anchorsOf,
  answerTo,
  type Block,
  type Document,
  documents,
  infoOf,
  normalised,
  projectRoot,
  protocolPages,
  readDocument,
  tableRows,
} from '../support/documents.ts';
import { expectAnswer, isAnswer, jsonOf, requestOf } from '../support/http-examples.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

const all = documents();
const page = (path: string): Document => all.find((document) => document.path === path) ?? readDocument(path);
const blocksIn = (language: string, among = all): readonly Block[] =>
  among.flatMap(({ blocks }) => blocks.filter((block) => block.language === language));
/** For `test.each`, which names a test by its first value. */
const named = (blocks: readonly Block[]): [string, Block][] => blocks.map((block) => [block.place, block]);

const exampleFolder = join(projectRoot, 'examples/magazine/content-types');
const exampleFile = (name: string): string => readFileSync(join(exampleFolder, name), 'utf8');
const examples = Object.fromEntries(
  readdirSync(exampleFolder)
    .filter((name) => name.endsWith('.toml'))
    .map((name) => [name, exampleFile(name)]),
);

/** Writes definitions into a folder of their own and loads them; `content-types/` stands for it in messages. */
async function load(files: Readonly<Record<string, string>>): Promise<ContentTypes> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-docs-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await loadContentTypes(folder, builtInTypes);
  } catch (error) {
    if (error instanceof FatalError) throw new FatalError(error.message.replaceAll(folder, 'content-types'));
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('content types', () => {
  const definitions = ['toml', 'json', 'ts'].flatMap((language) => blocksIn(language));
  const files = definitions.filter((block) => infoOf(block, 'file') !== undefined);
  const fragments = blocksIn('toml').filter((block) => block.info.length === 0);

  test('there are some', () => expect(files.length).toBeGreaterThan(3));

  /** A page's complete files may refer to one another and to the example magazine. */
  const around = ({ place, info }: Block): Record<string, string> => {
    const beside = files.filter(
      (other) => other.place.split(':')[0] === place.split(':')[0] && other.info.length === 1,
    );
    const texts = info.includes('fault')
      ? []
      : beside.map((other) => [infoOf(other, 'file') ?? '', definitionText(other)]);
    return { ...examples, ...Object.fromEntries(texts) };
  };

  test.each(named(files))('%s', async (_, block) => {
    const file = infoOf(block, 'file') ?? '';
    const loading = load({ ...around(block), [file]: definitionText(block) });
    if (!block.info.includes('fault')) {
      expect((await loading).all.map(({ source }) => source)).toContain(file);
      return;
    }
    const message = await loading.then(
      () => 'no fault',
      (error: Error) => error.message,
    );
    expect(message).toBe(pageAnswer(block, 'text').text.trimEnd());
  });

  test.each(named(fragments))('%s, as part of the example article', async (_, block) => {
    const [head = ''] = exampleFile('article.toml').split(/^# Everyone reads/m);
    const article = block.text.includes('[api.') ? head : exampleFile('article.toml');
    const [before = '', after = ''] = article.split(/^(?=\[api\.list\])/m);
    const text = block.text.includes('[api.') ? `${article}\n${block.text}` : `${before}\n${block.text}\n${after}`;
    expect((await load({ ...examples, 'article.toml': text })).find('article')).toBeDefined();
  });

  /** The package's own name leads nowhere in a folder of a test. */
  function definitionText({ text }: Block): string {
    return text.replace("from 'recto'", `from '${join(projectRoot, 'packages/recto/src/index.ts')}'`);
  }
});

/** The block after a block, which must be of the language. */
function pageAnswer(block: Block, language: string): Block {
  const answer = answerTo(page(block.place.split(':')[0] ?? '').blocks, block, language);
  if (answer === undefined) throw new Error(`${block.place} is not followed by a block of ${language}`);
  return answer;
}

/** What providers need besides their table: a secret, and the address of the service. */
function providerEnvironment(text: string): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/^\[auth\.providers\.(\w+)\]/gm)].map(([, name = '']) => name.toUpperCase());
  const secrets = Object.fromEntries(names.map((name) => [`RECTO_AUTH_${name}_SECRET`, 'a secret of the provider']));
  return names.length === 0 ? {} : { RECTO_URL: 'https://cms.example.com', ...secrets };
}

test.each(named(blocksIn('toml').filter((block) => block.info.includes('settings'))))(
  '%s is recto.toml',
  (_, block) => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-docs-'));
    const file = join(folder, 'recto.toml');
    writeFileSync(file, block.text);
    try {
      expect(readSettings(providerEnvironment(block.text), file)).toBeDefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

describe('rules', () => {
  const rules = blocksIn('rule').flatMap((block) =>
    block.text
      .trimEnd()
      .split('\n')
      .map((rule, index): [string, Block] => [rule, { ...block, text: rule, place: `${block.place}+${index + 1}` }]),
  );
  const refused = blocksIn('rule-fault');

  const scope = async () => {
    const files = page('docs/rules.md').blocks.filter((block) => block.language === 'toml' && infoOf(block, 'file'));
    const types = await load({
      ...examples,
      ...Object.fromEntries(files.map((block) => [infoOf(block, 'file') ?? '', block.text])),
    });
    return types.get('event').scope;
  };

  test('there are some', () => expect(rules.length).toBeGreaterThan(10));

  test.each(rules)('%s', async (_, { text }) => {
    expect(compileRule(text, await scope()).source).toBe(text);
  });

  describe('of PocketBase', () => {
    const beside = page('docs/coming-from-pocketbase.md');
    const pairs = tableRows(beside, 'PocketBase').map(([theirs = '', ours = '', note = '']) => ({
      theirs,
      ours,
      note,
    }));
    const alike = tableRows(beside, 'Rule').map(([rule = '', , , instead = '']) => ({ rule, instead }));

    test('there are some', () => expect(Math.min(pairs.length, alike.length)).toBeGreaterThan(5));

    test.each(pairs)('$theirs', async ({ theirs, ours, note }) => {
      const inScope = await scope();
      if (ours !== '–') expect(compileRule(ours, inScope).source).toBe(ours);
      expect(note.startsWith('the same')).toBe(
        ours.split(' ').toSorted().join() === theirs.split(' ').toSorted().join(),
      );
      // A rule that is not taken over as it is does not load, or is in the table of those that mean something else.
      if (ours !== theirs && !note.startsWith('the same') && !alike.some(({ rule }) => rule === theirs)) {
        expect(() => compileRule(theirs, inScope)).toThrow(RuleError);
      }
    });

    test.each(alike)('$rule, which loads', async ({ rule, instead }) => {
      const inScope = await scope();
      for (const text of [rule, instead]) expect(compileRule(text, inScope).source).toBe(text);
    });
  });

  test.each(named(refused))('%s is rejected as documented', async (_, block) => {
    const [rule = ''] = block.text.split('\n');
    const inScope = await scope();
    expect(() => compileRule(rule, inScope)).toThrow(RuleError);
    try {
      compileRule(rule, inScope);
    } catch (error) {
      expect(`${rule}\n\n${error instanceof Error ? error.message : ''}\n`).toBe(block.text);
    }
  });
});

describe('tables', () => {
  test('every setting', () => {
    const expected = settingKeys.map((key) => {
      const { type, defaultText, doc }: Setting<unknown> = settingTable[key];
      return [environmentName(key), fileName(key), type.expects, defaultText, doc];
    });
    expect(tableRows(page('docs/settings.md'), 'Variable')).toEqual(expected);
  });

  test('every field type, with the options that it alone has', () => {
    const rows = tableRows(page('docs/content-types.md'), 'field_type').map(([name, , , options = '']) => [
      name,
      options.split(/, | or /).filter((option) => option !== '' && option !== 'relation'),
    ]);
    const expected: [string, string[]][] = Object.values<FieldType>(fieldTypes).map(
      ({ name, options, inside = [] }) => [name, [...options, ...inside]],
    );
    const sorted = (list: unknown[][]) => list.map(([name, options]) => [name, [...Object(options)].toSorted()]);
    expect(sorted(rows)).toEqual(sorted(expected));
  });

  test('every protocol with its page and columns', () => {
    const rows = tableRows(page('docs/protocols/README.md'), 'Protocol').map(([name, columns]) => [name, columns]);
    const expected = Object.values(protocols).map((protocol) => [
      `[${protocol.name}](${protocol.name}.md)`,
      protocol
        .fields({}, 'article')
        .map(({ name }) => name)
        .join(', '),
    ]);
    expect(rows).toEqual(expected);
  });

  test('every problem code is one that the service returns', () => {
    const sources = [...new Bun.Glob('**/*.ts').scanSync(join(projectRoot, 'packages/recto/src'))]
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(projectRoot, 'packages/recto/src', name), 'utf8'))
      .join('\n');
    const codes = ['Code', 'Field code'].flatMap((header) => tableRows(page('docs/rest-api.md'), header));
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.map(([code = '']) => code).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });
});

describe('links', () => {
  const links = all.flatMap((document) => document.links.map((link): [string, Document] => [link, document]));
  test.each(links.filter(([link]) => !/^https?:/.test(link)))('%s', (link, document) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document.path : join(dirname(document.path), path);
    expect(existsSync(join(projectRoot, target))).toBe(true);
    if (anchor !== undefined) expect([...anchorsOf(page(target))]).toContain(anchor);
  });
});

test('every npm script that the documents name is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const runs = all.flatMap(({ text }) => [
    ...text.matchAll(/\bnpm (?:run )?(start|test|run [a-z]+|lint|types|check)\b/g),
  ]);
  const missing = runs.map(([, name = '']) => name.replace('run ', '')).filter((name) => !(name in scripts));
  expect(missing).toEqual([]);
});

/** For the start and all commands together. They take a second or two; only what hangs takes so long. */
const patienceMs = 600_000;

const lacking = ['bash', 'curl'].filter((program) => Bun.which(program) === null);
const skipped = lacking.length === 0 ? '' : ` (skipped: there is no ${lacking.join(' and no ')} here)`;

/** The pages whose commands run, in order, in one shell. */
const guides = ['README.md', 'docs/tour.md', 'docs/getting-started.md'].map(page);
const commands = guides.flatMap(({ blocks }) =>
  blocks.filter(({ language, text }) => language === 'sh' && isCommand(text)),
);
/** Requests of the other pages, each followed by its answer, go on from where the commands ended. */
const requests = all.flatMap(({ path, blocks }) =>
  path.startsWith(protocolPages) ? [] : blocks.filter(({ language, text }) => language === 'http' && !isAnswer(text)),
);

/** Blocks without curl install, start or stop the service, which the test does itself. */
function isCommand(text: string): boolean {
  return /^(?:\w+=|\w+\(\)|.*\bcurl\b)/m.test(text) && !/\bnpm\b/.test(text);
}

describe.skipIf(lacking.length > 0)(`a started service${skipped}`, () => {
  const files = guides.flatMap(({ blocks }) =>
    blocks.filter((block) => infoOf(block, 'file') && !block.info.includes('fault')),
  );
  const variables = new Map<string, string>();
  let folder: RectoFolder;
  let service: RectoProcess;
  let outputs: readonly string[] = [];
  let url = '';

  /** With all routes: those of mails are there where mail is on. */
  const mailEnvironment = {
    RECTO_MAIL_URL: 'log:',
    RECTO_MAIL_FROM: 'mail@example.com',
    RECTO_URL: 'https://cms.example.com',
    RECTO_SIGN_IN_CODES: 'all',
    RECTO_PASSKEY_ORIGINS: 'https://www.example.com',
  };

  beforeAll(async () => {
    const written = files.map((block) => [infoOf(block, 'file') ?? '', block.text]);
    folder = new RectoFolder({ ...examples, ...Object.fromEntries(written) });
    service = folder.spawn(['start'], { ...startEnvironment(), ...mailEnvironment });
    url = await service.url();
    outputs = await runCommands(url, variables);
  }, patienceMs);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended();
    folder[Symbol.dispose]();
  });

  test('recto check prints what the page shows', async () => {
    const [check] = guides.flatMap(({ blocks }) => blocks.filter(({ text }) => text === 'npm run check\n'));
    if (check === undefined) throw new Error('no page runs npm run check');
    const { out, exitCode } = await folder.run(['check']);
    expect(exitCode).toBe(0);
    for (const line of pageAnswer(check, 'text').text.trimEnd().split('\n'))
      expect(wordsOf(out)).toContain(wordsOf(line));
  });

  const answered = commands.map((block, index): [string, Block, number] => [block.place, block, index]);
  test.each(answered)('%s', (_, block, index) => {
    const answer = answerTo(page(block.place.split(':')[0] ?? '').blocks, block, 'json');
    const output = outputs[index] ?? 'no output';
    if (answer === undefined) expect(output.trim()).toBe('');
    else expect(normalised(jsonOf(output))).toEqual(normalised(jsonOf(answer.text)));
  });

  test('every route for accounts is documented', async () => {
    const answer = await fetch(`${url}/api/v1/openapi.json`);
    // The service's own document, whose shape its own tests hold.
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { tags: string[] }>> };
    const tags: ReadonlySet<string> = new Set(['auth', 'users', 'api-tokens']);
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(
          ([
            method,
            {
              tags: [tag = ''],
            },
          ]) => tags.has(tag) && method !== 'patch',
        )
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const pages = [page('docs/accounts.md'), ...all.filter(({ path }) => path.startsWith('docs/sign-in/'))];
    const documented = pages.flatMap((each) => tableRows(each, 'Method')).map(([method, path]) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(routes.toSorted());
  });

  test('every metric is documented', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const metrics = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const documented = tableRows(page('docs/operations.md'), 'Metric').flatMap(([names = '']) => names.split(', '));
    const elsewhere = process.platform === 'linux' ? [] : ['process_open_fds'];
    expect([...metrics, ...elsewhere].toSorted()).toEqual(documented.toSorted());
  });

  test.each(named(requests))('%s', async (_, block) => {
    const answer = pageAnswer(block, 'http');
    const response = await fetch(requestOf(url, block.text, variables));
    const body = await response.text();
    variables.set('ETAG', response.headers.get('etag') ?? '');
    // Of what was created last.
    const location = response.headers.get('location');
    if (location !== null) variables.set('LOCATION', location);
    expectAnswer(response, body, answer.text);
  });
});

/** What stands before `npm start` in the quick start. */
function startEnvironment(): Record<string, string> {
  const start = page('docs/tour.md').text.match(/^npm ci && (.*) npm start$/m)?.[1] ?? '';
  const assignments = [...start.matchAll(/(\w+)=(?:'([^']*)'|(\S+))/g)];
  expect(assignments).not.toEqual([]);
  return Object.fromEntries(assignments.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** Runs all commands in one shell; returns what each block printed, and the shell's variables. */
async function runCommands(url: string, variables: Map<string, string>): Promise<readonly string[]> {
  const mark = '--- the next block ---';
  const names = [
    ...new Set(commands.flatMap(({ text }) => [...text.matchAll(/^([A-Z]+)=/gm)].map(([, name = '']) => name))),
  ];
  const print = names.map((name) => `printf '%s\\n' "${name}=$${name}"`).join('\n');
  const blocks = commands.map(
    ({ text }) => `${text.replaceAll('http://localhost:9898', url)}\nprintf '\\n%s\\n' '${mark}'`,
  );
  const shell = Bun.spawn(['bash', '-u', '-c', [...blocks, print].join('\n')], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '' },
    timeout: patienceMs,
  });
  const [out, err, exitCode] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  const outputs = out.split(`\n${mark}\n`);
  for (const line of (outputs.pop() ?? '').split('\n')) {
    const [name = '', value] = line.split(/=(.*)/s);
    if (value !== undefined) variables.set(name, value);
  }
  return outputs;
}

/** Columns are as wide as the longest name, which is another one here. */
const wordsOf = (text: string): string => text.trim().replace(/ +/g, ' ');
