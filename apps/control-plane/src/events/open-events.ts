import type { KeyObject } from 'node:crypto';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newTextSeal } from '@svc/keyring/tokens/sealed-text.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import { openEventHub } from './audit-events/stream/open-event-hub.ts';
import { newPositionIds } from './audit-events/stream/position-ids.ts';
import type { EventsDeps } from './deps.ts';

type Needs = Pick<EventsDeps, 'clock' | 'replica' | 'platformKeys' | 'cursorKey' | 'credentialKey' | 'identity' | 'mail'> & {
  readonly settings: {
    readonly masterKey: KeyObject;
    readonly egress: { readonly allowCidrs: readonly string[] };
    readonly notificationHosts: readonly string[];
  };
  /** Reads the feed of events. */
  readonly reader: Database;
  readonly log: Logger;
};

/** Opens the stream of events. */
export const openEvents = ({ settings: { masterKey, egress, notificationHosts }, reader, log, clock, ...others }: Needs): EventsDeps => {
  const ids = newPositionIds(newTextSeal(deriveKey(masterKey, 'stream-positions')));
  const allowsHttp = egress.allowCidrs.length > 0;
  return {
    clock,
    installationId: deriveInstallation(masterKey).id,
    webhooks: { sealingKey: deriveKey(masterKey, 'webhook-sealing'), allowsHttp },
    channels: { allowsHttp, hosts: notificationHosts },
    eventStream: { ids, hub: openEventHub({ reader, ids, log, clock: clock.now }) },
    ...others,
  };
};
