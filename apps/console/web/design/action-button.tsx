import { type ReactNode, useState } from 'react';
import type { ApiAnswer } from '../data/answer.ts';
import { useMutation } from '../data/use-mutation.ts';
import { Dialog } from './dialog.tsx';
import { Button, Group, Text } from './kit.tsx';
import { Problem } from './problem.tsx';

type ActionButtonProps<Body> = {
  readonly does: string;
  /** The object, for people who hear the button without its surroundings. */
  readonly to?: string;
  /** Consequence, confirmed in a dialog before the action. */
  readonly means?: string;
  readonly send: () => Promise<ApiAnswer<Body>>;
  readonly then: (body: Body) => void;
};

/** A button for one action. Asks for confirmation where the action takes something away, and shows why it failed. */
export const ActionButton = <Body,>({ does, to, means, send, then }: ActionButtonProps<Body>): ReactNode => {
  const { run, error, isPending } = useMutation(() => send(), then);
  const [isAsking, setAsking] = useState(false);
  const start = (): void => {
    setAsking(false);
    void run(undefined);
  };
  return (
    <>
      <Problem error={error} />
      <Button
        size="xs"
        variant="default"
        loading={isPending}
        aria-label={to === undefined ? undefined : `${does}: ${to}`}
        onClick={means === undefined ? start : () => setAsking(true)}
      >
        {does}
      </Button>
      {isAsking && means !== undefined ? (
        <Dialog title={to === undefined ? `${does}?` : `${does} ${to}?`} onClose={() => setAsking(false)}>
          <Text>{means}</Text>
          <Group gap="xs" mt="md" justify="flex-end">
            <Button size="sm" variant="default" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button size="sm" color="red" onClick={start}>
              {does}
            </Button>
          </Group>
        </Dialog>
      ) : null}
    </>
  );
};
