import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';
import { precompress } from './precompress.ts';
import { serviceWorker } from './service-worker.ts';

export default defineConfig({
  // The service serves the built files below this path.
  base: '/admin/',
  // The client's sources, so that the admin does not wait for its build.
  resolve: { conditions: ['recto-source', ...defaultClientConditions] },
  plugins: [svelte(), serviceWorker(), precompress()],
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
    rolldownOptions: {
      output: {
        // What every page needs is one script and one file of styles: many small files compress worse and are requested one by one. The
        // entry is left out, because it waits for the texts of a language, which import from this file.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], test: (id) => !/[\\/](index\.html|app[\\/]main\.ts)$/.test(id) },
          ],
        },
      },
    },
  },
});
