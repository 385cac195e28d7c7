import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import type { Session } from '../../data/session.ts';
import { Listing } from '../../data/listing.tsx';
import { SignedIn } from '../../layout/console-page.tsx';
import { Card } from './card.tsx';
import { type Approval, STATUS_WORDS } from './summary.tsx';

const SOME = 50;
const WAITING = 'PENDING';
const ANY = 'any';
const CHOICES = [...Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label })), { value: ANY, label: 'of any status' }];

/** The longest wait first, and of what is decided the newest. */
const pathOf = (status: string): string => {
  if (status === WAITING) return '/v1/approvals?status=PENDING&order=oldest';
  return status === ANY ? '/v1/approvals' : `/v1/approvals?status=${status}`;
};

const chosenOf = (search: string): string => {
  const asked = new URLSearchParams(search).get('status');
  return CHOICES.some(({ value }) => value === asked) ? `${asked}` : WAITING;
};

/** What agents wait for a person's word with, the oldest first, and what was decided; the address names which. */
export const Approvals = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const [looks, setLooks] = useState(0);
  const [status, setStatus] = useState(() => chosenOf(location.search));
  const choose = (chosen: string): void => {
    history.replaceState(null, '', chosen === WAITING ? '/approvals' : `/approvals?status=${chosen}`);
    setStatus(chosen);
  };
  const isWaiting = status === WAITING;
  return (
    <SignedIn session={session} title="Approvals">
      <Text>While an approval waits, an agent waits for it. You approve one request, exactly as it stands here, once.</Text>
      <Group gap="xs" align="end">
        <NativeSelect
          label="Show approvals that are"
          value={status}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={CHOICES}
        />
        <Button variant="default" onClick={() => setLooks(looks + 1)}>
          Refresh
        </Button>
      </Group>
      <Listing<Approval>
        key={`${looks} ${status}`}
        label={isWaiting ? 'Waiting approvals' : 'Approvals'}
        path={pathOf(status)}
        none={isWaiting ? 'Nothing is waiting.' : 'No approval matches.'}
        some={SOME}
      >
        {(approval, done) => <Card approval={approval} environments={environments} session={session} done={done} />}
      </Listing>
      <Text size="sm">
        Every vote stands in the <Anchor href="/audit">audit record</Anchor> too.
      </Text>
    </SignedIn>
  );
};
