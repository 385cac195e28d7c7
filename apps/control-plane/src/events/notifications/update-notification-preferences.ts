import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isTimeZone } from '@svc/domain/events/notifications/local-time.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateNotificationPreferences as update } from '@svc/operations/events/notifications/update-notification-preferences.ts';
import { listMemberships } from '@svc/postgres/people/auth/people.ts';
import type { EventsDeps } from '../deps.ts';

const NO_ZONE = 'Must be a time zone of the IANA database, such as Europe/Berlin or UTC.';
const NO_HOURS = 'Quiet hours must not start and end at the same time. Send null to disable them, or choose another end.';

/** Otherwise the identity provider of one organization could suppress notifications of another. */
const ELSEWHERE =
  'You belong to other organizations too, and this session is valid for only one of them. To change notifications for all, sign in with your own password or passkey.';

export const updateNotificationPreferences: Handler<Endpoints['updateNotificationPreferences'], EventsDeps> = async (
  call,
  { identity },
) => {
  const { body, caller } = call;
  if (body.time_zone !== undefined && !isTimeZone(body.time_zone)) return call.fault('/time_zone', NO_ZONE);
  if (body.quiet_hours && body.quiet_hours.from === body.quiet_hours.until) return call.fault('/quiet_hours/until', NO_HOURS);
  const only = findOnlyOrganization(caller);
  const isElsewhere = async () =>
    (await listMemberships(identity, caller.actor.id)).some(({ organization_id }) => organization_id !== only);
  if (only !== undefined && (await isElsewhere())) return call.refuse('PERMISSION_DENIED', ELSEWHERE);
  return call.change((change) => update(change, { ...asActing(call), body: call.body }));
};
