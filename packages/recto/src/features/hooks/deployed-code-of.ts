import { settingTable } from '../../config/setting-table.ts';
import { loadCode } from '../../hooks/load-code.ts';
import { type LoadedCode, noCode } from '../../hooks/loaded-code.ts';
import type { Given } from '../service-core.ts';

/** Loads the code of a deployment. A program that passes its definitions as objects has code only in folders that it names. */
export async function deployedCodeOf({ settings, isEmbedded }: Given): Promise<LoadedCode> {
  const { hooksDir, routesDir, jobsDir } = settings;
  const isNamed = hooksDir !== settingTable.hooksDir.default || routesDir !== undefined || jobsDir !== undefined;
  return !isEmbedded || isNamed ? loadCode(settings) : noCode;
}
