import type { ActivityWindow } from '@svc/postgres/agents/agents/agent-activity.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';

const DAY_MS = 86_400_000;

/** Returns the look-back window of the operational columns: 24 hours. */
export const getLookBackWindow = (now: Date): ActivityWindow => ({
  now,
  firstActionId: getMinIdForTime('action', new Date(now.getTime() - DAY_MS)),
});
