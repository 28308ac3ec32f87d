import type { DatabaseLocation } from '../../config/settings.ts';
import { openDatabase } from '../open-database.ts';
import { defineEngineTable, type EngineMigration, plainInteger, plainText } from './engine-table.ts';
import { engineTables } from './engine-tables.ts';

interface SampleRow {
  readonly id: string;
  readonly text: string;
  readonly size: number | null;
}

const sample = (migrations: readonly EngineMigration[]) =>
  defineEngineTable<SampleRow>({
    name: 'recto_samples',
    key: ['id'],
    columns: { id: plainText, text: plainText, size: { ...plainInteger, nullable: true } },
    indexes: [{ name: 'recto_samples_size', columns: ['size'] }],
    rows: [{ id: 'first', text: 'made with the table' }],
    migrations,
  });

const before = defineEngineTable<Omit<SampleRow, 'size'>>({
  name: 'recto_samples',
  key: ['id'],
  columns: { id: plainText, text: plainText },
  rows: [{ id: 'first', text: 'made with the table' }],
  migrations: [],
});

/** Fails where it runs a second time. */
const addSize: EngineMigration = {
  number: 1,
  up: async (change) => {
    await change.addColumn('size');
    await change.createIndex('recto_samples_size');
    await change.executor.run({ sql: 'UPDATE recto_samples SET size = length(text)', parameters: [] });
  },
};

/** Takes its time, so that others come meanwhile. */
const slowly: EngineMigration = {
  number: 2,
  up: async ({ executor }) => {
    await Bun.sleep(50);
    await executor.run({ sql: 'UPDATE recto_samples SET size = size + 1', parameters: [] });
  },
};

const other = defineEngineTable<{ readonly id: string }>({
  name: 'recto_others',
  key: ['id'],
  columns: { id: plainText },
  migrations: [],
});

const failing: EngineMigration = {
  number: 3,
  up: async ({ executor }) => {
    await executor.run({ sql: 'UPDATE recto_samples SET size = 0', parameters: [] });
    throw new Error('half-way');
  },
};

/** One installation in its versions. */
export const versions = {
  first: engineTables([before]),
  second: engineTables([sample([addSize, slowly]), other]),
  broken: engineTables([sample([addSize, slowly, failing])]),
  /** Declares a column that no migration adds. */
  forgetful: engineTables([sample([])]),
};

/** As another process opens it, in whichever version. */
export const openVersion = (location: DatabaseLocation, version: keyof typeof versions) =>
  openDatabase(location, {
    engine: versions[version],
    ...(location.kind === 'postgres' ? { connections: 2 } : {}),
    busyTimeoutMs: 30_000,
  });
