import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { features } from './index.ts';

test('every folder holds a feature of that name, and every feature is listed once', () => {
  const folders = readdirSync(import.meta.dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(features.map(({ name }) => name).toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});
