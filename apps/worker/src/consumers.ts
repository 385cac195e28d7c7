import type { Logger } from 'pino';
import type { FeedConsumer } from './feed/consumer.ts';
import { fanOutWebhooks } from './feed/fan-out-webhooks.ts';
import { foldConduct } from './feed/fold-conduct.ts';
import { followIncidents } from './feed/follow-incidents.ts';
import { matchIncidentRules } from './feed/match-incident-rules.ts';
import { noticeEvents } from './feed/notice-events.ts';
import { newSealing } from './feed/seal-events.ts';
import type { Sealer } from './sealing/grow.ts';

/** Dependencies of consumers in addition to their transaction. */
export type ConsumerDeps = { readonly sealer: Sealer; readonly log: Logger };

/** Creates every consumer of the feed, a file each. */
export const newConsumers = ({ sealer, log }: ConsumerDeps): readonly FeedConsumer[] => [
  newSealing(sealer, log),
  fanOutWebhooks,
  noticeEvents,
  followIncidents,
  matchIncidentRules,
  foldConduct,
];
