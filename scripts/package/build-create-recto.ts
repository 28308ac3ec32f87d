import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

/** `npm run build --workspace=create-recto`: one file for Node, with the templates inside. */
const folder = join(root, 'packages/create-recto');

rmSync(join(folder, 'dist'), { recursive: true, force: true });
await Bun.build({
  entrypoints: [join(folder, 'src/main.ts')],
  outdir: join(folder, 'dist'),
  target: 'node',
  format: 'esm',
  minify: { syntax: true, whitespace: false, identifiers: false },
});
