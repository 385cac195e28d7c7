import type { KeyObject } from 'node:crypto';
import type { KeyCommand } from './run-key-command.ts';

/** A master key held in this process, or a command that has one and never returns it. */
export type MasterKey = { readonly kind: 'KEY'; readonly key: KeyObject } | { readonly kind: 'COMMAND'; readonly command: KeyCommand };

/** The key a process receives: the master key, or the installation key that was unwrapped for it. */
export type GivenKey = MasterKey | { readonly kind: 'INSTALLATION'; readonly key: KeyObject };
