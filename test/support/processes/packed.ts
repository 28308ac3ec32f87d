import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '../../..');
const names = ['recto', 'client', 'create-recto'] as const;

export type PackageName = (typeof names)[number];

/** What npm would send to a registry. */
export interface Packed {
  readonly tarball: string;
  /** Paths in the package, sorted. */
  readonly files: readonly string[];
}

/** Why packages cannot be made here; undefined where they can. They are built before, by `npm run build`. */
export async function whyNotPacked(): Promise<string | undefined> {
  const missing = ['node', 'npm', 'tar'].filter((program) => Bun.which(program) === null);
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  const built = [
    'recto/dist/main.js',
    'recto/THIRD-PARTY-LICENSES.md',
    'client/dist/index.js',
    'create-recto/dist/main.js',
  ];
  for (const file of built)
    if (!(await Bun.file(join(root, 'packages', file)).exists())) return 'nothing is built: run "npm run build"';
  return undefined;
}

/** The tarballs of all packages, in a folder that is deleted when they are disposed of. */
export class PackedPackages implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'recto-packed-'));
  readonly #packed: ReadonlyMap<string, Packed>;

  constructor() {
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      [
        'npm',
        'pack',
        '--json',
        '--ignore-scripts',
        '--pack-destination',
        this.folder,
        ...names.map((name) => `./packages/${name}`),
      ],
      { cwd: root, stdout: 'pipe', stderr: 'pipe' },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
    const reports = Object.values<{ filename: string; name: string; files: { path: string }[] }>(
      JSON.parse(stdout.toString()),
    );
    this.#packed = new Map(
      reports.map(({ filename, name, files }) => [
        name.replace('@recto/', ''),
        { tarball: join(this.folder, filename), files: files.map(({ path }) => path).toSorted() },
      ]),
    );
  }

  get(name: PackageName): Packed {
    const packed = this.#packed.get(name);
    if (packed === undefined) throw new Error(`${name} was not packed.`);
    return packed;
  }

  /** Unpacks a package as npm does; returns its folder. */
  unpack(name: PackageName, folder: string): string {
    mkdirSync(folder, { recursive: true });
    const { exitCode } = Bun.spawnSync(['tar', '-xzf', this.get(name).tarball, '--strip-components=1', '-C', folder]);
    if (exitCode !== 0) throw new Error(`${name} could not be unpacked.`);
    return folder;
  }

  /**
   * Installs the packages of a project without a registry: ours from their tarballs, and what they depend on as links to what the
   * repository has installed.
   */
  async install(project: string): Promise<void> {
    const modules = join(project, 'node_modules');
    const recto = this.unpack('recto', join(modules, 'recto'));
    this.unpack('client', join(modules, '@recto/client'));
    const manifest: { dependencies: object } = await Bun.file(join(recto, 'package.json')).json();
    for (const name of Object.keys(manifest.dependencies)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    }
    mkdirSync(join(modules, '.bin'));
    symlinkSync('../recto/bin/recto', join(modules, '.bin/recto'));
    symlinkSync('../bun/bin/bun.exe', join(modules, '.bin/bun'));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
