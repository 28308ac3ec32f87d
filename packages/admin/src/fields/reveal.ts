import { tick } from 'svelte';
import { pathsTo } from './field-path.ts';

/** The event that asks a part of a form to open, so that what is inside it can be seen. Its detail is the path that is looked for. */
export const revealEvent = 'recto-reveal';

const byId = (formId: string, path: string): HTMLElement | null => document.getElementById(`${formId}:${path}`);

const partAt = (form: ParentNode, path: string): HTMLElement | null =>
  form.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);

const focusable = 'input, select, textarea, button, [contenteditable="true"], [tabindex]';

/** Opens whatever hides the field at a path and moves the focus there, or to the innermost part around it that there is. */
export async function focusPath(formId: string, path: string, root: ParentNode = document): Promise<boolean> {
  // A form of very many fields may not have drawn them all yet.
  for (const form of root.querySelectorAll(`[data-form="${CSS.escape(formId)}"]`)) {
    form.dispatchEvent(new CustomEvent(revealEvent, { detail: path }));
  }
  await tick();
  let nearest: HTMLElement | null = null;
  for (const outer of pathsTo(path)) {
    for (const part of root.querySelectorAll<HTMLElement>(`[data-path="${CSS.escape(outer)}"]`)) {
      part.dispatchEvent(new CustomEvent(revealEvent, { detail: path }));
    }
    await tick();
    nearest = byId(formId, outer) ?? partAt(root, outer) ?? nearest;
  }
  if (nearest === null) return false;
  const target = nearest.matches(focusable) ? nearest : (nearest.querySelector<HTMLElement>(focusable) ?? nearest);
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
  return true;
}
