import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';
import { precompress } from './precompress.ts';

export default defineConfig({
  // The service serves the built files below this path.
  base: '/admin/',
  // The client's sources, so that the admin does not wait for its build.
  resolve: { conditions: ['recto-source', ...defaultClientConditions] },
  plugins: [svelte(), precompress()],
  build: {
    target: 'es2022',
    // Which files belong to which screen, for `first-load.ts`. In a hidden folder, which is not served.
    manifest: true,
    // A strict Content-Security-Policy allows no data: addresses for scripts and styles.
    assetsInlineLimit: 0,
    // Of what is bundled, for the list of licences that the package recto carries.
    license: true,
    // The polyfill would be an inline script.
    modulePreload: { polyfill: false },
  },
});
