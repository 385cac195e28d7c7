/** Each before those whose words it also contains: every browser claims Mozilla, and most claim Safari. */
const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^svc-cli\b/, 'svc'],
  [/^curl\//i, 'curl'],
  [/^node\b|undici/i, 'Node.js'],
  [/python/i, 'Python'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/i, 'Windows'],
  [/Mac OS X|Macintosh|darwin/i, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/i, 'Linux'],
];

const findName = (table: typeof PROGRAMS, userAgent: string): string | undefined => table.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * Returns a device name that its user recognizes: the program, and the system if present. The client writes the header, so it proves
 * nothing,
 * and none of its text is shown.
 */
export const describeDevice = (userAgent: string | null): string => {
  const program = findName(PROGRAMS, userAgent ?? '');
  const system = findName(SYSTEMS, userAgent ?? '');
  if (program === undefined) return system === undefined ? 'Unknown device' : `Unknown program on ${system}`;
  return system === undefined ? program : `${program} on ${system}`;
};
