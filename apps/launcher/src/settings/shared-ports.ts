/** Address of one program, and its setting. Port 0 is any free one. */
export type ListenAddress = { readonly setting: string; readonly host: string; readonly port: number };

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const isSame = (one: ListenAddress, other: ListenAddress): boolean =>
  one.port !== 0 && one.port === other.port && (one.host === other.host || EVERYWHERE.has(one.host) || EVERYWHERE.has(other.host));

/** Returns a sentence for each pair of listeners with the same port. */
export const listSharedPortFaults = (listeners: readonly ListenAddress[]): string[] =>
  listeners.flatMap((one, at) =>
    listeners
      .slice(at + 1)
      .filter((other) => isSame(one, other))
      .map((other) => `${one.setting} and ${other.setting} are both ${one.port}: give each a port of its own.`),
  );
