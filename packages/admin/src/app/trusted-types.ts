interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (text: string, type: string, sink: string) => string | null },
  ): unknown;
}

/**
 * The service's policy lets no text become markup or a script (`require-trusted-types-for 'script'`). Svelte and ProseMirror have policies of their
 * own. The rich text editor also reads stored HTML with `DOMParser`, whose document runs no scripts and loads nothing: this is
 * all that is let through. Anything else, such as an `innerHTML` of our own, throws.
 */
export function limitMarkup(): void {
  // Not in every browser, and not yet in TypeScript's library.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (text, _type, sink) => {
      if (sink === 'DOMParser parseFromString') return text;
      // ProseMirror first asks this policy for what is pasted, and takes its own where this one throws. Null would be no text.
      throw new TypeError('Markup of this kind is not let through.');
    },
  });
}
