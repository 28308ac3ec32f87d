import '../ui/typeface/typeface.css';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/controls.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { reportMissingParts } from './missing-parts.ts';
import { startNavigation } from './navigation.svelte.ts';
import { applyPreferences } from './preferences.svelte.ts';
import { session } from './session.svelte.ts';
import { limitMarkup } from './trusted-types.ts';

limitMarkup();
reportMissingParts();
// A request that was given up with its page is no error, whoever was waiting for it.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
});
// Both at once: the texts are there when the session is known.
const restoring = session.restore();
startNavigation();
await applyPreferences();
mount(App, { target: document.body });
await restoring;
