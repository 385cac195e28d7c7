import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Answer } from '../data/call.ts';
import { useDeed } from '../data/use-mutation.ts';
import { Problem } from './problem.tsx';
import { StepUp } from '../people/second-factors/step-up.tsx';

type SureProps = { readonly means: string; readonly does: string; readonly onSure: () => void; readonly onKeep: () => void };

const Sure = ({ means, does, onSure, onKeep }: SureProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label={means} gap="xs">
      <Text>{means}</Text>
      <Group gap="xs">
        <Button size="xs" color="red" onClick={onSure}>
          {does}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};

type ActProps<Body> = {
  readonly does: string;
  /** Of what, for whoever hears the button and does not see where it stands. */
  readonly to?: string;
  /** What it means, asked before it is done. */
  readonly means?: string;
  readonly send: () => Promise<Answer<Body>>;
  readonly then: (body: Body) => void;
};

/** A button that does one thing, after asking where it takes something away, and says why where it could not. */
export const Act = <Body,>({ does, to, means, send, then }: ActProps<Body>): ReactNode => {
  const { run, error, isUnderWay, again } = useDeed(() => send(), then);
  const [isAsking, setAsking] = useState(false);
  const start = (): void => {
    setAsking(false);
    void run(undefined);
  };
  if (again) return <StepUp onDone={again} />;
  if (isAsking && means !== undefined) return <Sure means={means} does={does} onSure={start} onKeep={() => setAsking(false)} />;
  return (
    <>
      <Problem error={error} />
      <Button
        size="xs"
        variant="default"
        loading={isUnderWay}
        aria-label={to === undefined ? undefined : `${does}: ${to}`}
        onClick={means === undefined ? start : () => setAsking(true)}
      >
        {does}
      </Button>
    </>
  );
};
