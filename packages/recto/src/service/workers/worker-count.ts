import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Settings } from '../../config/settings.ts';

/**
 * How many processes serve. `auto` is the number of cores this process may use where the system spreads connections over
 * the processes that listen on one port, which Linux does; macOS gives them all to one, and Windows shares no port.
 */
export function workerCount({ workers }: Pick<Settings, 'workers'>): number {
  if (workers !== 'auto') return workers;
  return process.platform === 'linux' ? Math.min(availableParallelism(), processorQuota()) : 1;
}

const quotaFile = '/sys/fs/cgroup/cpu.max';

/** The processors that a container may use (Linux, cgroup v2: `cpu.max`), rounded up; the runtime sees those of the machine. */
export function processorQuota(file = quotaFile): number {
  try {
    const [quota, period] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    const processors = Math.ceil((quota ?? Number.NaN) / (period ?? Number.NaN));
    return processors >= 1 ? processors : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
