import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dir, '../..');

/** A fenced block of a Markdown document. */
export interface Block {
  readonly language: string;
  /** The words after the language: `file=note.toml`, `fault`. */
  readonly info: readonly string[];
  readonly text: string;
  /** `docs/rules.md:12`, for messages. */
  readonly place: string;
}

/** A Markdown document with what tests hold it to. */
export interface Document {
  /** Relative to the project: `docs/rules.md`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Without those inside of fenced blocks. */
  readonly links: readonly string[];
}

/** Where the page of each protocol is, whose requests a test of their own sends. */
export const protocolPages = 'docs/protocols/';

/** `README.md` and all of `docs/`. */
export function documents(): readonly Document[] {
  const pages = ['docs/', protocolPages, 'docs/client/', 'docs/sign-in/'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder)).map((name) => folder + name),
  );
  const markdown = pages.filter((name) => name.endsWith('.md')).toSorted();
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...markdown].map(readDocument);
}

export function readDocument(path: string): Document {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const prose = text.replace(fence, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return { path, text, blocks: blocksOf(path, text), links };
}

const fence = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

function blocksOf(path: string, text: string): readonly Block[] {
  return [...text.matchAll(fence)].map((match) => {
    const [, head = '', content = ''] = match;
    const [language = '', ...info] = head.trim().split(/\s+/);
    const line = text.slice(0, match.index).split('\n').length;
    return { language, info, text: content, place: `${path}:${line}` };
  });
}

/** A block and the one after it, where that is of the language. */
export function answerTo(blocks: readonly Block[], block: Block, language: string): Block | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === language ? next : undefined;
}

/** The value of `file=` or the like in a block's first line. */
export const infoOf = (block: Block, name: string): string | undefined =>
  block.info.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);

/** The names of headings as GitHub links to them. */
export function anchorsOf({ text }: Document): ReadonlySet<string> {
  const headings = text.replace(fence, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** The rows of all tables whose header begins with a cell, each as its cells' text without back-quotes. */
export function tableRows({ text }: Document, firstHeader: string): readonly (readonly string[])[] {
  return text.split(/\n(?!\|)/).flatMap((piece) => {
    const [header, , ...rows] = piece
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map(cellsOf);
    return header?.[0] === firstHeader ? rows : [];
  });
}

function cellsOf(line: string): string[] {
  return line
    .replace(/\\\|/g, '\u0000')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', '').replaceAll('\u0000', '|'));
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const secret = /\b(?:(?:eyJ|rrt_|rpt_|recto_)[\w.-]*|whsec_[\w+/=]*)…?/g;
/** Where a service of a test listens. */
const origin = /\bhttp:\/\/(?:localhost|127\.0\.0\.1):\d+/g;
/** What differs from run to run or from version to version, by name. */
const passing: ReadonlySet<string> = new Set(['request_id', 'uptime_seconds', 'latency_ms', 'version']);

/** A JSON value with what differs from run to run made equal. Ids are numbered in their order, so that two that are one stay one. */
export function normalised(value: unknown): unknown {
  const ids = new Map<string, string>();
  const numbered = (found: string): string => {
    const name = ids.get(found) ?? `<id ${ids.size + 1}>`;
    ids.set(found, name);
    return name;
  };
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return inner.replace(id, numbered).replace(time, '<time>').replace(secret, '<token>').replace(origin, '<origin>');
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    const entries = Object.entries(inner).map(([name, one]) => [name, passing.has(name) ? `<${name}>` : walk(one)]);
    return Object.fromEntries(entries);
  };
  return walk(value);
}
