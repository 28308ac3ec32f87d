import { allowedElements, droppedWithText, isAllowedAttribute, isEmbed } from './allowed-html.ts';
import { guardedStyle } from './guarded-html.ts';

/** The attribute that a guarded one stands for. */
const named = (attribute: string): string => (attribute === guardedStyle ? 'style' : attribute);

const allowed = new Set(allowedElements);
const dropped = new Set(droppedWithText);

/** Removes from an inert tree what the service would remove too: from pasted HTML, before it becomes part of a document. */
export function cleanHtml(root: ParentNode): void {
  for (const element of [...root.children]) {
    const name = element.localName;
    const isForbiddenFrame = name === 'iframe' && !isEmbed(element.getAttribute('src') ?? '');
    if (dropped.has(name) || isForbiddenFrame) {
      element.remove();
      continue;
    }
    cleanHtml(element);
    if (!allowed.has(name)) {
      element.replaceWith(...element.childNodes);
      continue;
    }
    for (const { name: attribute, value } of [...element.attributes]) {
      if (!isAllowedAttribute(name, named(attribute), value)) element.removeAttribute(attribute);
    }
  }
}

/** The attributes of an element that stay. */
export const keptAttributes = (element: Element): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...element.attributes]
      .filter(({ name, value }) => isAllowedAttribute(element.localName, named(name), value))
      .map(({ name, value }) => [named(name), value]),
  );
