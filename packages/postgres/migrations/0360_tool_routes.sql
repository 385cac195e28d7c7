-- Requests at a proxy that a tool stands for. The proxy asks the gateway before it forwards a request.
alter table tools add column routes jsonb not null default '[]';
comment on column tools.routes is 'Requests that are decided as calls of the tool: mapping, method and path.';
