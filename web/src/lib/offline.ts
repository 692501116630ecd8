/** The worker that keeps the page for when there is no network (`public/sw.js`). It needs HTTPS or localhost. */

const FILES = /\/assets\/[^/]+$/;

/** The files of the page that a list of addresses has. */
export const ownFiles = (addresses: readonly string[], origin: string): string[] =>
  addresses.filter((address) => address.startsWith(`${origin}/`) && FILES.test(address));

export async function keepOffline(): Promise<void> {
  if (!import.meta.env.PROD || !globalThis.isSecureContext || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    // what was loaded before it was there, and what is loaded later
    new PerformanceObserver((list) => {
      const files = ownFiles(list.getEntries().map(({ name }) => name), location.origin);
      if (files.length) (navigator.serviceWorker.controller ?? active)?.postMessage({ files });
    }).observe({ type: "resource", buffered: true });
  } catch {
    // a browser that stores nothing; the page works without
  }
}
