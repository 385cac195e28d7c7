import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Group } from '../../design/kit.tsx';
import { Connect } from './connect.tsx';
import { type Credential, needsBody } from './credential.ts';
import { Revoke } from './revoke.tsx';
import { getRotatedSecrets, Rotate } from './rotate.tsx';
import { TryIt } from './try-it.tsx';

type FormProps = { readonly credential: Credential; readonly done: (text: string) => void };

type Action = {
  readonly label: string;
  readonly needs: string;
  /** True if the action applies to a credential of this kind. */
  readonly isFor: (credential: Credential) => boolean;
  readonly Form: (props: FormProps) => ReactNode;
};

const ACTIONS: readonly Action[] = [
  // A test request has no body to put the secret in.
  { label: 'Test', needs: 'credential:create', isFor: (credential) => !needsBody(credential), Form: TryIt },
  { label: 'Rotate', needs: 'credential:rotate', isFor: (credential) => getRotatedSecrets(credential).length > 0, Form: Rotate },
  { label: 'Revoke', needs: 'credential:revoke', isFor: () => true, Form: Revoke },
];

/** The buttons of a credential that the person may use. */
export const Actions = ({ credential, session, done }: FormProps & { readonly session: Session }): ReactNode => (
  <Group gap="xs">
    {credential.oauth !== null && credential.oauth.authorization_url !== null && may(session, 'credential:rotate') ? (
      <Connect credential={credential} />
    ) : null}
    {ACTIONS.filter(({ needs, isFor }) => may(session, needs) && isFor(credential)).map(({ label, Form }) => (
      <DialogButton key={label} label={label} to={credential.name}>
        {(close) => (
          <Form
            credential={credential}
            done={(text) => {
              close();
              done(text);
            }}
          />
        )}
      </DialogButton>
    ))}
  </Group>
);
