import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  // Pages are made for each request: who is signed in sees drafts.
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // `middleware.ts` does it, by the name under which the browser knows the blog. Astro would have to be given that name here.
  security: { checkOrigin: false },
  // What a page shows is in the page: the content security policy allows no inline styles.
  build: { inlineStylesheets: 'never' },
});
