import { Anchor, Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Session } from '../api/session.ts';
import { Listing } from '../frame/listing.tsx';
import { SignedIn } from '../frame/signed-in.tsx';
import { type Approval, Card } from './approvals/card.tsx';

const SOME = 50;

/** What agents wait for a person's word with, the oldest first. */
export const Approvals = ({ session }: { readonly session: Session }): ReactNode => {
  const [looks, setLooks] = useState(0);
  return (
    <SignedIn session={session} title="Approvals">
      <Text>An agent waits for each of these. What you approve is this one request as it stands here, once.</Text>
      <Listing<Approval>
        key={looks}
        label="Waiting approvals"
        path="/v1/approvals?status=PENDING&order=oldest"
        none="Nothing waits."
        some={SOME}
      >
        {(approval, done) => <Card approval={approval} session={session} done={done} />}
      </Listing>
      <Button variant="default" onClick={() => setLooks(looks + 1)}>
        Look again
      </Button>
      <Text size="sm">
        What was decided, by whom and on what, is in the <Anchor href="/audit">audit record</Anchor>.
      </Text>
    </SignedIn>
  );
};
