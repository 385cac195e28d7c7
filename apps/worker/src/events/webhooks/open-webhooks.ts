import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import type { Logger } from 'pino';
import type { WorkerSettings } from '../../settings.ts';
import { openSending, type WebhookSender } from './sending/open-sending.ts';
import { newSignatures } from './sending/sign-delivery.ts';
import { serveSegments } from './serve-stretches.ts';
import { sweepOldDeliveries } from './sweep-old-deliveries.ts';
import { measureSegments } from './watch-stretches.ts';

export type WebhooksDeps = {
  readonly settings: Pick<WorkerSettings, 'egress'> & { readonly masterKey: KeyObject };
  readonly reader: Database;
  readonly database: Database;
  readonly identity: Database;
  readonly log: Logger;
  readonly clock: () => Date;
};

const WORKER_BYTES = 8;

/** Sends webhooks and deletes old deliveries until stopped. */
export const openWebhooks = ({ settings, ...deps }: WebhooksDeps): WebhookSender => {
  const egress = createEgress({
    ...settings.egress,
    timeoutMs: LIMITS.webhooks.deliveryTimeoutMs,
    responseMaxBytes: LIMITS.webhooks.responseBytesMax,
    readsAtOnce: true,
    asText: true,
    blocksOf: parseBlocks(deps.database),
  });
  const sealingKey = deriveKey(settings.masterKey, 'webhook-sealing');
  const sending = openSending({ ...deps, egress, signatures: newSignatures(sealingKey), worker: randomHex(WORKER_BYTES) });
  const stretches = serveSegments(deps);
  const watch = measureSegments(deps);
  const sweeping = sweepOldDeliveries(deps);
  return {
    metrics: [...sending.metrics, ...watch.metrics],
    stop: async () => {
      await Promise.all([sending.stop(), stretches.stop(), watch.stop(), sweeping.stop()]);
    },
  };
};
