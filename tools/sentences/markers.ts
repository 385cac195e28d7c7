const startsOfSentence = /(?:^|[.!?:]\s+)(?:What|Whatever|Whoever|Whose|Whether|Of|By(?! default\b)|As|Where)\b/gu;
const words =
  /\b(?:told|tells?|anew|dear|dearer|besides?|nor|somebody|nobody|anybody|everybody|whoever|whomever|whatever|whichever|yonder|withal)\b/giu;
const names = /[a-z](?:Of|From|For|With|By|In|Told|Asked|Shown|Said)$/u;

/** Counts the words of a text. */
export const countWords = (text: string): number => text.match(/[\p{L}\d][\p{L}\d'’_-]*/gu)?.length ?? 0;

/** Returns the markers of unclear English in a text, as CONTRIBUTING.md lists them. */
export const findMarkers = (text: string): string[] => [
  ...Array.from(text.matchAll(startsOfSentence), ([match]) => match.replace(/^[.!?:]\s+/u, '')),
  ...Array.from(text.matchAll(words), ([match]) => match),
];

/** Returns true if a declared name ends in a preposition or a bare participle. */
export const isUnclearName = (name: string): boolean => names.test(name);
