-- Guesses at a step-up are counted by the session they are made in: nobody without it can use them up, and its last one ends it.
alter table sessions add column step_up_failures integer not null default 0;
comment on column sessions.step_up_failures is 'Wrong proofs at a step-up since the last right one.';
