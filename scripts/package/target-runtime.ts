import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, root } from './bundle.ts';

/**
 * The runtime of another system, such as `bun-linux-arm64`, from its package of the npm registry. The compiler would download it
 * from another place. Kept in `node_modules/.cache`.
 */
export function targetRuntime(target: string): string {
  // The packages have the names of processors that Node uses nowhere else.
  const name = target.replace('-arm64', '-aarch64');
  const { bun: version } = manifest.dependencies;
  const folder = join(root, 'node_modules/.cache/recto', `${name}-${version}`);
  const program = join(folder, 'package/bin', name.startsWith('bun-windows') ? 'bun.exe' : 'bun');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const packed =
    run(['npm', 'pack', '--silent', `@oven/${name}@${version}`], folder)
      .trim()
      .split('\n')
      .at(-1) ?? '';
  run(['tar', '-xzf', packed], folder);
  if (!existsSync(program)) throw new Error(`The package @oven/${name} has no runtime at ${program}.`);
  return program;
}

function run(command: string[], cwd: string): string {
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed.`);
  return stdout.toString();
}
