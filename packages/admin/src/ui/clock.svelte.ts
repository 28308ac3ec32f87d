import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 30_000);
  return () => clearInterval(timer);
});

/** The time, read anew every half minute by whoever shows it. */
export const clock = {
  get now(): number {
    subscribe();
    return Date.now();
  },
};
