import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Text } from '../../design/kit.tsx';
import type { Agent } from './agent.ts';

type PossessionProps = { readonly agent: Agent; readonly session: Session; readonly done: (text: string) => void };

/** Holds the agent to proofs of possession, or no longer. */
export const Possession = ({ agent, session, done }: PossessionProps): ReactNode => {
  const { id, name, require_dpop } = agent;
  const after = !require_dpop;
  return (
    <>
      <Text size="sm">
        {require_dpop
          ? 'Tokens are bound to a key of the client (DPoP). A stolen token is useless.'
          : 'Tokens are not bound to a key. A stolen token can be used until it expires.'}
      </Text>
      {may(session, 'agent:update') ? (
        <ActionButton
          does={after ? 'Require proofs of possession' : 'Require no proofs'}
          means={
            after
              ? `All sessions of ${name} end. Its client must support DPoP, as the SDKs do.`
              : `A stolen token of ${name} can be used again until it expires.`
          }
          send={() => client.request('updateAgent', { params: { agentId: id }, body: { require_dpop: after } })}
          then={() => {
            done(after ? `${name} must prove possession of its key.` : `${name} needs no proofs.`);
            void refresh('getAgent');
          }}
        />
      ) : null}
    </>
  );
};
