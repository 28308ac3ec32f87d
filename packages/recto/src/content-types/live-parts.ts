import type { MaybePromise } from '../base/maybe-promise.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { LiveDefinitions } from './live-definitions.ts';

/** What is made of one set of content types, and made anew when they change. */
export class LiveParts<T> {
  readonly #definitions: LiveDefinitions;
  readonly #make: (types: ContentTypes) => T;
  #types: ContentTypes;
  #parts: T;

  /** Throws what `make` throws for the first types; for later ones, the parts before go on. */
  constructor(definitions: LiveDefinitions, make: (types: ContentTypes) => T) {
    this.#definitions = definitions;
    this.#make = make;
    this.#types = definitions.current.types;
    this.#parts = make(this.#types);
  }

  /** The parts as of the last look. */
  get current(): T {
    return this.#parts;
  }

  /** The parts for the types of the moment; what runs on those before is not disturbed. */
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
