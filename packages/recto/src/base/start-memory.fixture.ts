import { releaseStartMemory } from './start-memory.ts';

/** Ends in order when memory is given back; the test's time limit ends it otherwise. */
Bun.shrink = () => process.exit(0);
releaseStartMemory();
setInterval(() => undefined, 1_000);
