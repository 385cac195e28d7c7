/** Offsets such as +02:00 know no daylight saving, so that rules by the clock would be an hour off for half of the year. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

const resolved = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** The IANA time zone of a name, with its letters in the usual case where that is known; undefined when there is none of that name. */
export const readTimeZone = (name: string): string | undefined => {
  const found = NAME.test(name) ? resolved(name) : undefined;
  if (found === undefined) return undefined;
  // An older name of the same zone resolves to another text; it stays as people know it.
  return found.toLowerCase() === name.toLowerCase() ? found : name;
};
