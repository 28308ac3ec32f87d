import type sanitizeHtml from 'sanitize-html';
import {
  allowedAttributes,
  allowedElements,
  allowedSchemes,
  allowedStyles,
  droppedWithText,
  embedHosts,
  recordReference,
} from './allowed-html.ts';

type Sanitizer = typeof sanitizeHtml;
type Attributes = Readonly<Record<string, string>>;

/** Deeper than any editor nests, and less than where browsers begin to change what is nested. What is deeper is dropped. */
const deepest = 100;

/**
 * Of HTML with more elements open at once, nothing is read: for each end tag without a beginning the parser looks through all of
 * them, so that a megabyte of such tags would take it half a minute.
 */
export const mostOpenElements = 1_000;

let loaded: Sanitizer | undefined;

/** Loaded when it is first needed: most commands and many services never write HTML. */
function sanitizer(): Sanitizer {
  // True because that is what the package exports.
  loaded ??= require('sanitize-html') as Sanitizer;
  return loaded;
}

/**
 * An `id` with a hyphen stays. Any other could be the name of a variable, and a script that reads a global of this name
 * would get the element instead.
 */
const harmlessId = /^[A-Za-z][\w:.]*-[\w:.-]*$/;

/** Attributes whose values need more than a look at their scheme. */
function checkedAttributes(tagName: string, attribs: Attributes): { tagName: string; attribs: Record<string, string> } {
  const kept = Object.entries(attribs).filter(([name, value]) => name !== 'id' || harmlessId.test(value));
  const checked = Object.fromEntries(kept);
  if (tagName === 'a' && checked.target !== undefined) {
    // Another target could replace a frame of the page; a page that a link opens must not reach the one that it was on.
    if (checked.target !== '_blank') delete checked.target;
    else checked.rel = withNoOpener(checked.rel ?? '');
  }
  if (checked['data-record'] !== undefined && !recordReference.test(checked['data-record']))
    delete checked['data-record'];
  if (tagName === 'iframe' && !isEmbed(checked.src)) delete checked.src;
  if (checked.style !== undefined) {
    const style = allowedStyle(checked.style);
    if (style === '') delete checked.style;
    else checked.style = style;
  }
  return { tagName, attribs: checked };
}

/**
 * The declarations that `allowedStyles` names, written anew. Not by the package's parser of style sheets, which throws for each broken
 * `style`: a megabyte of them took it more than a second.
 */
function allowedStyle(style: string): string {
  const kept = style.split(';').flatMap((declaration) => {
    const [name = '', value, ...rest] = declaration.split(':').map((part) => part.trim());
    const values = Object.hasOwn(allowedStyles, name.toLowerCase()) ? allowedStyles[name.toLowerCase()] : undefined;
    return value !== undefined && rest.length === 0 && values?.some((allowed) => allowed.test(value))
      ? [`${name.toLowerCase()}:${value}`]
      : [];
  });
  return kept.join(';');
}

const withNoOpener = (rel: string): string => {
  const words = rel.split(/\s+/).filter((word) => word !== '' && word.toLowerCase() !== 'opener');
  return (words.includes('noopener') ? words : [...words, 'noopener']).join(' ');
};

function isEmbed(address: string | undefined): boolean {
  if (address === undefined || !/^(?:https:)?\/\//i.test(address)) return false;
  const url = URL.parse(address, 'https://localhost');
  return url !== null && url.protocol === 'https:' && embedHosts.includes(url.hostname) && url.port === '';
}

const everywhere = ['class', 'dir', 'id', 'lang', 'title', 'style'];

const options: sanitizeHtml.IOptions = {
  allowedTags: [...allowedElements],
  allowedAttributes: {
    '*': everywhere,
    ...Object.fromEntries(Object.entries(allowedAttributes).map(([name, own]) => [name, [...own]])),
  },
  parseStyleAttributes: false,
  allowedSchemes: [...allowedSchemes],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowedIframeHostnames: [...embedHosts],
  nonTextTags: [...droppedWithText],
  nestingLimit: deepest,
  transformTags: { '*': checkedAttributes },
  // Browsers read it as text that nobody sees.
  textFilter: (text, tag) => (tag === 'iframe' ? '' : text),
  exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && attribs.src === undefined,
};

/** Passes until nothing changes: a second where an element that was dropped had kept two others apart, hardly ever a third. */
const mostPasses = 5;

class NestedTooDeep extends Error {}

/**
 * HTML with nothing but the elements, attributes and addresses of `allowed-html.ts`. What it returns, it returns unchanged
 * when it gets it again. Undefined where more than `mostOpenElements` are open at once.
 */
export function sanitizedHtml(html: string): string | undefined {
  if (!/[<>&]/.test(html)) return html;
  try {
    return settled(html);
  } catch (error) {
    if (error instanceof NestedTooDeep) return undefined;
    throw error;
  }
}

function settled(html: string): string {
  let before = html;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const after = sanitized(before, options);
    if (after === before) return after;
    before = after;
  }
  return sanitized(before, { allowedTags: [], allowedAttributes: {}, nonTextTags: [...droppedWithText] });
}

function sanitized(html: string, by: sanitizeHtml.IOptions): string {
  let open = 0;
  const kept = sanitizer()(html, {
    ...by,
    onOpenTag() {
      open += 1;
      if (open > mostOpenElements) throw new NestedTooDeep();
    },
    onCloseTag() {
      open -= 1;
    },
  });
  // The parser takes half of a character as text where an end tag is not closed.
  return kept.isWellFormed() ? kept : kept.replaceAll(/\p{Surrogate}/gu, '');
}
