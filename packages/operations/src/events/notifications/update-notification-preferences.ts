import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { choose, resolvePreferences } from '@svc/domain/events/notifications/preferences.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockPreferences, writePreferences } from '@svc/postgres/events/notifications/preferences.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type UpdateNotificationPreferencesRequest = CallContext & { readonly body: EndpointBody<Endpoints['updateNotificationPreferences']> };

/** Formats kinds as a list: the name of a kind about keys would be masked as a secret if it were a member name. */
const toldOf = ({ kinds, ...rest }: ReturnType<typeof resolvePreferences>) => ({
  ...rest,
  kinds: Object.entries(kinds).map(([kind, ways]) => ({ kind, ...ways })),
});

export const updateNotificationPreferences = async (
  { tx, emit }: Change<'user.profile_updated'>,
  request: UpdateNotificationPreferencesRequest,
) => {
  const { body, now, actor } = request;
  const before = await lockPreferences(tx, actor.id);
  const after = choose(before, body);
  const told = { before: resolvePreferences(before), after: resolvePreferences(after) };
  if (JSON.stringify(told.before) !== JSON.stringify(told.after)) {
    await writePreferences(tx, actor.id, after, now);
    emit('user.profile_updated', {
      ...about.user(actor),
      data: { change: 'notifications', before: toldOf(told.before), after: toldOf(told.after) },
    });
  }
  return told.after;
};
