/** A browser's storage that forgets everything with the test; `room`: how many letters it takes at most. */
export function makeStorage(room = Infinity): Storage {
  const kept = new Map<string, string>();
  const length = () => [...kept.values()].reduce((sum, text) => sum + text.length, 0);
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (length() - (kept.get(key) ?? "").length + text.length > room) throw new DOMException("", "QuotaExceededError");
      kept.set(key, text);
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
}

/** What a browser does where storage is blocked. */
export function blocked(): never {
  throw new DOMException("The operation is insecure.", "SecurityError");
}
