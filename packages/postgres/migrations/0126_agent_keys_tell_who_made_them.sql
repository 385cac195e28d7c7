-- Whoever puts a key in the place of an agent's can act as it: who that was, by their own id or that of their API key, and whether they had just
-- proved who they are. Of keys from before nothing is known.
alter table agent_keys add column made_by text, add column made_stepped_up boolean not null default false;
comment on column agent_keys.made_by is 'The person or API key that put it in place; null of keys from before.';
comment on column agent_keys.made_stepped_up is 'Whether they had just proved who they are.';
