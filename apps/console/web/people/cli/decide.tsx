import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { Facts } from '../../design/facts.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';
import { Warning } from '../../design/warning.tsx';
import { PublicPage } from '../../layout/public-page.tsx';

export type CliDecision = 'approved' | 'denied';
type CliRequest = OperationResult<'getCliRequest'>;

type DecideProps = { readonly request: CliRequest; readonly session: Session; readonly onDecided: (decision: CliDecision) => void };

const UNKNOWN = 'Unknown';

const RequestFacts = ({ request }: { readonly request: CliRequest }): ReactNode => {
  const { hostname, platform, version } = request.client;
  return (
    <Facts
      facts={[
        ['Machine', hostname ?? UNKNOWN],
        ['System', platform ?? UNKNOWN],
        ['Program', version ?? UNKNOWN],
        ['IP address', request.source_ip],
        ['Requested', <Time key="requested" at={request.created_at} />],
      ]}
    />
  );
};

/** Machine, system and program are claims of the terminal and prove nothing; code and address are verified. */
export const Decide = ({ request, session, onDecided }: DecideProps): ReactNode => {
  const params = { requestId: request.request_id };
  const approve = useMutation(
    () => client.request('approveCliRequest', { params, body: { user_code: request.user_code } as OperationBody<'approveCliRequest'> }),
    ({ redirect_uri }) => {
      onDecided('approved');
      if (redirect_uri !== null) location.assign(redirect_uri);
    },
  );
  const deny = useMutation(
    () => client.request('denyCliRequest', { params, body: {} }),
    () => onDecided('denied'),
  );
  return (
    <PublicPage title="Connect this terminal?">
      <Problem error={approve.error ?? deny.error} />
      <Text>Check that your terminal shows this code. If it does not, or you did not start this, deny it.</Text>
      <p className="pairing-code">{request.user_code}</p>
      {request.same_address ? null : (
        <Warning title="The terminal has a different IP address">
          This is normal on a remote machine, for example over SSH. Otherwise deny it.
        </Warning>
      )}
      <RequestFacts request={request} />
      <Text>
        It will act as {session.user?.name} in <strong>{session.organization.name}</strong>, until your session here ends.
      </Text>
      <Group>
        <Button loading={approve.isPending} onClick={() => void approve.run(undefined)}>
          Allow
        </Button>
        <Button variant="default" loading={deny.isPending} onClick={() => void deny.run(undefined)}>
          Deny
        </Button>
      </Group>
    </PublicPage>
  );
};
