import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from '../../design/copy-button.tsx';
import { Button, Group, Stack, Text } from '../../design/kit.tsx';
import { formatTime } from '../../design/time-words.ts';

export type WithToken = OperationResult<'createApiKey'>;

type TokenProps = { readonly created: WithToken; readonly onSaved: () => void };

/** The token of an API key, shown once. */
export const Token = ({ created: { api_key, token }, onSaved }: TokenProps): ReactNode => {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  return (
    <Stack ref={group} tabIndex={-1} role="group" gap="xs" className="callout" aria-label={`Token of ${api_key.name}`}>
      <Text fw={600}>
        Token of <bdi>{api_key.name}</bdi>
      </Text>
      <p className="secret">{token}</p>
      <Text>
        Copy it now. It is not shown again.
        {api_key.overlap_ends_at === null ? '' : ` The previous token is accepted until ${formatTime(api_key.overlap_ends_at)}.`}
      </Text>
      <Group gap="xs">
        <CopyButton text={token} of={`Token of ${api_key.name}`} otherwise="Select the token and copy it." />
        <Button size="xs" variant="default" onClick={onSaved}>
          I have saved it
        </Button>
      </Group>
    </Stack>
  );
};
