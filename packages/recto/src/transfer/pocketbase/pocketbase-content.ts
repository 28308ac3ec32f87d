import { storedChunks } from '../../storage/storage.ts';
import { Names, ownName, singularOf } from '../importers/foreign-names.ts';
import type { ForeignFile } from '../importers/foreign-value.ts';
import type { ChosenOptions, ForeignContent, LeftOut } from '../importers/importer.ts';
import { localFile } from '../importers/local-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { accountRules } from './pocketbase-account-rules.ts';
import { pocketbaseAccounts } from './pocketbase-accounts.ts';
import { identifier, type PocketbaseCollection } from './pocketbase-collections.ts';
import { damaged, type PocketbaseSource } from './pocketbase-source.ts';
import { PocketbaseTypes, type TypeNames } from './pocketbase-types.ts';

/** What a data folder holds, in words of this service. */
export function pocketbaseContent(source: PocketbaseSource, chosen: ChosenOptions): ForeignContent {
  const { collections } = source;
  const unknown = Object.keys(chosen).find((name) => name !== 'accounts');
  if (unknown !== undefined) throw new TransferRefused(`There is no option ${unknown}. There is: accounts.`);
  const own = collections.filter(({ name, type }) => !isSystem(name) && type !== 'view');
  const accounts = accountsOf(own, chosen.accounts);
  const types = new PocketbaseTypes({
    collections: own,
    accounts,
    names: namesOf(own, accounts),
    rows: (name) => rowsOf(source, name),
  });
  return {
    source: sourceName(collections),
    types: types.all(),
    accounts: accounts === undefined ? [] : [pocketbaseAccounts(accounts, () => rowsOf(source, accounts.name))],
    leftOut: [
      ...collections.flatMap((each) => leftOutOf(each) ?? []),
      ...own.flatMap((each) => accountRules(each, each === accounts)),
    ],
    options: optionsOf(own, accounts),
    async open({ key }: ForeignFile) {
      const path = await pathOf(source, key);
      return path === undefined ? { reason: 'not in the folder of files' } : storedChunks(Bun.file(path));
    },
  };
}

const isSystem = (name: string): boolean => name.startsWith('_');

function accountsOf(
  collections: readonly PocketbaseCollection[],
  chosen: string | undefined,
): PocketbaseCollection | undefined {
  const auth = collections.filter(({ type }) => type === 'auth');
  if (chosen === 'none') return undefined;
  if (chosen !== undefined) {
    const found = auth.find(({ name }) => name === chosen);
    if (found === undefined) throw new TransferRefused(`The option accounts: there is no auth collection “${chosen}”.`);
    return found;
  }
  return auth.find(({ name }) => name === 'users') ?? auth[0];
}

function optionsOf(collections: readonly PocketbaseCollection[], accounts: PocketbaseCollection | undefined) {
  const auth = collections.filter(({ type }) => type === 'auth').map(({ name }) => name);
  if (auth.length === 0) return {};
  const about = `The collection whose records become accounts: ${auth.join(', ')}, or none. Others become content types, because people of two collections can share an address. After a change, plan again with --set accounts=NAME.`;
  return { accounts: { value: accounts?.name ?? 'none', about } };
}

function namesOf(
  collections: readonly PocketbaseCollection[],
  accounts: PocketbaseCollection | undefined,
): ReadonlyMap<string, TypeNames> {
  // A type of that name would take the place of the accounts.
  const names = new Names(['user', 'users']);
  return new Map(
    collections.map((collection) => {
      const base = ownName(collection.name, 'records');
      const words = collection === accounts ? `${singularOf(base)}_profiles` : base;
      const plural = names.take(words, '_records');
      return [collection.name, { plural, singular: names.take(singularOf(plural), '_item') }];
    }),
  );
}

/** Made of the collections that were there first: they stay when others are added. */
function sourceName(collections: readonly PocketbaseCollection[]): string {
  const first = collections.filter(({ name }) => !isSystem(name)).slice(0, 3);
  const text = JSON.stringify(first.map(({ id }) => id));
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12);
}

function leftOutOf({ name, type, options, total }: PocketbaseCollection): LeftOut | undefined {
  if (type === 'view')
    return {
      place: name,
      why: `A view. It is this query: ${JSON.stringify(options.viewQuery ?? options.query ?? '')}`,
    };
  if (name === '_superusers') {
    return {
      place: name,
      why: `Superusers (${total}): an import makes no admins. "recto user create EMAIL --role admin" does.`,
    };
  }
  if (name === '_externalAuths')
    return { place: name, why: `Links to providers (${total}): people link them again when they sign in.` };
  return isSystem(name) ? { place: name, why: 'PocketBase keeps it for itself.' } : undefined;
}

/** The rows of a table, in their order. */
function* rowsOf({ database }: PocketbaseSource, name: string): Generator<Record<string, unknown>> {
  const statement = database.prepare<Record<string, unknown>, []>(`SELECT * FROM ${identifier(name)}`);
  try {
    for (const row of statement.iterate()) yield row;
  } catch (error) {
    throw damaged('data.db', error);
  } finally {
    statement.finalize();
  }
}

async function pathOf({ storage, collections }: PocketbaseSource, key: string): Promise<string | undefined> {
  const [collection, record = '', name = '', ...rest] = key.split('/');
  const id = collections.find((each) => each.name === collection)?.id;
  if (id === undefined || rest.length > 0 || name.endsWith('.attrs')) return undefined;
  return localFile(storage, [id, record, name]);
}
