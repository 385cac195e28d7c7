import type { ControlSettings } from '../../../settings.ts';

/** A session that was last used before is over. */
export const idleSince = ({ sessionIdleTimeoutSeconds }: Pick<ControlSettings, 'sessionIdleTimeoutSeconds'>, now: Date): Date =>
  new Date(now.getTime() - sessionIdleTimeoutSeconds * 1000);
