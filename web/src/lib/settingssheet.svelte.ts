/** Is the settings sheet open? A change of the language loads the page anew: it is open again then. */

import { forWindow } from "./storage";

const KEY = "coatl.settings.open";

class SettingsSheet {
  isOpen = $state(forWindow.get(KEY) !== null);

  constructor() {
    forWindow.remove(KEY);
  }

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  /** Before the page is loaded anew. */
  comeBack(): void {
    forWindow.set(KEY, "");
  }
}

export const settingsSheet = new SettingsSheet();
