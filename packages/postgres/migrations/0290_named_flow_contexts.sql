-- A context is one of an agent by its name, which the agent signs in its assertion. Contexts from before count in all contexts of their agent.
alter table agent_contexts add column name text not null default '*';
alter table agent_contexts drop constraint agent_contexts_one_of_an_agent;
alter table agent_contexts add constraint agent_contexts_one_of_a_name unique (organization_id, agent_id, name);
alter table agent_contexts add constraint agent_contexts_name_form check (name ~ '^([*]|[A-Za-z0-9._:-]{0,64})$');
comment on column agent_contexts.name is 'Name that the assertion gives it; empty if it gives none, * if the labels count in all contexts of the agent.';

grant select (id, name) on agent_contexts to svc_reader;
-- Contexts that have ended are deleted by a job, which looks for their organizations.
create policy agent_contexts_found on agent_contexts for select to svc_identity using (true);
grant select (organization_id, last_used_at) on agent_contexts to svc_identity;
