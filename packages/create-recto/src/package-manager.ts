import { spawn } from 'node:child_process';

const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof managers)[number];

/** The one that runs this command, which it says in the environment; npm where none does. */
export function packageManager(environment: Readonly<Record<string, string | undefined>>): PackageManager {
  const agent = environment.npm_config_user_agent ?? '';
  return managers.find((name) => agent.startsWith(`${name}/`)) ?? 'npm';
}

/** Installs the packages of a project; resolves with whether that worked. */
export function install(manager: PackageManager, folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    // On Windows these are scripts of the shell. The name is one of the four above.
    const child = spawn(manager, ['install'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
