/** Where one program is to listen, and the setting that says so. Port 0 is any that is free. */
export type Listener = { readonly setting: string; readonly host: string; readonly port: number };

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const isSame = (one: Listener, other: Listener): boolean =>
  one.port !== 0 && one.port === other.port && (one.host === other.host || EVERYWHERE.has(one.host) || EVERYWHERE.has(other.host));

/** Settings that give two listeners one port, a sentence for each pair. */
export const sharedPortFaults = (listeners: readonly Listener[]): string[] =>
  listeners.flatMap((one, at) =>
    listeners
      .slice(at + 1)
      .filter((other) => isSame(one, other))
      .map((other) => `${one.setting} and ${other.setting} are both ${one.port}: give each a port of its own.`),
  );
