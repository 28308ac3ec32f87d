/** Puts text into the clipboard. False: the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByEvent(text);
  }
}

/** Pages without TLS have no `navigator.clipboard`. */
function copyByEvent(text: string): boolean {
  let isDone = false;
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopPropagation();
    isDone = true;
  };
  document.addEventListener('copy', put, true);
  document.execCommand('copy');
  document.removeEventListener('copy', put, true);
  return isDone;
}
