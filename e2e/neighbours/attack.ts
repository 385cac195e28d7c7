import type { Scene } from './scene.ts';

/**
 * Something that a hostile tenant or a stranger can spend on the service. One file each in `attacks/`, which exports it as `attack`.
 * It is set up in the process that measures, and spent in a process of its own, so that it takes no time from the thread that measures.
 */
export type Attack<Prepared = unknown> = {
  /** Who spends what, in one line of the table. */
  readonly title: string;
  /** Settings beyond those of the scene, for planes of its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it needs planes of its own also in the short form, since it leaves much behind. */
  readonly alone?: boolean;
  /** Not part of the short form, since its set-up takes long. */
  readonly longOnly?: boolean;
  /** Makes what is needed and answers it as plain data. Not measured. */
  readonly prepare: (scene: Scene) => Promise<Prepared>;
  /** Goes on without pause until the signal fires; may be broken off at any point. Runs in a process of its own. */
  readonly spend: (prepared: Prepared, signal: AbortSignal) => Promise<void>;
};

/** Where strangers come from; the neighbours who are measured come from 127.0.0.1. */
export const HOSTILE_ADDRESS = '127.0.0.66';
