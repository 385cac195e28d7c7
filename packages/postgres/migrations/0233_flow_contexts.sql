-- Labels of data that agents have read, by agent. A context grows in the transaction that records the decision, and its growth moves the epoch of the
-- agent: every decision that begins after the answer of a labelled read is made on its labels, on every gateway.
create table agent_contexts (
  organization_id text not null,
  agent_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  labels text[] not null default '{}',
  sources jsonb not null default '[]',
  tools_used text[] not null default '{}',
  is_overflowing boolean not null default false,
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (organization_id, id),
  constraint agent_contexts_one_of_an_agent unique (organization_id, agent_id),
  constraint agent_contexts_belong_to_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id) on delete cascade
);
comment on table agent_contexts is 'Flow contexts: labels of the data that an agent may hold, with their sources.';
comment on column agent_contexts.sources is 'Tool, host, readers (hashes) and action of each label, at most 32.';
comment on column agent_contexts.is_overflowing is 'More sources than are kept: its labels then count as leaving wherever a request goes out.';

create function svc_context_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at' then
    return null;
  end if;
  perform svc_bump_agent(coalesce(new.organization_id, old.organization_id), coalesce(new.agent_id, old.agent_id));
  return null;
end $$;
revoke all on function svc_context_changed from public;
create trigger context_moves_the_epoch after insert or update or delete on agent_contexts for each row execute function svc_context_changed();

select svc_guard('agent_contexts', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on agent_contexts to svc_app;
grant select, insert, update on agent_contexts to svc_gateway;
create policy agent_contexts_used on agent_contexts for all to svc_reader using (true) with check (true);
grant select (organization_id, agent_id, last_used_at), update (last_used_at) on agent_contexts to svc_reader;

-- What a person declared of the data that flows through a tool.
alter table tools add column flow jsonb not null default '{}';
comment on column tools.flow is 'Labels of results, reach, readers, recipients and side effects, as a person declared them.';

-- An approval is bound to the labels under which it was requested.
alter table approvals add column asked_labels text[];
comment on column approvals.asked_labels is 'Labels of the context when the approval was requested; null in an approval from before they were kept.';
