import { type ReactNode, useEffect, useRef } from 'react';
import { Button, Stack, Text } from '../../design/kit.tsx';
import { formatTime } from '../../design/time-words.ts';
import type { WithSecret } from './webhook.ts';

type SecretProps = { readonly webhook: WithSecret; readonly onSaved: () => void };

/** A signing secret, shown once. */
export const Secret = ({ webhook: { name, secret, previous_secret_ends_at }, onSaved }: SecretProps): ReactNode => {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  return (
    <Stack ref={group} tabIndex={-1} role="group" gap="xs" className="callout" aria-label={`Signing secret of ${name}`}>
      <Text fw={600}>
        Signing secret of <bdi>{name}</bdi>
      </Text>
      <p className="secret">{secret}</p>
      <Text>
        Copy it to your receiver now. It is not shown again.
        {previous_secret_ends_at === null
          ? ''
          : ` Deliveries are also signed with the previous secret until ${formatTime(previous_secret_ends_at)}.`}
      </Text>
      <div>
        <Button size="xs" variant="default" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </Stack>
  );
};
