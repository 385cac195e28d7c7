create table agents (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  description text not null default '',
  status text not null default 'ACTIVE',
  labels jsonb not null default '{}',
  key_generation integer not null default 1,
  passport_version integer not null default 1,
  session_series integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint agents_id_is_unique unique (id),
  constraint agents_belong_to_a_workspace foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  constraint agents_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint agents_status_is_known check
    (status in ('ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED', 'EXPIRED', 'DECOMMISSIONED', 'REVOKED'))
);
create unique index agents_name_is_unique on agents (organization_id, environment_id, name) where status not in ('REVOKED', 'DECOMMISSIONED');
comment on column agents.session_series is 'Moves when every session is killed; a token carries the series it was minted in. No clock is compared.';
comment on table agents is 'An identity that proves itself with an Ed25519 key and holds nothing else.';

create table agent_epochs (
  organization_id text not null,
  agent_id text not null,
  environment_id text not null,
  epoch bigint not null default 1,
  primary key (organization_id, agent_id),
  constraint agent_epochs_belong_to_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
) with (fillfactor = 50);
comment on table agent_epochs is 'Moves with each change of what a decision about this agent reads; recording a decision compares it.';

create function svc_bump_agent(organization text, agent text) returns void language plpgsql as $$
begin
  update agent_epochs e set epoch = e.epoch + 1 where e.organization_id = organization and e.agent_id = agent;
  perform pg_notify('svc_epochs', agent);
end $$;

create function svc_agent_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into agent_epochs (organization_id, agent_id, environment_id) values (new.organization_id, new.id, new.environment_id);
  else
    perform svc_bump_agent(new.organization_id, new.id);
  end if;
  return null;
end $$;
create trigger agent_moves_its_epoch after insert or update on agents for each row execute function svc_agent_changed();

-- For tables whose rows belong to one agent by agent_id.
create function svc_part_of_agent_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform svc_bump_agent(old.organization_id, old.agent_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.agent_id <> old.agent_id) then
    perform svc_bump_agent(new.organization_id, new.agent_id);
  end if;
  return null;
end $$;

create table agent_keys (
  organization_id text not null,
  agent_id text not null,
  generation integer not null,
  public_key text not null,
  thumbprint text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (organization_id, agent_id, generation),
  constraint agent_keys_belong_to_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_keys_by_thumbprint on agent_keys (organization_id, thumbprint);
create trigger agent_key_moves_the_epoch after insert or update or delete on agent_keys
  for each row execute function svc_part_of_agent_changed();
comment on table agent_keys is 'Public keys by generation. Retired ones are kept to tell a stale assertion from a forged one, and never come back.';

create table agent_capabilities (
  organization_id text not null,
  agent_id text not null,
  capability text not null,
  granted_by text not null,
  granted_at timestamptz not null default now(),
  primary key (organization_id, agent_id, capability),
  constraint agent_capabilities_belong_to_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create trigger agent_capability_moves_the_epoch after insert or update or delete on agent_capabilities
  for each row execute function svc_part_of_agent_changed();
comment on table agent_capabilities is 'Capabilities granted to an agent.';

create table passports (
  organization_id text not null,
  id text not null,
  agent_id text not null,
  version integer not null,
  token text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  constraint passports_are_once_per_version unique (organization_id, agent_id, version),
  constraint passports_belong_to_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create trigger passport_moves_the_epoch after insert or update or delete on passports
  for each row execute function svc_part_of_agent_changed();
comment on table passports is 'Signed statements of who an agent is; a new version at each change of what it states.';

create table agent_sessions (
  organization_id text not null,
  id text not null,
  agent_id text not null,
  nonce_hash bytea not null,
  generation integer not null,
  series integer not null,
  sdk json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  constraint agent_sessions_use_a_nonce_once unique (organization_id, agent_id, nonce_hash)
);
create index agent_sessions_by_expiry on agent_sessions (expires_at);
comment on table agent_sessions is 'One row per assertion redeemed: inserting it uses up the nonce, for every gateway at once.';

create table ended_agent_sessions (
  organization_id text not null,
  agent_id text not null,
  session_id text not null,
  expires_at timestamptz not null,
  primary key (organization_id, session_id)
);
create index ended_agent_sessions_by_agent on ended_agent_sessions (organization_id, agent_id);
create trigger ended_session_moves_the_epoch after insert on ended_agent_sessions
  for each row execute function svc_part_of_agent_changed();
comment on table ended_agent_sessions is 'Single sessions ended before their time. Killing all of them moves agents.session_series instead.';
