import { readdir } from 'node:fs/promises';
import { Counter, Gauge, type Metric } from 'prom-client';

/**
 * The process metrics that every Prometheus client exposes, under their usual names. prom-client's own set is made for
 * Node: on Bun most of it reads zero or nonsense, and it keeps timers running.
 */
export function processMetrics(): readonly Metric[] {
  return [cpuSeconds(), residentMemory(), startTime(), ...(process.platform === 'linux' ? [openFiles()] : [])];
}

function cpuSeconds(): Metric {
  return new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}

function residentMemory(): Metric {
  return new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
    registers: [],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}

function startTime(): Metric {
  const gauge = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers: [],
    // Of several processes, the first is the service's.
    aggregator: 'min',
  });
  gauge.set(Math.round(Date.now() / 1000 - process.uptime()));
  return gauge;
}

function openFiles(): Metric {
  return new Gauge({
    name: 'process_open_fds',
    help: 'Number of open file descriptors.',
    registers: [],
    async collect() {
      this.set((await readdir('/proc/self/fd')).length);
    },
  });
}
