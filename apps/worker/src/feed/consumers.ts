import { fanOutWebhooks } from '../events/webhooks/fan-out-webhooks.ts';
import type { FeedConsumer } from './consumer.ts';

/** Every consumer of the feed, a file each. */
export const newConsumers = (): readonly FeedConsumer[] => [fanOutWebhooks];
