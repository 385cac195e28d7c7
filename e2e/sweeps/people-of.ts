import { mustCall } from '@svc/testing/people/client.ts';
import { approve, startTerminal } from '@svc/testing/people/terminal.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { Resources } from '../rows/setting.ts';

type PeopleOf = Pick<Resources, 'memberId' | 'sessionId' | 'invitationId' | 'roleId' | 'requestId'>;

/** One of each thing that is about people: a member with their session, an invitation, a role, and a terminal that was let in. */
export const newPeople = async (planes: Planes, token: string, organizationId: string, word: string): Promise<PeopleOf> => {
  const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
  const role = await post('/v1/roles', { name: `${word} role`, description: word, permissions: ['agent:read'] });
  const invitation = await post('/v1/members/invitations', { email: `${word.toLowerCase()}@example.com`, role_id: role.id });
  const terminal = await startTerminal(planes.controlUrl);
  await approve(planes.controlUrl, token, terminal);
  const client = await planes.database.client();
  const { id } = await insertPerson(client, organizationId, 'viewer');
  const { rows } = await client.query<{ memberId: string; sessionId: string }>(
    'select m.id as "memberId", s.id as "sessionId" from members m join sessions s using (user_id) where user_id = $1',
    [id],
  );
  await client.end();
  const [person = { memberId: '', sessionId: '' }] = rows;
  return { ...person, invitationId: invitation.id, roleId: role.id, requestId: terminal.request_id };
};
