/** Notifications of the browser. They need HTTPS or localhost, and a person who has allowed them. */

import { settings } from "./settings.svelte";

const ICON = "/icon-192.png";

class Notices {
  /** null: there are none in this browser, or at this address */
  permission = $state<NotificationPermission | null>(
    globalThis.isSecureContext && "Notification" in globalThis ? Notification.permission : null,
  );

  /** Somebody pressed a button that says so. */
  async allow(): Promise<void> {
    this.permission = await Notification.requestPermission();
    settings.set({ notify: this.permission === "granted", notifyAsked: true });
  }

  refuse(): void {
    settings.set({ notify: false, notifyAsked: true });
  }

  get isOn(): boolean {
    return settings.now.notify && this.permission === "granted";
  }

  /** One for each table: a newer one takes the place of the older. */
  async show(table: string, title: string, body: string): Promise<void> {
    if (!this.isOn) return;
    const what: NotificationOptions = { body, tag: table, icon: ICON, data: { table } };
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) {
      await worker.showNotification(title, what); // on phones there is no other way
      return;
    }
    const notice = new Notification(title, what);
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  }

  /** Somebody looks at the table: nothing has to be said any more. */
  async clear(table: string): Promise<void> {
    const worker = await navigator.serviceWorker?.getRegistration();
    for (const notice of (await worker?.getNotifications({ tag: table })) ?? []) notice.close();
  }
}

export const notices = new Notices();
