import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentTypesModule } from '../packages/recto/src/typegen/content-types-module.ts';
import { withBuiltIns } from '../test/support/definitions.ts';

// How long the compiler and the language server take for 100 content types with cyclic relations.
// bun bench/client-types.ts

const count = 100;
const rounds = 7;
const root = join(import.meta.dir, '..');
const compiler = join(root, 'node_modules/.bin/tsc');

const to = (target: number): string => `things-${(target + count) % count}`;
const definitions = Array.from({ length: count }, (_, index) => ({
  singular: `thing-${index}`,
  plural: `things-${index}`,
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'views', field_type: 'integer' },
    { name: 'state', field_type: 'enum', enum_values: ['one', 'two'] },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: to(index + 1) } },
    { name: 'before', field_type: 'relation', relation: { relation_type: 'many_to_one', target: to(index - 1) } },
    { name: 'others', field_type: 'relation', relation: { relation_type: 'many_to_many', target: to(index * 7) } },
  ],
}));

const uses = Array.from(
  { length: count },
  (_, index) =>
    `void recto.things${index}.list({ include: ['next.before', 'others.next.others'], filter: { next: { title: { like: 'x%' } } }, sort: 'views:desc' });`,
);
const program = `import { createClient } from './client/index.ts';
import type { Content } from './content.ts';
const recto = createClient<Content>({ url: 'https://cms.example.com' });
const page = await recto.things5.list({ include: ['next.others.before'] });
void page.items[0]?.next?.others[0]?.before?.title;
${uses.join('\n')}
void recto.things7.list({ include: [''] });
void recto.things7.list({ filter: { next: {  } } });
void page.items[0]?.next?.;
`;
const complete = program.split('\n').slice(0, -4).join('\n');
const config = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2022', 'dom'],
    types: [],
    preserveSymlinks: true,
  },
  files: ['program.ts'],
};

const folder = mkdtempSync(join(tmpdir(), 'recto-client-bench-'));
try {
  symlinkSync(join(root, 'packages/client/src'), join(folder, 'client'));
  writeFileSync(join(folder, 'content.ts'), contentTypesModule(withBuiltIns(...definitions), { forClient: true }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'empty.ts'), 'export {};\n');
  writeFileSync(join(folder, 'program.ts'), complete);
  print(`check: ${median(await times(() => check([])))} ms`);
  await completions();
} finally {
  rmSync(folder, { recursive: true });
}

async function times(task: () => Promise<void>): Promise<readonly number[]> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await task();
    took.push(performance.now() - start);
  }
  return took;
}

function median(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0).toFixed(0);
}

async function check(options: readonly string[]): Promise<void> {
  const child = Bun.spawn([compiler, '-p', '.', ...options], { cwd: folder, stdout: 'pipe' });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(out);
}

/** The first completion in a program that was just opened, and later ones, each after a letter was typed. */
async function completions(): Promise<void> {
  const server = Bun.spawn([compiler, '--lsp', '--stdio'], {
    cwd: folder,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const waiting = new Map<number, (result: unknown) => void>();
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    server.stdin.flush();
  };
  let id = 0;
  const ask = (method: string, params: object): Promise<unknown> => {
    id += 1;
    const own = id;
    send({ id: own, method, params });
    return new Promise((resolve) => waiting.set(own, resolve));
  };
  const reading = (async () => {
    let bytes = Buffer.alloc(0);
    for await (const chunk of server.stdout) {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const end = bytes.indexOf('\r\n\r\n');
        const length = Number(/Content-Length: (\d+)/i.exec(bytes.toString('latin1', 0, Math.max(end, 0)))?.[1]);
        if (end < 0 || bytes.length < end + 4 + length) break;
        const message = JSON.parse(bytes.toString('utf8', end + 4, end + 4 + length));
        bytes = bytes.subarray(end + 4 + length);
        // What the server asks for is not there.
        if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
        else if (message.id !== undefined) waiting.get(message.id)?.(message.result ?? message.error);
      }
    }
  })();
  const uri = `file://${join(folder, 'program.ts')}`;
  await ask('initialize', { processId: process.pid, rootUri: `file://${folder}`, capabilities: {} });
  send({ method: 'initialized', params: {} });
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text: program } },
  });
  const lines = program.split('\n');
  const places = ["include: ['", 'next: { ', 'next?.;'].map((mark, place) => {
    const line = lines.length - 4 + place;
    return { line, character: (lines[line]?.indexOf(mark) ?? 0) + (place === 2 ? mark.length - 1 : mark.length) };
  });
  for (const [place, name] of ['include', 'filter', 'result'].entries()) {
    const position = places[place];
    const took: number[] = [];
    let found = 0;
    for (let version = 2; version < 2 + rounds; version += 1) {
      const text = `${program}// ${place} ${version}\n`;
      send({
        method: 'textDocument/didChange',
        params: { textDocument: { uri, version: place * 100 + version }, contentChanges: [{ text }] },
      });
      const start = performance.now();
      const result = await ask('textDocument/completion', { textDocument: { uri }, position });
      took.push(performance.now() - start);
      const list = Object(result);
      found = (Array.isArray(result) ? result : (list.items ?? [])).length;
    }
    print(`completion of ${name}: first ${took[0]?.toFixed(0)} ms, median ${median(took)} ms, ${found} entries`);
  }
  server.kill();
  await server.exited;
  await reading.catch(() => undefined);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
