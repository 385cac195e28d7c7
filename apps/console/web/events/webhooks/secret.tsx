import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { timeWords } from '../../design/time-words.ts';
import type { WithSecret } from './subscription.ts';

type SecretProps = { readonly of: WithSecret; readonly onKept: () => void };

/** A signing secret, shown this once: it is kept by nobody here, and gone when the page is left. */
export const Secret = ({ of: { name, secret, previous_secret_ends_at }, onKept }: SecretProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} role="group" gap="xs" aria-label={`Signing secret of ${name}`}>
      <Text fw={600}>
        Signing secret of <bdi>{name}</bdi>
      </Text>
      <p className="secret">{secret}</p>
      <Text>
        Keep it where the receiver reads it. It is not shown again.
        {previous_secret_ends_at === null
          ? ''
          : ` Until ${timeWords(previous_secret_ends_at)} deliveries are signed by the one before, too.`}
      </Text>
      <Button size="xs" variant="default" onClick={onKept}>
        I have saved it
      </Button>
    </Stack>
  );
};
