import type { KeyObject } from 'node:crypto';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import type { EventStream } from '../events/audit-events/stream/resumed-at.ts';

/** Dependencies of the handlers of actions. */
export type ActionsDeps = {
  /** The enforcement pipeline, which decides and records, and has no executor. */
  readonly pipeline: Ports;
  readonly cursorKey: KeyObject;
  readonly requestHashes: RequestHashes;
  readonly platformKeys: LivePlatformKeys;
  /** Part of the names of audit logs. */
  readonly installationId: string;
  readonly eventStream: EventStream;
  readonly clock: Pick<PlaneClock, 'now'>;
  readonly urls: { readonly base: string };
};
