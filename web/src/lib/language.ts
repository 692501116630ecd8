/** Which language was chosen here. A change loads the page anew; if nothing is remembered the choice stands in the address. */

import { defineCustomClientStrategy, isLocale, type Locale } from "../paraglide/runtime";
import { lasting } from "./storage";

const KEY = "PARAGLIDE_LOCALE"; // what earlier versions of the page called it
const PARAMETER = "lang";

/** What each language calls itself. */
export const LANGUAGES: Record<Locale, string> = { en: "English", fr: "Français", de: "Deutsch" };

export function chosenLanguage(address: string): string | undefined {
  const found = new URL(address).searchParams.get(PARAMETER) ?? lasting.get(KEY);
  return isLocale(found) ? found : undefined;
}

/** The address to go on with. */
export function chooseLanguage(language: string, address: string): string {
  const next = new URL(address);
  if (lasting.set(KEY, language)) next.searchParams.delete(PARAMETER);
  else next.searchParams.set(PARAMETER, language);
  return next.href;
}

defineCustomClientStrategy("custom-chosen", {
  getLocale: () => chosenLanguage(location.href),
  setLocale: (language) => history.replaceState(null, "", chooseLanguage(language, location.href)),
});
