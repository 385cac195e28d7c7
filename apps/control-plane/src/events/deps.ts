import type { KeyObject } from 'node:crypto';
import type { ChannelRules } from '@svc/domain/events/notification-channels/channel-address.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { ReadReplica } from '@svc/postgres/connection/open-replica.ts';
import type { EventStream } from './audit-events/stream/resumed-at.ts';

/** Dependencies of the handlers of events. */
export type EventsDeps = {
  readonly clock: Pick<PlaneClock, 'now' | 'refusal'>;
  readonly cursorKey: KeyObject;
  /** Read replica for searches, exports and checkpoints of the audit record, used while it is recent enough. */
  readonly replica: ReadReplica | undefined;
  /** Part of the names of audit logs. */
  readonly installationId: string;
  readonly platformKeys: LivePlatformKeys;
  readonly webhooks: {
    /** Seals the secrets that sign deliveries. */
    readonly sealingKey: KeyObject;
    /** Receivers within allowed networks may be called over plain HTTP. */
    readonly allowsHttp: boolean;
  };
  /** Allowed addresses of notification channels. */
  readonly channels: ChannelRules;
  readonly eventStream: EventStream;
  /** Seals the data keys of organizations, which seal the addresses of channels. */
  readonly credentialKey: KeyObject;
  /** Reads and writes accounts across organizations. */
  readonly identity: Database;
  readonly mail: MailService;
};
