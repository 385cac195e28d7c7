import type { Logger } from 'pino';
import type { Sealer } from '../sealing/grow.ts';
import type { FeedConsumer } from './consumer.ts';
import { fanOutWebhooks } from './fan-out-webhooks.ts';
import { newSealing } from './seal-events.ts';

/** What consumers need besides the transaction they write in. */
export type ConsumerDeps = { readonly sealer: Sealer; readonly log: Logger };

/** Every consumer of the feed, a file each. */
export const newConsumers = ({ sealer, log }: ConsumerDeps): readonly FeedConsumer[] => [newSealing(sealer, log), fanOutWebhooks];
