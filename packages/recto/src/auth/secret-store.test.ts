import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import { loadSecret } from './secret-store.ts';

const root = mkdtempSync(join(tmpdir(), 'recto-secret-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): string => join(root, `data${++folders}`);

const load = (dataDir: string, configured?: string): Promise<string> => loadSecret({ configured, dataDir });

describe('loadSecret', () => {
  test('creates a secret once, readable only by its owner', async () => {
    const folder = newFolder();
    const secret = await load(folder);
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect(await load(folder)).toBe(secret);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('two folders have two secrets', async () => {
    expect(await load(newFolder())).not.toBe(await load(newFolder()));
  });

  test('many who start at the same moment agree', async () => {
    const folder = newFolder();
    const secrets = await Promise.all(Array.from({ length: 20 }, () => load(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('a configured secret wins, and nothing is created', async () => {
    const folder = newFolder();
    expect(await load(folder, 'x'.repeat(32))).toBe('x'.repeat(32));
    expect(() => statSync(folder)).toThrow();
  });

  test('rejects a configured secret that is too short, without repeating it', async () => {
    const refusal = await load(newFolder(), 'hunter2').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FatalError);
    expect(String(refusal)).toContain('RECTO_SECRET must have at least 32 characters');
    expect(String(refusal)).not.toContain('hunter2');
  });

  test.each([
    ['a file that others can read', 'x'.repeat(64), 0o644, 'chmod 600'],
    ['a file that the group can read', 'x'.repeat(64), 0o640, 'chmod 600'],
    ['an empty file', '', 0o600, 'fewer than 32 characters'],
  ])('rejects %s', async (_, content, mode, message) => {
    const folder = mkdtempSync(join(root, 'made-'));
    writeFileSync(join(folder, 'secret'), content);
    chmodSync(join(folder, 'secret'), mode);
    await expect(load(folder)).rejects.toThrow(message);
    await expect(load(folder)).rejects.toBeInstanceOf(FatalError);
  });

  test('rejects a data folder that is a file', async () => {
    const path = newFolder();
    writeFileSync(path, '');
    await expect(load(path)).rejects.toBeInstanceOf(FatalError);
  });
});
