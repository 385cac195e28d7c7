import { sql } from 'kysely';

/** A replaced access token is kept until it expires, to be masked; if there is none, the previous one stays. */
export const MOVED_ACCESS = {
  sealed_previous_access_token: sql<Buffer | null>`coalesce(sealed_access_token, sealed_previous_access_token)`,
  previous_access_version: sql<number | null>`case when sealed_access_token is null then previous_access_version else version end`,
  previous_access_ends_at: sql<Date | null>`coalesce(access_ends_at, previous_access_ends_at)`,
};
