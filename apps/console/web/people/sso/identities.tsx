import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Link } from './link.tsx';

type Identity = OperationResult<'listIdentities'>[number];

const listColumns = (done: (text: string) => void): readonly Column<Identity>[] => [
  { name: 'Connection', show: ({ connection_name }) => <bdi>{connection_name}</bdi> },
  { name: 'Provider', show: ({ issuer }) => issuer },
  { name: 'Your id there', show: ({ subject }) => <bdi>{subject}</bdi> },
  { name: 'Linked', show: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Actions',
    isActions: true,
    show: ({ id, connection_name }) => (
      <>
        <ActionButton
          does="Unlink"
          to={connection_name}
          means="You can no longer sign in with it, and its sessions end, possibly including this one."
          send={() => client.request('unlinkIdentity', { params: { identityId: id } })}
          then={() => done('The identity is unlinked.')}
        />
      </>
    ),
  },
];

/** The identities at providers with which the person signs in to this organization. */
export const Identities = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listIdentities', {});
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('listIdentities');
  };
  const link = (
    <DialogButton label="Link identity" isPrimary>
      {() => <Link session={session} />}
    </DialogButton>
  );
  return (
    <ConsolePage title="Linked identities" actions={link}>
      <Text>
        Each identity lets you sign in to <strong>{session.organization.name}</strong> without your password here.
      </Text>
      {announcement}
      <ListTable label="Linked identities" list={list} columns={listColumns(done)} empty="No identity is linked yet." />
    </ConsolePage>
  );
};
