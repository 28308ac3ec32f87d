import { guardedHtml } from './guarded-html.ts';

/** What this file needs of Trusted Types (W3C), where the browser has them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

// The DOM's types know them since later versions only.
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('recto-inert-html', { createHTML: (text) => text });

/** A document that is never shown: nothing in it loads or runs. */
export const inertDocument = (): Document => document.implementation.createHTMLDocument('');

/** Parses HTML, guarded, into a document that is never shown. What is taken from there goes through a schema. */
export function inertHtml(html: string): HTMLElement {
  const { body } = inertDocument();
  const guarded = guardedHtml(html);
  // The policy's result is what `innerHTML` takes where Trusted Types are required.
  body.innerHTML = policy === undefined ? guarded : policy.createHTML(guarded);
  return body;
}
