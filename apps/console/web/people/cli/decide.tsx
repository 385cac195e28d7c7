import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import type { CliRequest } from './cli-request.ts';

export type Decided = 'approved' | 'denied';

type DecideProps = { readonly request: CliRequest; readonly session: Session; readonly onDecided: (decided: Decided) => void };

const NOT_TOLD = 'not told';

const Asked = ({ request }: { readonly request: CliRequest }): ReactNode => {
  const { hostname, platform, version } = request.client;
  return (
    <Facts
      facts={[
        ['Machine', hostname ?? NOT_TOLD],
        ['System', platform ?? NOT_TOLD],
        ['Program', version ?? NOT_TOLD],
        ['Address', request.source_ip],
        ['Asked at', <Time key="asked" at={request.created_at} />],
      ]}
    />
  );
};

/** Machine, system and program are what the terminal says of itself, and so proof of nothing; code and address are not. */
export const Decide = ({ request, session, onDecided }: DecideProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const path = `/v1/auth/cli/requests/${request.request_id}`;
  const approve = async (): Promise<void> => {
    const answer = await call<{ readonly redirect_uri: string | null }>('POST', `${path}/approve`, { user_code: request.user_code });
    if (!answer.ok) return setError(answer.error);
    onDecided('approved');
    if (answer.body.redirect_uri !== null) location.assign(answer.body.redirect_uri);
  };
  const deny = async (): Promise<void> => {
    const answer = await call('POST', `${path}/deny`, {});
    if (answer.ok) onDecided('denied');
    else setError(answer.error);
  };
  return (
    <PublicPage title="Let this terminal in?">
      <Problem error={error} />
      <Text>Your terminal shows this code now. If it shows another one, or you did not begin this, refuse.</Text>
      <p className="pairing-code">{request.user_code}</p>
      {request.same_address ? null : (
        <Alert color="orange" title="It asks from another address than yours">
          That is so where you work on a machine elsewhere, by SSH for instance. Otherwise refuse.
        </Alert>
      )}
      <Asked request={request} />
      <Text>
        It will act as {session.user?.name} in <strong>{session.organization.name}</strong>, no longer than you are signed in here.
      </Text>
      <Group>
        <Button onClick={() => void approve()}>Let it in</Button>
        <Button variant="default" onClick={() => void deny()}>
          Refuse
        </Button>
      </Group>
    </PublicPage>
  );
};
