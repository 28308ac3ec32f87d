import type { MaybePromise } from '../base/maybe-promise.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { LiveDefinitions } from './live-definitions.ts';

/** An object built from one set of content types, and rebuilt when they change. */
export class LiveParts<T> {
  readonly #definitions: LiveDefinitions;
  readonly #make: (types: ContentTypes) => T;
  #types: ContentTypes;
  #parts: T;

  /** Throws what `make` throws for the first types; if it throws for later ones, the previous parts stay. */
  constructor(definitions: LiveDefinitions, make: (types: ContentTypes) => T) {
    this.#definitions = definitions;
    this.#make = make;
    this.#types = definitions.current.types;
    this.#parts = make(this.#types);
  }

  /** The parts as of the last check. */
  get current(): T {
    return this.#parts;
  }

  /** The parts for the current types; work that uses earlier parts is not disturbed. */
  now(): MaybePromise<T> {
    const found = this.#definitions.look();
    return found instanceof Promise ? found.then((types) => this.#of(types)) : this.#of(found);
  }

  #of(types: ContentTypes): T {
    if (types === this.#types) return this.#parts;
    this.#types = types;
    try {
      this.#parts = this.#make(types);
    } catch (error) {
      this.#definitions.refuse(error);
    }
    return this.#parts;
  }
}
