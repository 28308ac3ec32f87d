import { join } from 'node:path';
import { spawnChild } from '../cleanup.ts';
import { findProgram, type Peer } from './peer.ts';

const { path = '', absent } = findProgram('pocketbase', 'RECTO_BENCH_POCKETBASE');
const account = { email: 'bench@example.com', password: 'a bench password' };
const dataIn = (folder: string): string => `--dir=${join(folder, 'pb_data')}`;

/** https://pocketbase.io/docs/api-collections, version 0.23 or later. */
const collection = {
  ...{ name: 'articles', type: 'base', createRule: '' },
  ...{ listRule: 'status = "published"', viewRule: 'status = "published"' },
  fields: [
    { name: 'title', type: 'text', required: true },
    { name: 'summary', type: 'text' },
    { name: 'status', type: 'select', maxSelect: 1, values: ['draft', 'published'] },
    { name: 'reads', type: 'number' },
    { name: 'featured', type: 'bool' },
    { name: 'created', type: 'autodate', onCreate: true },
    { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
  ],
};

export const pocketbase: Peer = {
  name: 'PocketBase',
  absent,
  async prepare(folder) {
    const words = ['superuser', 'upsert', account.email, account.password, dataIn(folder)];
    const child = spawnChild([path, ...words], { cwd: folder, stdout: 'ignore' });
    if ((await child.exited) !== 0) throw new Error('PocketBase could not make a superuser.');
  },
  launch: (folder, port) => ({ command: [path, 'serve', `--http=127.0.0.1:${port}`, dataIn(folder)], folder }),
  async setUp(url) {
    const identity = { identity: account.email, password: account.password };
    const { token } = await post<{ token: string }>(
      `${url}/api/collections/_superusers/auth-with-password`,
      identity,
      '',
    );
    await post(`${url}/api/collections`, collection, token);
  },
  readyPath: '/api/health',
  createPath: '/api/collections/articles/records',
  listPath: '/api/collections/articles/records?perPage=20',
  readPath: (id) => `/api/collections/articles/records/${id}`,
  // The body of a 200, as its documentation describes it.
  idOf: (answer) => (answer as { readonly id: string }).id,
};

async function post<T>(url: string, body: object, token: string): Promise<T> {
  const headers = { 'Content-Type': 'application/json', Authorization: token };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  // What its documentation promises for these two.
  return (await response.json()) as T;
}
