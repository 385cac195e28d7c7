import type { KeyObject } from 'node:crypto';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';

/** Dependencies of the handlers of agents. */
export type AgentsDeps = {
  readonly settings: { readonly passportLifetimeDays: number };
  /** The enforcement pipeline, which decides and records, and has no executor. */
  readonly pipeline: Ports;
  readonly cursorKey: KeyObject;
  /** Signs passports. */
  readonly platformKeys: LivePlatformKeys;
  readonly urls: { readonly gateway: string };
};
