import type { Feature, FeatureCore, FeatureParts } from './feature.ts';
import type { Given, ServiceCore } from './service-core.ts';

/** What features have prepared before there is a database. */
export type PreparedFeatures = ReadonlyMap<Feature, unknown>;

/** Lets features read and check what they need of the deployment, in their order. */
export async function prepareFeatures(features: readonly Feature[], given: Given): Promise<PreparedFeatures> {
  const prepared = new Map<Feature, unknown>();
  for (const feature of features) prepared.set(feature, await feature.prepare?.(given));
  return prepared;
}

/** The features of one service, from its creation to its end. */
export class ServiceFeatures {
  readonly #core: FeatureCore;
  readonly #prepared: PreparedFeatures;
  /** In the order in which they were asked for. */
  readonly #begun = new Map<Feature, Promise<FeatureParts<unknown>>>();
  readonly #made = new Map<Feature, FeatureParts<unknown>>();

  /** Creates all features; one that another uses comes before it. If one fails, those that were made are closed. */
  static async create(core: ServiceCore, prepared: PreparedFeatures): Promise<ServiceFeatures> {
    const features = new ServiceFeatures(core, prepared);
    try {
      for (const feature of prepared.keys()) await features.#begin(feature);
    } catch (error) {
      await features.close();
      throw error;
    }
    return features;
  }

  private constructor(core: ServiceCore, prepared: PreparedFeatures) {
    this.#core = { ...core, use: async (feature) => serviceOf(feature, await this.#begin(feature)) };
    this.#prepared = prepared;
  }

  /** What a feature offers in this service. */
  get<Service>(feature: Feature<Service>): Service {
    const parts = this.#made.get(feature);
    if (parts === undefined) throw new Error(`This service has no feature "${feature.name}".`);
    return serviceOf(feature, parts);
  }

  /** All of them, in the order of their list. */
  get parts(): readonly FeatureParts<unknown>[] {
    return [...this.#prepared.keys()].flatMap((feature) => this.#made.get(feature) ?? []);
  }

  /** Closes them, the users of others first. */
  async close(): Promise<void> {
    for (const parts of [...this.#made.values()].toReversed()) await parts.close?.();
  }

  #begin(feature: Feature): Promise<FeatureParts<unknown>> {
    const begun = this.#begun.get(feature) ?? this.#create(feature);
    this.#begun.set(feature, begun);
    return begun;
  }

  async #create(feature: Feature): Promise<FeatureParts<unknown>> {
    if (!this.#prepared.has(feature)) throw new Error(`This service has no feature "${feature.name}".`);
    const parts = await feature.create(this.#core, this.#prepared.get(feature));
    this.#made.set(feature, parts);
    return parts;
  }
}

// A feature's own `create` made these parts, so that what they offer has its type. `undefined` where it offers nothing: nobody
// can do anything with the `unknown` that its type says then.
const serviceOf = <Service>(_: Feature<Service>, parts: FeatureParts<unknown>): Service => parts.service as Service;
