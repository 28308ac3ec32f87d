import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, root } from '../../../scripts/package/bundle.ts';

/**
 * Builds the service as the package has it, and returns the path of its command. It lies below `node_modules`, where it finds the one
 * package that is not part of it. Two runs in one checkout must not take it from each other, so each has a folder of its own.
 */
export async function buildProgram(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/recto/tests', String(process.pid));
  mkdirSync(folder, { recursive: true });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundle(folder);
  const admin = join(root, 'packages/admin/dist');
  if (existsSync(admin)) symlinkSync(admin, join(folder, 'admin'));
  return join(folder, 'main.js');
}
