/** Offsets such as +02:00 have no daylight saving, so that rules by the clock would be an hour off for half of the year. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

const resolved = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Returns the IANA time zone of a name, in its usual case if known; undefined if there is none. */
export const readTimeZone = (name: string): string | undefined => {
  const found = NAME.test(name) ? resolved(name) : undefined;
  if (found === undefined) return undefined;
  // An alias of a zone resolves to another text; it stays as people know it.
  return found.toLowerCase() === name.toLowerCase() ? found : name;
};
