-- Agents whose card is published. What a card states is fixed when a person publishes it; addresses and the signature are added when it is served.
create table agent_listings (
  organization_id text not null,
  agent_id text not null,
  workspace_id text not null,
  environment_id text not null,
  card jsonb not null,
  published_by text not null,
  published_at timestamptz not null,
  primary key (organization_id, agent_id),
  constraint agent_listings_list_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
);
comment on table agent_listings is 'Agents whose Agent2Agent card is published.';
comment on column agent_listings.card is 'What the card states of the agent: name, description, version, provider and skills.';

select svc_guard('agent_listings', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on agent_listings to svc_app;
grant select on agent_listings to svc_gateway;
