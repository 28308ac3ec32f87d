import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, packageFolder, root } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { licencesText } from './licences.ts';
import { writeDocs } from './package-docs.ts';

/**
 * `npm run build --workspace=recto`: makes `dist/`, which npm packs: the service as JavaScript, the types of what it exports,
 * and the built admin; and `docs/`, the pages of the documentation. The admin is built before, or by `--with-admin`, as when npm packs.
 */
const dist = join(packageFolder, 'dist');
const admin = join(root, 'packages/admin/dist');

if (process.argv.includes('--with-admin')) buildAdmin();
if (!existsSync(join(admin, 'index.html'))) {
  process.stderr.write('The admin is not built: run "npm run build --workspace=@recto/admin" first.\n');
  process.exit(1);
}
rmSync(dist, { recursive: true, force: true });
const packages = await bundle(dist);
await writeDeclarations(join(dist, 'types'));
cpSync(admin, join(dist, 'admin'), {
  recursive: true,
  preserveTimestamps: true,
  filter: (path) => !path.includes('/.vite'),
});
writeDocs(join(packageFolder, 'docs'));
const adminLicences = join(admin, '.vite/license.md');
const text = licencesText(packages, existsSync(adminLicences) ? readFileSync(adminLicences, 'utf8') : '');
await Bun.write(join(packageFolder, 'THIRD-PARTY-LICENSES.md'), text);

function buildAdmin(): void {
  const { exitCode } = Bun.spawnSync([join(root, 'node_modules/.bin/vite'), 'build'], {
    cwd: join(root, 'packages/admin'),
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if (exitCode !== 0) process.exit(1);
}
