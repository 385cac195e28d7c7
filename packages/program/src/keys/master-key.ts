import type { KeyObject } from 'node:crypto';
import type { KeyCommand } from './run-key-command.ts';

/** A master key that is known here, or a command that has one and hands out none. */
export type MasterKey = { readonly kind: 'KEY'; readonly key: KeyObject } | { readonly kind: 'COMMAND'; readonly command: KeyCommand };

/** What a process is given: the master key, or the key of the installation that was unwrapped for it. */
export type GivenKey = MasterKey | { readonly kind: 'INSTALLATION'; readonly key: KeyObject };
