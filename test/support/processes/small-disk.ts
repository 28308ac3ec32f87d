import { mkdirSync } from 'node:fs';

/** Whether the tests may mount a disk, which takes the right to. */
export const canMount: boolean = Bun.spawnSync([
  'sh',
  '-c',
  'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"',
]).success;

/** A disk of its own size, in memory. */
export class SmallDisk implements Disposable {
  readonly path: string;

  constructor(path: string, size: string) {
    this.path = path;
    mkdirSync(path);
    this.#run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path);
  }

  protect(): void {
    this.#run('mount', '-o', 'remount,ro', this.path);
  }

  [Symbol.dispose](): void {
    this.#run('umount', '-l', this.path);
  }

  #run(...command: string[]): void {
    const { success, stderr } = Bun.spawnSync(command);
    if (!success) throw new Error(stderr.toString());
  }
}
