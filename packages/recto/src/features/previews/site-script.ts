/**
 * `/preview.js`, for pages of a site that the admin shows beside a form. It listens to the service's own origin alone, and to the window
 * that shows the page alone. `recto:preview` and `recto:saved` become events of the page; unless the page takes the second one
 * (`preventDefault`), it is loaded again, once for saves that come at the same moment, and the browser keeps its place. A click on what has
 * `data-recto` leads to the field; with a key held, it does what it always does.
 */
export const siteScript = `(() => {
  const own = document.currentScript;
  if (!own || parent === window) return;
  const cms = new URL(own.src).origin;
  const say = (message) => parent.postMessage(message, cms);
  const ready = () => say({ type: 'recto:ready' });
  let isShown = false;
  let timer;
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origin !== cms || !data) return;
    const { type } = data;
    if (type !== 'recto:preview' && type !== 'recto:saved') return;
    isShown = true;
    const event = new CustomEvent(type, { detail: data, cancelable: true });
    if (!dispatchEvent(event) || type !== 'recto:saved') return;
    clearTimeout(timer);
    timer = setTimeout(() => location.reload(), 50);
  });
  const marked = (event) => isShown && event.target instanceof Element && event.target.closest('[data-recto]');
  let lit;
  addEventListener('mouseover', (event) => {
    const found = marked(event);
    if (found === lit) return;
    if (lit) lit.style.outline = '';
    lit = found;
    if (lit) lit.style.outline = '2px solid #2563eb';
  });
  addEventListener('click', (event) => {
    const found = marked(event);
    if (!found || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    say({ type: 'recto:edit', path: found.dataset.recto });
  }, true);
  addEventListener('recto:listen', ready);
  ready();
})();
`;
