import { sameValue } from './same-value.ts';

/** One step back: the values that a field had before and after what was done to it. */
interface Step {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** When it was last added to, in milliseconds. */
  readonly at: number;
  /** It is one with the step before it. */
  readonly isJoined?: true;
}

/** What was taken back, or done again. */
export interface Undone {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Changes of one field with less between them are one step, in milliseconds. */
const together = 600;
const mostSteps = 500;
/** Of the texts that are kept, in characters: each step of a long text holds all of it. */
const mostCharacters = 20_000_000;

const weight = ({ before }: Step): number => (typeof before === 'string' ? before.length : 100);

/** One history of a form, across its fields, in the order of time. */
export class UndoHistory {
  readonly #now: () => number;
  #done = $state.raw<readonly Step[]>([]);
  #undone = $state.raw<readonly Step[]>([]);
  #isClosed = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** A person has changed a field. */
  add(name: string, before: unknown, after: unknown): void {
    if (sameValue(before, after)) return;
    const at = this.#now();
    const last = this.#done.at(-1);
    if (this.#undone.length > 0) this.#undone = [];
    const joins = !this.#isClosed && last?.name === name && at - last.at < together;
    this.#isClosed = false;
    this.#done =
      joins && last !== undefined
        ? [...this.#done.slice(0, -1), { ...last, after, at }]
        : bounded([...this.#done, { name, before, after, at }]);
  }

  /** What comes next is a step of its own: the person has gone somewhere else. */
  close(): void {
    this.#isClosed = true;
  }

  /** Something has changed several fields: one step, which ends here. */
  addTogether(changes: readonly Pick<Step, 'name' | 'before' | 'after'>[]): void {
    const at = this.#now();
    const steps = changes.map((change, index) => ({
      ...change,
      at,
      ...(index > 0 ? { isJoined: true as const } : {}),
    }));
    this.#undone = [];
    this.#done = bounded([...this.#done, ...steps]);
    this.#isClosed = true;
  }

  /** Takes back the last step: what that does to which fields, the first first; nothing: there is none. */
  undo(): readonly Undone[] {
    const from = this.#done.findLastIndex(({ isJoined }) => !isJoined);
    const steps = this.#done.slice(Math.max(from, 0));
    this.#done = this.#done.slice(0, Math.max(from, 0));
    this.#undone = [...this.#undone, ...steps];
    this.#isClosed = true;
    return steps.map(({ name, before, after }) => ({ name, from: after, to: before }));
  }

  redo(): readonly Undone[] {
    const from = this.#undone.findLastIndex(({ isJoined }) => !isJoined);
    const steps = this.#undone.slice(Math.max(from, 0));
    this.#undone = this.#undone.slice(0, Math.max(from, 0));
    this.#done = [...this.#done, ...steps];
    this.#isClosed = true;
    return steps.map(({ name, before, after }) => ({ name, from: before, to: after }));
  }
}

function bounded(steps: readonly Step[]): readonly Step[] {
  let left = mostCharacters;
  const from = steps.findLastIndex((step) => {
    left -= weight(step);
    return left < 0;
  });
  return steps.slice(Math.max(from + 1, steps.length - mostSteps));
}
