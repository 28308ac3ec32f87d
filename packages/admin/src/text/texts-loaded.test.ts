import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';
import { en } from './en/index.ts';

/*
 * English texts come with the code that uses them: a file of `en/` is imported by the screens and parts of its area. Whatever can be shown
 * must have its texts loaded, also where it is loaded later than the page.
 */

const source = join(import.meta.dir, '..');
const isCode = (file: string): boolean => /\.(?:ts|svelte)$/.test(file) && !file.endsWith('.test.ts');
const files = [...new Bun.Glob('**/*').scanSync(source)].filter(isCode);
const texts = new Map(await Promise.all(files.map(async (file) => [file, await codeOf(file)] as const)));

/** Without comments and what is only imported as a type. */
async function codeOf(file: string): Promise<string> {
  const code = await Bun.file(join(source, file)).text();
  return code
    .replaceAll(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^import type [^;]*;$/gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

const targetsOf = (file: string, pattern: RegExp): readonly string[] =>
  [...(texts.get(file) ?? '').matchAll(pattern)]
    .map(([, path = '']) => relative(source, join(source, dirname(file), path)))
    .filter((target) => texts.has(target));
const importsOf = (file: string) => targetsOf(file, /(?:\bfrom|^\s*import)\s+['"](\.[^'"]+)['"]/gm);
const laterOf = (file: string) => targetsOf(file, /\bimport\(\s*['"](\.[^'"]+)['"]/g);

/** Everything that is loaded together with a file. */
function loadedWith(entry: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const target of importsOf(entry)) loadedWith(target, found);
  return found;
}

const areas = files.flatMap((file) => /^text\/en\/(?!index)(\w+)\.ts$/.exec(file)?.[1] ?? []);
const areasIn = (loaded: ReadonlySet<string>) => areas.filter((area) => loaded.has(`text/en/${area}.ts`));
const known: ReadonlySet<string> = new Set(
  Object.entries(en).flatMap(([area, own]) => Object.keys(own).map((name) => `${area}.${name}`)),
);
/** A key, or the beginning of one that is put together. */
const key = new RegExp(`['"\`]((${areas.join('|')})\\.[\\w.]*)(['"\`]|\\$\\{)`, 'g');
const usedIn = (file: string): readonly string[] =>
  file.startsWith('text/')
    ? []
    : [...(texts.get(file) ?? '').matchAll(key)].flatMap(([, name = '', area = '', end]) =>
        end === '${' || known.has(name) ? [area] : [],
      );

test('every text is loaded with what shows it', () => {
  // What is loaded by then in any case, by what is loaded later.
  const entries = new Map<string, ReadonlySet<string>>();
  const open: (readonly [string, ReadonlySet<string>])[] = [['app/main.ts', new Set()]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [entry, before] = next;
    const earlier = entries.get(entry);
    const sure = earlier === undefined ? before : new Set([...before].filter((area) => earlier.has(area)));
    if (earlier !== undefined && earlier.size === sure.size) continue;
    entries.set(entry, sure);
    const loaded = loadedWith(entry);
    const there = new Set([...sure, ...areasIn(loaded)]);
    for (const file of loaded) for (const target of laterOf(file)) open.push([target, there]);
  }
  expect(entries.size).toBeGreaterThan(20);
  const missing = [...entries].flatMap(([entry, before]) => {
    const loaded = loadedWith(entry);
    const there = new Set([...before, ...areasIn(loaded)]);
    return [...loaded].flatMap((file) =>
      [...new Set(usedIn(file))].filter((area) => !there.has(area)).map((area) => `${entry}: ${file} needs ${area}`),
    );
  });
  expect(missing).toEqual([]);
});
