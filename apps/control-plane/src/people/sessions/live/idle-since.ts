import type { PeopleSettings } from '../../deps.ts';

/** A session that was last used before this time has expired. */
export const getIdleSince = ({ sessionIdleTimeoutSeconds }: Pick<PeopleSettings, 'sessionIdleTimeoutSeconds'>, now: Date): Date =>
  new Date(now.getTime() - sessionIdleTimeoutSeconds * 1000);
