/**
 * For the start of a service, most of whose code runs once: compiling that to machine code takes longer than running it, and its
 * compilers compete with the start for the processors.
 */
export const beginStart = (): void => Bun.unsafe.setJITPolicy(reluctance);

/** From now on, what runs often is compiled soon. */
export const endStart = (): void => Bun.unsafe.setJITPolicy(1);

/** So many times as often as usual a function has to run before it is compiled. */
const reluctance = 16;
