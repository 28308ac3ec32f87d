import { readdirSync } from 'node:fs';
import type { Settings } from '../../config/settings.ts';
import { type DeployedDefinitions, typesOf } from '../../content-types/definition-set.ts';
import { languagesOf } from '../../definition/languages/languages.ts';
import { noRoleFiles } from '../../definition/roles/role-files.ts';
import { builtInTypesFor } from '../../features/index.ts';
import { readDeployed } from '../definitions.ts';
import type { Assignment } from './messages.ts';
import { plainFiles } from './plain-files.ts';

/**
 * The definitions that this worker reads and checks while another one prepares the database. Where they are the same that the other
 * one has read, they are served without being checked again. What is wrong with them, the other worker reports.
 */
export class ExpectedDefinitions {
  #read: Promise<DeployedDefinitions | undefined> = Promise.resolve(undefined);

  expect(settings: Settings): void {
    this.#read = check(settings).catch(() => undefined);
  }

  async for({ settings, definitions, roles }: Assignment): Promise<DeployedDefinitions> {
    const expected = await this.#read;
    const isSame =
      expected !== undefined &&
      Bun.deepEquals(plainFiles(expected.files), definitions, true) &&
      Bun.deepEquals(plainFiles(expected.roles ?? noRoleFiles), roles, true);
    return isSame
      ? expected
      : { builtIn: builtInTypesFor(settings), files: definitions, roles, languages: languagesOf(settings) };
  }
}

async function check(settings: Settings): Promise<DeployedDefinitions | undefined> {
  // Definitions that are programs run once for all workers.
  if (readdirSync(settings.contentTypesDir).some((name) => /\.[cm]?[jt]s$/.test(name))) return undefined;
  const deployed = await readDeployed(settings);
  // Keeps the types for these definitions.
  typesOf(deployed);
  return deployed;
}
