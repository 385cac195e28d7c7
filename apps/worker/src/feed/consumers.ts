import type { FeedConsumer } from './consumer.ts';
import { fanOutWebhooks } from './fan-out-webhooks.ts';

/** Every consumer of the feed, a file each. */
export const newConsumers = (): readonly FeedConsumer[] => [fanOutWebhooks];
