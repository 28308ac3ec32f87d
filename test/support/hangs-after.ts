/** How long nothing but what hangs takes, in milliseconds, however busy the machine is. No test says how fast anything is. */
export const hangsAfterMs = 120_000;
