import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Done } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { may } from '../../layout/permitted.ts';
import { Connect } from './connect.tsx';
import type { Credential } from './credential.ts';
import { Revoke } from './revoke.tsx';
import { Rotate, rotatedBy } from './rotate.tsx';
import { TryIt } from './try-it.tsx';

type FormProps = { readonly credential: Credential; readonly done: Done };

type Deed = {
  readonly does: string;
  readonly needs: string;
  /** Whether it means something to a credential like this. */
  readonly isFor: (credential: Credential) => boolean;
  readonly Form: (props: FormProps) => ReactNode;
};

const DEEDS: readonly Deed[] = [
  // The one request that tries a secret has no body.
  { does: 'Test', needs: 'credential:create', isFor: ({ scheme }) => scheme !== 'BODY_FIELD', Form: TryIt },
  { does: 'Rotate', needs: 'credential:rotate', isFor: ({ oauth }) => rotatedBy(oauth).length > 0, Form: Rotate },
  { does: 'Revoke', needs: 'credential:revoke', isFor: () => true, Form: Revoke },
];

type OpenProps = { readonly label: string; readonly onKeep: () => void; readonly children: ReactNode };

/** What was opened has the focus. */
const Open = ({ label, onKeep, children }: OpenProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label={label} w="100%" gap="xs">
      {children}
      <Group>
        <Button size="xs" variant="default" onClick={onKeep}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};

type ActsProps = FormProps & { readonly session: Session };

/** All that whoever is signed in may do about a credential. */
export const Acts = ({ credential, session, done }: ActsProps): ReactNode => {
  const [open, setOpen] = useState<Deed>();
  const { name, oauth } = credential;
  if (open) {
    const close: Done = (said) => {
      setOpen(undefined);
      done(said);
    };
    return (
      <Open label={`${open.does}: ${name}`} onKeep={() => setOpen(undefined)}>
        <open.Form credential={credential} done={close} />
      </Open>
    );
  }
  return (
    <Group gap="xs">
      {DEEDS.filter(({ needs, isFor }) => may(session, needs) && isFor(credential)).map((deed) => (
        <Button key={deed.does} size="xs" variant="default" aria-label={`${deed.does}: ${name}`} onClick={() => setOpen(deed)}>
          {deed.does}
        </Button>
      ))}
      {oauth ? <Connect credential={credential} session={session} done={done} /> : null}
    </Group>
  );
};
