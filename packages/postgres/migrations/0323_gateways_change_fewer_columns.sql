-- A gateway never moves a context or a proof to another tenant, agent or place, so that it needs no right to change these columns.
revoke update on agent_contexts from svc_gateway;
grant update (id, name, labels, sources, tools_used, is_overflowing, started_at, last_used_at) on agent_contexts to svc_gateway;
revoke update on dpop_proofs from svc_gateway;
-- Rows are locked before they are deleted, which needs the right to change a column.
grant update (expires_at) on dpop_proofs to svc_gateway;
