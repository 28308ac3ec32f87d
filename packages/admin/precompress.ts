import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const text = /\.(?:js|css|html|svg|json)$/;

/** Writes `.br` and `.gz` beside each file, which the service sends in its place: nothing is compressed at a request. */
export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  enforce: 'post',
  writeBundle({ dir = '' }) {
    for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!text.test(entry)) continue;
      const file = join(dir, entry);
      const bytes = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});
