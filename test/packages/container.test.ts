import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { environmentName, settingKeys, settingTable } from '../../packages/recto/src/config/setting-table.ts';
import { patiently } from '../support/processes/recto-process.ts';

const root = join(import.meta.dir, '../..');

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** The instructions of the stage that becomes the image; lines that go on are joined. */
function finalStage(): readonly Instruction[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const instructions = [...lines.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name = '', words = '']) => ({ name, words }));
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
}

const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
const stage = finalStage();
const one = (name: string): string => stage.find((each) => each.name === name)?.words ?? '';
const command = (words: string): readonly string[] => JSON.parse(words.slice(words.indexOf('[')));
const environment = Object.fromEntries(
  one('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=')),
) as Readonly<Record<string, string>>;

describe('the Dockerfile', () => {
  test('sets what are settings', () => {
    const known = settingKeys.map(environmentName);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(environment.RECTO_PORT).toBe(String(settingTable.port.default));
    expect(one('EXPOSE')).toBe(environment.RECTO_PORT ?? '');
    expect(one('VOLUME')).toBe(environment.RECTO_DATA_DIR ?? '');
  });

  test('runs as a user without rights, whose folder is the volume', () => {
    expect(one('USER')).toBe('65532:65532');
    expect(text).toContain(`install --directory --mode=0700 /volumes${one('VOLUME')}`);
    expect(stage.map(({ words }) => words)).toContain('--from=packages --chown=65532:65532 /volumes /');
  });

  test('has what it copies, and the build is given it', () => {
    const given = readFileSync(join(root, '.dockerignore'), 'utf8').matchAll(/^!(.*)$/gm);
    const names = [...given].map(([, name]) => name ?? '');
    for (const name of names.filter((each) => !each.includes('*')))
      expect([name, existsSync(join(root, name))]).toEqual([name, true]);
    const isGiven = (path: string): boolean =>
      names.some((name) => new Bun.Glob(name).match(path) || path.startsWith(`${name}/`));
    for (const { from } of copies()) expect([from, isGiven(from)]).toEqual([from, true]);
  });
});

interface Copied {
  /** In the repository. */
  readonly from: string;
  /** In the folder of the image that holds the service. */
  readonly to: string;
}

/** What the image has from the repository, besides the packages of others: as it is there, or built. */
const copies = (): readonly Copied[] =>
  stage
    .filter(({ name, words }) => name === 'COPY' && !words.startsWith('--from=packages'))
    .flatMap(({ words }) => {
      const paths = words.replace('--from=build ', '').replaceAll('/source/', '').split(' ');
      const to = paths.at(-1) ?? '';
      return paths.slice(0, -1).map((from) => ({ from, to: to.endsWith('/') ? join(to, basename(from)) : to }));
    });

// No engine runs here: what the image would hold is put into a folder, and its commands are run there.
const isBuilt = existsSync(join(root, 'packages/recto/dist/main.js'));
describe.skipIf(!isBuilt)(`what the image holds${isBuilt ? '' : ' (skipped: run "npm run build")'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-image-'));
  let service: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  let port = '';

  const run = (words: readonly string[], more: Readonly<Record<string, string>>) =>
    Bun.spawn([...words], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', ...environment, ...inFolder, ...patiently, ...more },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 600_000,
    });
  const inFolder = {
    RECTO_DATA_DIR: join(folder, 'data'),
    RECTO_CONTENT_TYPES_DIR: join(folder, 'content-types'),
  };

  beforeAll(async () => {
    for (const { from, to } of copies()) {
      cpSync(join(root, from), join(folder, to), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    service = run([...command(one('ENTRYPOINT')), ...command(one('CMD'))], { RECTO_PORT: '0' });
    let out = '';
    for await (const chunk of service.stdout) {
      out += new TextDecoder().decode(chunk);
      port = /http:\/\/0\.0\.0\.0:(\d+)/.exec(out)?.[1] ?? '';
      if (port !== '') break;
    }
  }, 600_000);

  afterAll(() => {
    service.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const isHealthy = async (): Promise<boolean> =>
    (await run(command(one('HEALTHCHECK')), { RECTO_PORT: port }).exited) === 0;

  test('starts, is healthy, and ends in order by the signal that the engine sends', async () => {
    expect(port).not.toBe('');
    while (!(await isHealthy())) expect(service.exitCode).toBeNull();
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/cms/articles`)).status).toBe(200);
    service.kill(one('STOPSIGNAL') as NodeJS.Signals);
    expect(await service.exited).toBe(0);
    expect(await isHealthy()).toBe(false);
  }, 600_000);
});
