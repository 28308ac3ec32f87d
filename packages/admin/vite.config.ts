import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  // The service serves the built files below this path.
  base: '/admin/',
  // The client's sources, so that the admin does not wait for its build.
  resolve: { alias: { '@recto/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // A strict Content-Security-Policy allows no data: addresses for scripts and styles.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script.
    modulePreload: { polyfill: false },
  },
});
