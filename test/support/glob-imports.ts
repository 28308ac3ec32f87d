/// <reference types="vite/types/importMeta.d.ts" />
import { plugin } from 'bun';
import { globImports } from '../../packages/admin/glob-imports.ts';

/** Lets tests import the admin's code that finds its languages as Vite does. Loaded before the tests by `bunfig.toml`. */
plugin(globImports);
