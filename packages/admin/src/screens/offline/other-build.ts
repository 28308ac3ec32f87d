/** Whether the service has another build of the admin than the one that runs in this page. */
export async function isOtherBuild(): Promise<boolean> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src');
  if (own === null || own === undefined) return false;
  try {
    const response = await fetch('/admin/', { cache: 'no-cache', headers: { Accept: 'text/html' } });
    return response.ok && !(await response.text()).includes(own);
  } catch {
    return false;
  }
}
