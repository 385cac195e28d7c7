-- A heartbeat answers the nonce of the last one, and states the package of the governed node that is installed.
alter table runtime_heartbeats
  add column node_sha256 text,
  add column nonce text,
  add column previous_nonce text,
  add column proven boolean;
comment on column runtime_heartbeats.node_sha256 is 'SHA-256 over the files of the governed node that are installed; null if it is not.';
comment on column runtime_heartbeats.nonce is 'The nonce that the next heartbeat of the process answers.';
comment on column runtime_heartbeats.previous_nonce is 'The nonce before, for a process that did not receive the last answer.';
comment on column runtime_heartbeats.proven is 'True if the heartbeat answered a nonce with the content of the hook file; null for the first one of a process.';
grant update (node_sha256, nonce, previous_nonce, proven) on runtime_heartbeats to svc_gateway;
