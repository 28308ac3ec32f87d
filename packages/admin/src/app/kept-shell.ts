const script = '/admin/service-worker.js';

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
/** The service's policy asks for one: no other text becomes the address of a script. */
const policy = trustedTypes?.createPolicy('recto-service-worker', {
  createScriptURL: (text) => {
    if (text.startsWith(script)) return text;
    throw new TypeError('This is not the address of the service worker.');
  },
});

/**
 * Lets the browser keep the files that open the admin, so that it opens without the service. `language` is that of the texts. Does nothing
 * where the browser cannot: on an address that is neither HTTPS nor this machine.
 */
export async function keepShell(language: string): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const address = language === 'en' ? script : `${script}?language=${encodeURIComponent(language)}`;
  await navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address, {
    scope: '/admin/',
    updateViaCache: 'none',
  });
}
