import { expect } from 'bun:test';
import { normalised } from './documents.ts';

/** A request or answer as RFC 9112 writes it: first line, headers, an empty line, the body. */
export function messageOf(text: string) {
  const [head = '', ...rest] = text.trimEnd().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0] ?? '', line.split(': ').slice(1).join(': ')]),
  );
  return { first, headers, body: rest.join('\n\n') };
}

export const isAnswer = (text: string): boolean => text.startsWith('HTTP/');

/** The request that a page shows, with its `$NAMES` filled in. */
export function requestOf(base: string, text: string, variables: ReadonlyMap<string, string>): Request {
  const filled = text.replace(/\$([A-Z]+)/g, (_, name) => variables.get(name) ?? `no variable ${name}`);
  const { first, headers, body } = messageOf(filled);
  const [method = '', path = ''] = first.split(' ');
  return new Request(base + path, { method, headers, ...(body === '' ? {} : { body }) });
}

/** Holds an answer against the one that a page shows: its status, the headers that are shown, the whole body. */
export function expectAnswer(response: Response, body: string, shown: string): void {
  const expected = messageOf(shown);
  expect(`${response.status} ${body}`).toStartWith(`${/^HTTP\/1\.1 (\d+)/.exec(expected.first)?.[1]} `);
  const headers = Object.keys(expected.headers).map((name) => [name, response.headers.get(name)]);
  expect(tagless(Object.fromEntries(headers))).toEqual(tagless(expected.headers));
  if (/^[{[]/.test(expected.body)) expect(normalised(jsonOf(body))).toEqual(normalised(jsonOf(expected.body)));
  else expect(body).toBe(expected.body);
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const tagless = (headers: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value?.replace(/"[a-z0-9]{10,}"/g, '<etag>').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>') ?? null,
    ]),
  );
