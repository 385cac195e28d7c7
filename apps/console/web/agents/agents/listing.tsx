import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Ago } from '../../design/ago.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { Agent } from './agent.ts';

const TEXT_CHARS_MAX = 500;

type ListingProps = { readonly agent: Agent; readonly session: Session };

/** The card of an agent with one skill. Cards with more are published by the API or the command line. */
const buildBody = ({ description = '', skill = '', skill_description = '', tags = '', push_notifications }: Values) => ({
  description,
  ...(push_notifications === undefined ? {} : { push_notifications: true }),
  skills: [
    {
      id: skill.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60),
      name: skill,
      description: skill_description,
      tags: tags.split(',').map((tag) => tag.trim()),
    },
  ],
});

const Publish = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <DialogButton label="Publish" to={agent.name} title="Publish an A2A card">
    {(close) => (
      <Form
        submit="Publish"
        send={(values) => client.request('publishAgent', { params: { agentId: agent.id }, body: buildBody(values) })}
        then={() => {
          close();
          void refresh('getAgentListing');
        }}
        fields={(error) => (
          <>
            <Text size="sm">Everyone can read the card.</Text>
            <TextField error={error} name="description" label="Description" defaultValue={agent.description} maxLength={TEXT_CHARS_MAX} />
            <TextField error={error} name="skill" label="Skill" placeholder="Book a room" />
            <TextField error={error} name="skill_description" label="Description of the skill" maxLength={TEXT_CHARS_MAX} />
            <TextField error={error} name="tags" label="Words to find it by, separated by commas" placeholder="rooms" />
            <Checkbox
              name="push_notifications"
              label="The agent sends push notifications"
              description="Partners may ask for those of their tasks. The gateway passes them on."
            />
          </>
        )}
      />
    )}
  </DialogButton>
);

/** The published A2A card of an agent, and the buttons to publish and withdraw it. */
export const Listing = ({ agent, session }: ListingProps): ReactNode => {
  const { data, error } = useOperation('getAgentListing', { params: { agentId: agent.id } });
  const mayChange = may(session, 'agent:update');
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={2} />;
  const { card, published_at } = data;
  if (card === null || published_at === null)
    return (
      <>
        <Text mb="xs">Not published. Remote agents cannot reach this agent.</Text>
        {mayChange ? <Publish agent={agent} /> : null}
      </>
    );
  return (
    <>
      <Facts
        facts={[
          ['Card', data.card_url],
          ['Keys', data.keys_url],
          ['Skills', formatDrawn(card.skills.map(({ name }) => name).join(', '))],
          ['Push notifications', card.push_notifications === true ? 'Sent' : 'Not sent'],
          ['Published', <Ago key="published" at={published_at} />],
        ]}
      />
      {mayChange ? (
        <ActionButton
          does="Unpublish"
          to={agent.name}
          means="The card is withdrawn, and remote agents can no longer send messages to this agent."
          send={() => client.request('unpublishAgent', { params: { agentId: agent.id }, body: {} })}
          then={() => void refresh('getAgentListing')}
        />
      ) : null}
    </>
  );
};
