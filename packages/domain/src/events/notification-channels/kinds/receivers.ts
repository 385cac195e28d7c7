import type { ChannelKind } from '@svc/contract/events/notification-channels.ts';
import type { ChannelReceiver } from './receiver.ts';
import { slack } from './slack.ts';

/** All kinds of notification channels, one file each. */
export const RECEIVERS: Readonly<Record<ChannelKind, ChannelReceiver>> = { SLACK: slack };
