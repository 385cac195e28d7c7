-- svc_gateway is what a gateway logs in as, beside svc_recorder: it reads what decisions are made of, one tenant at a time, and writes what
-- comes of them. It sees no person, no session, no API key and no setting of signing in, and changes no agent, tool, policy or environment.
-- What narrows svc_app narrows it too.
do $$
declare
  p record;
begin
  for p in select policyname, tablename from pg_policies
            where schemaname = 'public' and roles = '{svc_app}' and tablename = any (array['organizations', 'environments', 'environment_epochs',
              'agents', 'agent_epochs', 'agent_keys', 'agent_capabilities', 'passports', 'ended_agent_sessions', 'tools', 'tool_agents', 'policies',
              'policy_versions', 'policy_bindings', 'delegations', 'exchange_rates', 'actions', 'approvals', 'audit_events', 'counters',
              'counter_uses', 'idempotency_keys'])
  loop
    execute format('alter policy %I on %I to svc_app, svc_gateway', p.policyname, p.tablename);
  end loop;
end $$;

grant select on organizations, environments, environment_epochs, agents, agent_epochs, agent_keys, agent_capabilities, tools, tool_agents, policies,
  policy_bindings, delegations, exchange_rates, actions, approvals, ended_agent_sessions, counters, counter_uses, idempotency_keys to svc_gateway;
grant select (organization_id, agent_id, version, expires_at) on passports to svc_gateway;
grant select (organization_id, id, policy_id, version_number, status, currency, rules) on policy_versions to svc_gateway;

grant insert on actions, approvals, audit_events, counters, counter_uses, idempotency_keys, ended_agent_sessions, delegations to svc_gateway;
grant update (decision, status, mode, code, reason, explanation, execution, environment_epoch, agent_epoch, completed_at) on actions to svc_gateway;
grant update (status, consumed_at, consumed_by_key, consumed_by_hash) on approvals to svc_gateway;
grant update (total, last_used_at) on counters to svc_gateway;
grant update (status, body) on idempotency_keys to svc_gateway;
grant update (epoch) on agent_epochs to svc_gateway;
-- Only who may change something of a row may hold it as it is: an agent that delegates is held, with the chain above.
grant update (updated_at) on agents, delegations to svc_gateway;

-- The first process of an installation makes the platform's key, whichever it is.
grant select, insert on platform_keys to svc_gateway;

-- Where an agent belongs is asked before a tenant is known, by who sees epochs of every tenant already.
create policy agents_by_id_for_gateways on agents for select to svc_recorder using (true);
grant select (organization_id, id, environment_id) on agents to svc_recorder;
