import { plugin } from 'bun';

/**
 * Lets files of a deployment import `recto` as the program that runs them: its own modules, wherever it is installed, and where
 * nothing is installed at all, as beside an executable. Each program and thread that imports such files calls this first.
 */
export function provideOwnName(load: () => Promise<object>): void {
  plugin({
    name: 'recto',
    setup: (build) => {
      build.module('recto', async () => ({ loader: 'object', exports: { ...(await load()) } }));
    },
  });
}
