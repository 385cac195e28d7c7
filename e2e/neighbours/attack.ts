import type { NeighbourScene } from './scene.ts';

/**
 * Load that an adversarial tenant or an unauthenticated client can cause. One file each in `attacks/`, which exports it as `attack`. It is
 * prepared in the measuring process, and runs in a process of its own, so that it takes no time from the measuring thread.
 */
export type Attack<Prepared = unknown> = {
  /** Attacker and load, in one line of the table. */
  readonly title: string;
  /** Settings in addition to those of the scene, for planes of its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** True if it needs planes of its own also in the short run, since it leaves much behind. */
  readonly alone?: boolean;
  /** Not part of the short run, since its preparation takes long. */
  readonly longOnly?: boolean;
  /** Prepares the attack; returns plain data. Not measured. */
  readonly prepare: (scene: NeighbourScene) => Promise<Prepared>;
  /** Runs without pause until the signal fires; may be aborted at any point. Runs in a process of its own. */
  readonly spend: (prepared: Prepared, signal: AbortSignal) => Promise<void>;
};

/** Source address of attackers; the measured neighbours use 127.0.0.1. */
export const HOSTILE_ADDRESS = '127.0.0.66';
